"""The ASGI application: pages through Django's WSGI handler in a small thread pool, sockets through Channels.

The threads keep their database connections; Django's own ASGI handler takes 1.3 to 1.7 times as long for a page.
Requests that Django or Channels could not handle are refused here, with a sentence.
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
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host
from django.urls import get_resolver

from accounts.requests import ASKED, Asked, is_form, is_text, number_of
from config.checks import check_combinations, check_server
from config.urls import no_socket, websocket_urlpatterns
from games.api import problems
from games.api.middleware import is_below
from games.api.streams import door as streams
from games.play.live import pubsub
from games.titles import titles

THREADS = 4

RESTARTING = "The site is restarting. Please try again in a few seconds."

if refused := [*check_combinations(None), *check_server(None)]:
    raise ImproperlyConfigured("\n".join(str(message) for message in refused))

# Now rather than during somebody's first request.
titles()
get_resolver().url_patterns  # noqa: B018  # reading it imports all views

ending = threading.Event()
"""Set when this process shuts down: it finishes what it has begun and refuses everything else."""


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve one connection; the first one, or the start-up message, tells pub/sub which event loop sockets run on."""
    pubsub.use_loop(asyncio.get_running_loop())
    if any(b"_" in name for name, _value in scope.get("headers", ())):
        # WSGI cannot tell X_Forwarded_For from X-Forwarded-For, so anyone could forge what a trusted proxy reports.
        scope = {**scope, "headers": [header for header in scope["headers"] if b"_" not in header[0]]}
    if scope["type"] == "websocket":
        await (_websocket if _is_welcome(scope) and not ending.is_set() else no_socket)(scope, receive, send)
    elif scope["type"] == "lifespan":
        await _http(scope, receive, send)
    elif _asks_whether_alive(scope):
        # Answered on the event loop, as all threads may be waiting for the database.
        headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store"), (b"content-length", b"14")]
        await _say(send, 200, headers, b'{"live": true}')
    else:
        await _serve(scope, receive, send)


def _asks_whether_alive(scope: dict[str, Any]) -> bool:
    """Return whether a request asks only whether this process is alive (`/healthz?live`)."""
    return (
        scope["path"] == "/healthz"
        and scope["method"] in {"GET", "HEAD"}
        and b"live" in (part.partition(b"=")[0] for part in scope["query_string"].split(b"&"))
    )


# --- pages ------------------------------------------------------------------------------------------------------------


async def _serve(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer a request for a page or a stream, or refuse it if Django could not handle it."""
    if ending.is_set():
        await _refuse(scope, send, 503, RESTARTING, again=5)
    elif not scope["query_string"].isascii():
        # Browsers never send this, and WSGI cannot represent it.
        await _refuse(scope, send, 400, "The address contains characters that must be escaped.")
    elif streams.is_for(scope) and _is_welcome(scope):
        await streams.serve(scope, receive, send)
    elif (whole := await _arrived(receive)) is not None:
        await _answer(scope, whole, send)


async def _arrived(receive: Any) -> Any:
    """Read the whole body of a request and return a `receive` that yields it at once; None if the sender has left.

    So no thread waits for a slow sender, and no incomplete request is handled.
    """
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)

    async def at_once() -> dict[str, Any]:
        return {"type": "http.request", "body": bytes(body)}

    return at_once


async def _answer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve a page; refuse it if it takes too long while the process shuts down and nothing was sent yet."""
    begun = False

    async def sent(message: dict[str, Any]) -> None:
        nonlocal begun
        begun = True
        await send(message)

    try:
        await _http(scope, receive, sent)
    except asyncio.CancelledError:
        if begun:
            raise
        await _refuse(scope, send, 503, RESTARTING, again=5)


def _pages_until_the_end(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Serve a page; refuse it if the process began to shut down before a thread was free."""
    if ending.is_set():
        headers, body = _refusal(environ["PATH_INFO"], 503, RESTARTING, 5)
        start_response("503 Service Unavailable", [(name.decode(), value.decode()) for name, value in headers])
        return [body]
    return pages(environ, start_response)


# The queue is unbounded, so that no thread waits for a slow reader.
_http: Any = WSGIMiddleware(cast("Any", _pages_until_the_end), workers=THREADS, send_queue_size=0)


async def _refuse(scope: dict[str, Any], send: Any, status: int, sentence: str, again: int = 0) -> None:
    """Answer a request with a sentence; `again` is after how many seconds to try again, 0 for never."""
    await _say(send, status, *_refusal(scope["path"], status, sentence, again))


def _refusal(path: str, status: int, sentence: str, again: int) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the body of a refusal: plain text, or for programs a problem."""
    headers = [(b"cache-control", b"no-store")]
    if again:
        headers.append((b"retry-after", str(again).encode()))
    if not is_below(path):
        return [(b"content-type", b"text/plain; charset=utf-8"), *headers], f"{sentence}\n".encode()
    code = problems.usual(status).code
    headers += [(b"content-type", problems.MEDIA_TYPE.encode()), (b"access-control-allow-origin", b"*")]
    return headers, problems.body_of(status, code, sentence)


async def _say(send: Any, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


# --- sockets ----------------------------------------------------------------------------------------------------------


def _is_welcome(scope: dict[str, Any]) -> bool:
    """Return whether a socket or stream is accepted: its host is in ALLOWED_HOSTS; path, query and cookies are text.

    For pages Django and `OnlyText` check this; Channels does not.
    """
    headers = dict(scope["headers"])
    host, _port = split_domain_port(headers.get(b"host", b"").decode("latin1"))
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    is_of_text = is_form(scope["query_string"]) and all(map(is_text, (scope["path"], *cookies.values())))
    return bool(host) and validate_host(host, settings.ALLOWED_HOSTS) and is_of_text


_routes = URLRouter(websocket_urlpatterns)


async def _numbered(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve a socket; log lines meanwhile have its number and user."""
    given = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin1")
    ASKED.set(Asked(number_of(given), SimpleNamespace(user=SimpleNamespace(pk=scope["user"].pk))))
    await _routes(scope, receive, send)


_websocket = AuthMiddlewareStack(_numbered)
