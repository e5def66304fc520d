"""Emails in their reader's language and time zone, as text and as HTML made from the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.models import User
from accounts.moments import zone
from accounts.signals import letter_written

_ACTION = re.compile(r"(?P<label>[^\n]+?):?\n(?P<url>https?://\S+)")


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of an email; if it has a `url`, a button with `text` as its label."""

    text: str
    url: str = ""


@contextmanager
def in_words_of(user: object) -> Iterator[None]:
    """Use this user's language and time zone; change nothing for anyone who is not a `User`."""
    if not isinstance(user, User):
        yield
        return
    with translation.override(user.language or translation.get_language()), timezone.override(zone(user.time_zone)):
        yield


def paragraphs(text: str) -> list[Paragraph]:
    """Split the text of an email into paragraphs; a line of words above a line with a link becomes a button.

    >>> paragraphs("Hello,\\n\\nConfirm:\\nhttps://x.example/y")
    [Paragraph(text='Hello,', url=''), Paragraph(text='Confirm', url='https://x.example/y')]
    """
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    matches = [(_ACTION.fullmatch(part), part) for part in parts]
    return [Paragraph(match["label"], match["url"]) if match else Paragraph(part) for match, part in matches]


def as_html(subject: str, text: str) -> str:
    """Return the same email as HTML. Everything in it is escaped."""
    return render_to_string("account/email/frame.html", {"subject": subject, "paragraphs": paragraphs(text)})


def headers_now() -> dict[str, str]:
    """Return the headers of an email: sent by a machine (RFC 3834), and in the active language."""
    return {"Auto-Submitted": "auto-generated", "Content-Language": translation.get_language()}


def post(email: EmailMultiAlternatives) -> None:
    """Have the worker send an email once the transaction is committed: no page waits for the mail server."""
    letter_written.send(EmailMultiAlternatives, email=email)


def verified_address(user: User) -> str | None:
    """Return a confirmed address of somebody, the primary one if possible; None if there is none."""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    address: str | None = found.values_list("email", flat=True).first()
    return address


def letter_to(user: User, template: str, **context: Any) -> EmailMultiAlternatives | None:
    """Return a `letter` to somebody's confirmed address; None if they have none."""
    address = verified_address(user)
    return letter(user, address, template, **context) if address else None


def letter(reader: User, address: str, template: str, **context: Any) -> EmailMultiAlternatives:
    """Return an email to somebody in their language.

    Args:
        reader: who reads it.
        address: where it is sent.
        template: the beginning of the names of its templates, `<template>_subject.txt` and `<template>_message.txt`.
        context: for the templates.
    """
    with in_words_of(reader):
        said = {"user": reader, "site_url": settings.SITE_URL, **context}
        subject = " ".join(render_to_string(f"{template}_subject.txt", said).split())
        text = render_to_string(f"{template}_message.txt", said).strip()
        prefixed = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}"
        email = EmailMultiAlternatives(prefixed, text, to=[address], headers=headers_now())
        email.attach_alternative(as_html(subject, text), "text/html")
    return email
