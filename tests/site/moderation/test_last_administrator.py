"""The site never loses its last administrator unasked, in whatever way they would go."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.moderation import people
from games.moderation.access import is_administrator
from games.moderation.models import Deed
from games.privacy import deletions
from games.privacy.models import Deletion
from tests.people import PASSWORD, person
from tests.site.accounts.conftest import link_in
from tests.site.moderation.moderators import administrator
from tests.site.moderation.test_commands import run

pytestmark = pytest.mark.django_db

WHY = ("--reason", "Because")
GOING = [
    ("role", "boss", "--role", "none"),
    ("role", "boss", "--role", "moderators"),
    ("suspend", "boss", "--for", "3d"),
    ("close", "boss"),
]


@pytest.fixture
def boss() -> User:
    return administrator("boss")


def logged_in(user: User) -> Client:
    client = Client()
    client.post("/account/login/", {"login": user.username, "password": PASSWORD})
    return client


@pytest.mark.parametrize("going", GOING)
def test_a_command_lets_the_last_one_go_only_if_that_is_said(boss: User, going: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="boss is the last administrator"):
        run("people", *going, *WHY)
    assert is_administrator(User.objects.get(pk=boss.pk))
    assert not Deed.objects.exists()
    run("people", *going, *WHY, "--last")
    assert Deed.objects.count() == 1


def drop_role(other: User) -> None:
    people.set_role(None, other, "", "Because")


def close(other: User) -> None:
    people.close_account(None, other, "Because")


def suspend(other: User) -> None:
    people.suspend(None, other, timezone.now() + timedelta(days=1), "Because")


def leave(other: User) -> None:
    Deletion.objects.create(user=other, confirmed_at=timezone.now(), due_at=timezone.now() + deletions.GRACE)


@pytest.mark.parametrize("go", [drop_role, close, suspend, leave])
def test_of_two_one_may_go_and_then_the_other_may_not(boss: User, go: Callable[[User], None]) -> None:
    other = administrator("other")
    go(other)
    with pytest.raises(CommandError, match="boss is the last administrator"):
        run("people", "role", "boss", "--role", "none", *WHY)


def test_others_go_as_ever(boss: User) -> None:
    ann = person("ann")
    run("people", "role", "ann", "--role", "moderators", *WHY)
    run("people", "role", "ann", "--role", "none", *WHY)
    run("people", "close", "ann", *WHY)
    assert not User.objects.get(pk=ann.pk).is_active


def test_the_last_one_does_not_delete_their_account(boss: User, mailoutbox: list[EmailMessage]) -> None:
    client, other = logged_in(boss), administrator("other")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.post(reverse("settings_delete"))
    link = link_in(mailoutbox[-1])
    people.set_role(None, other, "", "Because")  # meanwhile
    assert "You are the last administrator" in client.post(link, follow=True).content.decode()
    Deletion.objects.all().delete()
    assert "You are the last administrator" in client.post(reverse("settings_delete"), follow=True).content.decode()
    assert not Deletion.objects.exists()
    people.set_role(None, other, "administrators", "Because")
    client.post(reverse("settings_delete"))
    Client().post(link_in(mailoutbox[-1]))
    assert Deletion.objects.get().is_confirmed
