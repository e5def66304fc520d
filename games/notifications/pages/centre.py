"""Notices on the site itself: which ones the page shows, and which of them are unseen."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone, translation

from games.notifications.models import OF_PEOPLE, Channel, Kind, Mute, Notice, Preferences
from games.notifications.notices.announcing import notices_changed
from games.notifications.notices.messages import message_of
from games.play.live.news import Note
from games.play.live.presence import LOOKING
from games.play.matches.transactions import writing
from games.play.models import Match, Presence
from games.play.prepared import Prepared


def notices_of(user: Any) -> QuerySet[Notice]:
    """Return what the page shows a person, the newest first: not what is muted, unwanted there, or still to come."""
    preferences = Preferences.of(user)
    wanted = [kind for kind in Kind if preferences.wants(kind, Channel.PAGE)]
    return _shown(timezone.now()).filter(user=user, kind__in=wanted).select_related("match", "user", "by")


def mark_all_seen(user: Any, until: datetime) -> None:
    """Mark as seen what the page has shown a person up to a moment; later notices stay unseen."""
    with writing():
        if notices_of(user).filter(seen_at=None, created_at__lte=until).update(seen_at=timezone.now()):
            notices_changed([user.pk])


class Centre:
    """The notices, as the sockets push them (`games.play.live.news.Notebook`)."""

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
    """Return the unseen notices of people, with what they want, and whether they have looked at the match since."""
    looked = Presence.objects.filter(user=OuterRef("user"), match=OuterRef("match"), at__gte=since)
    unseen = _shown(now).filter(user__in=people, seen_at=None).order_by("created_at", "pk")
    return unseen.values_list("user", "pk", "match", "kind", "user__told__off", Exists(looked))


_UNSEEN = Prepared(_unseen)


def _shown(now: datetime) -> QuerySet[Notice]:
    """Return the notices whose moment has come (warnings are written ahead).

    Left out are those about muted matches, about tables of friends that are not open any more, about people who have
    gone, and about messages, of which pages show the number themselves.
    """
    muted = Mute.objects.filter(user=OuterRef("user"), match=OuterRef("match"))
    past = Q(kind=Kind.TABLE) & ~Q(match__status__in=(Match.Status.PLANNED, Match.Status.OPEN))
    gone = Q(kind__in=OF_PEOPLE, by=None)
    found = Notice.objects.filter(~Exists(muted), ~past, ~gone, created_at__lte=now)
    return found.exclude(kind=Kind.CHAT)
