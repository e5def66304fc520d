"""Copies of rows are independent of one another."""

from __future__ import annotations

import pytest

from accounts.models import User
from accounts.rows import copied
from games.play.models import Match, Seat
from tests.people import Kinds

pytestmark = pytest.mark.django_db


def test_a_copy_may_be_changed_without_changing_the_row(kinds: Kinds) -> None:
    seat = Seat.objects.select_related("user").get(match=kinds.match, number=0)
    copy = copied(seat)
    copy.acted, copy.user = not seat.acted, kinds.stranger
    assert (seat.acted, seat.user) == (not copy.acted, kinds.seated)
    assert copy == seat


def test_a_copy_shares_what_was_loaded_with_the_row(kinds: Kinds) -> None:
    seat = Seat.objects.select_related("user").get(match=kinds.match, number=0)
    assert copied(seat).user is seat.user


def test_a_copy_is_stored_as_the_row_is(kinds: Kinds) -> None:
    match = copied(Match.objects.get(pk=kinds.match.pk))
    match.version += 1
    match.save()
    assert Match.objects.get(pk=kinds.match.pk).version == kinds.match.version + 1


def test_a_row_that_was_not_stored_yet_is_copied_as_such() -> None:
    copy = copied(User(username="ann"))
    assert copy._state.adding
    assert copy.username == "ann"
