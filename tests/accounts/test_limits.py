"""Limits stop attackers who guess, by network address; honest players never notice them."""

from __future__ import annotations

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.people import PASSWORD, client_of

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
