"""The end of an account: asked for with a password, confirmed by email, taken back by logging in, or due."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.joining import guests
from accounts.models import User
from games.privacy import deletions
from games.privacy.jobs import Deletions, OldGuests
from games.privacy.models import Deletion, Export
from tests.people import PASSWORD, client_of, person, running_match
from tests.site.accounts.conftest import totp
from tests.site.notifications.letters import delivered
from tests.site.privacy.opening import made

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return person("ann")


def logged_in(user: User) -> Client:
    """Return a browser in which somebody has really logged in."""
    client = Client()
    response = client.post(reverse("account_login"), {"login": user.username, "password": PASSWORD})
    assert response.status_code == 302
    return client


def asked(client: Client) -> Any:
    """Ask for the end of the account, with the password."""
    address = reverse("settings_delete")
    again = client.get(address).headers["Location"]
    assert reverse("account_reauthenticate") in again
    assert client.post(again, {"password": "wrong"}).status_code == 200
    assert client.get(address).status_code == 302
    client.post(again, {"password": PASSWORD})
    assert 'id="delete-account"' in client.get(address).content.decode()
    return client.post(address)


def link_in(mail: EmailMessage) -> str:
    found = re.search(r"https?://[^/]+(/account/delete/\S+)", str(mail.body))
    assert found is not None
    return found[1]


def test_an_account_is_deleted_a_week_after_its_owner_has_confirmed_that(
    ann: User, mailoutbox: list[EmailMessage]
) -> None:
    browser, elsewhere = logged_in(ann), logged_in(ann)
    assert ann.email in asked(browser).content.decode()
    link = link_in(mailoutbox.pop())
    visitor = Client()
    assert 'id="confirm-deletion"' in visitor.get(link).content.decode()
    assert not Deletion.objects.get().is_confirmed
    assert visitor.post(link).status_code == 200
    due = Deletion.objects.get().due_at
    assert due is not None
    assert timedelta(days=6, hours=23) < due - timezone.now() <= timedelta(days=7)
    assert [mail.subject for mail in mailoutbox] == ["Tessera: Your account will be deleted"]
    for client in (browser, elsewhere):
        assert "login" in client.get(reverse("settings_data")).headers["Location"]
    worker = Deletions()
    assert worker.run_due(due - timedelta(seconds=1)) == 0
    with time_machine.travel(due, tick=False):
        assert worker.run_due(timezone.now()) == 1
        assert not User.objects.filter(pk=ann.pk).exists()
        delivered()
    assert mailoutbox[-1].subject == "Tessera: Your account has been deleted"
    assert mailoutbox[-1].to == [ann.email]
    assert worker.next_due() is None
    login = Client().post(reverse("account_login"), {"login": "ann", "password": PASSWORD})
    assert login.status_code == 200


def test_whoever_logs_in_again_keeps_the_account(ann: User, mailoutbox: list[EmailMessage]) -> None:
    asked(logged_in(ann))
    link = link_in(mailoutbox[-1])
    Client().post(link)
    page = logged_in(ann).get(reverse("settings_data")).content.decode()
    assert "Your account will not be deleted" in page
    assert not Deletion.objects.exists()
    assert mailoutbox[-1].subject == "Tessera: Your account stays"
    assert Client().post(link).status_code == 404
    with time_machine.travel(timezone.now() + timedelta(days=8), tick=False):
        assert Deletions().run_due(timezone.now()) == 0
    assert User.objects.filter(pk=ann.pk, is_active=True).exists()


def test_a_browser_that_is_still_logged_in_can_keep_it_too(ann: User) -> None:
    browser = client_of(ann)
    deletions.confirm(deletions.ask(ann))
    assert "Keep my account" in browser.get(reverse("settings_data")).content.decode()
    browser.post(reverse("delete_keep"))
    assert not Deletion.objects.exists()


def test_a_link_works_for_a_day_and_nothing_else_is_a_link(ann: User, mailoutbox: list[EmailMessage]) -> None:
    deletions.ask(ann)
    link = link_in(mailoutbox[-1])
    with time_machine.travel(timezone.now() + timedelta(hours=24, minutes=1), tick=False):
        response = Client().post(link)
        assert response.status_code == 404
        assert "no longer works" in response.content.decode()
        OldGuests().run_due(timezone.now())
    assert not Deletion.objects.exists()
    assert Client().get(f"{link[:-3]}x/").status_code == 404


def test_confirming_twice_changes_nothing(ann: User, mailoutbox: list[EmailMessage]) -> None:
    deletions.ask(ann)
    link = link_in(mailoutbox[-1])
    for _ in range(2):
        Client().post(link)
    first = Deletion.objects.get().due_at
    assert deletions.ask(ann).due_at == first
    assert len(mailoutbox) == 2


def test_an_account_with_a_passkey_alone_gives_that_first(ann: User) -> None:
    browser = client_of(ann)
    ann.set_unusable_password()
    ann.save()
    browser.force_login(ann)
    Authenticator.objects.create(user=ann, type="webauthn", data={"name": "Key", "credential": {}})
    assert reverse("mfa_reauthenticate_webauthn") in browser.get(reverse("settings_delete")).headers["Location"]
    assert browser.post(reverse("settings_delete")).status_code == 302
    assert not Deletion.objects.exists()


def test_a_code_of_the_second_factor_is_as_good_as_the_password(ann: User) -> None:
    browser, secret = client_of(ann), "JBSWY3DPEHPK3PXP"
    Authenticator.objects.create(user=ann, type="totp", data={"secret": secret})
    address, again = reverse("settings_delete"), f"{reverse('mfa_reauthenticate')}?next={reverse('settings_delete')}"
    assert browser.post(address).status_code == 302
    assert browser.post(again, {"code": "000000"}).status_code == 200
    assert not Deletion.objects.exists()
    answer = browser.post(again, {"code": totp(secret)})  # what was asked for before is done now
    assert ann.email in answer.content.decode()
    assert not Deletion.objects.get().is_confirmed


def test_an_account_without_an_address_has_the_same_time_to_come_back(
    ann: User, mailoutbox: list[EmailMessage]
) -> None:
    ann.emailaddress_set.all().delete()  # type: ignore[attr-defined]  # allauth's relation
    page = asked(client_of(ann)).content.decode()
    assert "Your account will be deleted" in page
    assert Deletion.objects.get().is_confirmed
    assert mailoutbox == []


def test_a_guest_is_deleted_at_once_and_plays_no_more() -> None:
    browser = Client()
    browser.post(reverse("guest"))
    guest = User.objects.get(guest=True)
    match = running_match([guest, person()])
    assert "at once" in browser.get(reverse("settings_delete")).content.decode()
    browser.post(reverse("settings_delete"))
    assert "login" in browser.get(reverse("settings_data")).headers["Location"]
    assert Deletions().run_due(timezone.now()) == 1
    assert not User.objects.exclude(username__startswith="person").exists()
    match.refresh_from_db()
    assert match.is_over


def test_a_guest_who_becomes_a_member_meanwhile_is_not_deleted(ann: User) -> None:
    registered, claimed = (User.objects.create_user(f"Guest-{name}", guest=True) for name in ("shy-fox", "bold-fox"))
    for guest in (registered, claimed):
        made(guest)
        deletions.ask(guest)
    User.objects.filter(pk=registered.pk).update(guest=False)
    guests.take_over(claimed, ann)
    Deletions().run_due(timezone.now())
    assert set(User.objects.filter(is_active=True)) == {registered, ann}
    assert not Deletion.objects.exists()
    assert not Export.objects.filter(user=ann).exists()


def test_nobody_asks_more_often_than_the_limit(ann: User, mailoutbox: list[EmailMessage]) -> None:
    browser = logged_in(ann)
    asked(browser)
    statuses = [browser.post(reverse("settings_delete")).status_code for _ in range(6)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert len(mailoutbox) == statuses.count(200) + 1


def test_accounts_that_were_never_confirmed_end_and_nobody_elses(ann: User, mailoutbox: list[EmailMessage]) -> None:
    """Of before registrations waited: such accounts show a name and keep it from others, for nobody."""
    long_ago = timezone.now() - timedelta(days=4)
    never, late, lately = (person(name) for name in ("never", "late", "lately"))
    EmailAddress.objects.filter(user__in=(never, late, lately)).update(verified=False)
    User.objects.exclude(pk=lately.pk).update(date_joined=long_ago)
    User.objects.create_user("command", "command@example.org", PASSWORD, date_joined=long_ago)
    OldGuests().run_due(timezone.now())
    assert set(Deletion.objects.values_list("user__username", flat=True)) == {"never", "late"}

    EmailAddress.objects.filter(user=late).update(verified=True)
    logged_in(late)
    with time_machine.travel(timezone.now() + deletions.GRACE + timedelta(minutes=1)):
        Deletions().run_due(timezone.now())
    assert set(User.objects.values_list("username", flat=True)) == {"ann", "late", "lately", "command"}
