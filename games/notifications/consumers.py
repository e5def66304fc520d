"""New notices, which sockets push to every page of a person."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone, translation

from games.notifications.messages import message_of
from games.notifications.models import Channel, Notice
from games.notifications.services import shown_notices
from games.play.live import sockets
from games.play.live.news import Note
from games.play.live.presence import LOOKING
from games.play.models import Presence
from games.play.sql import Prepared


class PersonalConsumer(sockets.Socket):
    """The socket of pages without one of their own: pushes numbers and new notices."""

    async def enter(self) -> bool:
        return bool(self.user.is_authenticated)

    def most(self) -> int:
        """Leave half of a person's sockets to the matches they play."""
        return sockets.MAX_SOCKETS // 2


class Centre:
    """Loads notices for the sockets (`games.play.live.news.Notebook`)."""

    def unseen(self, people: Collection[int]) -> Mapping[int, Sequence[Note]]:
        """Return the unseen notices of people, the oldest first."""
        now = timezone.now()
        notes: dict[int, list[Note]] = defaultdict(list)
        for user, key, match, kind, off, is_looked_at in _UNSEEN.of(people, now, now - LOOKING):
            if f"{kind}.{Channel.PAGE}" not in json.loads(off or "[]"):
                notes[user].append(Note(key, match, counts=not is_looked_at))
        return notes

    def words(self, keys: Collection[int], language: str) -> Sequence[dict[str, str]]:
        """Return title, text and address of notices."""
        notices = Notice.objects.filter(pk__in=keys).select_related("match", "user", "by").order_by("created_at", "pk")
        with translation.override(language):
            messages = [(notice, message_of(notice)) for notice in notices]
        return [
            {"title": message.title, "text": message.text, "url": notice.get_absolute_url()}
            for notice, message in messages
        ]


def _unseen(people: Collection[int], now: datetime, since: datetime) -> QuerySet[Notice, Any]:
    """Return the unseen notices of people, with what they do not want, and whether they have just seen the match."""
    looked = Presence.objects.filter(user=OuterRef("user"), match=OuterRef("match"), at__gte=since)
    unseen = shown_notices(now).filter(user__in=people, seen_at=None).order_by("created_at", "pk")
    return unseen.values_list("user", "pk", "match", "kind", "user__notice_preferences__off", Exists(looked))


_UNSEEN = Prepared(_unseen)
