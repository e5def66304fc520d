"""What a socket leaves behind."""

from __future__ import annotations

import gc
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
        assert len(held(MatchChatConsumer)) == len(held(Socket)) == len(held(LimitedConnection)) == 1
    wait_until(lambda: not held(MatchChatConsumer, Socket, LimitedConnection))


def held(*kinds: type) -> list[object]:
    """Return the living objects of these types."""
    return [thing for thing in gc.get_objects() if type(thing) in kinds]
