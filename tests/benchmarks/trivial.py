"""The cheapest possible request: a view that says "ok", served like the site. Its rate shows how fast a machine is."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import Any, cast

from config.ops.stack import free_port
from tests.benchmarks.site import pin

REFERENCE = 2_522
"""Requests a second on the machine the aims were set on."""

_CONNECTIONS, _SECONDS = 20, 3


def application() -> object:
    """Return the ASGI application: Django's WSGI handler in four threads, two middlewares, one view."""
    from a2wsgi import WSGIMiddleware
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application
    from django.http import HttpResponse
    from django.urls import path

    middleware = ["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"]
    urls = type("Urls", (), {"urlpatterns": [path("", lambda _request: HttpResponse("ok"))]})
    settings.configure(SECRET_KEY="none", ALLOWED_HOSTS=["*"], ROOT_URLCONF=urls, MIDDLEWARE=middleware)
    return WSGIMiddleware(cast("Any", get_wsgi_application()), workers=4)


def requests_per_second() -> float:
    """Serve the view on the first core, load it from this one, return how many requests a second it answers."""
    port = free_port()
    options = ["--factory", "tests.benchmarks.trivial:application", "--port", str(port), "--log-level", "error"]
    server = subprocess.Popen([sys.executable, "-m", "uvicorn", *options, "--no-access-log"])
    pin(server.pid, 0)
    try:
        return asyncio.run(_load(port))
    finally:
        server.terminate()
        server.wait(15)


async def _load(port: int) -> float:
    await _first_answer(port)
    until = time.perf_counter() + _SECONDS
    return sum(await asyncio.gather(*(_ask(port, until) for _ in range(_CONNECTIONS)))) / _SECONDS


async def _first_answer(port: int) -> None:
    for _ in range(200):
        try:
            await _ask(port, time.perf_counter() + 0.01)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            return
    raise SystemExit("the trivial server did not start")


async def _ask(port: int, until: float) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answers = 0
    while time.perf_counter() < until:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert await reader.readexactly(2) == b"ok"
        answers += 1
    writer.close()
    return answers
