"""Emails to one address that no page tells: about accounts, data and decisions, in the same queue as all others.

They are written in the transaction of what they are about, so that they are sent with it or not at all, and leave
before anything else. What was sent is deleted, with the links in it.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection
from email.utils import make_msgid
from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.core.mail.utils import DNS_NAME
from django.db.models import QuerySet
from django.utils import timezone

from games.notifications.channels.hosts import MAIL_SERVER
from games.notifications.models import Channel, Delivery
from games.play import duties


def on_letter_written(email: EmailMultiAlternatives, **_: Any) -> None:
    """Let the worker send an email, at once when the transaction is committed."""
    email.extra_headers.setdefault("Message-ID", make_msgid(domain=DNS_NAME))  # the same when it is sent again
    now, uid = timezone.now(), uuid.uuid4()
    where = {"channel": Channel.MAIL, "host": MAIL_SERVER}
    Delivery.objects.create(**where, kind="", key=f"letter.{uid}", uid=uid, due_at=now, content=_content(email))
    duties.wake_for(now)


def letters() -> QuerySet[Delivery]:
    """Return the emails of this kind that have not been taken by the mail server."""
    return Delivery.objects.filter(content__isnull=False)


def waiting() -> list[str]:
    """Return what an operator has to know of each of them, the oldest first."""
    return [
        f"{timezone.localtime(it.failing_since or it.due_at):%Y-%m-%d %H:%M}  {it.attempts} failures  {it.named}"
        for it in letters().order_by("pk")
    ]


def forget(addresses: Collection[str]) -> None:
    """Remove those to any of these addresses."""
    for letter in letters().iterator():
        if any(address.lower() in addresses for address in letter.letter["to"]):
            letter.delete()


def _content(email: EmailMultiAlternatives) -> dict[str, Any]:
    return {
        "subject": str(email.subject),
        "body": str(email.body),
        "from_email": email.from_email,
        "to": list(email.to),
        "headers": dict(email.extra_headers),
        "alternatives": [[str(content), kind] for content, kind in email.alternatives],
    }
