"""The page of a review and what it shows: who may see the replay may see it, and members may ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import F
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.limits import TooMany, spend
from accounts.services import person_of
from games.engine.protocol import Seat
from games.history.replay import is_checkable
from games.play import jobs
from games.play.access import ViewedMatch, access_match
from games.play.http import HtmxRequest, for_members
from games.play.records import plays
from games.play.reducer.positions import AnyPlay
from games.review.judge import steps_of
from games.review.models import Review
from games.titles.phrases import events_text, plan_text

SHOWN: Final = 3
_LEAST: Final = 0.02
"""Decisions that cost less are not mentioned."""


@dataclass(frozen=True, slots=True)
class Shares:
    """What chance and the others' secret plans brought a seat, from -1 to 1."""

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
        why: the reason in one sentence; may be empty.
        cost: in per cent of a win.
        shares: what the others and chance brought, if they acted in secret.
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
    """A seat, with the sum of what chance and the others brought it."""

    number: int
    name: str
    shares: Shares


@dataclass(frozen=True, slots=True)
class Found:
    """A complete review, as its page shows it."""

    chart: Chart
    moments: Sequence[Moment]
    seats: Sequence[Seated]
    rows: Sequence[tuple[int, str, Sequence[int]]]
    knows_luck: bool
    is_secret: bool


def found_by(viewed: ViewedMatch, review: Review) -> Found:
    """Return a complete review as its page shows it."""
    costly = sorted((each for each in review.weighed if each["cost"] >= _LEAST), key=lambda each: -each["cost"])
    chosen = sorted(costly[:SHOWN], key=lambda each: int(each["first"]))
    reached = list(plays(viewed.match, viewed.seats))
    shares = {first: Shares(luck, others) for found in review.shares for first, _plan, others, luck in found}
    moments = [
        _moment(viewed, reached, each, number, shares.get(each["first"])) for number, each in enumerate(chosen, start=1)
    ]
    chart = chart_of(review.chances, [(each["last"], each["seat"]) for each in chosen])
    rows = []
    for play in reached:
        name = "" if play.seat is None else viewed.names[play.seat]
        rows.append((play.number, name, [round(100 * chance) for chance in review.chances[play.number]]))
    seats = _seated(viewed, review, reached, shares)
    return Found(chart, moments, seats, rows, any(review.luck) or bool(shares), is_secret=bool(shares))


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


def _moment(
    viewed: ViewedMatch, reached: Sequence[AnyPlay], each: dict[str, Any], number: int, shares: Shares | None
) -> Moment:
    seat, before, title = Seat(each["seat"]), reached[each["first"] - 1], viewed.match.title
    played, better = ([title.game.parse(text) for text in each[key]] for key in ("played", "better"))
    view = title.game.view_for(before.state, seat)
    steps = reached[each["first"] : each["last"] + 1]
    happened = ""  # of a secret turn, as the log has nothing of it then
    if not steps[0].sealed:
        happened = events_text(title, [event for step in steps for event in step.events], viewed.names)
    return Moment(
        number=number,
        seat=seat,
        name=viewed.names[seat],
        at=before.number,
        played=happened or plan_text(title, view, seat, tuple(played), viewed.names),
        better=plan_text(title, view, seat, tuple(better), viewed.names),
        why=title.insight.explain(view, better[0]),
        cost=round(100 * each["cost"]),
        shares=shares,
    )


# --- the chart --------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 26
_MOST_POINTS = 240


@dataclass(frozen=True, slots=True)
class Curve:
    """The chances of one seat: a path, and where it ends."""

    seat: int
    path: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment that mattered: its number in the list, the action it is about, and where it is drawn."""

    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The chances of all seats, with all coordinates within WIDTH x HEIGHT."""

    curves: Sequence[Curve]
    marks: Sequence[Mark]
    levels: Sequence[tuple[str, float]]
    last: int

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    below: int = HEIGHT - 6


def chart_of(chances: Sequence[Sequence[float]], moments: Sequence[tuple[int, int]]) -> Chart:
    """Return the chart of a match.

    Args:
        chances: those of every seat, after each action.
        moments: the action and the seat of each moment, in the order of their numbers.
    """
    last = len(chances) - 1
    every = -(-len(chances) // _MOST_POINTS)
    kept = [number for number in range(last + 1) if (last - number) % every == 0]
    curves = []
    for seat in range(len(chances[0])):
        points = [(_x(number, last), _y(chances[number][seat])) for number in kept]
        curves.append(Curve(seat, "M" + " L".join(f"{x:g} {y:g}" for x, y in points), *points[-1]))
    marks = [
        Mark(place, _x(number, last), _y(chances[number][seat]))
        for place, (number, seat) in enumerate(moments, start=1)
    ]
    levels = [(f"{level}", _y(level / 100)) for level in (0, 25, 50, 75, 100)]
    return Chart(curves, marks, levels, last)


def _x(number: int, last: int) -> float:
    return round(LEFT + number / max(1, last) * (WIDTH - LEFT - RIGHT), 1)


def _y(chance: float) -> float:
    return round(HEIGHT - BOTTOM - chance * (HEIGHT - BOTTOM - TOP), 1)


# --- the page ---------------------------------------------------------------------------------------------------------

MOST_UNDER_WAY: Final = 3
"""Reviews that one person can have under way."""


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the review of a match that has ended, or its progress; a POST asks for one."""
    return _ask(request, slug) if request.method == "POST" else _show(request, access_match(request.user, slug))


@for_members
def _ask(request: HtmxRequest, slug: str) -> HttpResponse:
    viewed = access_match(request.user, slug)
    if not viewed.match.is_over or not is_checkable(viewed.match):
        return _show(request, viewed)
    under_way = Review.objects.filter(asked_by=request.user.pk, done__lt=F("steps"))
    if under_way.exclude(match=viewed.match).count() >= MOST_UNDER_WAY:
        return _show(request, viewed, _("Three reviews are already under way for you. Wait until one is done."))
    try:
        spend("review", person_of(request))
    except TooMany as error:
        return _show(request, viewed, error.text)
    asked = {"asked_by_id": request.user.pk, "steps": steps_of(viewed.match.length)}
    Review.objects.get_or_create(match=viewed.match, defaults=asked)
    jobs.stop_sleeping()
    return redirect("review", slug)


def _show(request: HtmxRequest, viewed: ViewedMatch, refusal: str = "") -> HttpResponse:
    if not viewed.match.is_over:
        return redirect(viewed.match)
    if not is_checkable(viewed.match):
        return TemplateResponse(request, "history/old_rules.html", {"match": viewed.match})
    found = Review.objects.filter(match=viewed.match).first()
    context: dict[str, Any] = {"match": viewed.match, "viewed": viewed, "review": found, "refusal": refusal}
    if found is not None and found.is_done:
        context["found"] = found_by(viewed, found)
    if request.htmx:
        return TemplateResponse(request, "review/state.html", context)
    return TemplateResponse(request, "review/review.html", context, status=422 if refusal else 200)
