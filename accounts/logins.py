"""Sessions: where people are logged in, with network address and browser, what visitors leave; when it is forgotten."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.http import HttpRequest

AT_ONCE: Final = 1000
"""How many are removed at most in one go."""

VISIT_KEPT: Final = timedelta(days=28)
"""How long it is kept what somebody has tried who is not logged in, since they last tried something."""

PASSING: Final = timedelta(days=1)
"""How long any other session lasts of somebody who is not logged in: they are about to log in, or to register."""

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


def keep_visit(request: HttpRequest) -> None:
    """Keep the session of somebody who is not logged in for `VISIT_KEPT`: there is something in it they may miss."""
    request.session.set_expiry(_seconds(VISIT_KEPT))


def is_visit(session: SessionBase) -> bool:
    """Return whether there is something to be stored of somebody who is not logged in."""
    return session.modified and not session.is_empty() and SESSION_KEY not in session


def shorten_visit(session: SessionBase) -> None:
    """Let the session of somebody who is not logged in end after `PASSING`, unless it is to be kept."""
    if session.get_expiry_age() not in {_seconds(VISIT_KEPT), _seconds(PASSING)}:
        session.set_expiry(_seconds(PASSING))


def _seconds(period: timedelta) -> int:
    """Return a period as sessions count it anew from each change."""
    return int(period.total_seconds())


def last_as_a_login(request: HttpRequest | None, **_: Any) -> None:
    """Let the session of a visitor who logs in last as long as any login (`user_logged_in`)."""
    if request is not None and hasattr(request, "session"):
        request.session.set_expiry(None)
