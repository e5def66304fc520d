"""What a reader sees: with whom they exchange messages, the messages of a room, and the button that leads there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.db.models import Exists, Max, OuterRef, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import urlize
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.relations import friends_of
from games.chat.models import LENGTH, PHRASES, Message, Muted, Room, Unread
from games.chat.rooms import Place, filter_for, is_muted, places as places_of, rooms_with
from games.chat.services import LINKS_AFTER, LINKS_MATCHES, REGRET, mark_as_read, unread_count
from games.play.access import ViewedMatch
from games.play.models import Match, Seat

register = template.Library()

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
        """Return the latest message, "…" if it was taken back."""
        return "…" if self.latest.deleted_at else self.latest.words


def conversations_of(reader: User) -> list[Conversation]:
    """Return somebody's conversations, the one with the latest message first."""
    rooms = rooms_with(reader).annotate(latest=Max("messages")).exclude(latest=None).order_by("-latest")[:MOST]
    latest = {message.room_id: message for message in Message.objects.filter(pk__in=[room.latest for room in rooms])}
    unread = dict(Unread.objects.filter(user=reader, room__in=rooms.values("pk")).values_list("room", "count"))
    reads = filter_for(reader)
    return [
        Conversation(room.other_than(reader), latest[room.pk], unread.get(room.pk, 0))
        for room in rooms
        if reads.passes(latest[room.pk])
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
    """Return the people whom somebody has muted."""
    return list(User.objects.filter(pk__in=Muted.objects.filter(user=reader, room=None).values("person")))


def others_in(reader: User, places: Sequence[Place]) -> list[tuple[User, bool]]:
    """Return who else has written in some rooms or may write there, and whether the reader has muted them."""
    rooms = [place.room for place in places if place.room is not None]
    playing = [place.match for place in places if place.kind == Room.Kind.PLAYERS]
    written = Message.objects.filter(room__in=rooms).exclude(filter_for(reader).hidden())
    authors = Q(pk__in=written.values("author"))
    people = User.objects.filter(authors | Q(pk__in=Seat.objects.filter(match__in=playing).values("user")))
    muted = set(Muted.objects.filter(user=reader, room=None).values_list("person", flat=True))
    return [(person, person.pk in muted) for person in people.exclude(pk=reader.pk).order_by("name_key")[:MOST]]


LATEST = 40
"""Messages shown beside a board; the page of the room leads to earlier ones."""


def address_of_room(room: Room, reader: Any) -> str:
    """Return where the page of a room that somebody reads is."""
    other = room.other_than(reader) if room.kind == Room.Kind.DIRECT else None
    return address_of(Place(Room.Kind(room.kind), room, room.match, room.club, other))


def address_of(place: Place) -> str:
    """Return where the page of a room is."""
    if place.match is not None:
        return reverse("match_chat", args=[place.match.slug])
    if place.club is not None:
        return reverse("club_chat", args=[place.club.slug])
    return reverse("conversation", args=[place.other.username]) if place.other else ""


@dataclass(frozen=True, slots=True)
class Line:
    """One message as its reader sees it."""

    message: Message
    mine: bool
    trusted: bool

    @property
    def words(self) -> str:
        """Return the text, in HTML: links can be clicked if the author is trusted with them."""
        message = self.message
        linked = self.trusted and not message.phrase
        return SafeString(urlize(message.text, nofollow=True, autoescape=True)) if linked else message.words

    @property
    def can_go(self) -> bool:
        """Return whether the reader can still take it back."""
        return self.mine and timezone.now() < self.message.at + REGRET


@dataclass(frozen=True, slots=True)
class Lines:
    """The messages of a room, the oldest first, and the key before which there are earlier ones, if there are."""

    place: Place
    lines: tuple[Line, ...]
    earlier: int | None
    muted: bool

    @property
    def address(self) -> str:
        """Return where the page of the room is."""
        return address_of(self.place)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not done, and what was to be written in which room, so that it is not lost."""

    why: str
    room: str = ""
    text: str = ""


def lines_of(reader: Any, place: Place, before: int | None = None) -> Lines:
    """Return the latest messages of a room that somebody reads, of those before a key if there is one."""
    if place.room is None:
        return Lines(place, (), None, muted=False)
    reads = filter_for(reader)
    rows = Message.objects.filter(room=place.room, deleted_at=None).exclude(reads.hidden()).select_related("author")
    found = list((rows.filter(pk__lt=before) if before else rows)[: LATEST + 1])
    heard = [message for message in found[:LATEST] if reads.passes(message)]
    trusted = _trusted({message.author_id for message in heard})
    lines = [Line(message, message.author_id == reader.pk, message.author_id in trusted) for message in reversed(heard)]
    earlier = found[LATEST - 1].pk if len(found) > LATEST else None
    return Lines(place, tuple(lines), earlier, is_muted(reader, place.room))


def _trusted(authors: set[int | None]) -> set[int]:
    """Return which of these people have been here long enough for their links to be clickable."""
    known = [key for key in authors if key is not None]
    played = Seat.objects.filter(user=OuterRef("pk"), match__status=Match.Status.OVER, left=None).order_by()
    enough = played.values("pk")[LINKS_MATCHES - 1 : LINKS_MATCHES]
    old = User.objects.filter(Exists(enough), pk__in=known, date_joined__lt=timezone.now() - LINKS_AFTER)
    return set(old.values_list("pk", flat=True))


def news(reader: Any, places: Sequence[Place], is_open: bool) -> dict[str, Any]:
    """Return what to push to a page with some rooms: the messages if it shows them, else how many are unread."""
    if not is_open:
        return {"unread": unread_count(reader, places)}
    for place in places:
        mark_as_read(reader, place.room)
    return {"chat": panel(reader, places)}


def panel(reader: Any, places: Sequence[Place]) -> str:
    """Return the messages of some rooms as HTML, as one reader sees them, in the active language and time zone."""
    return render_to_string("chat/lines.html", panel_context(reader, places))


def panel_context(
    reader: Any, places: Sequence[Place], refusal: Refusal | None = None, before: int | None = None
) -> dict[str, Any]:
    """Return the context of the pages of messages.

    Args:
        refusal: why the last message was not written.
        before: show only what is earlier than this message.
    """
    return {
        "reader": reader,
        "rooms": [lines_of(reader, place, before) for place in places],
        "before": before,
        "phrases": PHRASES.items(),
        "length": LENGTH,
        "refusal": refusal,
    }


@register.inclusion_tag("chat/button.html", takes_context=True)
def chat_button(context: dict[str, Any], viewed: ViewedMatch) -> dict[str, Any]:
    """Show a button that opens the messages, with the number of unread ones; nothing for those who cannot read them."""
    user = context["user"]
    rooms = places_of(viewed, user)
    return {"match": viewed.match, "rooms": rooms, "unread": unread_count(user, rooms)}
