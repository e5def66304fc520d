"""The way in for streams: an ASGI application of its own, as through a view four streams would hold all threads."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final

from channels.db import database_sync_to_async
from django.http import Http404
from django.utils import translation
from ninja import Router

from accounts import limits
from accounts.requests import address_of
from games.api import problems, v1
from games.api.answers import lines
from games.api.authentication import (
    VISITOR,
    Caller,
    CallerRequest,
    authenticate,
    check_not_held,
    check_scope,
    language_for,
    needs,
)
from games.api.models import Scope
from games.api.problems import Problem
from games.api.streams import places
from games.api.streams.matches import MatchStream
from games.api.streams.people import PersonStream
from games.api.streams.stream import Message, Receive, Send, Stream
from games.play.access import access_match

ROOT: Final = f"{v1.ROOT}/stream/"

router = Router(tags=["streams"])


@router.get("stream/me", response=lines(), **needs(Scope.READ, lines="what happens to you"))
def me(request: CallerRequest) -> Any:
    """Stream what your program may have to react to, as lines of JSON.

    First a line for each running match (`match_started`) and open invitation (`invitation`), then `live`, then
    `match_started`, `your_turn`, `match_over`, `invitation` and `invitation_gone` as they happen. An empty line comes
    every 7 seconds, and `bye` when the server ends: come back after `retry` seconds.
    """
    raise problems.usual(HTTPStatus.SERVICE_UNAVAILABLE)  # where no ASGI server passes it on to `serve`


@router.get("stream/matches/{slug}", response=lines(), **needs(Scope.READ, lines="what happens in the match"))
def match(request: CallerRequest, slug: str) -> Any:
    """Stream what happens in a match, as lines of JSON.

    First `full`, the match as `matches/{slug}` returns it; then a whole `state` with its `events` and `presence`
    whenever it changes (versions may be left out), `chat` with a token that may read it, and at last `over`. Empty
    lines and `bye` as in `stream/me`.
    """
    raise problems.usual(HTTPStatus.SERVICE_UNAVAILABLE)  # as above


def is_for(scope: Message) -> bool:
    """Return whether a request is for a stream."""
    return str(scope["path"]).startswith(ROOT) and scope["method"] == "GET"


async def serve(scope: Message, receive: Receive, send: Send) -> None:
    """Serve a stream to a program until it ends, or refuse it."""
    try:
        # In a task of its own, so that a stream keeps nothing of the context in which it was looked up.
        stream = await asyncio.create_task(database_sync_to_async(_asked_for)(scope))
    except Problem as problem:
        await _refuse(send, problem)
    else:
        await stream.serve(receive, send)


def _asked_for(scope: Message) -> Stream:
    """Return the stream that is asked for, with a place among those of its account.

    Raises:
        Problem: it is refused; no other stream is closed.
    """
    headers = {name.decode("latin1"): value.decode("latin1") for name, value in scope["headers"]}
    accepted = headers.get("accept-language", "")
    with limits.asked_from(address_of(scope)), translation.override(language_for(VISITOR, accepted)):
        try:
            caller = authenticate(headers.get("authorization", ""))
            translation.activate(language := language_for(caller, accepted))
            limits.draw("api", caller.known)
            check_scope(caller, Scope.READ)
            check_not_held(caller.user, only_reads=True)
            stream = _stream_at(scope["path"].removeprefix(ROOT), caller, language)
        except limits.TooMany as error:
            raise problems.of_limit(error) from None
        except Http404:
            raise problems.not_found() from None
        stream.place = places.take(caller.user.pk)
        return stream


def _stream_at(path: str, caller: Caller, language: str) -> Stream:
    """Return the stream at an address.

    Raises:
        Http404: there is none, or the caller may not see its match.
    """
    if path == "me":
        return PersonStream(caller, language)
    kind, _slash, slug = path.partition("/")
    if kind != "matches":
        raise Http404
    return MatchStream(caller, access_match(caller.user, slug), language)


async def _refuse(send: Send, problem: Problem) -> None:
    response = problem.response
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "no-store"
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
