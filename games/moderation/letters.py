"""What people are told by email: what no page could tell them, and what may be somebody else's doing."""

from __future__ import annotations

from accounts.mail import letter, post
from accounts.models import User
from accounts.texts import isolated


def account_closed(person: User, reason: str) -> None:
    """Tell somebody, once committed, that moderators have closed their account, and why."""
    _send(person, "account_closed", reason)


def factors_removed(person: User, reason: str) -> None:
    """Tell somebody, once committed, that their password alone opens their account now, and why."""
    _send(person, "factors_removed", reason)


def _send(person: User, name: str, reason: str) -> None:
    if person.email:
        post(letter(person, person.email, f"moderation/email/{name}", reason=isolated(reason)))
