"""WSGI inside the ASGI server with one change of thread for each request.

a2wsgi streams: it changes threads for every piece of the body, received and sent. Our requests are small forms and our
answers whole pages, so here the body is read first, then the application runs in a thread, then the answer is sent.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from io import BytesIO
from typing import Any

from a2wsgi import WSGIMiddleware
from a2wsgi.wsgi import WSGIResponder, build_environ

MOST_BYTES = 1_000_000
"""The largest request body in bytes; forms are far smaller."""


class Threads:
    """Where requests run: forms in a thread of their own, pages (and forms while that thread is busy) in a pool.

    When the loop and a thread are both busy, they take Python's lock from each other at every database statement, and
    several threads use the processor's caches worse than one. Together that costs up to a fifth of a move's time. So
    the loop yields to the thread of forms for at most `patience` seconds, and again when the next form comes. A move is
    done by then; anything slower (a password, a busy disk) continues beside the loop, as pages always do. Use 0 where
    requests wait for a database server, because the loop can work meanwhile.
    """

    def __init__(self, pool: ThreadPoolExecutor, patience: float) -> None:
        self.pool, self._patience = pool, patience
        self._forms = ThreadPoolExecutor(1, "WSGI forms")
        self._latest: Future[None] = Future()
        self._latest.set_result(None)

    async def run(self, request: Callable[[], None], *, is_form: bool) -> None:
        """Wait until the request is done; raise what it raised."""
        running = self._begin(request) if is_form else self.pool.submit(request)
        if not running.done():
            await asyncio.wrap_future(running)
        running.result()

    def _begin(self, request: Callable[[], None]) -> Future[None]:
        if not self._give_way():
            return self.pool.submit(request)
        self._latest = self._forms.submit(request)
        self._give_way()
        return self._latest

    def _give_way(self) -> bool:
        """Let the thread of forms run alone for a moment; return whether it is free now."""
        return self._latest.done() or not wait([self._latest], self._patience).not_done


class WholeResponder(WSGIResponder):
    """Answer one request."""

    def __init__(self, app: Any, threads: Threads) -> None:
        super().__init__(app, threads.pool, send_queue_size=1)
        self.threads = threads

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = await _whole_body(receive)
        if body is None:
            await refuse(send, 413, "This request is too large.")
            return
        self.messages: list[Any] = []
        environ = build_environ(scope, body)
        run = partial(contextvars.copy_context().run, self.wsgi, environ, self.start_response)
        await self.threads.run(run, is_form=scope["method"] == "POST")
        for message in _joined(self.messages):
            await send(message)

    def send(self, message: Any) -> None:
        """Collect the application's answer until it has finished."""
        self.messages.append(message)


class WholeRequests(WSGIMiddleware):
    """Run a WSGI application in `workers` threads; the loop yields to the thread of forms for `patience` seconds."""

    def __init__(self, app: Any, workers: int, patience: float) -> None:
        super().__init__(app, workers - 1)
        self.threads = Threads(self.executor, patience)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
        else:
            await WholeResponder(self.app, self.threads)(scope, receive, send)


async def refuse(send: Any, status: int, sentence: str) -> None:
    """Answer a request that never reaches the application with one sentence of plain text."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{sentence}\n".encode()})


async def _whole_body(receive: Any) -> Any:
    """Return the body of a request as a file, None if it is too large."""
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
    """Return the start of the answer and its whole body in one piece."""
    start, *pieces = messages
    return start, {"type": "http.response.body", "body": b"".join(piece["body"] for piece in pieces)}
