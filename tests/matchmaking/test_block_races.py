"""A block and somebody who joins at the same moment: they never begin a match after the block is stored."""

from __future__ import annotations

from functools import partial

import pytest
from django.db import connection

from accounts import blocks
from games.matchmaking import services
from games.matchmaking.services import Wish
from tests.matchmaking.test_concurrency import together
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True, params=[pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.services)])
def _database(request: pytest.FixtureRequest) -> None:
    if connection.vendor != request.param:
        pytest.skip(f"the database is {connection.vendor}")


def test_who_is_blocked_while_joining_is_not_left_at_the_open_table() -> None:
    for _ in range(8):
        host, guest = person(), person()
        match = services.open_table(host, Wish("shifting-stones", 3, rated=False))
        ends = together([partial(blocks.block, host, guest), partial(services.join, match.pk, guest)])
        assert set(ends) <= {"done", "invited-only"}
        assert list(match.seats.values_list("user", flat=True)) == [host.pk]
        assert blocks.is_blocked_between(host, guest)
