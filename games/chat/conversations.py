"""With whom somebody writes, and whom they do not want to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Max, Q

from accounts.friends import friends_of
from accounts.models import User
from games.chat.audience import ear_of
from games.chat.models import Message, Muted, Room, Unread
from games.chat.phrases import words_of
from games.chat.rooms import Place, rooms_with
from games.play.models import Match, Seat

MOST: Final = 100
"""People listed at once."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What two people have written to each other: the other one, the latest message, and how many are unread."""

    other: User
    latest: Message
    unread: int

    @property
    def words(self) -> str:
        """Return the latest message; nothing of one that was taken back."""
        return "…" if self.latest.deleted_at else words_of(self.latest)


def of(reader: User) -> list[Conversation]:
    """Return with whom somebody writes, the latest first."""
    rooms = rooms_with(reader).annotate(latest=Max("messages")).exclude(latest=None).order_by("-latest")[:MOST]
    latest = {message.room_id: message for message in Message.objects.filter(pk__in=[room.latest for room in rooms])}
    unread = dict(Unread.objects.filter(user=reader, room__in=rooms.values("pk")).values_list("room", "count"))
    ear = ear_of(reader)
    return [
        Conversation(room.other if room.one_id == reader.pk else room.one, latest[room.pk], unread.get(room.pk, 0))
        for room in rooms
        if ear.hears(latest[room.pk])
    ]


def matches_with_news(reader: User) -> list[tuple[Match, int]]:
    """Return the matches in which somebody has not read everything, and how many messages that are."""
    rows = Unread.objects.filter(user=reader, room__match__isnull=False).select_related("room__match").order_by("-pk")
    return [(row.room.match, row.count) for row in rows[:MOST] if row.room.match]


def friends_without(reader: User) -> list[User]:
    """Return the friends to whom somebody has not written yet, nor they to them."""
    known = {key for pair in rooms_with(reader).values_list("one", "other") for key in pair}
    return list(friends_of(reader).filter(is_active=True).exclude(pk__in=known)[:MOST])


def muted_by(reader: User) -> list[User]:
    """Return the people of whom somebody reads nothing."""
    return list(User.objects.filter(pk__in=Muted.objects.filter(user=reader, room=None).values("person")))


def others_in(reader: User, places: Sequence[Place]) -> list[tuple[User, bool]]:
    """Return who else has written in some rooms or may write there, and whether the reader has muted them."""
    rooms = [place.room for place in places if place.room is not None]
    playing = [place.match for place in places if place.kind == Room.Kind.PLAYERS]
    written = Message.objects.filter(room__in=rooms).exclude(ear_of(reader).kept_away())
    authors = Q(pk__in=written.values("author"))
    people = User.objects.filter(authors | Q(pk__in=Seat.objects.filter(match__in=playing).values("user")))
    muted = set(Muted.objects.filter(user=reader, room=None).values_list("person", flat=True))
    return [(person, person.pk in muted) for person in people.exclude(pk=reader.pk).order_by("name_key")[:MOST]]
