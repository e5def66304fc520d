"""The clock of an event guarantees the end of its rounds, nights included."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.events.formats.clock import Clock, fits, fitting
from games.titles import titles
from tests.unit.events.playing import DAY, HOUR


@pytest.mark.parametrize("slug", list(titles()))
@pytest.mark.parametrize("nights", [True, False])
def test_what_is_said_to_fit_does_and_no_more(slug: str, nights: bool) -> None:
    turns, clock, round_ = titles()[slug].insight.turns_of_a_seat(2), Clock(2 * DAY, 4 * HOUR), 10 * DAY
    assert not fits(2, turns, Clock(3 * DAY, 8 * HOUR), round_, nights=True)
    would = fitting(2, turns, clock, round_, nights=nights)
    assert fits(2, turns, clock, would.round, nights=nights)
    assert not fits(2, turns, clock, would.round - HOUR, nights=nights)
    if would.increment is not None:
        assert fits(2, turns, Clock(clock.start, would.increment), round_, nights=nights)
        assert not fits(2, turns, Clock(clock.start, would.increment + timedelta(seconds=1)), round_, nights=nights)
    if would.start is not None:
        assert fits(2, turns, Clock(would.start, clock.increment), round_, nights=nights)


def test_what_takes_too_long_already_is_not_said_to_fit() -> None:
    would = fitting(2, 20, Clock(9 * DAY, 9 * HOUR), 10 * DAY, nights=True)
    assert (would.start, would.increment) == (None, None)


def test_as_many_turns_as_measured() -> None:
    assert {slug: title.insight.turns_of_a_seat(3) for slug, title in titles().items()} == {
        "card-chess": 30,
        "shifting-stones": 20,
        "small-islands": 21,
    }
