"""Emails to people about their data and the end of their account."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

from accounts.mail import as_html, in_words_of
from accounts.models import User


def address_of(user: User) -> str | None:
    """Return where somebody can be reached: the address they have confirmed, None if there is none."""
    found = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    address: str | None = found.values_list("email", flat=True).first()
    return address


def letter_to(user: User, name: str, **context: Any) -> EmailMultiAlternatives | None:
    """Return an email to somebody in their language, None if they have no address.

    Args:
        user: its reader.
        name: of its templates in `privacy/email/`.
        context: what these say more.
    """
    address = address_of(user)
    if address is None:
        return None
    with in_words_of(user):
        said = {"user": user, "site_url": settings.SITE_URL, **context}
        subject = " ".join(render_to_string(f"privacy/email/{name}_subject.txt", said).split())
        text = render_to_string(f"privacy/email/{name}_message.txt", said).strip()
        letter = EmailMultiAlternatives(f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}", text, to=[address])
        letter.extra_headers = {"Auto-Submitted": "auto-generated"}
        letter.attach_alternative(as_html(subject, text), "text/html")
    return letter
