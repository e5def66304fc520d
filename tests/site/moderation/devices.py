"""Devices from which people have logged in."""

from __future__ import annotations

import itertools
from datetime import datetime
from zoneinfo import ZoneInfo

from allauth.usersessions.models import UserSession

from accounts.models import User

NOON = datetime(2026, 3, 1, 12, tzinfo=ZoneInfo("UTC"))

_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
_keys = itertools.count(1)


def logged_in(user: User, ip: str = "192.0.2.1", agent: str = _FIREFOX, at: datetime = NOON) -> None:
    """Let somebody have been here with a browser, from an address."""
    UserSession.objects.create(user=user, ip=ip, user_agent=agent, session_key=f"key{next(_keys)}", last_seen_at=at)
