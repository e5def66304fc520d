"""Limits stop attackers who guess, by network address; honest players never notice them."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts import limits
from accounts.models import User
from tests.people import PASSWORD, client_of, person

LOGIN = "/account/login/"


def guess(client: Client, address: str, password: str = "wrong", login: str = "Ann") -> str:
    response = client.post(LOGIN, {"login": login, "password": password}, REMOTE_ADDR=address)
    if response.status_code == 302:
        return "in"
    return str(response.context["form"].non_field_errors()[0]) if response.status_code == 200 else "429"


def test_guessing_one_name_from_one_address_stops_after_ten(ann: User) -> None:
    answers = [guess(Client(), "192.0.2.1") for _ in range(11)]
    assert all("Wrong name, email address or password." in answer for answer in answers[:10])
    assert "Too many failed attempts" in answers[10]
    assert "Too many failed attempts" in guess(Client(), "192.0.2.1", PASSWORD)


def test_a_stranger_elsewhere_locks_nobody_out(ann: User) -> None:
    for _ in range(12):
        guess(Client(), "192.0.2.1")
    assert guess(Client(), "192.0.2.2", PASSWORD) == "in"


def test_spelling_the_name_differently_gives_no_more_guesses(ann: User) -> None:
    spellings = ["Ann", "ANN", "Ａnn", "ann "]
    answers = [guess(Client(), "192.0.2.1", login=spellings[i % 4]) for i in range(11)]
    assert "Too many failed attempts" in answers[10]


def test_guessing_many_names_from_one_address_stops_too(ann: User) -> None:
    answers = [guess(Client(), "192.0.2.1", login=f"name{i}") for i in range(21)]
    assert "Too many failed attempts" in answers[20]


def test_addresses_of_one_ipv6_network_count_as_one(ann: User) -> None:
    answers = [guess(Client(), f"2001:db8::{i:x}", login=f"name{i}") for i in range(1, 22)]
    assert "Too many failed attempts" in answers[20]


def test_ipv4_addresses_do_not_count_as_one_where_the_server_listens_on_ipv6(ann: User) -> None:
    answers = [guess(Client(), f"::ffff:192.0.2.{i}", login=f"name{i}") for i in range(1, 22)]
    assert "Wrong name, email address or password." in answers[20]


def test_logging_in_rightly_uses_nothing_up(ann: User) -> None:
    assert [guess(Client(), "192.0.2.1", PASSWORD) for _ in range(30)] == ["in"] * 30


def test_a_forged_forwarding_header_changes_nothing(ann: User) -> None:
    for i in range(12):
        Client().post(LOGIN, {"login": "Ann", "password": "x"}, headers={"X-Forwarded-For": f"198.51.100.{i}"})
    assert "Too many failed attempts" in guess(Client(), "127.0.0.1")


def test_registering_in_bulk_meets_a_page_in_our_frame(client: Client, db: None) -> None:
    responses = [client.post("/account/signup/", {"username": f"n{i}"}) for i in range(21)]
    assert [response.status_code for response in responses] == [200] * 20 + [429]
    assert b"Too many requests" in responses[20].content
    assert b'id="main"' in responses[20].content


def test_reset_mails_to_one_address_are_few(ann: User, mailoutbox: list[EmailMessage]) -> None:
    codes = [
        Client().post("/account/password/reset/", {"email": ann.email}, REMOTE_ADDR=f"192.0.2.{i}").status_code
        for i in range(7)
    ]
    assert codes == [302] * 5 + [429] * 2
    assert len(mailoutbox) == 5


def test_reset_mails_from_one_address_are_few(db: None, mailoutbox: list[EmailMessage]) -> None:
    for i in range(12):
        Client().post("/account/password/reset/", {"email": f"x{i}@example.org"})
    assert len(mailoutbox) == 10


def test_looking_at_pages_is_never_limited(client: Client, db: None) -> None:
    assert {client.get(LOGIN).status_code for _ in range(70)} == {200}


def test_guessing_the_password_of_an_open_session_stops(ann: User) -> None:
    client = client_of(ann)
    codes = [client.post("/account/reauthenticate/", {"password": "wrong"}).status_code for _ in range(11)]
    assert codes == [200] * 10 + [429]


@pytest.mark.parametrize("right", [1, 5, 9])
def test_mistyping_a_few_times_is_forgiven(ann: User, right: int) -> None:
    for _ in range(right):
        guess(Client(), "192.0.2.1")
    assert guess(Client(), "192.0.2.1", PASSWORD) == "in"


def test_guessing_one_name_from_one_ipv6_network_stops_after_ten(ann: User) -> None:
    """Who has one address of IPv6 has billions of them."""
    answers = [guess(Client(), f"2001:db8:1:2::{number:x}") for number in range(1, 12)]
    assert "Too many failed attempts" in answers[10]
    assert guess(Client(), "2001:db8:1:3::1", PASSWORD) == "in"


# --- the table of all limits ------------------------------------------------------------------------------------------


def spent(what: str, user: User | None, address: str, times: int) -> int:
    """Use an action so many times; return how often that was possible."""
    count = 0
    for _ in range(times):
        with suppress(limits.TooMany):
            limits.spend(what, user, address)
            count += 1
    return count


SMALL = limits.Row(
    person=(limits.Limit(3, timedelta(minutes=1)), limits.Limit(4, timedelta(hours=1))),
    guest=(limits.Limit(2, timedelta(minutes=1)),),
    guests=(limits.Limit(4, timedelta(minutes=1)),),
    address=(limits.Limit(9, timedelta(minutes=1)),),
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIMITS", {**limits.LIMITS, "small": SMALL})


def test_each_kind_of_limit_holds_and_a_refusal_is_not_counted(small: None, db: None) -> None:
    members, guests = [person() for _ in range(5)], [person(f"Guest-{n}", guest=True) for n in range(4)]
    with time_machine.travel(timezone.now(), tick=False) as clock:
        assert spent("small", members[0], "192.0.2.1", 9) == 3
        assert [spent("small", each, "192.0.2.1", 9) for each in guests] == [2, 2, 0, 0]
        assert spent("small", None, "192.0.2.1", 9) == 0, "visitors count among the guests"
        assert [spent("small", each, "192.0.2.1", 9) for each in members[1:3]] == [2, 0]
        assert spent("small", members[2], "192.0.2.2", 9) == 3, "what was refused was not counted"
        clock.shift(timedelta(seconds=61))
        assert spent("small", members[0], "192.0.2.1", 9) == 1, "both periods hold"
        with pytest.raises(limits.TooMany) as refusal:
            limits.spend("small", members[0], "192.0.2.1")
        assert (refusal.value.by_address, refusal.value.limit.most) == (False, 4)
        assert timedelta(minutes=58) < refusal.value.wait <= timedelta(minutes=59)
        assert "in 59\xa0minutes" in refusal.value.text
        assert spent("small", members[0], "", 1) == 0


def test_of_ipv6_the_network_counts_for_every_limit(small: None, db: None) -> None:
    people = [person() for _ in range(6)]
    assert sum(spent("small", each, f"2001:db8::{number:x}", 3) for number, each in enumerate(people)) == 9
    assert spent("small", people[5], "2001:db8:0:1::1", 3) == 3


STORED = {"table", "seat", "invitation"}
"""What games.matchmaking counts itself, by address too: see its tests."""


@pytest.mark.parametrize("what", sorted(limits.LIMITS))
def test_every_limit_counts_addresses_and_lets_a_club_of_thirty_be(what: str) -> None:
    """Two guests in three of the club do what only they can be expected to: a quarter of what one may do at most."""
    row = limits.LIMITS[what]
    assert row.address
    assert row.guests or not row.guest or row.guest == row.person or what in STORED
    for own, together in zip(row.person, row.address, strict=False):
        assert together.within == own.within
        assert together.most >= 5 * own.most


def test_four_guests_at_one_address_report_no_more_than_guests_may(db: None) -> None:
    """Each may report three; the moderators got twelve cases in a minute."""
    for number in range(13):
        person(f"somebody{number}")
    answers = []
    for number in range(12):
        if number % 3 == 0:
            browser = client_of(person(f"Guest-{number}", guest=True))
        answers.append(browser.post(f"/report/person/somebody{number}/", {"why": "insult"}).status_code)
    assert answers == [302] * 6 + [422] * 6
    member = client_of(person("member"))
    assert member.post("/report/person/somebody12/", {"why": "insult"}).status_code == 302, "members still can"


@pytest.mark.usefixtures("clock")
def test_whoever_meets_a_limit_is_told_how_long_it_lasts(ann: User) -> None:
    browser = client_of(ann)
    answers = [browser.post("/settings/calendar/") for _ in range(21)]
    assert [answer.status_code for answer in answers] == [302] * 20 + [429]
    assert "Please try again in 1\xa0hour." in answers[-1].content.decode()
    assert answers[-1]["Retry-After"] == "3601"
