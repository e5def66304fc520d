"""What is written in the rooms of a match."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from django.http import Http404
from ninja import Field, Query, Router, Schema
from ninja.responses import Status

from accounts.requests import KEY
from games.api.answers import answers, nothing
from games.api.authentication import CallerRequest, needs
from games.api.models import Scope
from games.chat.conversations import lines_of
from games.chat.models import Message
from games.chat.rooms import Place, place_in, places
from games.chat.services import author_of, mark_as_read, say
from games.play.access import ViewedMatch, access_match

router = Router(tags=["chat"])


class Said(Schema):
    """A message.

    Attributes:
        text: what it says; of a ready-made phrase in your language.
        phrase: the key of the phrase; null for words of their own.
    """

    id: int
    author: str | None
    text: str
    phrase: str | None
    at: datetime


class RoomOfMatch(Schema):
    """A room, the latest messages last.

    Attributes:
        room: `players`, or `watchers` for spectators.
        before: before which message there are earlier ones; null if there are none.
    """

    room: str
    items: list[Said]
    before: int | None


class Rooms(Schema):
    """The rooms of a match that you may read, yours first."""

    items: list[RoomOfMatch]


class Earlier(Schema):
    """Before which message: `before` of a room."""

    before: int | None = Field(None, ge=0, le=10**KEY)


class Say(Schema):
    """A message to be written: words of your own, or a ready-made phrase.

    Attributes:
        room: by default the first one that you may read.
        client_id: the same when you send the same message again; letters and digits.
    """

    text: str = ""
    phrase: str = ""
    room: str = ""
    client_id: str = ""


@router.get("matches/{slug}/chat", response=answers(Rooms), **needs(Scope.CHAT))
def rooms(request: CallerRequest, slug: str, earlier: Query[Earlier]) -> Any:
    """Return what is written in a match, as far as you read it; with `before`, what was written before that message."""
    user = request.auth.user
    _viewed, found = _places(user, slug)
    return {"items": [_room(user, place, earlier.before) for place in found]}


@router.post("matches/{slug}/chat", response=answers(Said), **needs(Scope.CHAT))
def write(request: CallerRequest, slug: str, body: Say) -> Any:
    """Write in a match."""
    user = request.auth.user
    viewed, found = _places(user, slug)
    place = place_in(viewed, user, body.room) if body.room else found[0]
    name = body.client_id if body.client_id.isascii() and body.client_id.isalnum() else secrets.token_hex(16)
    return said_of(say(author_of(user), place, text=body.text, phrase=body.phrase, client_id=name[:64]))


@router.post("matches/{slug}/chat/read", response=nothing(), **needs(Scope.CHAT))
def read(request: CallerRequest, slug: str) -> Any:
    """Mark everything in a match as read."""
    for place in _places(request.auth.user, slug)[1]:
        mark_as_read(request.auth.user, place.room)
    return Status(204, None)


def _places(user: Any, slug: str) -> tuple[ViewedMatch, list[Place]]:
    viewed = access_match(user, slug)
    found = places(viewed, user)
    if not found:
        raise Http404
    return viewed, found


def _room(user: Any, place: Place, before: int | None) -> dict[str, Any]:
    found = lines_of(user, place, before)
    return {"room": place.name, "items": [said_of(line.message) for line in found.lines], "before": found.earlier}


def said_of(message: Message) -> dict[str, Any]:
    """Return the fields of `Said`."""
    return {
        "id": message.pk,
        "author": message.author.username if message.author else None,
        "text": message.words,
        "phrase": message.phrase or None,
        "at": message.at,
    }
