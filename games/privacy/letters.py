"""Emails to people about their data and the end of their account."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives

from accounts.mail import letter
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
    return letter(user, address, f"privacy/email/{name}", **context)
