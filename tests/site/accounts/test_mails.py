"""Mails: in the reader's language and time, as text and HTML, free of anything others might smuggle in."""

from __future__ import annotations

from typing import Any

import pytest
import time_machine
from allauth.account.adapter import get_adapter
from allauth.core import context
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.template.loader import get_template
from django.test import Client, RequestFactory
from django.utils import translation

from accounts.mail import as_html, letter, paragraphs
from accounts.models import User
from tests.people import client_of, person
from tests.site.accounts.conftest import addresses

NOTIFICATIONS = [
    "account/email/email_changed",
    "account/email/email_confirm",
    "account/email/email_deleted",
    "account/email/password_changed",
    "account/email/password_reset",
    "account/email/password_set",
    "accounts/email/name_changed",
    "mfa/email/recovery_codes_generated",
    "mfa/email/totp_activated",
    "mfa/email/totp_deactivated",
    "mfa/email/webauthn_added",
    "mfa/email/webauthn_removed",
]
LETTERS = [
    "account/email/account_already_exists",
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
    "account/email/password_reset_key",
    "account/email/unknown_account",
]


def notify(prefix: str, user: User, **extra: Any) -> None:
    request = RequestFactory().post("/", headers={"User-Agent": extra.pop("agent", "Firefox")})
    with context.request_context(request):
        get_adapter().send_notification_mail(prefix, user, extra)


@pytest.mark.parametrize("prefix", NOTIFICATIONS + LETTERS)
def test_every_mail_is_ours(prefix: str) -> None:
    for part in ("subject", "message"):
        assert "/templates/" in (origin := str(get_template(f"{prefix}_{part}.txt").origin))  # type: ignore[attr-defined]  # of Django's backend
        assert "allauth" not in origin


@pytest.mark.parametrize("prefix", NOTIFICATIONS)
def test_a_notice_says_when_from_where_and_what_to_do(ann: User, mailoutbox: list[EmailMessage], prefix: str) -> None:
    notify(prefix, ann)
    body = str(mailoutbox[0].body)
    assert body.startswith("Hello Ann,")
    assert "From: 127.0.0.1" in body
    assert "http://127.0.0.1:8000/account/password/reset/" in body
    assert "http://127.0.0.1:8000/account/sessions/" in body
    assert mailoutbox[0].extra_headers["Auto-Submitted"] == "auto-generated"


def test_times_are_those_of_the_reader(db: None, mailoutbox: list[EmailMessage]) -> None:
    with time_machine.travel("2026-11-21T10:00:00Z"):
        notify("account/email/password_changed", person("Tom", time_zone="Asia/Tokyo"))
    assert "When: 21 Nov 2026, 19:00 (Asia/Tokyo)" in str(mailoutbox[0].body)


def test_mails_come_as_text_and_html_with_the_same_words(ann: User, mailoutbox: list[EmailMessage]) -> None:
    notify("account/email/password_changed", ann)
    mail = mailoutbox[0]
    assert isinstance(mail, EmailMultiAlternatives)
    html = str(mail.alternatives[0][0])
    assert mail.alternatives[0][1] == "text/html"
    assert "The password of your account was changed." in html
    assert '<a class="button" href="http://127.0.0.1:8000/account/password/reset/">Choose a new password</a>' in html


def test_nothing_from_outside_runs_in_a_mail(ann: User, mailoutbox: list[EmailMessage]) -> None:
    notify("account/email/password_changed", ann, agent="<script>alert(1)</script><a href=//evil.example>")
    mail = mailoutbox[0]
    assert isinstance(mail, EmailMultiAlternatives)
    assert "<script>alert(1)</script>" in str(mail.body)  # text stays as it is
    assert "<script" not in str(mail.alternatives[0][0])
    assert "<a href=//" not in str(mail.alternatives[0][0])


def test_no_header_can_be_smuggled_in(ann: User, mailoutbox: list[EmailMessage]) -> None:
    client_of(ann).post("/settings/name/", {"name": "x\r\nBcc: all@example.org"})
    Client().post("/account/signup/", {"username": "a\nb", "email": "a@b.example\nCc: c@d.example"})
    notify("account/email/password_changed", ann, agent="x\r\nBcc: all@example.org")
    assert len(mailoutbox) == 1
    assert mailoutbox[0].recipients() == [addresses(ann).get().email]
    assert "\nBcc:" not in mailoutbox[0].message().as_string().split("\n\n")[0]


def test_a_line_above_an_address_is_an_action() -> None:
    text = "Hello,\n\nDo it:\nhttp://x.example/y\n\nSee http://x.example in passing."
    assert [(part.text, part.url) for part in paragraphs(text)] == [
        ("Hello,", ""),
        ("Do it", "http://x.example/y"),
        ("See http://x.example in passing.", ""),
    ]
    assert 'lang="de"' in _in_german(text)


def _in_german(text: str) -> str:
    with translation.override("de"):
        return as_html("x", text)


def test_mails_speak_the_language_of_their_reader(db: None, mailoutbox: list[EmailMessage]) -> None:
    reader = person("Gerda", language="de")
    Client().post("/account/password/reset/", {"email": reader.email}, headers={"Accept-Language": "en"})
    mail = mailoutbox[0]
    assert isinstance(mail, EmailMultiAlternatives)
    assert 'lang="de"' in str(mail.alternatives[0][0])
    assert "Hallo Gerda" in str(mail.body)
    assert mail.message()["Content-Language"] == "de"
    told = letter(reader, reader.email, "moderation/email/factors_removed", reason="lost")
    assert told.message()["Content-Language"] == "de"
