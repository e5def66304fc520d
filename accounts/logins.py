"""Sessions and devices: where people are logged in, how long sessions of visitors last, and which device acts.

A device is a random token in a cookie, of which only a keyed hash is stored. Without the cookie it is a new device.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.requests import Middleware

AT_ONCE: Final = 1000
"""How many expired sessions are deleted at once, at most."""

VISIT_KEPT: Final = timedelta(days=28)
"""How long a visitor's progress is kept after they last tried something."""

PASSING: Final = timedelta(days=1)
"""How long other sessions of visitors last, for instance while they log in or register."""

_BEGINNING: Final = timedelta(hours=1)
"""How long a `UserSession` is kept without its session: it may be stored before the session is."""


def forget_ended(now: datetime) -> int:
    """Delete sessions that have expired, and logins whose sessions are gone; return the number of rows."""
    expired = Session.objects.filter(expire_date__lt=now).values_list("pk", flat=True)
    sessions: int = Session.objects.filter(pk__in=list(expired[:AT_ONCE])).delete()[0]
    ended = UserSession.objects.filter(created_at__lt=now - _BEGINNING)
    gone = ended.exclude(session_key__in=Session.objects.values("pk")).values_list("pk", flat=True)
    logins: int = UserSession.objects.filter(pk__in=list(gone[:AT_ONCE])).delete()[0]
    return sessions + logins


def log_out_everywhere(user: User) -> None:
    """End all logins of somebody; their open sockets close within seconds."""
    keys = list(UserSession.objects.filter(user=user).values_list("session_key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user).delete()


def keep_visit(request: HttpRequest) -> None:
    """Keep the session of a visitor for `VISIT_KEPT`, because it holds their progress."""
    request.session.set_expiry(_seconds(VISIT_KEPT))


def is_visit(session: SessionBase) -> bool:
    """Return whether this is a visitor's session that has to be stored."""
    return session.modified and not session.is_empty() and SESSION_KEY not in session


def shorten_visit(session: SessionBase) -> None:
    """Let a visitor's session end after `PASSING`, unless `keep_visit` was called."""
    if session.get_expiry_age() not in {_seconds(VISIT_KEPT), _seconds(PASSING)}:
        session.set_expiry(_seconds(PASSING))


def _seconds(period: timedelta) -> int:
    """Return a period in seconds: given a number, sessions count it from each change; given a timedelta, once."""
    return int(period.total_seconds())


def last_as_login(request: HttpRequest | None, **_: Any) -> None:
    """Let the session of a visitor who logs in last as long as others (receiver of `user_logged_in`)."""
    if request is not None and hasattr(request, "session"):
        request.session.set_expiry(None)


DEVICE_COOKIE: Final = "device"
DEVICE_COOKIE_AGE: Final = timedelta(days=180)
MARK_LENGTH: Final = 32
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)

_acting: ContextVar[str] = ContextVar("acting", default="")


def device_token(cookies: Mapping[str, str]) -> str:
    """Return the token of the device that sent these cookies; empty if it has none."""
    token = cookies.get(DEVICE_COOKIE, "")
    return token if _TOKEN.fullmatch(token) else ""


def device_mark(token: str) -> str:
    """Return the hash that is stored of a device's token."""
    return salted_hmac("accounts.marks", token, algorithm="sha256").hexdigest()[:MARK_LENGTH]


@contextmanager
def acting_from_device(token: str) -> Iterator[None]:
    """Let `acting_device` return this token within the block."""
    before = _acting.set(token)
    try:
        yield
    finally:
        _acting.reset(before)


def acting_device() -> str:
    """Return the token of the device that acts; empty if it is unknown."""
    return _acting.get()


class DeviceMiddleware(Middleware):
    """Give the browser of everybody who is logged in a token, and note which device a request comes from."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = device_token(request.COOKIES)
        with acting_from_device(token):
            response = self.get_response(request)
        if not token and request.user.is_authenticated and "public" not in response.get("Cache-Control", ""):
            response.set_cookie(
                DEVICE_COOKIE,
                secrets.token_urlsafe(16),
                max_age=DEVICE_COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response


# The first match wins: newer browsers also carry the names of older ones.
_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrom": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def describe_device(user_agent: str) -> str:
    """Return a short name for a User-Agent header, "Unknown browser" if none is known.

    >>> describe_device("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    """
    browser = next((name for mark, name in _BROWSERS.items() if mark in user_agent), _("Unknown browser"))
    system = next((name for mark, name in _SYSTEMS.items() if mark in user_agent), "")
    return f"{browser}, {system}" if system else browser
