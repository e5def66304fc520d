"""What is played as the deal of a game: alone or against a bot, with which options, and what decides one's place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from games.engine.protocol import OptionValue, Seat as SeatNumber
from games.play.models import Level, Match, Seat
from games.play.reducer.positions import decode_state
from games.ratings.leaderboards import solo_text
from games.titles import titles


@dataclass(frozen=True, slots=True)
class Kind:
    """What is played as the deal of a game.

    Args:
        task: what to do, and what decides one's place, in a sentence or two.
        options: chosen values by name; what is left out takes its default.
        bot: the level of the bot in the second seat; None alone.
    """

    task: str | Promise
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    bot: Level | None = None

    @property
    def seats(self) -> int:
        return 1 if self.bot is None else 2


_KINDS: Final[Mapping[str, Kind]] = {
    "shifting-stones": Kind(
        gettext_lazy("Play alone. Winning comes first, then the strikes you have left, then the fewest turns.")
    ),
    "small-islands": Kind(
        gettext_lazy("Play against Alexis with his afternoon card. Your lead in points decides your place."),
        {"alexis": "afternoon"},
    ),
    "card-chess": Kind(
        gettext_lazy("Play one challenge against Master. Your lead in points decides your place."),
        {"length": "one_challenge"},
        Level.MASTER,
    ),
}


def kinds() -> Mapping[str, Kind]:
    """Return what is played each day, by game."""
    return {slug: _KINDS[slug] for slug in titles() if slug in _KINDS}


def points_of(match: Match, seat: Seat) -> int | None:
    """Return what decides the place of a finished try; higher is better. None: nothing can be compared."""
    if match.seat_count == 1:
        return seat.solo_rank
    own, others = _points(match, seat.number)
    return own - others


def result_in_words(match: Match, seat: Seat) -> str:
    """Return the result of a finished try, without the name of whose it is where the game allows that."""
    if match.seat_count == 1:
        return solo_text(match, seat.user) if seat.user else ""
    own, others = _kept_points(match, match.version, seat.number)
    return _("%(own)s to %(other)s points") % {"own": own, "other": others}


@lru_cache(maxsize=1_000)
def _kept_points(match: Match, _version: int, seat: int) -> tuple[int, int]:
    """Return `_points`, kept by the version of the match, as reading a position takes a while."""
    return _points(match, seat)


def _points(match: Match, number: int) -> tuple[int, int]:
    """Return the points of a seat and of the one opposite in the challenge that was played."""
    view: Any = match.rules.view_for(decode_state(match), SeatNumber(number))
    points = view.challenges[-1].points if view.challenges else (0, 0)
    return points[number], points[1 - number]
