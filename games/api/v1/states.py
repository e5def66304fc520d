"""What a match looks like to a program: always made from `view_for` its viewer, as pages are.

`full_of` is the whole of it, `state_of` what changes with its version. Both are plain values, as JSON has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.conf import settings
from ninja import Schema

from games.engine.protocol import Event
from games.play.access import ViewedMatch, newest_actions
from games.play.live import presence
from games.play.models import Action, Match, Seat
from games.play.records import standing_actions
from games.play.reducer import positions


class Control(Schema):
    """A clock, in seconds: what everybody starts with, what a turn adds, and up to how much."""

    start: int
    increment: int
    cap: int


class Player(Schema):
    """Who has a seat.

    Attributes:
        seat: its number, from 0.
        name: of the person; null for a bot, and for somebody whose account has ended.
        bot: the level of the bot; null for a person.
        guest: whether the person has not registered.
        bot_account: whether a program plays for this account.
    """

    seat: int
    name: str | None
    bot: str | None
    guest: bool
    bot_account: bool


class Clock(Schema):
    """The clock of a seat.

    Attributes:
        left_ms: what was left when it last stood still.
        deadline: when it will have run out; null while it stands.
    """

    left_ms: int
    deadline: datetime | None


class Offers(Schema):
    """Offers to end the match without a result.

    Attributes:
        abort: the seats that offer it.
        declined_by: the seat that has declined yours.
    """

    abort: list[int]
    declined_by: int | None


class Left(Schema):
    """A seat whose player has left: they resigned, or their time was up (`timeout`)."""

    seat: int
    how: str


class Result(Schema):
    """How a match ended. Of one without a result, `places` and `scores` are null."""

    reason: str
    places: list[int] | None
    scores: list[int] | None


class State(Schema):
    """What changes with the version of a match.

    Attributes:
        version: raised by whatever changes what somebody sees.
        status: planned, open, running, over, aborted or closed.
        length: how many actions were taken that count.
        to_move: the seats that may act now.
        view: what the viewer may know of the position (`games/{game}` has its JSON Schema); null before the match.
        clocks: by seat; null where none runs.
        offers: to end the match without a result.
        left: who has left, the first to leave first.
        undoable: how many actions the viewer can take back now.
        result: how it ended; null before.
        moved_at: when it last changed hands.
    """

    version: int
    status: str
    length: int
    to_move: list[int]
    view: Any
    clocks: list[Clock | None]
    offers: Offers
    left: list[Left]
    undoable: int
    result: Result | None
    moved_at: datetime | None


class Requirements(Schema):
    """Who can sit down at a table: turns in time in per cent, ratings, and how many seats are kept for friends."""

    reliability: int
    rating_from: int | None
    rating_to: int | None
    kept: int


class Summary(Schema):
    """What lists tell of a match or table."""

    slug: str
    url: str
    game: str
    status: str
    seat_count: int
    seats: list[Player]
    speed: str
    clock: Control | None
    rated: bool
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class Full(Summary):
    """A match, or a table before the match begins, as its viewer may know it.

    Attributes:
        viewer: your seat; null if you have none.
        presence: the seats of others whose players look at the match now, as far as you may know.
        commit: the commitment to the seed (docs/fairness.md).
    """

    rules_version: int
    options: dict[str, str | bool]
    visibility: str
    seat_order: str
    host: str | None
    note: str
    requires: Requirements
    opens_at: datetime | None
    practice: bool
    commit: str
    viewer: int | None
    presence: list[int]
    state: State


def full_of(viewed: ViewedMatch, reader: Any) -> dict[str, Any]:
    """Return a match as its viewer may know it, the fields of `Full`.

    Args:
        viewed: the match, as `games.play.access` has let the reader see it.
        reader: the person, or an `AnonymousUser`.
    """
    match = viewed.match
    return {
        **summary_of(match, viewed.seats),
        "rules_version": match.rules_version,
        "options": match.options,
        "visibility": match.visibility,
        "seat_order": match.seat_order,
        "host": match.host.username if match.host else None,
        "note": match.note,
        "requires": {
            "reliability": match.reliability,
            "rating_from": match.rating_from,
            "rating_to": match.rating_to,
            "kept": match.kept,
        },
        "opens_at": match.opens_at,
        "practice": match.practice,
        "commit": match.commit,
        "viewer": viewed.viewer,
        "presence": presence_of(viewed, reader),
        "state": state_of(viewed),
    }


def summary_of(match: Match, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return the fields of `Summary`."""
    return {
        "slug": match.slug,
        "url": f"{settings.SITE_URL}{match.get_absolute_url()}",
        "game": match.game,
        "status": match.status,
        "seat_count": match.seat_count,
        "seats": [_player(seat) for seat in seats],
        "speed": match.speed,
        "clock": _control(match),
        "rated": match.rated,
        "created_at": match.created_at,
        "started_at": match.started_at,
        "ended_at": match.ended_at,
    }


def _player(seat: Seat) -> dict[str, Any]:
    name = seat.user.username if seat.user else None
    bot_account = seat.user is not None and seat.user.is_bot
    return {"seat": seat.number, "name": name, "bot": seat.bot, "guest": seat.is_guest, "bot_account": bot_account}


def _control(match: Match) -> dict[str, int] | None:
    control = match.control
    if control is None:
        return None
    parts = {"start": control.start, "increment": control.increment, "cap": control.cap}
    return {name: int(part.total_seconds()) for name, part in parts.items()}


def presence_of(viewed: ViewedMatch, reader: Any) -> list[int]:
    """Return the seats of others who look at a running match now, as far as the reader may know."""
    return [int(seat) for seat, about in presence.company(viewed, reader).items() if about["here"]]


def state_of(viewed: ViewedMatch) -> dict[str, Any]:
    """Return what changes with the version of a match, as its viewer may know it: the fields of `State`."""
    match, seats = viewed.match, viewed.seats
    left = sorted((seat for seat in seats if seat.left is not None), key=lambda seat: seat.left or 0)
    return {
        "version": match.version,
        "status": match.status,
        "length": match.length,
        "to_move": [seat.number for seat in seats if seat.to_move and match.is_running],
        "view": view_of(viewed),
        "clocks": [_clock(match, seat) for seat in seats],
        "offers": {
            "abort": [seat.number for seat in seats if seat.offers_abort and match.is_running],
            "declined_by": viewed.mine.declined_by if viewed.mine is not None and match.is_running else None,
        },
        "left": [{"seat": seat.number, "how": "timeout" if seat.timed_out else "resign"} for seat in left],
        "undoable": _undoable(viewed),
        "result": _result(match, seats),
        "moved_at": match.moved_at,
    }


def view_of(viewed: ViewedMatch) -> Any:
    """Return what the viewer may know of the position, as JSON has it; None before the match begins."""
    match = viewed.match
    if match.started_at is None:
        return None
    view = match.rules.view_for(positions.decode_state(match), viewed.viewer)
    return msgspec.to_builtins(view, order="deterministic")


def _clock(match: Match, seat: Seat) -> dict[str, Any] | None:
    if seat.bank is None or not match.is_running or seat.has_left:
        return None
    return {"left_ms": int(seat.bank.total_seconds() * 1000), "deadline": seat.deadline}


def _undoable(viewed: ViewedMatch) -> int:
    match, mine = viewed.match, viewed.mine
    if not match.is_running or mine is None or mine.has_left:
        return 0
    newest = newest_actions(match) if viewed.newest is None else viewed.newest
    return sum(1 for _action in positions.undoable(match, mine.number, newest))


def _result(match: Match, seats: Sequence[Seat]) -> dict[str, Any] | None:
    if not match.has_ended:
        return None
    places = [seat.place for seat in seats if seat.place is not None]
    scores = [seat.score for seat in seats if seat.score is not None]
    whole = match.is_over and len(places) == len(scores) == len(seats)
    return {"reason": match.reason, "places": places if whole else None, "scores": scores if whole else None}


# --- what has happened ------------------------------------------------------------------------------------------------


class Happened(Schema):
    """An action of which the viewer may know something.

    Attributes:
        number: of the action, from 1.
        seat: whose it was.
        at: when.
        by_bot: a bot played on for somebody who has left, or for itself.
        events: what happened, each with its `kind`.
    """

    number: int
    seat: int
    at: datetime
    by_bot: bool
    events: list[dict[str, Any]]


def events_since(viewed: ViewedMatch, number: int) -> list[dict[str, Any]]:
    """Return what the viewer may know of the actions after this many, the oldest first: the fields of `Happened`."""
    match, newest = viewed.match, viewed.newest
    if newest is not None and (match.length <= len(newest) or newest[-1].number <= number + 1):
        actions = [action for action in reversed(newest) if action.number > number]
    else:
        actions = list(standing_actions(match).filter(number__gt=number))
    told = [(action, _seen(viewed, action)) for action in actions]
    return [
        {"number": it.number, "seat": it.seat, "at": it.at, "by_bot": it.by_bot, "events": events}
        for it, events in told
        if events
    ]


def _seen(viewed: ViewedMatch, action: Action) -> list[dict[str, Any]]:
    events = positions.events_of(viewed.match, action.events)
    return [_event(event) for event in events if event.is_seen_by(viewed.viewer)]


def _event(event: Event) -> dict[str, Any]:
    fields: dict[str, Any] = msgspec.to_builtins(event, order="deterministic")
    del fields["seen_by"]  # who else may know it is for nobody to know
    return {"kind": event.kind, **fields}
