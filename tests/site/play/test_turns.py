"""Which turns begin when: the basis for notices of turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from games.play import commands
from games.play.models import Match, Seat
from games.play.reducer import positions
from games.play.signals import turns_began
from tests.people import act, person, running_match

pytestmark = pytest.mark.django_db

Begun = list[tuple[int, int]]


@pytest.fixture
def begun() -> Iterator[Begun]:
    """Collect the turns that begin: (seat, turn)."""
    heard: Begun = []

    def hear(seats: Sequence[Seat], **_: Any) -> None:
        heard.extend((seat.number, seat.turn) for seat in seats)

    turns_began.connect(hear)
    yield heard
    turns_began.disconnect(hear)


def stored(match: Match, number: int) -> int:
    return Seat.objects.get(match=match, number=number).turn


def test_a_match_begins_with_the_turn_of_the_first_seat(begun: Begun) -> None:
    match = running_match([person(), person()])
    assert begun == [(0, 0)]
    assert stored(match, 0) == 0


def test_who_ends_a_turn_begins_that_of_the_next(begun: Begun) -> None:
    match = running_match([person(), person()])
    act(match, "end")
    act(match, "end")
    assert begun == [(0, 0), (1, 1), (0, 2)]
    assert (stored(match, 0), stored(match, 1)) == (2, 1)


def test_an_action_within_a_turn_begins_none(begun: Begun) -> None:
    match = running_match([person(), person()], seed=bytes(32))
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")))
    assert begun == [(0, 0)]


def test_what_is_taken_back_and_done_again_begins_the_same_turn_again(begun: Begun) -> None:
    match = running_match([person(), person()], seed=bytes(32))
    receipt = act(match, "end")
    commands.undo(match.pk, 0, receipt.version)
    act(match, "end")
    assert begun == [(0, 0), (1, 1), (0, 0), (1, 1)]


def test_a_secret_turn_begins_for_all_at_once_and_the_last_to_act_has_another(begun: Begun, sealed_game: str) -> None:
    match = running_match([person(), person(), person()], game=sealed_game)
    for seat in (2, 0, 1):
        act(match, positions.legal_texts(match, seat)[0], seat=seat)
    assert begun == [(0, 0), (1, 0), (2, 0), (0, 3), (1, 3), (2, 3)]
