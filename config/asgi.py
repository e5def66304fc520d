"""The two entry points: pages through Django's WSGI handler in a small thread pool, sockets through Channels.

The threads keep their database connections; Django's own ASGI handler takes 1.3 to 1.7 times as long for a page.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from config.wsgi import application as pages  # isort: skip  # sets Django up before anything below is imported

from a2wsgi import WSGIMiddleware
from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from django.core.exceptions import ImproperlyConfigured
from django.urls import get_resolver

from accounts.requests import ASKED, Asked, number_of
from config.checks import check_combinations, check_server
from config.doors import RESTARTING, arrived, asks_whether_alive, carried, is_welcome, refusal, refuse, say_alive
from config.urls import no_socket, websocket_urlpatterns
from games.play.live import pubsub
from games.titles import titles

THREADS = 4

if refused := [*check_combinations(None), *check_server(None)]:
    raise ImproperlyConfigured("\n".join(str(message) for message in refused))

# Imported now rather than during somebody's first request.
titles()
get_resolver().url_patterns  # noqa: B018  # reading it imports all views

ending = threading.Event()
"""Set when this process is to end: what was begun is finished, and everything else is refused."""


def _pages_until_the_end(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Serve a page, unless the process is to end before a thread was free for it."""
    if ending.is_set():
        headers, body = refusal(RESTARTING, 5)
        start_response("503 Service Unavailable", [(name.decode(), value.decode()) for name, value in headers])
        return [body]
    return pages(environ, start_response)


# With a queue without end no thread waits for a slow reader.
_http: Any = WSGIMiddleware(cast("Any", _pages_until_the_end), workers=THREADS, send_queue_size=0)
_routes = URLRouter(websocket_urlpatterns)


async def _numbered(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve a socket whose person is known; what is logged meanwhile names both."""
    told = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin1")
    ASKED.set(Asked(number_of(told), SimpleNamespace(user=SimpleNamespace(pk=scope["user"].pk))))
    await _routes(scope, receive, send)


_websocket = AuthMiddlewareStack(_numbered)


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve one connection; the first one (or the start-up message) tells announcements which loop sockets run on."""
    pubsub.use_loop(asyncio.get_running_loop())
    if "headers" in scope:
        scope = carried(scope)
    if scope["type"] == "websocket":
        await (_websocket if is_welcome(scope) and not ending.is_set() else no_socket)(scope, receive, send)
    elif scope["type"] == "lifespan":
        await _http(scope, receive, send)
    elif asks_whether_alive(scope):
        await say_alive(send)
    else:
        await _serve(scope, receive, send)


async def _serve(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer a request for a page, unless it cannot reach Django."""
    if ending.is_set():
        await refuse(send, 503, RESTARTING, again=5)
    elif not scope["query_string"].isascii():
        # Browsers never send this, and WSGI cannot represent it.
        await refuse(send, 400, "The address contains characters that must be escaped.")
    elif (whole := await arrived(receive)) is not None:
        await _answer(scope, whole, send)


async def _answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve a page; one that takes too long when the process is to end is refused, as far as nothing was sent of it."""
    begun = False

    async def noting(message: dict[str, Any]) -> None:
        nonlocal begun
        begun = True
        await send(message)

    try:
        await _http(scope, receive, noting)
    except asyncio.CancelledError:
        if begun:
            raise
        await refuse(send, 503, RESTARTING, again=5)
