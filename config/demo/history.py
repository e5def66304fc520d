"""Plays all plans of the demo, in the order of time, each step as if at its own time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, tzinfo
from heapq import heapify, heappop, heappush
from typing import TypeAlias
from unittest import mock

from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from accounts.models import User
from config.demo.stories import Story
from games.notifications.models import Kind, Notice
from games.play.live import pubsub
from games.play.models import Seat
from games.play.store import writing


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let `timezone.now` return this moment, in the whole process: only a command that serves nobody may use it."""

    class Then(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # no need of its own class
            return moment.astimezone(tz)

    with mock.patch.object(timezone, "datetime", Then):
        yield


UNREAD = 3
"""Newest notices that people of the demo have not seen."""

_IN_ONE_GO = 200
"""Steps in one transaction: fewer would take longer, more would let nobody else write for too long."""

Step: TypeAlias = tuple[datetime, int, Story]


def happen(stories: Iterable[Story], now: datetime) -> None:
    """Continue stories in the order of time until the present."""
    queue: list[Step] = [(next(story), number, story) for number, story in enumerate(stories)]
    heapify(queue)
    while queue:
        with pubsub.asked_by(""), writing():
            for _step in range(_IN_ONE_GO):
                if not queue:
                    break
                moment, number, story = heappop(queue)
                if moment >= now:
                    continue
                with at(moment):
                    following = next(story, None)
                if following is not None:
                    heappush(queue, (following, number, story))


def tidy_notices(users: Sequence[User], now: datetime) -> None:
    """Leave people few notices, the newest unseen: none about turns that are over, and none still to be sent."""
    awaited = Seat.objects.filter(match=OuterRef("match"), user=OuterRef("user"), turn=OuterRef("turn"), to_move=True)
    with writing():
        Notice.objects.filter(~Exists(awaited), kind__in=(Kind.TURN, Kind.DEADLINE), user__in=users).delete()
        for user in users:
            mine = Notice.objects.filter(user=user, created_at__lte=now)
            unread = list(mine.order_by("-created_at", "-pk").values_list("pk", flat=True)[:UNREAD])
            mine.exclude(pk__in=unread).update(seen_at=F("created_at"), due_at=None)
