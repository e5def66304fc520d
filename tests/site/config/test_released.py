"""What a socket leaves behind."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from config.protocol import LimitedConnection, Socket
from games.chat.consumers import MatchChatConsumer
from tests.people import Kinds, client_of
from tests.serving import Site, dialled
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collector")
def test_a_closed_socket_is_freed_without_the_collector(live_site: Site, kinds: Kinds) -> None:
    """Closed sockets would otherwise add so much garbage that collecting it would delay everyone."""
    with dialled(live_site, f"match/{kinds.match.slug}/", client_of(kinds.seated)) as socket:
        socket.recv(timeout=60)
        things = held(MatchChatConsumer, Socket, LimitedConnection)
        assert sorted(type(thing).__name__ for thing in things) == ["LimitedConnection", "MatchChatConsumer", "Socket"]
        left = [weakref.ref(thing) for thing in things]
        del things
    wait_until(lambda: all(thing() is None for thing in left))


def held(*kinds: type) -> list[object]:
    """Return the living objects of these types."""
    return [thing for thing in gc.get_objects() if type(thing) in kinds]
