"""What the page of a review shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.protocol import Seat
from games.play.course.positions import AnyPlay
from games.play.matches.actions import plays
from games.play.matches.viewed import ViewedMatch
from games.review.chart import Chart, chart_of
from games.review.models import Review
from games.titles.insights import insight_of
from games.titles.spoken import spoken, told

SHOWN: Final = 3
_LEAST: Final = 0.02
"""A decision that cost less is not worth a word."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision that mattered.

    Args:
        number: from 1, in the order of the match.
        seat: who decided.
        name: their name.
        at: the position in which they did.
        played, better: what they did, and what would have been better, in words.
        why: why, in one sentence; may be empty.
        cost: how much of 100 it cost.
    """

    number: int
    seat: int
    name: str
    at: int
    played: str
    better: str
    why: str
    cost: int


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat with what chance gave it in all, as parts of 100."""

    number: int
    name: str
    luck: int
    draws: int

    @property
    def signed(self) -> str:
        return f"{self.luck:+d}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Found:
    """A review that is done."""

    chart: Chart
    moments: Sequence[Moment]
    seats: Sequence[Seated]
    rows: Sequence[tuple[int, str, Sequence[int]]]

    @property
    def knows_luck(self) -> bool:
        return any(seat.draws for seat in self.seats)


def found_by(viewed: ViewedMatch, review: Review) -> Found:
    """Return what a review that is done has found."""
    costly = sorted((each for each in review.weighed if each["cost"] >= _LEAST), key=lambda each: -each["cost"])
    chosen = sorted(costly[:SHOWN], key=lambda each: int(each["first"]))
    reached = list(plays(viewed.match, viewed.seats))
    moments = [_moment(viewed, reached, each, number) for number, each in enumerate(chosen, start=1)]
    chart = chart_of(review.chances, [(each["last"], each["seat"]) for each in chosen])
    rows = [(play.number, _acted(viewed, play), _parts(review.chances[play.number])) for play in reached]
    return Found(chart, moments, _seated(viewed, review, reached), rows)


def _parts(chances: Sequence[float]) -> list[int]:
    return [round(100 * chance) for chance in chances]


def _acted(viewed: ViewedMatch, play: AnyPlay) -> str:
    return "" if play.seat is None else viewed.names[play.seat]


def _seated(viewed: ViewedMatch, review: Review, reached: Sequence[AnyPlay]) -> list[Seated]:
    given: list[list[float]] = [[] for _ in viewed.seats]
    for play, luck in zip(reached, review.luck, strict=True):
        if play.seat is not None and luck:
            given[play.seat].append(luck)
    return [
        Seated(seat.number, seat.name, round(100 * sum(lucky)), len(lucky))
        for seat, lucky in zip(viewed.seats, given, strict=True)
    ]


def _moment(viewed: ViewedMatch, reached: Sequence[AnyPlay], each: dict[str, Any], number: int) -> Moment:
    seat, before, title = Seat(each["seat"]), reached[each["first"] - 1], viewed.match.title
    played, better = ([title.game.parse(text) for text in each[key]] for key in ("played", "better"))
    view = title.game.view_for(before.state, seat)
    return Moment(
        number=number,
        seat=seat,
        name=viewed.names[seat],
        at=before.number,
        played=_happened(viewed, reached[each["first"] : each["last"] + 1])
        or spoken(title, view, seat, tuple(played), viewed.names),
        better=spoken(title, view, seat, tuple(better), viewed.names),
        why=insight_of(title.slug).explain(view, better[0]),
        cost=round(100 * each["cost"]),
    )


def _happened(viewed: ViewedMatch, steps: Sequence[AnyPlay]) -> str:
    """Return what the log tells of a turn; empty for a secret one, of which it tells nothing then."""
    if steps[0].sealed:
        return ""
    return told(viewed.match.title, [event for step in steps for event in step.events], viewed.names)
