"""What people write in the tests of messages."""

from __future__ import annotations

from itertools import count

from accounts import relations
from accounts.models import User
from games.chat import conversations, services
from games.chat.models import Message
from games.chat.rooms import place_in, place_with, places
from games.play.access import access_match
from games.play.models import Match

_names = count(1)


def befriend(one: User, other: User) -> None:
    relations.request_friendship(one, other)
    relations.request_friendship(other, one)


def say(author: User, match: Match, text: str = "", room: str = "players", **more: str) -> Message:
    """Write in a room of a match as its author's page would."""
    place = place_in(access_match(author, match.slug), author, room)
    return services.say(author, place, text=text, **{"client_id": f"chat{next(_names)}", **more})


def write(author: User, other: User, text: str = "", **more: str) -> Message:
    """Write to a friend."""
    return services.say(author, place_with(author, other), text=text, **{"client_id": f"chat{next(_names)}", **more})


def read_in(match: Match, reader: User) -> dict[str, list[str]]:
    """Return what somebody reads in each room of a match that they may read."""
    found = places(access_match(reader, match.slug), reader)
    return {place.name: [line.words for line in conversations.lines_of(reader, place).lines] for place in found}


def read_with(reader: User, other: User) -> list[str]:
    return [line.words for line in conversations.lines_of(reader, place_with(reader, other)).lines]
