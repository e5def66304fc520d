"""Who may read and write where: the gate of every page and socket with messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404

from accounts.friends import are_friends
from accounts.models import User
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
    """Return the room of two people: friends write there, and what former friends have written stays readable.

    Raises:
        Http404: they are not friends, and have never written to each other.
    """
    one, two = sorted((user, other), key=lambda person: person.pk)
    room = Room.objects.filter(kind=Kind.DIRECT, one=one, other=two).first()
    friends = are_friends(user, other)
    if not friends and room is None:
        raise Http404
    return Place(Kind.DIRECT, room, other=other, writes=friends)


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
