"""Emails about accounts: no request waits for the mail server, nobody is turned away, and each email comes later."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.mail import post
from accounts.models import Registration
from config.ops.stack import free_port
from games.notifications import delivery
from games.notifications.channels.mail import unsent_letters
from games.notifications.jobs import Deliveries
from games.notifications.models import Channel, Delivery, Host
from tests.people import PASSWORD, person
from tests.site.config.processes import output_of, serving
from tests.site.notifications.letters import Mailbox, delivered, mail_server, part
from tests.waiting import wait_until

NEW = {"username": "Dora", "email": "dora@example.org", "password1": PASSWORD}


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
    Delivery.objects.update(due_at=timezone.now())
    Host.objects.all().delete()  # the mail server rests no longer


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
    delivered()
    make_due()
    with mail_server(box.port, box):
        delivered()
        make_due()
        delivered()
    [(to, letter)] = box.letters
    assert to == ["dora@example.org"]
    assert "/account/register/" in part(letter, "plain")
    assert "/account/register/" in part(letter, "html")
    assert not Delivery.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["ann@example.org", "nobody@example.org"])
def test_whoever_asks_for_a_password_is_answered_alike(client: Client, box: Mailbox, address: str) -> None:
    person("ann")
    assert client.post("/account/password/reset/", {"email": address}).status_code == 302
    assert unsent_letters().get().letter["to"] == [address]


@pytest.mark.django_db
def test_an_email_that_is_refused_for_now_comes_later_with_the_same_number(client: Client, box: Mailbox) -> None:
    with mail_server(box.port, box):
        box.refusing = True
        register(client)
        delivered()
        [kept] = unsent_letters()
        assert (kept.attempts, kept.due_at > timezone.now()) == (1, True)
        box.refusing = False
        make_due()
        delivered()
    assert box.ids == [kept.letter["headers"]["Message-ID"]]


@pytest.mark.django_db
def test_an_email_that_is_refused_for_good_is_not_kept(
    client: Client, box: Mailbox, caplog: pytest.LogCaptureFixture
) -> None:
    with mail_server(box.port, Final(box.port)):
        register(client)
        delivered()
    assert not Delivery.objects.exists()
    [told] = [record for record in caplog.records if "given up" in record.message]
    assert told.levelno == logging.ERROR
    assert_says_who_and_what(told.getMessage())


@pytest.mark.django_db
@pytest.mark.parametrize(("age", "kept"), [(timedelta(hours=47), True), (timedelta(hours=49), False)])
def test_an_email_is_given_up_after_two_days_and_that_is_an_error_in_the_log(
    client: Client, box: Mailbox, caplog: pytest.LogCaptureFixture, age: timedelta, kept: bool
) -> None:
    register(client)
    Delivery.objects.update(failing_since=timezone.now() - age)
    make_due()
    caplog.clear()
    delivered()
    assert Delivery.objects.exists() == kept
    told = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(told) == (not kept)
    for record in told:
        assert_says_who_and_what(record.getMessage())


@pytest.mark.django_db
def test_an_email_another_worker_has_is_left_to_it(client: Client, box: Mailbox) -> None:
    register(client)
    Delivery.objects.update(lease_until=timezone.now() + delivery.LEASE)
    with mail_server(box.port, box):
        delivered()
        assert not box.letters
        Delivery.objects.update(lease_until=timezone.now() - timedelta(seconds=1))  # that worker was killed
        delivered()
    assert len(box.letters) == 1


@pytest.mark.django_db
def test_letters_leave_before_everything_else(client: Client) -> None:
    ann = person()
    Delivery.objects.create(user=ann, channel=Channel.MAIL, key="digest", due_at=timezone.now() - timedelta(hours=1))
    register(client)
    claimed = [delivery.claim(Channel.MAIL, timezone.now()) for _ in range(2)]
    assert [it.user for it in claimed if it] == [None, ann]


@pytest.mark.django_db(transaction=True)
def test_a_letter_is_sent_with_what_it_is_about_or_not_at_all(box: Mailbox) -> None:
    letter = EmailMultiAlternatives("Hello", "Ann", to=["ann@example.org"])
    with transaction.atomic():
        post(letter)
        transaction.set_rollback(True)
    assert not Delivery.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_worker_sends_what_is_due(client: Client, box: Mailbox) -> None:
    job = Deliveries()
    assert job.next_due() is None
    register(client)
    assert job.next_due() is not None
    with mail_server(box.port, box):
        assert job.run_due(timezone.now()) == 1
        wait_until(lambda: job.next_due() is None and not Delivery.objects.exists())
    assert len(box.letters) == 1


# --- a mail server that is slow ---------------------------------------------------------------------------------------


@dataclass
class Slow(Mailbox):
    """A server that takes an email only when a test lets it; all that are handed over meanwhile wait."""

    may_take: threading.Event = field(default_factory=threading.Event)
    handed_over: threading.Event = field(default_factory=threading.Event)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  # aiosmtpd's name for it
        self.handed_over.set()
        while not self.may_take.is_set():
            await asyncio.sleep(0.05)
        return await super().handle_DATA(server, session, envelope)


IN_THE_REQUEST = """
import config.asgi
from accounts import adapter
from config.serve import main
adapter.post = lambda email: email.send()
main()
"""
"""Serves the site, but sends emails as it did."""


def check_slow(folder: Path, patience: float, code: str = "") -> None:
    """Ask for more new passwords than there are threads of pages, while the mail server takes no email."""
    people = [person() for _ in range(6)]
    box = Slow(free_port())
    mail = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": str(box.port), "EMAIL_USE_TLS": "0"}
    answers: list[int] = []

    def ask(address: str) -> None:
        with suppress(OSError, HTTPException):
            answers.append(site.ask("POST", "/account/password/reset/", form=f"email={quote(address)}")[0])

    with mail_server(box.port, box), serving(folder, code, SINGLE_PROCESS="1", **mail) as site, ExitStack() as ends:
        ends.callback(box.may_take.set)  # before the process is asked to end, which waits for its requests
        site.wait()
        threads = [threading.Thread(target=ask, args=[it.email], daemon=True) for it in people]
        for thread in threads:
            thread.start()
        assert box.handed_over.wait(60)
        until = time.monotonic() + patience
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        assert not any(thread.is_alive() for thread in threads), "requests wait for the mail server"
        assert answers == [302] * len(people)
        assert site.ask("GET", "/")[0] == 200
        assert box.letters == []
        box.may_take.set()
        wait_until(lambda: len(box.letters) == len(people))
    assert sorted(to for [to], _letter in box.letters) == sorted(it.email for it in people)


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_that_takes_no_email_holds_nobody_up(tmp_path: Path) -> None:
    check_slow(tmp_path, patience=60)


@pytest.mark.django_db(transaction=True)
def test_the_check_would_notice_an_email_that_is_sent_in_the_request(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="requests wait"):
        check_slow(tmp_path, 2, IN_THE_REQUEST)


@pytest.mark.django_db(transaction=True)
def test_without_a_mail_server_emails_appear_in_the_terminal(tmp_path: Path) -> None:
    ann = person()
    with serving(tmp_path) as site:
        site.wait()
        assert site.ask("POST", "/account/password/reset/", form=f"email={quote(ann.email)}")[0] == 302
        wait_until(lambda: f"To: {ann.email}" in output_of(tmp_path))
