"""Arithmetic of clocks: time spent and time left always add up, in every zone and across every change of clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from heapq import merge
from itertools import pairwise, takewhile
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from games.play.clocks import ClockError, Control, Rest, Span, deadline, read_control, spent

NOON = datetime(2026, 3, 20, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"]

seconds = st.integers(0, 400_000).map(lambda number: timedelta(seconds=number))
banks = st.integers(1, 1_500_000).map(lambda number: timedelta(seconds=number))
moments = st.builds(
    lambda second, zone: (NOON + timedelta(seconds=second)).astimezone(ZoneInfo(zone)),
    st.integers(-60_000_000, 120_000_000),
    st.sampled_from(ZONES),
)
minutes = st.integers(0, 24 * 60 - 1)


@st.composite
def controls(draw: st.DrawFn) -> Control:
    start, increment, more = draw(banks), draw(seconds), draw(seconds)
    return Control(start, increment, start + more)


@st.composite
def rests(draw: st.DrawFn) -> Rest:
    """Sleep of up to ten hours at any time of the day."""
    to_bed, length = draw(minutes), draw(st.integers(1, 600))
    sleep = draw(st.sampled_from([None, (to_bed, (to_bed + length) % (24 * 60))]))
    return Rest(draw(st.sampled_from(ZONES)), sleep, draw(st.booleans()))


@st.composite
def vacations(draw: st.DrawFn) -> list[Span]:
    begin = draw(moments).astimezone(UTC)
    return [(begin, begin + draw(seconds)), (begin + timedelta(days=9), begin + timedelta(days=10))]


# --- what a turn brings -----------------------------------------------------------------------------------------------


@given(controls())
def test_the_notation_reads_back(control: Control) -> None:
    assert read_control(str(control)) == control


@pytest.mark.parametrize(
    "text", ["", "5", "300+10", "0+10/600", "300+-1/600", "300+10/200", "a+b/c", "9" * 30 + "+1/1"]
)
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(ClockError):
        read_control(text)


@given(controls(), banks)
def test_a_turn_adds_the_increment_and_never_beyond_the_cap(control: Control, left: timedelta) -> None:
    after = control.after_turn(left)
    assert left <= after <= max(left, control.cap)
    assert after in {left, left + control.increment, control.cap}


# --- what is spent ----------------------------------------------------------------------------------------------------


def test_without_stops_all_time_counts() -> None:
    assert spent(NOON, NOON + timedelta(minutes=7)) == timedelta(minutes=7)
    assert deadline(timedelta(minutes=7), NOON) == NOON + timedelta(minutes=7)


def test_nothing_is_spent_before_a_clock_runs() -> None:
    assert spent(NOON, NOON - timedelta(minutes=7)) == timedelta()


@given(moments, banks, rests(), vacations())
def test_at_the_deadline_the_bank_is_spent_and_not_before(
    since: datetime, bank: timedelta, rest: Rest, away: list[Span]
) -> None:
    def stops() -> list[Span]:
        until = end + timedelta(days=3)
        return list(takewhile(lambda span: span[0] < until, merge(rest.stops(since), away)))

    end = deadline(bank, since, merge(rest.stops(since), away))
    assert spent(since, end, stops()) == bank
    assert spent(since, end - timedelta(microseconds=1), stops()) == bank - timedelta(microseconds=1)


@given(moments, seconds, seconds, rests())
def test_time_spent_in_two_pieces_is_the_same_as_in_one(
    since: datetime, first: timedelta, second: timedelta, rest: Rest
) -> None:
    between = since.astimezone(UTC) + first
    end = between + second
    pieces = spent(since, between, rest.stops(since)) + spent(between, end, rest.stops(between))
    assert pieces == spent(since, end, rest.stops(since))


@given(moments, banks, rests())
def test_rest_only_ever_moves_a_deadline_back(since: datetime, bank: timedelta, rest: Rest) -> None:
    assert deadline(bank, since, rest.stops(since)) >= deadline(bank, since)


@given(moments, rests())
def test_stops_come_in_the_order_of_their_beginnings(since: datetime, rest: Rest) -> None:
    stops = rest.stops(since)
    begins = [begin for (begin, _end), _ in zip(stops, range(30), strict=False)]
    assert all(before <= after for before, after in pairwise(begins))


# --- nights and weekends ----------------------------------------------------------------------------------------------


def at(zone: ZoneInfo, *parts: int) -> datetime:
    return datetime(*parts, tzinfo=zone)  # type: ignore[arg-type, misc]  # year, month, day, hour, minute


def test_a_clock_stands_still_while_its_player_sleeps() -> None:
    rest = Rest("Europe/Berlin", (23 * 60, 7 * 60))
    evening = at(BERLIN, 2026, 3, 10, 22)
    assert deadline(timedelta(hours=2), evening, rest.stops(evening)) == at(BERLIN, 2026, 3, 11, 8)


def test_a_clock_that_is_spent_at_bedtime_is_up_then_and_not_in_the_morning() -> None:
    rest = Rest("Europe/Berlin", (23 * 60, 7 * 60))
    evening = at(BERLIN, 2026, 3, 10, 22)
    assert deadline(timedelta(hours=1), evening, rest.stops(evening)) == at(BERLIN, 2026, 3, 10, 23)


def test_a_clock_that_starts_at_night_waits_for_the_morning() -> None:
    rest = Rest("Europe/Berlin", (23 * 60, 7 * 60))
    night = at(BERLIN, 2026, 3, 11, 3)
    assert deadline(timedelta(hours=1), night, rest.stops(night)) == at(BERLIN, 2026, 3, 11, 8)


def test_a_clock_stands_still_on_the_weekend_of_who_wants_that() -> None:
    rest = Rest("Europe/Berlin", None, weekend=True)
    friday = at(BERLIN, 2026, 3, 13, 23)
    assert deadline(timedelta(hours=2), friday, rest.stops(friday)) == at(BERLIN, 2026, 3, 16, 1)
    sunday = at(BERLIN, 2026, 3, 15, 12)
    assert deadline(timedelta(hours=2), sunday, rest.stops(sunday)) == at(BERLIN, 2026, 3, 16, 2)


def test_in_the_night_clocks_go_forward_sleep_is_an_hour_shorter() -> None:
    rest = Rest("Europe/Berlin", (23 * 60, 7 * 60))
    evening = at(BERLIN, 2026, 3, 28, 22)
    until = deadline(timedelta(hours=2), evening, rest.stops(evening))
    assert until == at(BERLIN, 2026, 3, 29, 8)
    assert until.astimezone(UTC) - evening.astimezone(UTC) == timedelta(hours=9)


def test_in_the_night_clocks_go_back_sleep_is_an_hour_longer() -> None:
    rest = Rest("Europe/Berlin", (23 * 60, 7 * 60))
    evening = at(BERLIN, 2026, 10, 24, 22)
    until = deadline(timedelta(hours=2), evening, rest.stops(evening))
    assert until == at(BERLIN, 2026, 10, 25, 8)
    assert until.astimezone(UTC) - evening.astimezone(UTC) == timedelta(hours=11)


def test_sleep_within_the_hour_that_is_left_out_stops_nothing() -> None:
    rest = Rest("Europe/Berlin", (2 * 60 + 30, 3 * 60 + 15))
    before = at(BERLIN, 2026, 3, 29, 1)
    assert deadline(timedelta(hours=3), before, rest.stops(before)) == at(BERLIN, 2026, 3, 29, 5)


def test_a_day_of_clock_time_is_a_day_whatever_the_wall_clock_does() -> None:
    saturday = at(BERLIN, 2026, 3, 28, 12)
    assert deadline(timedelta(days=1), saturday).astimezone(BERLIN) == at(BERLIN, 2026, 3, 29, 13)
