"""WSGI inside the ASGI server with one change of thread for each request.

a2wsgi streams: it changes threads for every piece of the body, received and sent. Our requests are small forms and our
answers are whole pages, so here the body is read first, the application runs in the pool, and the answer is sent after.
"""

from __future__ import annotations

import contextvars
from functools import partial
from io import BytesIO
from typing import Any

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import WSGIResponder, build_environ

MOST_BYTES = 1_000_000
"""Of the body of a request; forms are far smaller."""


class WholeResponder(WSGIResponder):
    """Answer one request."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = await _whole_body(receive)
        if body is None:
            await refuse(send, 413, "This is more than anybody has to say here.")
            return
        self.messages: list[Any] = []
        environ = build_environ(scope, body)
        run = partial(contextvars.copy_context().run, self.wsgi, environ, self.start_response)
        await self.loop.run_in_executor(self.executor, run)
        for message in _joined(self.messages):
            await send(message)

    def send(self, message: Any) -> None:
        """Keep what the application answers until it has finished."""
        self.messages.append(message)


class WholeRequests(WSGIMiddleware):
    """Run a WSGI application in a pool of threads."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
        else:
            await WholeResponder(self.app, self.executor, self.send_queue_size)(scope, receive, send)


async def refuse(send: Any, status: int, sentence: str) -> None:
    """Answer with one sentence of plain text what never reaches the application."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{sentence}\n".encode()})


async def _whole_body(receive: Any) -> Any:
    """Return the body of a request as a file, None when it is too large."""
    body = BytesIO()
    while True:
        message = await receive()
        body.write(message.get("body", b""))
        if body.tell() > MOST_BYTES:
            return None
        if not message.get("more_body", False):
            body.seek(0)
            return body


def _joined(messages: list[Any]) -> tuple[Any, Any]:
    """Return the start of the answer, and all of its body in one piece."""
    start, *pieces = messages
    return start, {"type": "http.response.body", "body": b"".join(piece["body"] for piece in pieces)}
