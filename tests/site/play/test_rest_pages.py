"""The page about the reader's own clocks: settings count, mistakes are explained, and nobody can change another's."""

from __future__ import annotations

from datetime import time, timedelta

import pytest
from django.test import Client
from time_machine import Traveller

from accounts.models import User
from games.play import timekeeping
from games.play.models import Vacation
from tests.clocked import MONDAY
from tests.people import client_of, person

pytestmark = pytest.mark.django_db

PAGE = "/settings/play/"
AWAY = "/settings/vacation/"


@pytest.mark.parametrize("address", [PAGE, AWAY])
def test_strangers_are_sent_to_log_in(client: Client, address: str) -> None:
    response = client.post(address, {"days": "3"})
    assert (response.status_code, response["Location"].startswith("/account/login/")) == (302, True)
    assert not Vacation.objects.exists()


def test_hints_are_shown_until_they_are_switched_off() -> None:
    client = client_of(person())
    assert b"data-glow" not in client.get(PAGE).content
    assert b'data-glow="off"' in client.post(PAGE, {}, follow=True).content
    assert b"data-glow" not in client.post(PAGE, {"hints": "on"}, follow=True).content


def test_single_keys_act_until_they_are_switched_off_on_the_page_or_beside_a_board() -> None:
    client = client_of(person())
    assert b'data-single-keys="on"' in client.get(PAGE).content
    assert b'data-single-keys="off"' in client.post(PAGE, {}, follow=True).content
    for form, is_off in (({"on": "on"}, False), ({}, True)):
        client.post("/settings/keys/", form)
        assert (b'data-single-keys="off"' in client.get(PAGE).content) == is_off


def test_nights_and_weekends_are_kept() -> None:
    ann = person()
    client = client_of(ann)
    page = client.post(PAGE, {"sleep_from": "23:00", "sleep_until": "07:00", "free_weekends": "on"}, follow=True)
    ann.refresh_from_db()
    assert (ann.sleep_from, ann.sleep_until, ann.free_weekends) == (time(23), time(7), True)
    assert b'value="23:00"' in page.content
    assert b"from your next turn" in page.content


def test_clocks_run_at_night_again_when_both_times_are_left_empty() -> None:
    ann = person(sleep_from=time(23), sleep_until=time(7), free_weekends=True)
    client_of(ann).post(PAGE, {"sleep_from": "", "sleep_until": ""})
    ann.refresh_from_db()
    assert (ann.sleep_from, ann.sleep_until, ann.free_weekends) == (None, None, False)


@pytest.mark.parametrize(
    ("to_bed", "up", "reason"),
    [
        ("23:00", "", "both times"),
        ("", "07:00", "both times"),
        ("20:00", "06:01", "At most ten hours"),
        ("07:00", "07:00", "Start and end must differ."),
        ("late", "07:00", "Enter a valid time"),
    ],
)
def test_a_night_that_is_none_is_refused_with_a_reason(to_bed: str, up: str, reason: str) -> None:
    ann = person()
    response = client_of(ann).post(PAGE, {"sleep_from": to_bed, "sleep_until": up})
    assert (response.status_code, reason in response.content.decode()) == (422, True)
    ann.refresh_from_db()
    assert (ann.sleep_from, ann.sleep_until) == (None, None)


def test_a_vacation_begins_and_ends_on_this_page(clock: Traveller) -> None:
    ann = person(time_zone="Europe/Berlin")
    client = client_of(ann)
    assert b"You have 30 days of 30 left this year." in client.get(PAGE).content
    page = client.post(AWAY, {"days": "5"}, follow=True)
    assert b">Sat, 13:00</time>" in page.content
    clock.shift(timedelta(hours=1))
    page = client.post(AWAY, {"end": "1"}, follow=True)
    assert b"You have 29 days of 30 left this year." in page.content


def test_a_mate_s_vacation_is_their_own(clock: Traveller) -> None:
    ann, bob = person(), person()
    client_of(ann).post(AWAY, {"days": "5"})
    assert b"on vacation until" not in client_of(bob).get(PAGE).content
    client_of(bob).post(AWAY, {"end": "1"})
    assert timekeeping.current_vacation(ann) is not None


@pytest.mark.parametrize(("days", "status"), [("0", 422), ("", 422), ("soon", 422), ("31", 302)])
def test_a_vacation_that_cannot_be_is_refused(clock: Traveller, days: str, status: int) -> None:
    ann = person()
    assert client_of(ann).post(AWAY, {"days": days}).status_code == status
    assert not Vacation.objects.exists()


def test_why_a_vacation_cannot_be_is_said() -> None:
    page = client_of(person()).post(AWAY, {"days": "31"}, follow=True)
    assert b"that many vacation days" in page.content


def test_who_has_no_days_left_is_offered_none(clock: Traveller) -> None:
    ann = person()
    Vacation.objects.create(user=ann, year=2026, begin=MONDAY - timedelta(days=31), end=MONDAY - timedelta(days=1))
    page = client_of(ann).get(PAGE).content
    assert b"You have 0 days of 30" in page
    assert b"Go on vacation" not in page


def test_the_settings_lead_to_it() -> None:
    assert PAGE.encode() in client_of(User.objects.get(pk=person().pk)).get("/settings/").content
