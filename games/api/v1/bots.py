"""Bot accounts: becoming one, what it plays, and which of them are here."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.conf import settings
from ninja import Router, Schema
from pydantic import ConfigDict, Field

from accounts.models import User
from games.api.answers import answers
from games.api.authentication import CallerRequest, for_everybody, needs
from games.api.models import Scope
from games.bots.accounts import become_bot, online_bots
from games.bots.conditions import conditions_of, set_conditions
from games.bots.models import MOST_AT_ONCE, Conditions as Stored

router = Router(tags=["bots"])


class Conditions(Schema):
    """What a bot plays. An empty list leaves everything open, and so does what is left out.

    Attributes:
        games: as in the addresses of games.
        seats: numbers of players.
        speeds: how fast.
        clocks: for instance `300+10/600`, in seconds: to begin with, added for each turn, at most; empty for none.
        people: whether it plays with people.
        bots: whether it plays with bots, those of the site included.
        at_once: how many matches it plays at once, tables at which it waits included.
    """

    model_config = ConfigDict(extra="forbid")

    games: list[str] = Field([], max_length=100)
    seats: list[int] = Field([], max_length=100)
    speeds: list[Literal["live", "days"]] = Field([], max_length=2)
    clocks: list[str] = Field([], max_length=100)
    people: bool = True
    bots: bool = True
    at_once: int = Field(MOST_AT_ONCE, ge=1, le=MOST_AT_ONCE)


class Bot(Schema):
    """A bot account.

    Attributes:
        name: without the mark with which pages show it.
        url: of its profile.
        since: when it became one.
        conditions: what it plays.
    """

    name: str
    url: str
    since: datetime
    conditions: Conditions


class OnlineBot(Bot):
    """A bot account that is here.

    Attributes:
        playing: how many matches it plays now, tables at which it waits included.
    """

    playing: int


class OnlineBots(Schema):
    """The bot accounts that are here, by name."""

    items: list[OnlineBot]


def _conditions(stored: Stored) -> dict[str, Any]:
    return {name: getattr(stored, name) for name in Conditions.model_fields}


def _bot(account: User, stored: Stored) -> dict[str, Any]:
    return {
        "name": account.username,
        "url": f"{settings.SITE_URL}{account.get_absolute_url()}",
        "since": account.bot_since,
        "conditions": _conditions(stored),
    }


@router.get("bots", response=answers(OnlineBots), **for_everybody())
def bots(request: CallerRequest) -> Any:
    """List the bot accounts that are online: those that have a stream open, or asked within the last minute."""
    here = online_bots(request.auth.person)
    return {"items": [{**_bot(it.account, it.conditions), "playing": it.playing} for it in here]}


@router.post("me/bot", response=answers(Bot), **needs(Scope.BOT))
def become(request: CallerRequest) -> Any:
    """Make this account, which must have begun no match, a bot for ever.

    Refused as `already-bot`, `has-begun`, `staff-bot` or `guest-bot`.
    """
    user = request.auth.user
    return _bot(user, become_bot(user))


@router.get("me/bot", response=answers(Bot), **needs(Scope.BOT))
def bot(request: CallerRequest) -> Any:
    """Show this account as a bot; refused as `not-bot` if it is none."""
    user = request.auth.user
    return _bot(user, conditions_of(user))


@router.get("me/bot/conditions", response=answers(Conditions), **needs(Scope.BOT))
def conditions(request: CallerRequest) -> Any:
    """Show what this bot plays; refused as `not-bot` for other accounts."""
    return _conditions(conditions_of(request.auth.user))


@router.post("me/bot/conditions", response=answers(Conditions), **needs(Scope.BOT))
def change_conditions(request: CallerRequest, wanted: Conditions) -> Any:
    """Set what this bot plays, all of it; the site enforces it. Matches that run go on.

    Refused as `not-bot`, or as `conditions` with what is wrong with them.
    """
    return _conditions(set_conditions(request.auth.user, **wanted.model_dump()))
