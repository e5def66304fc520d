"""Emails about accounts while the mail server is away: nobody is turned away, and each email comes later."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts import kept_emails
from accounts.models import KeptEmail, Registration
from config.database_servers import free_port
from games.notifications.outbox.account_emails import AccountEmails
from tests.notifications.letters import Mailbox, mail_server, part
from tests.people import PASSWORD, person
from tests.waiting import wait_until

NEW = {"username": "Dora", "email": "dora@example.org", "password1": PASSWORD, "password2": PASSWORD}


class Final(Mailbox):
    """A server that refuses every email for good."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  # aiosmtpd's name for it
        return "554 never"


@pytest.fixture
def box(settings: Settings) -> Mailbox:
    """A mail server that is away until a test starts it."""
    box = Mailbox(free_port())
    box.take_mails_of(settings)
    return box


def make_due() -> None:
    KeptEmail.objects.update(due_at=timezone.now())


def register(client: Client) -> None:
    assert client.post("/account/signup/", NEW).status_code == 302
    assert Registration.objects.filter(name="Dora").exists()


def assert_says_who_and_what(line: str) -> None:
    """An operator can tell the person to ask again, but not use the link for them."""
    assert "'Tessera: Confirm your email address' to dora@example.org" in line
    assert "http" not in line


@pytest.mark.django_db
def test_whoever_registers_meanwhile_gets_the_link_when_the_server_is_back(client: Client, box: Mailbox) -> None:
    register(client)
    assert not kept_emails.send_due()
    make_due()
    with mail_server(box.port, box):
        assert kept_emails.send_due() == 1
        make_due()
        assert not kept_emails.send_due()
    [(to, letter)] = box.letters
    assert to == ["dora@example.org"]
    assert "/account/register/" in part(letter, "plain")
    assert "/account/register/" in part(letter, "html")
    assert not KeptEmail.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["ann@example.org", "nobody@example.org"])
def test_whoever_asks_for_a_password_meanwhile_is_answered_alike(client: Client, box: Mailbox, address: str) -> None:
    person("ann")
    assert client.post("/account/password/reset/", {"email": address}).status_code == 302
    assert KeptEmail.objects.get().content["to"] == [address]


@pytest.mark.django_db
def test_an_email_that_is_refused_for_now_comes_later_with_the_same_number(client: Client, box: Mailbox) -> None:
    with mail_server(box.port, box):
        box.refusing = True
        register(client)
        make_due()
        assert not kept_emails.send_due()
        [kept] = KeptEmail.objects.all()
        assert (kept.attempts, kept.due_at > timezone.now()) == (1, True)
        box.refusing = False
        make_due()
        assert kept_emails.send_due() == 1
    assert box.ids == [kept.content["headers"]["Message-ID"]]


@pytest.mark.django_db
def test_an_email_that_is_refused_for_good_is_not_kept(
    client: Client, box: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    with mail_server(box.port, Final(box.port)):
        register(client)
    assert not KeptEmail.objects.exists()
    [told] = [record for record in caplog.records if record.name == "accounts.kept_emails"]
    assert told.levelno == logging.ERROR
    assert_says_who_and_what(told.getMessage())


@pytest.mark.django_db
@pytest.mark.parametrize(("age", "kept"), [(timedelta(hours=47), True), (timedelta(hours=49), False)])
def test_an_email_is_given_up_after_two_days_and_that_is_an_error_in_the_log(
    client: Client, box: Mailbox, caplog: pytest.LogCaptureFixture, age: timedelta, kept: bool
) -> None:
    register(client)
    KeptEmail.objects.update(created_at=timezone.now() - age)
    make_due()
    caplog.clear()
    assert not kept_emails.send_due()
    assert KeptEmail.objects.exists() == kept
    assert [record.levelno for record in caplog.records] == ([] if kept else [logging.ERROR])
    for record in caplog.records:
        assert_says_who_and_what(record.getMessage())


@pytest.mark.django_db
def test_an_email_another_worker_has_is_left_to_it(client: Client, box: Mailbox) -> None:
    register(client)
    KeptEmail.objects.update(due_at=timezone.now() + kept_emails.LEASE)
    with mail_server(box.port, box):
        assert not kept_emails.send_due()


@pytest.mark.django_db(transaction=True)
def test_the_worker_sends_what_is_due(client: Client, box: Mailbox) -> None:
    duty = AccountEmails()
    assert duty.next_due() is None
    register(client)
    assert duty.run_due(timezone.now()) == 0
    make_due()
    with mail_server(box.port, box):
        assert duty.run_due(timezone.now()) == 1
        wait_until(lambda: duty.next_due() is None and not KeptEmail.objects.exists())
    assert len(box.letters) == 1
