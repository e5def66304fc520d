"""Administrators help people who cannot log in, with a reason and a line in the log."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.management import CommandError
from django.test import Client

from accounts.models import User
from games.moderation import people
from games.moderation.models import Deed
from games.notifications.models import Kind, Notice
from tests.people import client_of, person
from tests.site.accounts.test_registration import form
from tests.site.moderation.moderators import administrator
from tests.site.moderation.test_commands import run
from tests.site.moderation.test_people import refused
from tests.site.notifications.letters import delivered

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    return administrator("boss")


@pytest.fixture
def locked_out(bob: User) -> User:
    """Return somebody who has lost their second factor, and never confirmed their address."""
    Authenticator.objects.create(user=bob, type="totp", data={})
    Authenticator.objects.create(user=bob, type="recovery_codes", data={})
    EmailAddress.objects.filter(user=bob).update(verified=False)
    return bob


def test_an_administrator_removes_second_factors_and_the_person_is_told(
    boss: User, locked_out: User, django_capture_on_commit_callbacks: Any
) -> None:
    asked = {"act": "unlock", "days": "1", "reason": "Has lost the phone"}
    with django_capture_on_commit_callbacks(execute=True):
        assert client_of(boss).post("/moderation/people/bob/", asked).status_code == 302
    assert not Authenticator.objects.filter(user=locked_out).exists()
    assert Deed.objects.values_list("act", "by", "person", "reason").get() == (
        "unlock",
        boss.pk,
        locked_out.pk,
        "Has lost the phone",
    )
    assert Notice.objects.filter(user=locked_out, kind=Kind.MODERATION).exists()
    assert delivered()[-1].subject == "Tessera: Your second factors have been removed"
    assert "Reason: Has lost the phone" in delivered()[-1].body
    standing = client_of(locked_out).get("/standing/").content.decode()
    assert "Administrators have removed your second factors" in standing
    assert "Has lost the phone" in standing


def test_an_administrator_confirms_an_address(boss: User) -> None:
    guest = person("dora", guest=True)
    EmailAddress.objects.filter(user=guest).update(verified=False)
    asked = {"act": "confirm", "days": "1", "reason": "Her provider takes no email of ours"}
    client_of(boss).post("/moderation/people/dora/", asked)
    assert EmailAddress.objects.get(user=guest).verified
    guest.refresh_from_db()
    assert not guest.guest
    standing = client_of(guest).get("/standing/").content.decode()
    assert "Administrators have confirmed your email address" in standing
    assert "Her provider" in client_of(boss).get("/moderation/log/").content.decode()


def test_only_administrators_do_it_with_a_reason_and_not_for_themselves(
    boss: User, mod: User, locked_out: User
) -> None:
    page = client_of(mod).get("/moderation/people/bob/").content.decode()
    assert "Remove the second factors" not in page
    asked = {"act": "unlock", "days": "1", "reason": "Because"}
    assert client_of(mod).post("/moderation/people/bob/", asked).status_code == 422
    for do in (people.remove_factors, people.confirm_address):
        assert refused(do, mod, locked_out, "Because") == "not-administrator"
        assert refused(do, boss, locked_out, " ") == "reason"
        assert refused(do, boss, boss, "Because") == "self"
    assert Authenticator.objects.filter(user=locked_out).count() == 2
    assert not Deed.objects.exists()


def test_what_there_is_nothing_to_do_about_is_refused(boss: User, ann: User, locked_out: User) -> None:
    assert refused(people.remove_factors, boss, ann, "Because") == "no-factor"
    assert refused(people.confirm_address, boss, ann, "Because") == "no-address"
    EmailAddress.objects.create(user=ann, email="bob@example.org", verified=True)
    assert refused(people.confirm_address, boss, locked_out, "Because") == "taken"
    assert not Deed.objects.exists()


def test_the_operator_confirms_who_has_just_registered(client: Client) -> None:
    client.post("/account/signup/", form())
    with pytest.raises(CommandError, match="three days"):
        run("people", "confirm", "somebody@example.org", "--reason", "Gets no email")
    run("people", "confirm", "Berta@example.org", "--reason", "Gets no email")
    assert EmailAddress.objects.get(email="berta@example.org").verified
    assert Deed.objects.get().person == User.objects.get(username="Berta")


def test_the_operator_does_it_by_commands(locked_out: User) -> None:
    run("people", "unlock", "bob", "--reason", "Has lost the phone")
    run("people", "confirm", "bob", "--reason", "Gets no email")
    assert not Authenticator.objects.filter(user=locked_out).exists()
    assert EmailAddress.objects.get(user=locked_out).verified
    assert list(Deed.objects.values_list("act", flat=True)) == ["confirm", "unlock"]
