"""Guests with whom moderators had to do, and who become members."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import sanctions
from accounts.models import User
from accounts.services import rename
from games.engine.protocol import RuleViolation
from games.moderation import people
from tests.people import PASSWORD, person, running_match
from tests.site.accounts.conftest import link_in
from tests.site.chat.rooms import say

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    """The browser of a guest."""
    browser = Client()
    browser.post(reverse("guest"))
    return browser


def registered(client: Client, mailoutbox: list[EmailMessage]) -> User:
    """Let the guest register and confirm the address; return who it is then."""
    form = {"username": "Lark", "email": "lark@example.org", "password1": PASSWORD}
    client.post(reverse("account_signup"), form)
    client.post(link_in(mailoutbox[-1]))
    return User.objects.get(username="Lark")


def test_a_silenced_guest_is_silenced_as_a_member(client: Client, mailoutbox: list[EmailMessage]) -> None:
    guest = User.objects.get(pk=client.session["_auth_user_id"])
    people.silence(None, guest, timezone.now() + timedelta(days=7), "Insults")
    member = registered(client, mailoutbox)
    assert (member.pk, member.guest) == (guest.pk, False)
    assert "Reason: Insults" in sanctions.refusal_to_write(member)
    with pytest.raises(RuleViolation) as refused:
        say(member, running_match([member, person()]), "Hello")
    assert refused.value.code == "silenced"
    with pytest.raises(ValidationError) as refusal:
        rename(member, "Another-Lark")
    assert refusal.value.code == "silenced"


def test_a_suspended_guest_is_suspended_as_a_member(client: Client, mailoutbox: list[EmailMessage]) -> None:
    guest = User.objects.get(pk=client.session["_auth_user_id"])
    people.suspend(None, guest, None, "Rating transfer")
    member = registered(client, mailoutbox)
    assert member.held
    assert "Reason: Rating transfer" in sanctions.refusal_to_play(member)
