"""Checks made before a request or a socket reaches Django or Channels."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host

from accounts.requests import is_form, is_text

RESTARTING = "The site is restarting. Please try again in a few seconds."


def carried(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the scope without headers that have an underscore in their names.

    WSGI cannot tell `X_Forwarded_For` from `X-Forwarded-For`: anyone could add to what a trusted proxy says.
    """
    return {**scope, "headers": [header for header in scope["headers"] if b"_" not in header[0]]}


async def arrived(receive: Any) -> Any:
    """Wait for the body of a request and return what gives it out whole; None if the sender has gone meanwhile.

    So no thread waits for somebody slow, and nothing is done that was only half asked for.
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


async def refuse(send: Any, status: int, sentence: str, again: int = 0) -> None:
    """Answer a request that never reaches Django with one sentence of plain text.

    Args:
        again: after how many seconds to try again; 0 says nothing about that.
    """
    headers, body = refusal(sentence, again)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def refusal(sentence: str, again: int = 0) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the body of such an answer."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    if again:
        headers.append((b"retry-after", str(again).encode()))
    return headers, f"{sentence}\n".encode()


def asks_whether_alive(scope: dict[str, Any]) -> bool:
    """Return whether a request asks about this process alone (`/healthz?live`)."""
    return (
        scope["type"] == "http"
        and scope["path"] == "/healthz"
        and scope["method"] in {"GET", "HEAD"}
        and b"live" in (part.partition(b"=")[0] for part in scope["query_string"].split(b"&"))
    )


async def say_alive(send: Any) -> None:
    """Answer on the event loop: the threads of pages may all wait for the database."""
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store"), (b"content-length", b"14")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"live": true}'})


def is_welcome(scope: dict[str, Any]) -> bool:
    """Return whether a socket is accepted: its host is in ALLOWED_HOSTS and its address is text.

    Django checks the hosts of pages and `OnlyText` their contents; Channels checks neither.
    """
    headers = dict(scope["headers"])
    host, _port = split_domain_port(headers.get(b"host", b"").decode("latin1"))
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
    is_of_text = is_form(scope["query_string"]) and all(map(is_text, (scope["path"], *cookies.values())))
    return bool(host) and validate_host(host, settings.ALLOWED_HOSTS) and is_of_text
