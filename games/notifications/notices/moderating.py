"""Notices of what moderators have decided, written in the transaction of the decision."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone

from games.notifications.models import Kind, Notice
from games.notifications.notices.announcing import notices_changed
from games.play.models import Match


def tell_reporters(user_ids: Iterable[int]) -> None:
    """Tell people that a report of theirs has been decided."""
    _tell(Kind.REPORT, set(user_ids))


def tell_person(user_id: int) -> None:
    """Tell somebody that moderators have decided something about them."""
    _tell(Kind.MODERATION, {user_id})


def tell_players(match: Match, user_ids: Iterable[int]) -> None:
    """Tell the players of a match that moderators have decided it; a later notice takes the place of an earlier."""
    Notice.objects.filter(kind=Kind.MODERATION, match=match).delete()
    _tell(Kind.MODERATION, set(user_ids), match)


def _tell(kind: Kind, user_ids: set[int], match: Match | None = None) -> None:
    now = timezone.now()
    about = {"kind": kind, "match": match, "created_at": now, "due_at": now}
    Notice.objects.bulk_create(Notice(user_id=key, **about) for key in sorted(user_ids))
    notices_changed(user_ids)
