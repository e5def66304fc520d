"""A block and somebody who joins or comes at the same moment: the two do not stay at one table."""

from __future__ import annotations

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.utils import timezone

from accounts import relations
from accounts.models import Block
from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.tables import TableSetup
from tests.meeting import endings
from tests.people import person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True, params=[pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.services)])
def _database(request: pytest.FixtureRequest) -> None:
    if connection.vendor != request.param:
        pytest.skip(f"the database is {connection.vendor}")


def test_who_is_blocked_while_joining_is_not_left_at_the_open_table() -> None:
    for _ in range(8):
        host, guest = person(), person()
        match = tables.open_table(host, TableSetup("shifting-stones", 3, rated=False))
        ends = endings([partial(relations.block, host, guest), partial(tables.join, match.pk, guest)])
        assert set(ends) <= {"done", "invited-only"}
        assert list(match.seats.values_list("user", flat=True)) == [host.pk]
        assert relations.is_blocked_between(host, guest)


def test_who_is_blocked_while_coming_has_no_seat_kept_beside_the_other() -> None:
    for _ in range(8):
        host, guest = person(), person()
        wish, opens = TableSetup("shifting-stones", 3, rated=False), timezone.now() + timedelta(days=1)
        match = planned.plan_table(host, wish, opens)
        ends = endings([partial(planned.come, match.pk, guest), partial(relations.block, host, guest)])
        assert set(ends) <= {"done", "invited-only"}
        assert list(match.promises.values_list("user", flat=True)) == [host.pk]
        assert relations.is_blocked_between(host, guest)


def test_who_comes_is_looked_at_after_both_are_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    host, guest = person(), person()
    match = planned.plan_table(host, TableSetup("shifting-stones", 3, rated=False), timezone.now() + timedelta(days=1))
    lock = relations.lock_people

    def blocked_just_before(keys: object) -> None:
        monkeypatch.undo()
        Block.objects.create(by=host, blocked=guest)  # as if stored by another, for whose lock this one waits
        lock(keys)  # type: ignore[arg-type]  # whatever it is given

    monkeypatch.setattr(planned, "lock_people", blocked_just_before)
    with pytest.raises(RuleViolation) as refused:
        planned.come(match.pk, guest)
    assert refused.value.code == "invited-only"
