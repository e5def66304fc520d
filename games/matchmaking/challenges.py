"""Challenges: a private table for one other person, with the settings last used for that game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from games.matchmaking.counting import have_played_enough
from games.matchmaking.forms import TableForm
from games.matchmaking.wishes import prepared
from games.play.models import Match
from games.titles import Title, titles

_SEATS = 2


@dataclass(frozen=True, slots=True)
class Offer:
    """A game to challenge somebody to.

    Args:
        title: the game.
        match: the table as it would be opened; None if something must be chosen first.
    """

    title: Title
    match: Match | None


def offers(user: Any, other: Any) -> list[Offer]:
    """Return the games for two, each with the settings remembered for it."""
    return [Offer(title, _shown(user, form_for(title, user, other))) for title in _for_two()]


def _for_two() -> Iterable[Title]:
    return (title for title in titles().values() if _SEATS in title.game.seats)


def _shown(user: Any, form: TableForm) -> Match | None:
    return prepared(user, form.wish()) if form.is_valid() else None


def form_for(title: Title, user: Any, other: Any, first_to: str = "") -> TableForm:
    """Return the form of a new table, filled in for a challenge: what was chosen last, for two, for the other alone.

    It is casual once they have played enough rated matches with each other, as a rematch is.
    """
    empty = TableForm(title, user)
    filled = {name: empty.get_initial_for_field(field, name) for name, field in empty.fields.items()}
    chosen = {"seats": _SEATS, "visibility": Match.Visibility.PRIVATE, "invited": other.username, "bots": ""}
    open_to_all = {"kept": 0, "reliability": 0, "rating_from": "", "rating_to": "", "note": ""}
    data = {**filled, **open_to_all, **chosen, "first_to": first_to}
    if have_played_enough([user, other]):
        data["rated"] = False
    return TableForm(title, user, {name: value for name, value in data.items() if value is not None})
