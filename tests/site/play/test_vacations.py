"""Vacations: they stop all of a player's day clocks, thirty days a year, and unused days are given back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.play import commands, timekeeping
from games.play.models import Match, Seat, Vacation
from games.play.reducer import positions
from tests.clocked import DAYS, LIVE, MONDAY
from tests.people import act, client_of, person, running_match

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def match_of(user: User) -> Match:
    return running_match([user, person()], clock=DAYS, speed="days")


def deadline(match: Match, number: int = 0) -> timedelta:
    """Return how long after Monday noon the time of a seat is up."""
    found = Seat.objects.get(match=match, number=number).deadline
    assert found is not None
    return found - MONDAY


def test_a_vacation_moves_the_deadlines_of_all_ones_day_clocks(clock: Traveller) -> None:
    ann = person()
    matches = [match_of(ann), match_of(ann)]
    clock.shift(DAY)
    timekeeping.start_vacation(ann, 7)
    assert [deadline(match) for match in matches] == [10 * DAY, 10 * DAY]


def test_a_vacation_moves_nobody_elses_deadline(clock: Traveller) -> None:
    ann, bob = person(), person()
    theirs, live = match_of(bob), running_match([ann, bob], clock=LIVE)
    timekeeping.start_vacation(ann, 7)
    assert (deadline(theirs), deadline(live)) == (3 * DAY, timedelta(minutes=5))


def test_a_clock_that_starts_on_vacation_waits_for_its_end(clock: Traveller) -> None:
    ann = person()
    match = running_match([person(), ann], clock=DAYS, speed="days")
    timekeeping.start_vacation(ann, 5)
    clock.shift(DAY)
    act(match, "end")
    assert deadline(match, 1) == 8 * DAY


def test_coming_back_early_moves_deadlines_nearer_and_gives_the_days_back(clock: Traveller) -> None:
    ann = person()
    match = match_of(ann)
    timekeeping.start_vacation(ann, 20)
    assert timekeeping.vacation_days_left(ann) == 10
    clock.shift(DAY + timedelta(hours=1))
    timekeeping.end_vacation(ann)
    assert deadline(match) == 4 * DAY + timedelta(hours=1)
    assert timekeeping.vacation_days_left(ann) == 28


def test_two_vacations_in_one_turn_both_count(clock: Traveller) -> None:
    ann = person()
    match = match_of(ann)
    clock.shift(DAY)
    timekeeping.start_vacation(ann, 1)
    clock.shift(2 * DAY)
    timekeeping.start_vacation(ann, 4)
    assert deadline(match) == 8 * DAY


def test_every_vacation_costs_a_day_however_short(clock: Traveller) -> None:
    ann = person()
    for _ in range(2):
        timekeeping.start_vacation(ann, 3)
        clock.shift(60)
        timekeeping.end_vacation(ann)
    assert timekeeping.vacation_days_left(ann) == 28


def test_open_pages_are_told(clock: Traveller) -> None:
    ann = person()
    match = match_of(ann)
    timekeeping.start_vacation(ann, 7)
    assert Match.objects.get(pk=match.pk).version == match.version + 1


@pytest.mark.parametrize("days", [31, 0, -1])
def test_nobody_takes_more_days_than_there_are_nor_none(clock: Traveller, days: int) -> None:
    with pytest.raises(RuleViolation) as refusal:
        timekeeping.start_vacation(person(), days)
    assert refusal.value.code == "vacation-budget"


def test_nobody_begins_a_vacation_on_vacation(clock: Traveller) -> None:
    ann = person()
    timekeeping.start_vacation(ann, 2)
    with pytest.raises(RuleViolation) as refusal:
        timekeeping.start_vacation(ann, 2)
    assert refusal.value.code == "on-vacation"


def test_nobody_comes_back_who_was_not_away(clock: Traveller) -> None:
    ann = person()
    timekeeping.start_vacation(ann, 1)
    clock.shift(DAY)
    with pytest.raises(RuleViolation) as refusal:
        timekeeping.end_vacation(ann)
    assert refusal.value.code == "not-on-vacation"


def test_the_budget_is_new_each_year_of_ones_own_zone(clock: Traveller) -> None:
    ann = person(time_zone="Pacific/Auckland")
    timekeeping.start_vacation(ann, 30)
    clock.move_to(MONDAY.replace(month=12, day=31, hour=10))
    assert timekeeping.vacation_days_left(ann) == 0
    clock.shift(timedelta(hours=2))
    assert timekeeping.vacation_days_left(ann) == 30


def test_a_change_of_the_time_zone_around_new_year_makes_no_days(clock: Traveller) -> None:
    """The year belongs to the vacation: thirty days of each year, whatever zones are chosen on the way."""
    ann = person()
    for moment, zone in (
        (MONDAY.replace(month=11, day=1), "UTC"),
        (MONDAY.replace(month=12, day=31), "Pacific/Kiritimati"),  # where the next year has begun
        (MONDAY.replace(year=2027, month=1, day=31), "UTC"),
        (MONDAY.replace(year=2027, month=3, day=9), "Pacific/Pago_Pago"),
    ):
        clock.move_to(moment)
        User.objects.filter(pk=ann.pk).update(time_zone=zone)
        client_of(ann).post("/settings/vacation/", {"days": "30"})
    days = {it.year: (it.end - it.begin).days for it in Vacation.objects.all()}
    assert (days, Vacation.objects.count()) == ({2026: 30, 2027: 30}, 2)


def test_a_match_that_excludes_vacations_goes_on_and_who_takes_one_is_told(clock: Traveller) -> None:
    ann, bob = person(), person()
    match, usual = running_match([ann, bob], clock=DAYS, speed="days", excludes_vacations=True), match_of(ann)
    client = client_of(ann)
    assert "Except in these matches" in client.get("/settings/play/").content.decode()
    version = Match.objects.get(pk=match.pk).version
    client.post("/settings/vacation/", {"days": "7"})
    assert match.get_absolute_url() in client.get("/settings/play/").content.decode()
    assert usual.get_absolute_url() not in client.get("/settings/play/").content.decode().partition("running-on")[2]
    assert (deadline(match), deadline(usual)) == (3 * DAY, 10 * DAY)
    assert Match.objects.get(pk=match.pk).version == version
    assert "on vacation until" not in client_of(bob).get(match.get_absolute_url()).content.decode()
    act(match, "end", 0)
    act(match, "end", 1)
    assert deadline(match) == 3 * DAY  # a turn that begins on vacation does not wait for its end either
    assert "Except in these matches" not in client_of(person()).get("/settings/play/").content.decode()


def test_whose_time_was_up_before_is_not_saved_by_a_vacation(clock: Traveller) -> None:
    ann = person()
    match = match_of(ann)
    clock.shift(3 * DAY)
    timekeeping.start_vacation(ann, 7)
    assert deadline(match) == 3 * DAY


# --- those who wait ---------------------------------------------------------------------------------------------------


def away_until(match: Match) -> timedelta | None:
    found = Seat.objects.get(match=match, number=0).away_until
    return None if found is None else found - MONDAY


def test_the_match_page_tells_opponents_of_the_vacation_that_moved_the_deadline(clock: Traveller) -> None:
    ann, bob = person(), person(time_zone="UTC")
    match = running_match([ann, bob], clock=DAYS, speed="days")
    assert "on vacation until" not in client_of(bob).get(match.get_absolute_url()).content.decode()
    timekeeping.start_vacation(ann, 7)
    page = client_of(bob).get(match.get_absolute_url()).content.decode()
    assert "on vacation until" in page
    assert 'datetime="2026-03-16T12:00:00' in page
    clock.shift(DAY)
    timekeeping.end_vacation(ann)
    assert "on vacation until" not in client_of(bob).get(match.get_absolute_url()).content.decode()


def test_a_turn_that_begins_on_vacation_tells_of_it_until_it_ends(clock: Traveller) -> None:
    ann = person()
    match = match_of(ann)
    act(match, "end")
    timekeeping.start_vacation(ann, 5)
    assert away_until(match) is None
    act(match, "end")
    assert away_until(match) == 5 * DAY
    act(match, "end")
    assert away_until(match) is None


def test_a_vacation_that_is_over_is_told_no_more(clock: Traveller) -> None:
    ann = person()
    match = match_of(ann)
    timekeeping.start_vacation(ann, 1)
    clock.shift(2 * DAY)
    timekeeping.start_vacation(ann, 1)
    timekeeping.end_vacation(ann)
    assert away_until(match) is None


def test_undo_keeps_the_vacation_in_the_deadline(clock: Traveller) -> None:
    ann = person()
    match = running_match([ann, person()], clock=DAYS, speed="days", seed=bytes(32))
    timekeeping.start_vacation(ann, 5)
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")))
    commands.undo(match.pk, 0, match.version)
    assert (deadline(match), away_until(match)) == (8 * DAY, 5 * DAY)
