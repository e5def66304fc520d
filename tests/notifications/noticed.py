"""What tests of notices share: notices at will, and none that the matches of the test have brought about."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from games.notifications.models import Kind, Notice
from games.play.models import Match
from tests.people import running_match


def quiet_match(*users: User, **fields: object) -> Match:
    """Return a running match about which nobody has been told anything."""
    match = running_match(users, **fields)
    Notice.objects.filter(match=match).delete()
    return match


def notice(user: User, match: Match, kind: Kind = Kind.INVITATION, ago: float = 0, **fields: object) -> Notice:
    """Tell somebody something, some seconds ago, without announcing it."""
    made: datetime = timezone.now() - timedelta(seconds=ago)
    return Notice.objects.create(user=user, match=match, kind=kind, **{"created_at": made, **fields})
