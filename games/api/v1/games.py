"""The games: how they are set up, and what their views look like."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from django.http import Http404
from django.utils.translation import gettext
from django.views.decorators.http import conditional_page
from ninja import Router, Schema
from ninja.decorators import decorate_view

from games.api.answers import cached
from games.api.authentication import CallerRequest, for_everybody
from games.titles import Title, titles

router = Router(tags=["games"])


class Choice(Schema):
    """A value of an option."""

    value: str | bool
    label: str


class Option(Schema):
    """Something that is chosen before a match.

    Attributes:
        name: as in `options` of a table.
        choices: the default first, unless it is `required` to choose.
        seats: the numbers of players for which it exists; null for all.
        quick: what a match against a bot that is begun on the site with one press has instead of the default; null for
            no other.
    """

    name: str
    label: str
    choices: list[Choice]
    required: bool
    seats: list[int] | None
    quick: str | bool | None = None


class Game(Schema):
    """A game: the rules by this name and version."""

    slug: str
    name: str
    version: int
    seats: list[int]
    options: list[Option]


class Whole(Game):
    """A game, with the JSON Schemas of its views and events."""

    view: dict[str, Any]
    events: dict[str, Any]


class Games(Schema):
    """All games."""

    items: list[Game]


@router.get("games", response=cached(Games), **for_everybody())
@decorate_view(conditional_page)
def games(request: CallerRequest) -> Any:
    """List the games."""
    return {"items": [_told(title) for title in titles().values()]}


@router.get("games/{game}", response=cached(Whole), **for_everybody())
@decorate_view(conditional_page)
def game(request: CallerRequest, game: str) -> Any:
    """Return a game with the JSON Schemas of its views and events."""
    if game not in titles():
        raise Http404
    title = titles()[game]
    return {**_told(title), **_schemas(title)}


def _told(title: Title) -> dict[str, Any]:
    rules = title.game
    return {
        "slug": rules.slug,
        "name": rules.name,
        "version": rules.version,
        "seats": list(rules.seats),
        "options": [
            {
                "name": option.name,
                "label": gettext(option.label),
                "choices": [{"value": value, "label": gettext(label)} for value, label in option.choices],
                "required": option.required,
                "seats": None if option.seats is None else sorted(option.seats),
                "quick": option.quick,
            }
            for option in rules.options
        ],
    }


@cache
def _schemas(title: Title) -> dict[str, Any]:
    rules = title.game
    events = {kind.kind: _without_seen_by(msgspec.json.schema(kind)) for kind in rules.event_types}
    return {"view": msgspec.json.schema(rules.view_type), "events": events}


def _without_seen_by(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an event as programs get it: without who else may know it."""
    for described in schema.get("$defs", {}).values():
        described.get("properties", {}).pop("seen_by", None)
        if "required" in described:
            described["required"] = [name for name in described["required"] if name != "seen_by"]
    return schema
