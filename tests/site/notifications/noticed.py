"""Shared by tests of notices: notices at will, and none caused by the matches of the test."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from games.notifications.models import Kind, Notice
from games.play.models import Match
from tests.people import running_match


def quiet_match(*users: User, **fields: object) -> Match:
    """Return a running match without any notices."""
    match = running_match(users, **fields)
    Notice.objects.filter(match=match).delete()
    return match


def notice(user: User, match: Match, kind: Kind = Kind.INVITATION, ago: float = 0, **fields: object) -> Notice:
    """Notify somebody as of some seconds ago, without announcing it."""
    made: datetime = timezone.now() - timedelta(seconds=ago)
    return Notice.objects.create(user=user, match=match, kind=kind, **{"created_at": made, **fields})
