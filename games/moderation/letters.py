"""What people are told by email alone: that their account is closed, as no page can tell them."""

from __future__ import annotations

from django.db import transaction

from accounts.kept_emails import send_or_keep
from accounts.mail import letter
from accounts.models import User


def account_closed(person: User, reason: str) -> None:
    """Tell somebody, once committed, that moderators have closed their account, and why."""
    if person.email:
        template = "moderation/email/account_closed"
        transaction.on_commit(lambda: send_or_keep(letter(person, person.email, template, reason=reason)))
