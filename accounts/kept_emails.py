"""Emails about accounts that the mail server did not take: kept until it does, at most for `GIVE_UP_AFTER`.

Nobody who registers or asks for a new password is turned away while it is away. What was sent is deleted, with the
links in it.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from email.utils import make_msgid
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused, SMTPSenderRefused
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.core.mail.utils import DNS_NAME
from django.utils import timezone

from accounts.models import KeptEmail

log = logging.getLogger(__name__)

GIVE_UP_AFTER = timedelta(days=2)
"""The links in these emails work for three days."""

LEASE = timedelta(seconds=60)
"""How long a worker that sends an email has it for itself."""

_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=10), timedelta(minutes=15)
_NEVER = 500
"""Answers of a mail server from here on are final."""


def send_or_keep(email: EmailMultiAlternatives) -> None:
    """Send an email; keep it if the mail server is away or wants it later. What it refuses for good is logged."""
    email.extra_headers.setdefault("Message-ID", make_msgid(domain=DNS_NAME))  # the same when it is sent again
    try:
        email.send()
    except (SMTPException, OSError) as error:
        if _is_final(error):
            log.error("the mail server refuses %s: %r", _named(_content(email)), error)  # noqa: TRY400  # no trace of ours
            return
        log.warning("an email about an account is kept: %r", error)
        KeptEmail.objects.create(content=_content(email), due_at=timezone.now() + _FIRST_PAUSE)


def keep(email: EmailMultiAlternatives) -> None:
    """Let the worker send an email once the transaction is committed: it is sent with what that does, or not at all."""
    email.extra_headers.setdefault("Message-ID", make_msgid(domain=DNS_NAME))
    KeptEmail.objects.create(content=_content(email), due_at=timezone.now())


def send_due() -> int:
    """Try again what is due, a claimed email at a time; return how many were sent."""
    sent = 0
    while kept := _claim(timezone.now()):
        sent += _send_again(kept)
    return sent


def next_due() -> datetime | None:
    """Return when the next email is tried again; None if none is kept."""
    return KeptEmail.objects.order_by("due_at").values_list("due_at", flat=True).first()


def waiting() -> list[str]:
    """Return what an operator has to know of each email that is kept, the oldest first."""
    return [
        f"{timezone.localtime(kept.created_at):%Y-%m-%d %H:%M}  {kept.attempts} failures  {_named(kept.content)}"
        for kept in KeptEmail.objects.order_by("created_at")
    ]


def _claim(now: datetime) -> KeptEmail | None:
    for kept in KeptEmail.objects.filter(due_at__lte=now).order_by("due_at"):
        if KeptEmail.objects.filter(pk=kept.pk, due_at=kept.due_at).update(due_at=now + LEASE):
            return kept
    return None


def _send_again(kept: KeptEmail) -> bool:
    """Send a claimed email; otherwise set a later time, or give it up."""
    try:
        _email(kept.content).send()
    except (SMTPException, OSError) as error:
        now = timezone.now()
        if not _is_final(error) and now - kept.created_at < GIVE_UP_AFTER:
            pause = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(kept.attempts + 1, 10))
            KeptEmail.objects.filter(pk=kept.pk).update(attempts=kept.attempts + 1, due_at=now + pause)
            return False
        log.error("given up: %s: %s", _named(kept.content), repr(error))  # noqa: TRY400  # as above
        kept.delete()
        return False
    kept.delete()
    return True


def _is_final(error: Exception) -> bool:
    """Return whether the mail server will never take this email."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= _NEVER for code, _text in error.recipients.values())
    return isinstance(error, (SMTPSenderRefused, SMTPDataError)) and error.smtp_code >= _NEVER


def _named(content: dict[str, Any]) -> str:
    """Return what an operator has to know of an email to let its reader ask for another: never the link in it."""
    return f"the email {content['subject']!r} to {', '.join(content['to'])}"


def _content(email: EmailMultiAlternatives) -> dict[str, Any]:
    return {
        "subject": str(email.subject),
        "body": str(email.body),
        "from_email": email.from_email,
        "to": list(email.to),
        "headers": dict(email.extra_headers),
        "alternatives": [[str(content), kind] for content, kind in email.alternatives],
    }


def _email(content: dict[str, Any]) -> EmailMultiAlternatives:
    alternatives = content["alternatives"]
    email = EmailMultiAlternatives(**{name: value for name, value in content.items() if name != "alternatives"})
    for text, kind in alternatives:
        email.attach_alternative(text, kind)
    return email
