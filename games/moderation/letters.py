"""What people are told by email alone: that their account is closed, as no page can tell them."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.kept_emails import send_or_keep
from accounts.mail import as_html, in_words_of
from accounts.models import User


def account_closed(person: User, reason: str) -> None:
    """Tell somebody, once committed, that moderators have closed their account, and why."""
    if person.email:
        transaction.on_commit(lambda: send_or_keep(_letter(person, reason)))


def _letter(person: User, reason: str) -> EmailMultiAlternatives:
    context = {"name": person.username, "reason": reason, "site_url": settings.SITE_URL}
    with in_words_of(person):
        subject = _("Your account has been closed")
        text = render_to_string("moderation/email/account_closed.txt", context)
        headers = {"Auto-Submitted": "auto-generated"}
        letter = EmailMultiAlternatives(f"Tessera: {subject}", text, to=[person.email], headers=headers)
        letter.attach_alternative(as_html(subject, text), "text/html")
    return letter
