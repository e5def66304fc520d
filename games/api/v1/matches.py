"""Matches: watched, played and read as records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from typing import Any, Final, Literal

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page
from ninja import Field, Query, Router, Schema
from ninja.decorators import decorate_view

from accounts import limits
from accounts.requests import INTEGER
from games.api.answers import answers, cached, lines, streaming
from games.api.authentication import Caller, CallerRequest, for_everybody, needs
from games.api.models import Scope
from games.api.problems import Problem
from games.api.v1.cursors import cursor_of
from games.api.v1.states import Full, Happened, State, events_since, full_of, state_of
from games.engine.protocol import Seat as SeatNumber
from games.history.archive import Cursor, Filters, Window, found_by
from games.history.replay import record_file
from games.play import commands
from games.play.access import ViewedMatch, access_match, known_match
from games.play.models import Match, Seat
from games.play.reducer.actions import Stale
from games.play.reducer.positions import decode_state
from games.titles import titles

router = Router(tags=["matches"])


# --- reading ----------------------------------------------------------------------------------------------------------


class Seen(Full):
    """A match, and what has happened since the action asked for (`after`)."""

    events: list[Happened] | None = None


class Since(Schema):
    """After how many actions `events` begin."""

    after: int | None = Field(None, ge=0, le=10**INTEGER)


@router.get("matches/{slug}", response=cached(Seen), **for_everybody())
@decorate_view(conditional_page)
def match(request: CallerRequest, slug: str, since: Query[Since]) -> Any:
    """Return a match as you may see it: with a token from your seat, otherwise as a spectator.

    With `after`, also what has happened after that many actions.
    """
    viewed = access_match(request.auth.reader, slug)
    events = None if since.after is None else events_since(viewed, since.after)
    return {**full_of(viewed, request.auth.reader), "events": events}


@router.get("matches/{slug}/legal", response=lines(), **needs(Scope.READ, lines="an action you may take"))
def legal(request: CallerRequest, slug: str) -> HttpResponseBase:
    """Stream the actions you may take now, as lines of JSON.

    The first line is `{"version", "seat"}`, then comes `{"action"}` for each, and last `{"count"}`: without it, the
    list was cut off.
    """
    viewed = access_match(request.auth.person, slug)
    seat = _seat(viewed)
    return streaming(_legal(viewed, seat))


def _legal(viewed: ViewedMatch, seat: Seat) -> Iterator[Any]:
    match, rules, count = viewed.match, viewed.match.rules, 0
    yield {"version": match.version, "seat": seat.number}
    if match.is_running and seat.to_move and not seat.has_left:
        for action in rules.legal_actions(decode_state(match), SeatNumber(seat.number)):
            count += 1
            yield {"action": rules.notate(action)}
    yield {"count": count}


# --- playing ----------------------------------------------------------------------------------------------------------


class Asked(Schema):
    """A request that names itself, so that it can be sent again without being done twice.

    Attributes:
        client_id: chosen by you, without spaces; the same when you send the same request again.
    """

    client_id: str = Field(..., min_length=8, max_length=36, pattern="^[!-~]+$")

    def named(self, seat: Seat) -> str:
        """Return the name under which the match keeps the request: programs at other seats may choose the same."""
        return f"{seat.number}:{self.client_id}"


class Move(Asked):
    """An action.

    Attributes:
        action: in the game's notation.
        version: of the match that you saw.
    """

    action: str
    version: int


class Back(Asked):
    """What is to be taken back, in the match of the version that you saw."""

    version: int


class Abort(Asked):
    """About ending the match without a result: `offer` it or agree, `withdraw` yours, or `decline` that of others."""

    do: Literal["offer", "withdraw", "decline"] = "offer"


class Done(Schema):
    """The match after what was asked for, and whether that had been done before."""

    repeated: bool
    state: State


@router.post("matches/{slug}/actions", response=answers(Done, 409), **needs(Scope.PLAY))
def act(request: CallerRequest, slug: str, body: Move) -> Any:
    """Take an action."""

    def command(viewed: ViewedMatch, seat: Seat) -> commands.Receipt:
        return commands.submit(viewed.match.pk, seat.number, body.action, body.version, body.named(seat), viewed)

    return _done(request.auth, slug, command)


@router.post("matches/{slug}/undo", response=answers(Done, 409), **needs(Scope.PLAY))
def undo(request: CallerRequest, slug: str, body: Back) -> Any:
    """Take back your latest action, as long as nothing was revealed since."""

    def command(viewed: ViewedMatch, seat: Seat) -> commands.Receipt:
        return commands.undo(viewed.match.pk, seat.number, body.version, body.named(seat), viewed)

    return _done(request.auth, slug, command)


@router.post("matches/{slug}/restart", response=answers(Done, 409), **needs(Scope.PLAY))
def restart(request: CallerRequest, slug: str, body: Back) -> Any:
    """Take back everything in this turn that can be taken back."""

    def command(viewed: ViewedMatch, seat: Seat) -> commands.Receipt:
        return commands.restart_turn(viewed.match.pk, seat.number, body.version, body.named(seat), viewed)

    return _done(request.auth, slug, command)


@router.post("matches/{slug}/resign", response=answers(Done, 409), **needs(Scope.PLAY, while_suspended=True))
def resign(request: CallerRequest, slug: str, body: Asked) -> Any:
    """Leave the match for good."""

    def command(viewed: ViewedMatch, seat: Seat) -> commands.Receipt:
        return commands.resign(viewed.match.pk, seat.number, body.named(seat))

    return _done(request.auth, slug, command)


_ABORTING: Final = {"offer": "1", "withdraw": "", "decline": "declined"}


@router.post("matches/{slug}/abort", response=answers(Done, 409), **needs(Scope.PLAY, while_suspended=True))
def abort(request: CallerRequest, slug: str, body: Abort) -> Any:
    """Offer to end the match without a result, or answer such an offer."""

    def command(viewed: ViewedMatch, seat: Seat) -> commands.Receipt:
        return commands.answer_abort(viewed.match.pk, seat.number, _ABORTING[body.do], body.named(seat))

    return _done(request.auth, slug, command)


def _done(caller: Caller, slug: str, command: Callable[[ViewedMatch, Seat], commands.Receipt]) -> dict[str, Any]:
    """Run a command for the caller's seat, and return the fields of `Done`.

    Raises:
        Http404: there is no such match, or the caller may not see it.
        Problem: 403 "not-seated"; 409 "stale" with the match as it is now.
        RuleViolation: it is refused.
    """
    viewed = known_match(caller.person, slug) or access_match(caller.person, slug)
    seat = _seat(viewed)
    try:
        receipt = command(viewed, seat)
    except Stale:
        raise _stale(caller, slug) from None
    return {"repeated": receipt.repeated, "state": state_of(replace(receipt.viewed, viewer=viewed.viewer))}


def _seat(viewed: ViewedMatch) -> Seat:
    if viewed.mine is None:
        raise Problem(HTTPStatus.FORBIDDEN, "not-seated", _("You have no seat in this match."))
    return viewed.mine


def _stale(caller: Caller, slug: str) -> Problem:
    full = full_of(access_match(caller.person, slug), caller.person)
    text = commands.refusal_in_words(Stale())
    return Problem(HTTPStatus.CONFLICT, "stale", text, full=full)


# --- records ----------------------------------------------------------------------------------------------------------


@router.get("matches/{slug}/record", response=cached(dict[str, Any]), **for_everybody())
@decorate_view(conditional_page)
def record(request: CallerRequest, slug: str) -> HttpResponse:
    """Return a finished match as a record, with everything that proves its draws."""
    viewed = access_match(request.auth.reader, slug)
    if not viewed.match.has_ended or viewed.match.started_at is None:
        raise Problem(HTTPStatus.FORBIDDEN, "not-over", _("There is a record once the match is over."))
    return HttpResponse(record_file(viewed), content_type="application/json")


MOST_RECORDS: Final = 1_000


class Period(Schema):
    """Which finished matches.

    Attributes:
        game: of which game; of all without it.
        since: `from`, the first day on which they ended, in UTC.
        to: the last day.
        after: where the last answer stopped: its header `X-Next`.
        limit: how many, at most.
    """

    game: str | None = None
    since: date | None = Field(None, alias="from")
    to: date | None = None
    after: str | None = None
    limit: int = Field(MOST_RECORDS, ge=1, le=MOST_RECORDS)


@router.get("records", response=lines(), **for_everybody(lines="a record of a finished match, on one line"))
def records(request: CallerRequest, period: Query[Period]) -> HttpResponseBase:
    """Stream finished public matches as records, a line of JSON for each, the oldest first.

    `from` and `to` are the first and the last day on which they ended, in UTC. If there are more than `limit`, the
    header `X-Next` says where to go on: send it as `after`.
    """
    if period.game is not None and period.game not in titles():
        raise Http404
    limits.spend("records", request.auth.known)
    end = period.to
    until = None if end is None or end == date.max else _midnight(end + timedelta(days=1))
    filters = Filters(game=period.game, since=_midnight(period.since), until=until)
    begin = cursor_of(period.after) or Cursor(datetime.fromtimestamp(0, UTC), 0)
    found = found_by(AnonymousUser(), Window(filters, None, begin, period.limit))
    matches = list(found.prefetch_related(Prefetch("seats", Seat.objects.select_related("user"))))
    response = streaming(_records(matches[: period.limit]))
    if len(matches) > period.limit:
        last = matches[period.limit - 1]
        response["X-Next"] = str(Cursor(last.ended_at or begin.ended_at, last.pk))
    return response


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime(day.year, day.month, day.day, tzinfo=UTC)


def _records(matches: Iterable[Match]) -> Iterator[Any]:
    for match in matches:
        viewed = ViewedMatch(match, tuple(match.seats.all()), None)
        yield msgspec.Raw(msgspec.json.format(record_file(viewed).encode(), indent=-1))
