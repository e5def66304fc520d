"""`python -m config.serve [--migrate]`: the whole site in one process, on loopback unless HOST says otherwise.

Only bots think in processes of their own (`config.background`). With SINGLE_PROCESS=0 it is one of several web
processes, which need REDIS_URL.
"""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
from contextlib import ExitStack
from types import FrameType

import django
import uvicorn
from django.conf import settings
from django.core.management import call_command

from config.protocol import LimitedConnection, Socket
from games.play import management

MAX_FRAME = 16_384
"""The largest socket frame accepted, in bytes."""

LOGGED = {"INFO": "WARNING"}
"""The log level for uvicorn, by ours: at INFO it logs every socket."""

ENDS_WITHIN = management.ENDS_WITHIN
"""Seconds after which a process that shuts down has ended, whatever still runs."""

REQUESTS_END_WITHIN = 0.6
"""The share of that time for requests; the rest is for the work they have begun."""

SETTLES_WITHIN = 0.1
"""The share of it in which moves that were sent are still answered over their sockets."""


def collect_in_small_steps() -> None:
    """Collect garbage in small steps: after every 200 new objects, and all objects after 55 million.

    With Python's own thresholds the slowest hundredth of pushes takes eleven times as long (benchmark "garbage").
    Closed sockets are freed without a full collection.
    """
    gc.set_threshold(200, 10, 25_000)


def server_config(**overrides: object) -> uvicorn.Config:
    """Return uvicorn's settings for Tessera.

    Sockets are compressed, which saves four fifths of the bytes and costs 40 kB of memory each. That is safe, because
    nothing on them lets anybody into an account.
    """
    level = os.environ.get("LOG_LEVEL", "INFO")
    options: dict[str, object] = {
        "host": os.environ.get("HOST", "127.0.0.1"),
        "port": int(os.environ.get("PORT", "8000")),
        "log_level": LOGGED.get(level, level).lower(),
        "access_log": False,
        "log_config": None,  # LOGGING in the settings applies
        "http": LimitedConnection,
        "ws": Socket,
        "ws_max_size": MAX_FRAME,
        "ws_per_message_deflate": True,
        "timeout_graceful_shutdown": int(ENDS_WITHIN * REQUESTS_END_WITHIN),
        "server_header": False,
        "proxy_headers": False,  # we read these headers ourselves, as far as TRUSTED_PROXIES allows
        **overrides,
    }
    return uvicorn.Config("config.asgi:application", **options)  # type: ignore[arg-type]  # options are heterogeneous


class Server(uvicorn.Server):
    """uvicorn with an orderly shutdown: refuses new requests, finishes what it has begun, and pushes the results.

    Args:
        config: as uvicorn's.
        parts: what else runs in this process; closed while the last requests are answered.
    """

    def __init__(self, config: uvicorn.Config, parts: ExitStack) -> None:
        super().__init__(config)
        self._parts = parts

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if not self.should_exit:
            management.end_within(ENDS_WITHIN)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from config import asgi  # noqa: PLC0415  # needs the apps, which loading the server has made ready
        from games.api.streams import stream  # noqa: PLC0415  # as above
        from games.play.live import pubsub, workers  # noqa: PLC0415  # as above

        asgi.ending.set()
        await asyncio.to_thread(workers.finish, ENDS_WITHIN * SETTLES_WITHIN)
        stream.say_bye()
        await asyncio.gather(super().shutdown(sockets), asyncio.to_thread(self._parts.close))
        await asyncio.to_thread(workers.finish, ENDS_WITHIN * SETTLES_WITHIN)
        await pubsub.finish(ENDS_WITHIN * SETTLES_WITHIN)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit())  # uvicorn raises the signal again once everything is closed
    os.environ.setdefault("SINGLE_PROCESS", "1")
    if "--migrate" in sys.argv:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
        call_command("migrate", verbosity=0)
    config = server_config()
    config.load()
    collect_in_small_steps()
    from config.background import thinking, working  # noqa: PLC0415  # needs the apps, which loading the server readies

    if settings.SINGLE_PROCESS:
        # WebAuthn needs a name, so passkeys do not work on an IP address.
        addresses = f"http://{config.host}:{config.port} (with passkeys: http://localhost:{config.port})"
        print(f"Tessera is on {addresses}. Ctrl+C ends it.", flush=True)  # noqa: T201  # the newcomer's address
    with ExitStack() as stack:
        if settings.EMBEDDED_WORKER:
            stack.enter_context(working())
            stack.enter_context(thinking(settings.BOT_PROCESSES))
        Server(config, stack).run()


if __name__ == "__main__":
    main()
