"""Pushes new notices to every page that a person has open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, QuerySet, TextField, Value, When
from django.db.models.functions import Cast, Concat
from django.utils import translation

from games.notifications.messages import message_of
from games.notifications.models import Channel, Kind, Notice, Preferences
from games.notifications.services import shown_notices
from games.play.live import sockets
from games.play.models import Presence


class PersonalConsumer(sockets.Socket):
    """The socket of pages that have no other: pushes counts and new notices."""

    async def enter(self) -> bool:
        return bool(self.user.is_authenticated)

    def most(self) -> int:
        """Return half of the sockets that a person may have; the rest is for the matches they play."""
        return sockets.MAX_SOCKETS // 2


class Centre:
    """Loads notices for the sockets (`games.play.live.news.Notebook`)."""

    def unseen(self, people: Collection[int], now: datetime, looked: datetime) -> QuerySet[Any, Any]:
        """Return the query for the unseen notices of people, without the kinds they do not want on pages.

        The invitation to a rematch counts as one about the match before it, whose page offers it in its own place.
        """
        looking = Presence.objects.filter(user=OuterRef("user"), match=OuterRef("match"), at__gte=looked)
        kind = Concat(Value('"'), OuterRef("kind"), Value(f'.{Channel.PAGE}"'), output_field=TextField())
        written = Preferences.objects.filter(user=OuterRef("user")).alias(words=Cast("off", TextField()))
        off = written.filter(words__contains=kind)
        unseen = shown_notices(now).filter(~Exists(off), user__in=people, seen_at=None)
        to_rematch = When(kind=Kind.INVITATION, match__previous__isnull=False, then=F("match__previous"))
        about = Case(to_rematch, default=F("match"))
        return unseen.values_list("user", "pk", about, ~Exists(looking))

    def words(self, keys: Collection[int], language: str) -> Sequence[dict[str, str | int]]:
        """Return title, text, address and key of notices."""
        notices = Notice.objects.filter(pk__in=keys).select_related("match", "user", "by").order_by("created_at", "pk")
        with translation.override(language):
            messages = [(notice, message_of(notice)) for notice in notices]
        return [
            {"title": message.title, "text": message.text, "url": notice.get_absolute_url(), "key": notice.pk}
            for notice, message in messages
        ]
