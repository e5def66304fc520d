"""The calendar of deadlines, read as a calendar program reads it."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from icalendar import Calendar
from time_machine import Traveller

from accounts.models import User
from games.notifications.models import Preferences
from games.play import commands, timekeeping
from games.play.models import Match, Seat
from tests.clocked import DAYS, LIVE, MONDAY
from tests.people import act, client_of, person, running_match

pytestmark = pytest.mark.django_db

THREE_DAYS = timedelta(days=3)


def key_of(user: User) -> str:
    return Preferences.objects.get_or_create(user=user)[0].feed_key


def events(user: User) -> list[Any]:
    """Return the events that somebody's calendar program finds at their address, without any cookie."""
    response = Client().get(f"/calendar/{key_of(user)}.ics")
    assert response.status_code == 200
    return list(Calendar.from_ical(response.content).walk("VEVENT"))


@pytest.fixture
def ann(clock: Traveller) -> User:
    return person("ann", time_zone="Europe/Berlin")


@pytest.fixture
def bob() -> User:
    return person("bob")


@pytest.fixture
def match(ann: User, bob: User) -> Match:
    return running_match([ann, bob], speed="days", clock=DAYS)


def test_a_running_clock_is_an_event_at_its_deadline(ann: User, match: Match) -> None:
    (event,) = events(ann)
    assert (event.start, event.end) == (MONDAY + THREE_DAYS - timedelta(minutes=15), MONDAY + THREE_DAYS)
    assert event["summary"] == "Shifting Stones with bob: your time runs out"
    assert event["url"] == f"http://127.0.0.1:8000{match.get_absolute_url()}"
    assert event["url"] in event["description"]
    (alarm,) = event.walk("VALARM")
    assert (alarm["action"], alarm["trigger"].dt) == ("DISPLAY", -timedelta(hours=2))
    assert alarm["trigger"].params["RELATED"] == "END"


def test_the_moment_is_the_same_in_every_zone(ann: User, match: Match) -> None:
    raw = Client().get(f"/calendar/{key_of(ann)}.ics").content.decode()
    assert "DTEND:20260312T120000Z" in raw.splitlines()


def test_who_is_not_to_move_has_no_event(bob: User, match: Match) -> None:
    assert events(bob) == []


def test_a_seat_keeps_its_event_from_turn_to_turn(ann: User, bob: User, match: Match, clock: Traveller) -> None:
    (first,) = events(ann)
    act(match, "end")
    assert events(ann) == []
    (of_bob,) = events(bob)
    clock.shift(timedelta(hours=5))
    act(match, "end")
    (second,) = events(ann)
    assert first["uid"] == second["uid"] != of_bob["uid"]
    assert second.start > first.start


def test_two_matches_have_two_events_the_first_deadline_first(ann: User, bob: User, match: Match) -> None:
    sooner = running_match([ann, bob], speed="days", clock="86400+86400/86400")
    assert [event["url"].split("/")[-2] for event in events(ann)] == [sooner.slug, match.slug]


def test_a_deadline_lies_behind_the_nights_of_its_player(clock: Traveller, bob: User) -> None:
    sleeper = person("sleeper", sleep_from=time(22), sleep_until=time(6))
    running_match([sleeper, bob], speed="days", clock=DAYS)
    (event,) = events(sleeper)
    # 10 hours of Monday's day, then 16 of each, 8 of each night not counted: 72 hours of waking.
    assert event.end == datetime(2026, 3, 13, 20, tzinfo=UTC)
    assert event.end == Seat.objects.get(user=sleeper).deadline


def test_a_vacation_moves_the_event(ann: User, match: Match) -> None:
    timekeeping.start_vacation(ann, 2)
    (event,) = events(ann)
    assert event.end == MONDAY + THREE_DAYS + timedelta(days=2)


def test_live_clocks_and_matches_without_a_clock_are_not_there(ann: User, bob: User) -> None:
    running_match([ann, bob], clock=LIVE)
    running_match([ann, bob], speed="days")
    assert events(ann) == []


def test_a_match_that_is_over_is_not_there_any_more(ann: User, match: Match) -> None:
    act(match, "end")
    act(match, "end")
    commands.resign(match.pk, 1, "resignation")
    assert events(ann) == []


def test_it_speaks_its_owners_language(bob: User, clock: Traveller) -> None:
    anna = person("anna", language="de")
    running_match([anna, bob], speed="days", clock=DAYS)
    with translation.override("de"):
        expected = translation.gettext("%(game)s with %(names)s: your time runs out")
        expected %= {"game": "Shifting Stones", "names": "bob"}
    assert [event["summary"] for event in events(anna)] == [expected]


def test_a_program_reads_all_of_it(ann: User, match: Match) -> None:
    response = Client().get(f"/calendar/{key_of(ann)}.ics")
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    assert response["Cache-Control"] == "private, max-age=900"
    assert all(len(line) <= 75 for line in response.content.split(b"\r\n"))
    calendar: Any = Calendar.from_ical(response.content)
    assert [calendar[name] for name in ("version", "name", "x-wr-calname")] == ["2.0", *["Tessera: my turns"] * 2]
    assert calendar["refresh-interval"].dt == timedelta(hours=1)


def test_asking_changes_nothing_and_sets_no_cookie(ann: User, match: Match) -> None:
    key = key_of(ann)
    response = Client().get(f"/calendar/{key}.ics")
    assert not response.cookies
    assert key_of(ann) == key


@pytest.mark.parametrize("key", ["nonsense", "x" * 43, "None", "'"])
def test_a_key_nobody_has_leads_nowhere(key: str, ann: User, match: Match) -> None:
    key_of(ann)
    assert Client().get(f"/calendar/{key}.ics").status_code == 404


def test_a_person_who_may_not_log_in_any_more_has_no_calendar(ann: User, match: Match) -> None:
    key = key_of(ann)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert Client().get(f"/calendar/{key}.ics").status_code == 404


def test_a_new_address_ends_the_former(ann: User, match: Match) -> None:
    former = key_of(ann)
    client_of(ann).post("/settings/calendar/")
    assert key_of(ann) != former
    assert Client().get(f"/calendar/{former}.ics").status_code == 404
    assert len(events(ann)) == 1


def test_nobody_gives_another_a_new_address(ann: User, bob: User) -> None:
    former = key_of(ann)
    client_of(bob).post("/settings/calendar/")
    Client().post("/settings/calendar/")
    assert key_of(ann) == former


def test_nothing_hidden_stands_in_it(ann: User, bob: User, match: Match) -> None:
    before = Client().get(f"/calendar/{key_of(ann)}.ics").content
    twin = running_match([ann, bob], speed="days", clock=DAYS, seed=bytes(range(32)))
    match.delete()
    Match.objects.filter(pk=twin.pk).update(slug=match.slug)
    assert Client().get(f"/calendar/{key_of(ann)}.ics").content == before


def test_the_calendar_speaks_the_language_of_its_reader_whatever_program_asks(match: Match, ann: User) -> None:
    browser = client_of(ann)
    browser.post("/settings/calendar/", headers={"Accept-Language": "de"})
    calendar = Client().get(f"/calendar/{key_of(ann)}.ics", headers={"Accept-Language": "en"})
    (event,) = Calendar.from_ical(calendar.content).walk("VEVENT")
    assert event["summary"] == "Shifting Stones mit bob: Deine Zeit läuft ab"


def test_a_language_chosen_in_the_settings_counts_more(match: Match, ann: User) -> None:
    Preferences.objects.create(user=ann, language="de")
    User.objects.filter(pk=ann.pk).update(language="en")
    calendar = Client().get(f"/calendar/{key_of(ann)}.ics", headers={"Accept-Language": "de"})
    (event,) = Calendar.from_ical(calendar.content).walk("VEVENT")
    assert event["summary"] == "Shifting Stones with bob: your time runs out"
