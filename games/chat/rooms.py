"""Who may read and write where: the gate of every page and socket with messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _

from accounts.friends import are_friends
from accounts.models import User
from accounts.services import access_player
from games.chat.models import Muted, Room
from games.play.matches.access import access_match
from games.play.matches.viewed import ViewedMatch

Kind = Room.Kind


@dataclass(frozen=True, slots=True)
class Place:
    """A room as one person may use it; `room` is None before its first message."""

    kind: Kind
    room: Room | None
    match: Any = None
    other: User | None = None
    writes: bool = True

    @property
    def name(self) -> str:
        """Return how forms name it."""
        return str(self.kind)

    @property
    def why_not(self) -> str:
        """Return why nobody can write there who can only read."""
        if self.other is not None and not self.other.is_active:
            return _("This account is closed. You can only read what was written.")
        return _("You can write only to friends.")


def has_chat(viewed: ViewedMatch) -> bool:
    """Return whether people can write to each other at a table or match: not where one person plays alone."""
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


def access_other(user: User, username: str) -> User:
    """Return the person with a name; one whose account is closed only for who has written with them or muted them.

    Raises:
        Http404: there is none whom `user` may know of.
    """
    found = User.objects.named(username)
    return found if found is not None and _knows(user, found) else access_player(username)


def _knows(user: User, other: User) -> bool:
    return _room_of(user, other) is not None or Muted.objects.filter(user=user, person=other).exists()


def _room_of(user: User, other: User) -> Room | None:
    one, two = sorted((user, other), key=lambda person: person.pk)
    return Room.objects.filter(kind=Kind.DIRECT, one=one, other=two).first()


def may_read(user: Any, room: Room) -> bool:
    """Return whether somebody may read a room.

    Raises:
        Http404: they may not see its match.
    """
    if room.match is None:
        return user.pk in (room.one_id, room.other_id)
    return any(place.room == room for place in places(access_match(user, room.match.slug), user))


def rooms_with(user: User) -> Any:
    """Return the rooms in which somebody and one other person write."""
    return Room.objects.filter(Q(one=user) | Q(other=user), kind=Kind.DIRECT).select_related("one", "other")


def is_muted(user: Any, room: Room | None) -> bool:
    """Return whether somebody wants to read nothing in a room."""
    return room is not None and Muted.objects.filter(user=user, room=room).exists()
