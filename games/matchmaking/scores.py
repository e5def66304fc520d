"""The score of a series, as its pages show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from games.matchmaking import series
from games.matchmaking.models import Series, SeriesMatch, SeriesPlayer
from games.play.models import Match, MatchQuerySet, Seat

_DUEL = 2


@dataclass(frozen=True)
class Score:
    """The score of a series now, seen from one of its matches."""

    place: SeriesMatch

    @property
    def series(self) -> Series:
        return self.place.series

    @cached_property
    def players(self) -> Sequence[SeriesPlayer]:
        """Return who plays, in the order of their first seats; nobody before the first match has begun."""
        return list(self.series.players.all())

    @property
    def short(self) -> str:
        """Return the numbers alone, for instance “2 : 1”; empty before the first match has begun."""
        return " : ".join(str(player.wins) for player in self.players)

    @property
    def in_words(self) -> str:
        """Return names and numbers; empty before the first match has begun."""
        if len(self.players) == _DUEL:
            one, other = self.players
            return f"{one.name} {one.wins} : {other.wins} {other.name}"
        return ", ".join(f"{player.name} {player.wins}" for player in self.players)

    @property
    def terms(self) -> str:
        """Return how long the series goes on, or how it ended."""
        if self.series.ended_at is None:
            return _("The first to win %(goal)d matches wins the series.") % {"goal": self.series.goal}
        winner = next((player for player in self.players if player.wins >= self.series.goal), None)
        if winner is not None:
            return _("%(name)s has won the series.") % {"name": winner.name}
        name = self.series.left_by.shown_name if self.series.left_by else "—"
        return _("%(name)s has left the series.") % {"name": name}

    @property
    def goes_on(self) -> bool:
        return self.series.ended_at is None

    def is_played_by(self, user: Any) -> bool:
        """Return whether somebody is one of its players."""
        return user.is_authenticated and any(player.user_id == user.pk for player in self.players)


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a series: who has won it, or what became of it."""

    number: int
    match: Match
    winners: Sequence[Seat]

    @property
    def is_drawn(self) -> bool:
        return len(self.winners) > 1


def score_of(match: Match) -> Score | None:
    """Return the score of the series a match belongs to, None if it belongs to none."""
    place = series.in_series(match)
    return None if place is None else Score(place)


def with_scores(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with the scores of their series: one more query if there are any."""
    return matches.select_related("in_series__series").prefetch_related("in_series__series__players")


def loaded_score_of(match: Match) -> Score | None:
    """Return the score of a match that was loaded `with_scores`."""
    place = getattr(match, "in_series", None)
    return None if place is None else Score(place)


def played(shown: Series) -> list[Played]:
    """Return the matches of a series, and the table for the next one, in their order."""
    places = shown.matches.select_related("match").prefetch_related("match__seats__user")
    return [_played(place) for place in places]


def _played(place: SeriesMatch) -> Played:
    winners = [seat for seat in place.match.seats.all() if seat.place == 1] if place.match.is_over else []
    return Played(place.number, place.match, winners)
