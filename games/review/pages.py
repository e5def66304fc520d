"""What the page of a review shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.bots.dice import Dice
from games.engine.protocol import Event, Seat
from games.play.course.positions import AnyPlay
from games.play.matches.actions import plays
from games.play.matches.viewed import ViewedMatch
from games.review.chart import Chart, chart_of
from games.review.models import Review
from games.titles.insights import insight_of

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
    seat, before = Seat(each["seat"]), reached[each["first"] - 1]
    game = viewed.match.rules
    better = [game.parse(text) for text in each["better"]]
    view = game.view_for(before.state, seat)
    return Moment(
        number=number,
        seat=seat,
        name=viewed.names[seat],
        at=before.number,
        played=_in_words(viewed, [play.events for play in reached[each["first"] : each["last"] + 1]], each["played"]),
        better=_in_words(viewed, _imagined(game, view, seat, better), each["better"]),
        why=insight_of(game.slug).explain(view, better[0]),
        cost=round(100 * each["cost"]),
    )


def _imagined(game: Any, view: Any, seat: Seat, plan: Sequence[Any]) -> list[tuple[Event, ...]]:
    """Return what would have happened, as far as the seat could know it before."""
    state, found = game.imagine(view, dice := Dice(0)), []
    for action in plan:
        step = game.apply(state, seat, action, dice)
        state = step.state
        found.append(step.events[:1] if step.reveals else step.events)
    return found


def _in_words(viewed: ViewedMatch, events: Sequence[Sequence[Event]], texts: Sequence[str]) -> str:
    """Return actions as the log tells them; in the game's notation where they were secret, as it tells nothing then."""
    say, game = viewed.match.title.board.line, viewed.match.rules
    if game.is_sealed(game.start(viewed.match.seat_count, viewed.match.options, Dice(0)).state):
        return ", ".join(texts)
    open_events = (event for step in events for event in step if event.seen_by is None)
    told = [line for event in open_events if (line := say(event, viewed.names, None))]
    return " ".join(told) or ", ".join(texts)
