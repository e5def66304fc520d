"""Sanctions are not escaped by a new account where that can be prevented."""

from __future__ import annotations

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from accounts import sanctions
from accounts.models import User
from games.moderation import people
from tests.people import PASSWORD, client_of, person
from tests.site.accounts.conftest import link_in

pytestmark = pytest.mark.django_db


def signup(**about: str) -> dict[str, str]:
    return {"username": "Dora", "email": "dora@example.org", "password1": PASSWORD} | about


def test_a_closed_account_is_not_deleted_and_its_address_is_not_registered_again(
    mod: User, mailoutbox: list[EmailMessage]
) -> None:
    bob = person("bob")
    browser, delete = client_of(bob), reverse("settings_delete")
    people.close_account(mod, bob, "Rating transfer for months")
    for answer in (browser.get(delete), browser.post(delete)):
        assert answer.headers["Location"].startswith(reverse("account_login"))
    Client().post(reverse("account_signup"), signup(email="Bob@example.org"))
    assert mailoutbox[-1].subject == "Tessera: You already have an account"


def test_a_suspended_guest_who_registers_is_suspended(mod: User, mailoutbox: list[EmailMessage]) -> None:
    guest = person("Guest-Calm-Owl", guest=True)
    people.suspend(mod, guest, None, "Rating transfer")
    client_of(guest).post(reverse("account_signup"), signup())
    Client().post(link_in(mailoutbox[-1]))
    assert sanctions.refusal_to_play(User.objects.get(username="Dora"))
