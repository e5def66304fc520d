"""Rooms: who may read and write where, and what each reader wants to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _

from accounts import relations
from accounts.models import User
from accounts.relations import are_friends
from accounts.services import access_player
from games.chat.models import Message, Muted, Openness, Room
from games.clubs.membership import is_member
from games.clubs.models import Club
from games.play.access import ViewedMatch, access_match

Kind = Room.Kind
To = Openness.To

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Place:
    """A room as one person may use it; `room` is None until somebody has written there."""

    kind: Kind
    room: Room | None
    match: Any = None
    club: Club | None = None
    other: User | None = None
    writes: bool = True

    @property
    def name(self) -> str:
        """Return its name in forms."""
        return str(self.kind)

    @property
    def why_not(self) -> str:
        """Return why the person can only read."""
        if self.other is not None and not self.other.is_active:
            return _("This account is closed. You can only read what was written.")
        return _("You can write only to friends.")


def has_chat(viewed: ViewedMatch) -> bool:
    """Return whether a table or match has messages: not where one person plays alone."""
    people = [seat for seat in viewed.seats if seat.user_id is not None or not seat.is_bot]
    return viewed.match.seat_count > 1 and (viewed.match.is_open or viewed.match.is_planned or len(people) > 1)


def places(viewed: ViewedMatch, user: Any) -> list[Place]:
    """Return the rooms of a match that somebody may read, their own first; none for visitors and guests.

    Players have a room of their own. Spectators have another one, which players see only after the end.
    """
    if not user.is_authenticated or user.guest or not has_chat(viewed):
        return []
    match = viewed.match
    plays = viewed.viewer is not None or (match.is_planned and match.host_id == user.pk)
    rooms = {room.kind: room for room in Room.objects.filter(match=match)}
    kinds = [Kind.PLAYERS] if plays else []
    if not plays or match.has_ended:
        kinds.append(Kind.WATCHERS)
    return [Place(kind, rooms.get(kind), match) for kind in kinds]


def place_in(viewed: ViewedMatch, user: Any, name: str) -> Place:
    """Return a room of a match by the name that forms use.

    Raises:
        Http404: there is none that this person may read.
    """
    found = next((place for place in places(viewed, user) if place.name == name), None)
    if found is None:
        raise Http404
    return found


def place_with(user: User, other: User) -> Place:
    """Return the room of two people: friends write there while neither account is closed, and what is written stays.

    Raises:
        Http404: they cannot write to each other, and have never done so.
    """
    room = _room_of(user, other)
    writes = other.is_active and are_friends(user, other)
    if not writes and room is None:
        raise Http404
    return Place(Kind.DIRECT, room, other=other, writes=writes)


def place_of_club(club: Club, user: Any) -> Place:
    """Return the room of a club, in which its members write.

    Raises:
        Http404: they do not belong to it.
    """
    if not is_member(club, user):
        raise Http404
    return Place(Kind.CLUB, Room.objects.filter(club=club).first(), club=club)


def access_other(user: User, username: str) -> User:
    """Return the person with a name; a closed account only for those who have a room with them or muted them.

    Raises:
        Http404: there is none whom `user` may know of.
    """
    found = User.objects.named(username)
    if found is not None and (_room_of(user, found) or Muted.objects.filter(user=user, person=found).exists()):
        return found
    return access_player(username)


def _room_of(user: User, other: User) -> Room | None:
    one, two = sorted((user, other), key=lambda person: person.pk)
    return Room.objects.filter(kind=Kind.DIRECT, one=one, other=two).first()


def may_read(user: Any, room: Room) -> bool:
    """Return whether somebody may read a room.

    Raises:
        Http404: they may not see its match.
    """
    if room.club is not None:
        return is_member(room.club, user)
    if room.match is None:
        return user.pk in (room.one_id, room.other_id)
    return any(place.room == room for place in places(access_match(user, room.match.slug), user))


def rooms_with(user: User) -> Any:
    """Return the rooms in which somebody and one other person write."""
    return Room.objects.filter(Q(one=user) | Q(other=user), kind=Kind.DIRECT).select_related("one", "other")


def is_muted(user: Any, room: Room | None) -> bool:
    """Return whether somebody has muted a room."""
    return room is not None and Muted.objects.filter(user=user, room=room).exists()


@dataclass(frozen=True, slots=True)
class ReaderFilter:
    """Decides which messages a person reads: blocks, mutes and their own choice hide some.

    Args:
        reader: their key.
        ignored: keys of people whom they have blocked or muted.
        to: who may write to them.
        friends: keys of their friends; empty unless these alone may write to them.
        blocked_by: keys of people who have blocked them, and since when. Earlier messages stay, as their disappearance
            would reveal the block.
    """

    reader: int
    ignored: frozenset[int]
    to: To
    friends: frozenset[int] = frozenset()
    blocked_by: Mapping[int, datetime] = field(default_factory=dict)

    def passes(self, message: Message) -> bool:
        """Return whether the reader sees a message; their own ones always."""
        author = message.author_id
        if author == self.reader:
            return True
        if author in self.ignored or message.at >= self.blocked_by.get(author or 0, _NEVER):
            return False
        if self.to == To.FRIENDS:
            return author in self.friends
        return self.to == To.EVERYBODY or (self.to == To.PHRASES and bool(message.phrase))

    def hidden(self) -> Q:
        """Return the condition on messages that blocks by others hide: not even their number may show."""
        found = Q(pk__in=())
        for author, at in self.blocked_by.items():
            found |= Q(author=author, at__gte=at)
        return found


def filter_for(reader: Any) -> ReaderFilter:
    """Return the filter for what somebody reads."""
    muted = Muted.objects.filter(user=reader, room=None).values_list("person", flat=True)
    to = openness(reader)
    known = relations.friends_of(reader).values_list("pk", flat=True) if to == To.FRIENDS else ()
    blocked, blocked_by = relations.sides_of(reader)
    return ReaderFilter(reader.pk, frozenset([*blocked, *muted]), to, frozenset(known), blocked_by)


def openness(user: Any) -> To:
    """Return who may write to somebody."""
    row = Openness.objects.filter(user=user).first()
    return To(row.to) if row else To.EVERYBODY
