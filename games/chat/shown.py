"""Messages as one reader sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import urlize
from django.utils.safestring import SafeString

from accounts.models import User
from games.chat import services
from games.chat.audience import ear_of
from games.chat.limits import LINKS_AFTER, LINKS_MATCHES
from games.chat.models import LENGTH, Message, Unread
from games.chat.phrases import PHRASES, words_of
from games.chat.rooms import Place, is_muted
from games.play.models import Match, Seat

LATEST = 40
"""Messages shown beside a board; the page of the room leads to earlier ones."""


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
        return SafeString(urlize(message.text, nofollow=True, autoescape=True)) if linked else words_of(message)

    @property
    def can_go(self) -> bool:
        """Return whether the reader can still take it back."""
        return self.mine and timezone.now() < self.message.at + services.REGRET


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
        if self.place.match is not None:
            return reverse("match_chat", args=[self.place.match.slug])
        return reverse("conversation", args=[self.place.other.username]) if self.place.other else ""


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
    ear = ear_of(reader)
    rows = Message.objects.filter(room=place.room, deleted_at=None).exclude(ear.kept_away()).select_related("author")
    found = list((rows.filter(pk__lt=before) if before else rows)[: LATEST + 1])
    heard = [message for message in found[:LATEST] if ear.hears(message)]
    trusted = _trusted({message.author_id for message in heard})
    lines = [Line(message, message.author_id == reader.pk, message.author_id in trusted) for message in reversed(heard)]
    earlier = found[LATEST - 1].pk if len(found) > LATEST else None
    return Lines(place, tuple(lines), earlier, is_muted(reader, place.room))


def _trusted(authors: set[int | None]) -> set[int]:
    """Return which of these people are old hands enough for links that can be clicked."""
    known = [key for key in authors if key is not None]
    played = Seat.objects.filter(user=OuterRef("pk"), match__status=Match.Status.OVER, left=None).order_by()
    enough = played.values("pk")[LINKS_MATCHES - 1 : LINKS_MATCHES]
    old = User.objects.filter(Exists(enough), pk__in=known, date_joined__lt=timezone.now() - LINKS_AFTER)
    return set(old.values_list("pk", flat=True))


def unread(reader: Any, places: Iterable[Place]) -> int:
    """Return how many messages of some rooms somebody has not read."""
    rooms = [place.room for place in places if place.room is not None]
    counts = Unread.objects.filter(user=reader, room__in=rooms).values_list("count", flat=True) if rooms else ()
    return sum(counts)


def news(reader: Any, places: Sequence[Place], is_open: bool) -> dict[str, Any]:
    """Return what a page of somebody is told of some rooms: how many messages are unread, or all if it shows them."""
    if not is_open:
        return {"unread": unread(reader, places)}
    for place in places:
        services.read(reader, place.room)
    return {"chat": panel(reader, places)}


def panel(reader: Any, places: Sequence[Place]) -> str:
    """Return the messages of some rooms as HTML, as one reader sees them, in the active language and time zone."""
    return render_to_string("chat/lines.html", panel_context(reader, places))


def panel_context(
    reader: Any, places: Sequence[Place], refusal: Refusal | None = None, before: int | None = None
) -> dict[str, Any]:
    """Return what the pages of messages are made from.

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
