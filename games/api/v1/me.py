"""What concerns the person behind a token: who they are, their matches, invitations and friends."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from ninja import Router, Schema

from accounts.relations import friends_of
from accounts.services import here_for
from games.api.answers import answers
from games.api.authentication import CallerRequest, needs
from games.api.models import Scope
from games.api.v1.people import Person, told
from games.api.v1.states import Summary, summary_of
from games.matchmaking.lobby import matches_of, seat_of
from games.matchmaking.models import Invitation
from games.play.models import Match

router = Router(tags=["me"])


class Me(Schema):
    """Whose token this is, and what it allows."""

    name: str
    url: str
    language: str
    time_zone: str
    scopes: list[str]


@router.get("me", response=answers(Me), **needs(Scope.READ))
def me(request: CallerRequest) -> Any:
    """Say whose token this is."""
    caller = request.auth
    person = caller.user
    return {
        "name": person.username,
        "url": f"{settings.SITE_URL}{person.get_absolute_url()}",
        "language": person.language,
        "time_zone": person.time_zone,
        "scopes": sorted(caller.scopes),
    }


class Mine(Summary):
    """A match of yours.

    Attributes:
        seat: yours.
        waiting: whether it is your turn.
        deadline: until when, if a clock runs.
        version: of the match.
    """

    seat: int
    waiting: bool
    deadline: datetime | None
    version: int


class MyMatches(Schema):
    """Your open tables and running matches, those that wait for you first."""

    items: list[Mine]


@router.get("me/matches", response=answers(MyMatches), **needs(Scope.READ))
def matches(request: CallerRequest, waiting: bool = False) -> Any:
    """List your running matches and the open tables at which you sit; with `waiting`, only those that wait for you."""
    user = request.auth.user
    mine = matches_of(user, recent=0)
    found = mine.waiting if waiting else [*mine.waiting, *mine.running, *mine.seated]
    return {"items": [_mine(match, user) for match in found]}


def _mine(match: Match, user: Any) -> dict[str, Any]:
    seat = seat_of(user, match)
    assert seat is not None  # noqa: S101  # `matches_of` lists those where they sit
    return {
        **summary_of(match, list(match.seats.all())),
        "seat": seat.number,
        "waiting": match.is_running and seat.to_move,
        "deadline": seat.deadline,
        "version": match.version,
    }


class Invited(Schema):
    """An invitation to a table."""

    table: Summary
    by: str | None
    at: datetime
    expires_at: datetime


class Invitations(Schema):
    """The invitations you can answer."""

    items: list[Invited]


@router.get("me/invitations", response=answers(Invitations), **needs(Scope.READ))
def invitations(request: CallerRequest) -> Any:
    """List the invitations to open tables that you can answer."""
    user = request.auth.user
    tables = {match.pk: match for match in matches_of(user, recent=0).invited}
    rows = Invitation.objects.answerable().filter(user=user, match__in=tables).select_related("by").order_by("pk")
    return {
        "items": [
            {
                "table": summary_of(tables[row.match_id], list(tables[row.match_id].seats.all())),
                "by": row.by.username if row.by else None,
                "at": row.created_at,
                "expires_at": row.expires_at,
            }
            for row in rows
        ]
    }


class Friends(Schema):
    """Your friends."""

    items: list[Person]


@router.get("me/friends", response=answers(Friends), **needs(Scope.READ))
def friends(request: CallerRequest) -> Any:
    """List your friends."""
    user = request.auth.user
    people = list(friends_of(user).order_by("name_key"))
    here = here_for(user, [person.pk for person in people])
    return {"items": [told(person, person.pk in here) for person in people]}
