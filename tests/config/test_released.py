"""What a request and a socket leave behind."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.test import RequestFactory
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from config.protocol import LimitedProtocol
from games.play.course import positions
from games.play.live.consumers import MatchConsumer
from tests.people import Kinds, client_of
from tests.serving import Site, dialled
from tests.waiting import wait_until

SECRET = "s" * 32
FORM = "application/x-www-form-urlencoded"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collector")
def test_the_request_of_a_move_is_freed_without_the_collector(kinds: Kinds) -> None:
    """Garbage collection would delay every move made meanwhile."""
    seen: list[weakref.ref[WSGIRequest]] = []

    class Noted(WSGIRequest):
        def __init__(self, environ: dict[str, Any]) -> None:
            super().__init__(environ)
            seen.append(weakref.ref(self))

    handler = WSGIHandler()
    handler.request_class = Noted
    environ = move(kinds).environ
    answer = handler(environ, begin)
    assert answer.status_code == 200
    answer.close()
    del answer, environ
    assert [request() for request in seen] == [None]


@pytest.mark.usefixtures("_no_collector")
def test_a_closed_socket_is_freed_without_the_collector(live_site: Site, kinds: Kinds) -> None:
    """Closed sockets would otherwise add so much garbage that collecting it would delay everyone."""
    with dialled(live_site, f"match/{kinds.match.slug}/", client_of(kinds.seated)) as socket:
        socket.recv(timeout=8)
        assert len(held(MatchConsumer)) == len(held(WebSocketsSansIOProtocol)) == 1
    wait_until(lambda: not held(MatchConsumer, WebSocketsSansIOProtocol, LimitedProtocol), 8)


def held(*kinds: type) -> list[object]:
    """Return the living objects of these types."""
    return [thing for thing in gc.get_objects() if type(thing) in kinds]


def begin(_status: str, _headers: list[tuple[str, str]], _error: Any = None, /) -> Callable[[bytes], object]:
    """Accept the head of an answer, as WSGI's `start_response`."""
    return len


def move(kinds: Kinds) -> WSGIRequest:
    """Return what the browser of the player to move sends."""
    fields = {
        "action": positions.legal_texts(kinds.match, 0)[0],
        "version": kinds.match.version,
        "client_id": "a-move-of-this-test",
        "csrfmiddlewaretoken": SECRET,
    }
    cookies = client_of(kinds.seated).cookies.output(attrs=[], header="", sep=";")
    cookies = f"{cookies};csrftoken={SECRET}"
    factory = RequestFactory(headers={"Cookie": cookies, "HX-Request": "true"})
    request: WSGIRequest = factory.post(f"/match/{kinds.match.slug}/act/", urlencode(fields), content_type=FORM)
    return request
