"""Where people are logged in, with network address and browser, and when that is forgotten."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session

AT_ONCE: Final = 1000
"""How many are removed at most in one go."""

_BEGINNING: Final = timedelta(hours=1)
"""How long somebody may take to log in: what is known of a login can be stored before its session."""


def forget_ended(now: datetime) -> int:
    """Remove sessions that have expired, and what is known of logins whose sessions are gone; return how many rows."""
    expired = Session.objects.filter(expire_date__lt=now).values_list("pk", flat=True)
    sessions: int = Session.objects.filter(pk__in=list(expired[:AT_ONCE])).delete()[0]
    ended = UserSession.objects.filter(created_at__lt=now - _BEGINNING)
    gone = ended.exclude(session_key__in=Session.objects.values("pk")).values_list("pk", flat=True)
    logins: int = UserSession.objects.filter(pk__in=list(gone[:AT_ONCE])).delete()[0]
    return sessions + logins
