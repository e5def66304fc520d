"""Choosing the clock of a table: the usual ones, a custom one, none for casual matches; the table shows it in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from time_machine import Traveller

from games.engine.protocol import RuleViolation
from games.matchmaking import planned, tables
from games.matchmaking.forms import TableForm, challenge_form
from games.matchmaking.tables import USUAL_CLOCKS, TableSetup, new_table, rematch
from games.play import timekeeping
from games.play.clocks import longest_turn, read_control, with_vacations
from games.play.commands import resign
from games.play.models import Match, Seat, Speed
from games.titles import titles
from tests.people import client_of, person, running_match

pytestmark = pytest.mark.django_db

PLAIN: dict[str, Any] = {"seats": "2", "speed": "live", "visibility": "public", "seat_order": "random", "invited": ""}
Opened = Callable[..., Match]


def form(**fields: str) -> TableForm:
    return TableForm(titles()["shifting-stones"], person(), PLAIN | fields)


def chosen(**fields: str) -> str | None:
    filled = form(**fields)
    assert filled.is_valid(), filled.errors
    return filled.setup().clock


# --- the form ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", Speed)
def test_a_usual_clock_is_chosen_by_its_notation(speed: Speed) -> None:
    for usual in USUAL_CLOCKS[speed]:
        assert chosen(speed=speed, **{f"{speed}_clock": usual}) == str(read_control(usual)) == usual


@pytest.mark.parametrize("speed", Speed)
def test_the_first_usual_clock_is_the_one_of_who_chooses_none(speed: Speed) -> None:
    assert chosen(speed=speed) == USUAL_CLOCKS[speed][0]


def test_the_clock_of_the_other_speed_is_ignored() -> None:
    assert chosen(speed="live", days_clock="other", live_clock="600+15/1200") == "600+15/1200"


def test_another_live_clock_is_said_in_minutes_and_seconds() -> None:
    assert chosen(live_clock="other", minutes="3", seconds="0") == "180+0/360"


def test_another_day_clock_is_said_in_hours_and_days() -> None:
    assert chosen(speed="days", days_clock="other", hours="36", saved="4") == "345600+129600/345600"


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"live_clock": "other"}, {"minutes", "seconds"}),
        ({"live_clock": "other", "minutes": "0", "seconds": "5"}, {"minutes"}),
        ({"live_clock": "other", "minutes": "5", "seconds": "301"}, {"seconds"}),
        ({"speed": "days", "days_clock": "other", "hours": "5"}, {"saved"}),
        ({"speed": "days", "days_clock": "other", "hours": "49", "saved": "2"}, {"saved"}),
        ({"live_clock": "1+1/1"}, {"live_clock"}),
    ],
)
def test_another_clock_that_is_none_is_refused_at_its_field(fields: dict[str, str], wrong: set[str]) -> None:
    assert set(form(**fields).errors) == wrong


def test_a_rated_match_needs_a_clock() -> None:
    assert form(live_clock="none", rated="on").errors.as_data()["live_clock"][0].code == "clock-needed"
    assert chosen(live_clock="none") == ""
    assert chosen(live_clock="none", rated="on", seats="1") == ""


def test_the_form_offers_the_clocks_in_words(client: Client) -> None:
    client.force_login(person())
    page = client.get("/tables/new/?game=shifting-stones").content.decode()
    assert "5 min + 10 s per turn, 10 min at most" in page
    assert "1 day per turn, 3 days at most" in page


# --- the table --------------------------------------------------------------------------------------------------------


def test_a_table_opened_without_a_wish_has_the_usual_clock(opened: Opened) -> None:
    assert opened(person()).clock == USUAL_CLOCKS[Speed.LIVE][0]
    assert opened(person(), speed="days").clock == USUAL_CLOCKS[Speed.DAYS][0]


@pytest.mark.parametrize(("clock", "code"), [("", "clock-needed"), ("5 minutes", "clock"), ("0+0/0", "clock")])
def test_a_clock_that_cannot_be_is_refused(opened: Opened, clock: str, code: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        opened(person(), clock=clock)
    assert refusal.value.code == code
    assert not Match.objects.exists()


def test_a_match_alone_has_no_clock(opened: Opened) -> None:
    assert opened(person(), seats=1).clock == ""


def test_a_table_that_is_started_alone_loses_its_clock(opened: Opened) -> None:
    host = person()
    match = opened(host, seats=3)
    tables.start(match.pk, host)
    match.refresh_from_db()
    assert (match.clock, Seat.objects.get(match=match).deadline) == ("", None)


def test_clocks_run_from_the_moment_the_last_one_sits_down(opened: Opened) -> None:
    match = opened(person())
    assert not Seat.objects.filter(deadline__isnull=False).exists()
    tables.join(match.pk, person())
    assert Seat.objects.get(match=match, to_move=True).deadline is not None


def test_a_rematch_has_the_same_clock(opened: Opened) -> None:
    ann, bob = person(), person()
    match = opened(ann, clock="600+15/1200")
    tables.join(match.pk, bob)
    resign(match.pk, 0, "resign-once")
    assert rematch(match.pk, ann).clock == "600+15/1200"


@pytest.mark.parametrize("address", ["/lobby/", None])
def test_lobby_and_table_tell_the_clock_in_words(opened: Opened, address: str | None) -> None:
    match = opened(person(), speed="days")
    page = client_of(person()).get(address or match.get_absolute_url()).content.decode()
    assert "1 day per turn, 3 days at most" in page


def test_a_wish_says_nothing_of_clocks_by_default() -> None:
    assert TableSetup("shifting-stones", 2).clock is None


# --- the longest turn, and vacations ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "speed", "strict", "words"),
    [
        ("259200+86400/259200", "days", False, "9.5 days, with vacations 69.5 days"),
        ("259200+86400/259200", "days", True, "9.5 days"),
        ("5184000+86400/5184000", "days", False, "145 days, with vacations 205 days"),
        ("300+10/600", "live", False, "10 min"),
        ("", "days", False, "no limit"),
    ],
)
def test_the_table_says_how_long_one_turn_can_last(
    opened: Opened, clock: str, speed: str, strict: bool, words: str
) -> None:
    host = person()
    match = opened(host, clock=clock, speed=speed, rated=False, excludes_vacations=strict)
    page = client_of(host).get(match.get_absolute_url()).content.decode()
    assert f"<dt>Longest turn</dt><dd>{words}</dd>" in page.replace("\xa0", " ")
    assert ("no vacations" in page) == strict


def test_the_form_says_it_for_the_usual_clock_and_the_slowest() -> None:
    page = client_of(person()).get("/tables/new/?game=shifting-stones").content.decode().replace("\xa0", " ")
    assert "3 days saved up can become 9.5 days, with vacations 69.5 days" in page
    assert "60 days can become 145 days, with vacations 205 days" in page


def test_the_longest_turn_is_the_deadline_of_whoever_uses_everything(clock: Traveller) -> None:
    """Nights of ten hours, free weekends, and the vacation of both years, from a Friday at bedtime on."""
    clock.move_to(datetime(2027, 12, 31, 22, tzinfo=UTC))  # a Friday
    ann = person(sleep_from=time(22), sleep_until=time(8), free_weekends=True)
    match = running_match([ann, person()], clock=USUAL_CLOCKS[Speed.DAYS][0], speed="days")
    began = timezone.now()

    def lasts() -> timedelta:
        deadline = match.seats.get(number=0).deadline
        assert deadline is not None
        return deadline - began

    assert lasts() == longest_turn(read_control(match.clock)) == timedelta(days=9.5)
    timekeeping.start_vacation(ann, 30)
    clock.move_to(began + timedelta(days=30))
    timekeeping.start_vacation(ann, 30)
    assert timedelta(days=67) < lasts() <= with_vacations(timedelta(days=9.5))


def test_a_table_that_excludes_vacations_is_kept_by_whatever_follows() -> None:
    ann, bob = person("ann"), person("bob")
    fields = {"speed": "days", "excludes_vacations": "on", "rated": "on"}
    filled = TableForm(titles()["shifting-stones"], ann, PLAIN | fields)
    assert filled.is_valid(), filled.errors
    match = tables.open_table(ann, filled.setup())
    assert match.excludes_vacations
    tables.join(match.pk, bob)
    resign(match.pk, 0, "resign-early")
    following = rematch(match.pk, bob)
    assert following.excludes_vacations
    assert TableForm(titles()["shifting-stones"], ann).initial["excludes_vacations"]
    challenge = challenge_form(titles()["shifting-stones"], ann, bob)
    assert challenge.is_valid()
    assert challenge.setup().excludes_vacations
    ahead = planned.plan_table(ann, filled.setup(), timezone.now() + timedelta(days=1))
    assert ahead.excludes_vacations
    assert "no vacations" in client_of(bob).get(ahead.get_absolute_url()).content.decode()
    live = TableForm(titles()["shifting-stones"], ann, PLAIN | fields | {"speed": "live"})
    assert live.is_valid()
    assert not new_table(ann, live.setup()).excludes_vacations
