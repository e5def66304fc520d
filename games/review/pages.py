"""What the page of a review shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.engine.protocol import Seat
from games.play.course.positions import AnyPlay
from games.play.matches.actions import plays
from games.play.matches.viewed import ViewedMatch
from games.review.chart import Chart, chart_of
from games.review.models import Review
from games.titles.phrases import events_text, plan_text
from games.titles.registry import insight_of

SHOWN: Final = 3
_LEAST: Final = 0.02
"""A decision that cost less is not worth a word."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What chance and the others' secret plans gave a seat, as parts of 100."""

    luck: float
    others: float

    @property
    def drawn(self) -> str:
        return _signed(self.luck)

    @property
    def played(self) -> str:
        return _signed(self.others)


def _signed(share: float) -> str:
    return f"{round(100 * share):+d}".replace("-", "−").replace("+0", "0")


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
        shares: what the others and chance then made of it, where they acted in secret.
    """

    number: int
    seat: int
    name: str
    at: int
    played: str
    better: str
    why: str
    cost: int
    shares: Shares | None


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat with what it was given in all."""

    number: int
    name: str
    shares: Shares


@dataclass(frozen=True, slots=True)
class Found:
    """A review that is done."""

    chart: Chart
    moments: Sequence[Moment]
    seats: Sequence[Seated]
    rows: Sequence[tuple[int, str, Sequence[int]]]
    knows_luck: bool
    is_secret: bool


def found_by(viewed: ViewedMatch, review: Review) -> Found:
    """Return what a review that is done has found."""
    costly = sorted((each for each in review.weighed if each["cost"] >= _LEAST), key=lambda each: -each["cost"])
    chosen = sorted(costly[:SHOWN], key=lambda each: int(each["first"]))
    reached = list(plays(viewed.match, viewed.seats))
    shares = {first: Shares(luck, others) for found in review.shares for first, _plan, others, luck in found}
    moments = [
        _moment(viewed, reached, each, number, shares.get(each["first"])) for number, each in enumerate(chosen, start=1)
    ]
    chart = chart_of(review.chances, [(each["last"], each["seat"]) for each in chosen])
    rows = [(play.number, _acted(viewed, play), _parts(review.chances[play.number])) for play in reached]
    seats = _seated(viewed, review, reached, shares)
    return Found(chart, moments, seats, rows, any(review.luck) or bool(shares), is_secret=bool(shares))


def _parts(chances: Sequence[float]) -> list[int]:
    return [round(100 * chance) for chance in chances]


def _acted(viewed: ViewedMatch, play: AnyPlay) -> str:
    return "" if play.seat is None else viewed.names[play.seat]


def _seated(
    viewed: ViewedMatch, review: Review, reached: Sequence[AnyPlay], shares: Mapping[int, Shares]
) -> list[Seated]:
    given = [
        (play.seat, shares.get(play.number, Shares(luck, 0.0))) for play, luck in zip(reached, review.luck, strict=True)
    ]
    own = [[each for number, each in given if number == seat.number] for seat in viewed.seats]
    return [
        Seated(seat.number, seat.name, Shares(sum(each.luck for each in found), sum(each.others for each in found)))
        for seat, found in zip(viewed.seats, own, strict=True)
    ]


def _moment(  # what is known of a moment, by name
    viewed: ViewedMatch, reached: Sequence[AnyPlay], each: dict[str, Any], number: int, shares: Shares | None
) -> Moment:
    seat, before, title = Seat(each["seat"]), reached[each["first"] - 1], viewed.match.title
    played, better = ([title.game.parse(text) for text in each[key]] for key in ("played", "better"))
    view = title.game.view_for(before.state, seat)
    return Moment(
        number=number,
        seat=seat,
        name=viewed.names[seat],
        at=before.number,
        played=_happened(viewed, reached[each["first"] : each["last"] + 1])
        or plan_text(title, view, seat, tuple(played), viewed.names),
        better=plan_text(title, view, seat, tuple(better), viewed.names),
        why=insight_of(title.slug).explain(view, better[0]),
        cost=round(100 * each["cost"]),
        shares=shares,
    )


def _happened(viewed: ViewedMatch, steps: Sequence[AnyPlay]) -> str:
    """Return what the log tells of a turn; empty for a secret one, of which it tells nothing then."""
    if steps[0].sealed:
        return ""
    return events_text(viewed.match.title, [event for step in steps for event in step.events], viewed.names)
