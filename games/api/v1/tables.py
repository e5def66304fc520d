"""Tables: found, opened, joined, left and begun; challenges and invitations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Final, Literal

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from ninja import Field, Query, Router, Schema
from ninja.responses import Status

from accounts.models import User
from accounts.relations import blocked_with
from accounts.services import access_player
from games.api.answers import answers, nothing
from games.api.authentication import Caller, CallerRequest, needs
from games.api.models import Scope
from games.api.problems import Problem
from games.api.v1.cursors import place_of
from games.api.v1.states import Control, Full, Summary, full_of, summary_of
from games.clubs.membership import clubs_of
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.matchmaking.filters import Filters, listed_tables
from games.matchmaking.forms import people_named
from games.matchmaking.invitations import decline_invitation, invite_more
from games.matchmaking.limits import have_played_enough
from games.matchmaking.lobby import is_of, with_people
from games.matchmaking.requirements import reader_of
from games.matchmaking.seats import read_nonce
from games.matchmaking.tables import SHARED, TableSetup, check_clock, check_invited
from games.play.access import access_match
from games.play.clocks import ClockError, Control as ClockTerms
from games.play.models import Level, Match, Speed
from games.titles import titles

router = Router(tags=["tables"])

PER_PAGE: Final = 50
MOST: Final = 500
"""Tables that can be listed at all: who looks for more filters."""

MOST_NAMES: Final = 20


# --- the lobby --------------------------------------------------------------------------------------------------------


class Wanted(Schema):
    """Which open tables to list.

    Attributes:
        joinable: only those at which you could sit down.
        after: where the last answer stopped: its `next`.
    """

    game: str = ""
    speed: Literal["", "live", "days"] = ""
    rated: bool | None = None
    seats: int | None = Field(None, ge=1, le=9)
    joinable: bool = False
    after: str = ""


class OpenTable(Summary):
    """An open table."""

    host: str | None
    note: str


class OpenTables(Schema):
    """Open tables, the newest first, and where to go on: `next` is `after` of the next request."""

    items: list[OpenTable]
    next: str | None


@router.get("tables", response=answers(OpenTables), **needs(Scope.TABLES))
def listed(request: CallerRequest, wanted: Query[Wanted]) -> Any:
    """List the public tables that wait for players, as the lobby does."""
    user = request.auth.user
    before = place_of(wanted.after, PER_PAGE, MOST)
    filters = Filters(
        game=wanted.game,
        speed=wanted.speed,
        rated="" if wanted.rated is None else "yes" if wanted.rated else "no",
        seats="" if wanted.seats is None else str(wanted.seats),
        joinable="yes" if wanted.joinable else "",
    )
    last = before + PER_PAGE
    keys = listed_tables(filters, last + 1, reader_of(user) if wanted.joinable else None)
    found = with_people(Match.objects.filter(pk__in=keys[before:last])).order_by("-created_at", "-pk")
    apart = blocked_with(user)
    shown = [match for match in found if not is_of(match, apart)]
    further = str(last) if len(keys) > last and last < MOST else None
    return {"items": [_listed(match) for match in shown], "next": further}


def _listed(match: Match) -> dict[str, Any]:
    host = match.host.username if match.host else None
    return {**summary_of(match, list(match.seats.all())), "host": host, "note": match.note}


# --- opening ----------------------------------------------------------------------------------------------------------


class Agreed(Schema):
    """What is played, and how.

    Attributes:
        options: as `games/{game}` lists them; what is left out takes its default.
        clock: null for none, left out for the usual one.
        excludes_vacations: day clocks run on while their players are on vacation.
    """

    game: str
    options: dict[str, bool | str] = {}
    speed: Speed = Speed.LIVE
    clock: Control | Literal["usual"] | None = "usual"
    excludes_vacations: bool = False
    rated: bool = True
    first_to: int = 0


class NewTable(Agreed):
    """A table to be opened.

    Attributes:
        seats: how many play.
        reliability: the least percentage of turns in time of who sits down.
        rating_from, rating_to: the lowest and the highest rating of who sits down.
        kept: seats that are kept for your friends.
        note: one line for everybody who sees the table.
        club: with the visibility "club", the last part of the address of one of your clubs.
        first_to: how many matches win a series; 0 for a single match.
        invited: names of people who are invited.
        bots: the level of the bots that take all free seats.
    """

    seats: int = 2
    reliability: Literal[0, 80, 90, 95] = 0
    rating_from: int | None = None
    rating_to: int | None = None
    kept: int = 0
    note: str = ""
    visibility: Match.Visibility = Match.Visibility.PUBLIC
    seat_order: Match.SeatOrder = Match.SeatOrder.RANDOM
    club: str = ""
    invited: list[str] = Field([], max_length=MOST_NAMES)
    bots: Level | None = None


@router.post("tables", response=answers(Full), **needs(Scope.TABLES))
def create(request: CallerRequest, body: NewTable) -> Any:
    """Open a table and sit down at it.

    Alone, or with bots in all other seats, the match begins with `start`.
    """
    user = request.auth.user
    invited = _people(body.invited, user)
    bots = body.bots.value if body.bots and body.seats > 1 else ""
    check_invited(body.visibility, body.seats, invited, bots)
    setup = TableSetup(
        **_terms(body),
        seats=body.seats,
        reliability=body.reliability,
        rating_from=body.rating_from,
        rating_to=body.rating_to,
        kept=body.kept if body.visibility in SHARED and body.seats > 1 and not bots else 0,
        note=body.note,
        visibility=body.visibility,
        seat_order=body.seat_order,
        club=clubs_of(user).filter(slug=body.club).first() if body.club else None,
        invited=invited,
        bots=bots,
    )
    return _table(request.auth, tables.open_table(user, setup).slug)


def _terms(body: Agreed) -> dict[str, Any]:
    """Return what a request says of the terms as arguments of `TableSetup`."""
    if body.game not in titles():
        raise RuleViolation("game", _("There is no such game."))
    return {
        "game": body.game,
        "options": body.options,
        "speed": body.speed.value,
        "clock": _clock(body),
        "excludes_vacations": body.excludes_vacations,
        "rated": body.rated,
        "first_to": body.first_to,
    }


def _clock(body: Agreed) -> str | None:
    """Return the text of the clock asked for; None for the usual one."""
    if not isinstance(body.clock, Control):
        return "" if body.clock is None else None
    asked = body.clock
    try:
        control = ClockTerms(*(timedelta(seconds=each) for each in (asked.start, asked.increment, asked.cap)))
    except (ClockError, OverflowError):
        raise RuleViolation("clock", _("There is no such clock.")) from None
    check_clock(control, body.speed)
    return str(control)


def _people(names: list[str], by: User) -> tuple[Any, ...]:
    try:
        return people_named(" ".join(names), by)
    except ValidationError as error:
        code = str(getattr(error, "code", "") or "unknown-name")
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, code, error.messages[0]) from None


def _table(caller: Caller, slug: str) -> Mapping[str, Any]:
    return full_of(access_match(caller.user, slug), caller.user)


# --- at a table -------------------------------------------------------------------------------------------------------


class Nonce(Schema):
    """What you add to the shuffle, as lower-case hex digits, up to 64 bytes; nothing is allowed too."""

    nonce: str = ""


class NewBot(Nonce):
    """A bot that takes the next seat."""

    level: Level


class Names(Schema):
    """People to invite."""

    names: list[str] = Field(..., min_length=1, max_length=MOST_NAMES)


def _bytes_of(body: Nonce | None) -> bytes:
    return b"" if body is None else read_nonce(body.nonce)


@router.post("tables/{slug}/sit", response=answers(Full), **needs(Scope.TABLES))
def sit(request: CallerRequest, slug: str, body: Nonce | None = None) -> Any:
    """Sit down; the match begins when the last seat is taken."""
    table = access_match(request.auth.user, slug).match
    tables.join(table.pk, request.auth.user, _bytes_of(body))
    return _table(request.auth, slug)


@router.post("tables/{slug}/accept", response=answers(Full), **needs(Scope.TABLES))
def accept(request: CallerRequest, slug: str, body: Nonce | None = None) -> Any:
    """Accept an invitation or a challenge: sit down."""
    return sit(request, slug, body)


@router.post("tables/{slug}/decline", response=nothing(), **needs(Scope.TABLES, while_suspended=True))
def decline(request: CallerRequest, slug: str) -> Any:
    """Decline an invitation or a challenge."""
    decline_invitation(access_match(request.auth.user, slug).match.pk, request.auth.user)
    return Status(204, None)


@router.post("tables/{slug}/leave", response=nothing(), **needs(Scope.TABLES, while_suspended=True))
def leave(request: CallerRequest, slug: str) -> Any:
    """Get up. If you host the table, somebody else does then; the last one closes it."""
    tables.leave(access_match(request.auth.user, slug).match.pk, request.auth.user)
    return Status(204, None)


@router.post("tables/{slug}/start", response=answers(Full), **needs(Scope.TABLES))
def start(request: CallerRequest, slug: str, body: Nonce | None = None) -> Any:
    """Begin, as the host, with those who sit there."""
    table = access_match(request.auth.user, slug).match
    tables.start(table.pk, request.auth.user, _bytes_of(body))
    return _table(request.auth, slug)


@router.post("tables/{slug}/close", response=nothing(), **needs(Scope.TABLES, while_suspended=True))
def close(request: CallerRequest, slug: str) -> Any:
    """Close your table."""
    tables.close_table(access_match(request.auth.user, slug).match.pk, request.auth.user)
    return Status(204, None)


@router.post("tables/{slug}/nonce", response=answers(Full), **needs(Scope.TABLES))
def nonce(request: CallerRequest, slug: str, body: Nonce) -> Any:
    """Add to the shuffle of the table you have opened, whose commitment you know now."""
    table = access_match(request.auth.user, slug).match
    tables.add_nonce(table.pk, request.auth.user, read_nonce(body.nonce))
    return _table(request.auth, slug)


@router.post("tables/{slug}/bots", response=answers(Full), **needs(Scope.TABLES))
def add_bot(request: CallerRequest, slug: str, body: NewBot) -> Any:
    """Give the next seat of your table to a bot; the match is casual then."""
    table = access_match(request.auth.user, slug).match
    tables.add_bot(table.pk, request.auth.user, body.level.value, read_nonce(body.nonce))
    return _table(request.auth, slug)


@router.post("tables/{slug}/invite", response=answers(Full), **needs(Scope.TABLES))
def invite(request: CallerRequest, slug: str, body: Names) -> Any:
    """Invite more players to your table."""
    user = request.auth.user
    table = access_match(user, slug).match
    people = _people(body.names, user)
    if not people:
        raise RuleViolation("nobody-invited", _("Name at least one other player."))
    invite_more(table.pk, user, people)
    return _table(request.auth, slug)


@router.post("people/{name}/challenge", response=answers(Full), **needs(Scope.TABLES))
def challenge(request: CallerRequest, name: str, body: Agreed) -> Any:
    """Open a table for two to which somebody is invited.

    It is casual once you have played as many rated matches with each other as a day allows.
    """
    user, other = request.auth.user, access_player(name)
    if other == user:
        raise RuleViolation("self", _("That is you."))
    terms = _terms(body)
    terms["rated"] = terms["rated"] and not have_played_enough([user, other])
    setup = TableSetup(**terms, seats=2, visibility=Match.Visibility.PRIVATE, invited=(other,))
    return _table(request.auth, tables.open_table(user, setup).slug)
