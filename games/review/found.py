"""What a review has found so far, as its page shows it, and what of it stands on the page of the end of its match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby, pairwise
from math import inf
from typing import Any, Final

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _, gettext_lazy

from games.engine import runner
from games.engine.insight import Insight, Plan
from games.engine.protocol import Event, Seat
from games.engine.runner import LEAVING, TIMEOUT
from games.history.endings import DecisiveTurn, Judgement, Stage, stage_of
from games.play.access import ViewedMatch
from games.play.boards.fragments import Shown
from games.play.boards.standalone import StandaloneBoard
from games.play.records import plays, standing_actions
from games.play.reducer.positions import AnyPlay, seed_of
from games.review.judge import WHOLE, Chances, decisions, judged, takes_turns
from games.review.models import Review
from games.titles import Title
from games.titles.phrases import plan_text

_POINT: Final = WHOLE // 100
_MENTIONED: Final = ((10, inf), (3, 5), (1, 2))
"""Mentioned are the decisions of each seat that cost so many points of chance or more, up to so many, the costliest."""

_STILL_LIKELY: Final = {
    Stage.NEARLY_OVER: gettext_lazy("Shortly before the end your chance of winning was still %(percent)s %%."),
    Stage.LAST_QUARTER: gettext_lazy(
        "More than three quarters of the way through, your chance of winning was still %(percent)s %%."
    ),
    Stage.SECOND_HALF: gettext_lazy("More than halfway through, your chance of winning was still %(percent)s %%."),
}


@dataclass(frozen=True, slots=True)
class Way:
    """A decision and where it led, or would have led with the draws of the match.

    Args:
        plan: what is done.
        words: the same in sentences.
        pictures: the same in small pictures, where the title has some.
        thumbnail: the position reached, as everybody sees it.
        plays: the actions up to the end of the turn.
    """

    plan: Plan
    words: str
    pictures: Sequence[SafeString]
    thumbnail: SafeString
    plays: Sequence[AnyPlay]


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision that mattered.

    Args:
        number: from 1, in the order of the list.
        seat: who decided.
        name: what the reader calls them.
        begun: the position in which they did.
        last: the number of their last action, by which addresses name the moment.
        after: the action after which the effect shows.
        played, better: what they did, and what would have been better.
        why: what the better one brings that the other does not, in a sentence; may be empty.
        cost: in points of chance.
        mine: it was the reader's.
    """

    number: int
    seat: Seat
    name: str
    begun: int
    last: int
    after: int
    played: Way
    better: Way
    why: str
    cost: int
    mine: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A review as far as it has come.

    Args:
        names: what the reader calls each seat: their own is "You".
        chart: the chances.
        moments: those of the reader, then those of the others, each in the order of the match.
        own: how many of them are the reader's.
        rows: for each action its number, who took it and the chances after it, in per cent.
        parts: what the chances of each seat are made of, in per cent: a label and a number for each seat; empty until
            all positions are judged.
        luck: how lucky each seat was, in sentences; empty like `parts`.
        departures: who left the match, in sentences.
    """

    names: Sequence[str]
    chart: Chart
    moments: Sequence[Moment]
    own: int
    rows: Sequence[tuple[int, str, Sequence[int]]]
    parts: Sequence[tuple[str, Sequence[str]]]
    luck: Sequence[str]
    departures: Sequence[str]


def found_by(viewed: ViewedMatch, review: Review) -> Found | None:
    """Return what a review has found so far; None before its first step, or if an earlier judge made it."""
    if not review.done_anew:
        return None
    reached = list(plays(viewed.match, viewed.seats))
    whole = judged(reached)
    moments = [_moment(viewed, reached, each, number) for number, each in _ordered(viewed, review)]
    marks = [(moment.number, moment.last, moment.after, moment.seat) for moment in moments]
    names = _called(viewed)
    movers = ["" if play.seat is None else names[play.seat] for play in whole]
    rows = [
        (number, movers[number], [in_points(chance) for chance in chances])
        for number, chances in enumerate(review.chances)
    ]
    is_judged = len(review.chances) == len(whole)
    return Found(
        names,
        chart_of(review.chances, _ends_of_turns(viewed.match.title.insight, whole), len(whole) - 1, marks),
        moments,
        sum(moment.seat == viewed.viewer for moment in moments),
        rows,
        parts_of(review) if is_judged else (),
        _luck_of(review, viewed) if is_judged else (),
        [_departure(play, viewed, play is reached[-1]) for play in reached if play.text in LEAVING],
    )


def _called(viewed: ViewedMatch) -> list[str]:
    return [_("You") if seat == viewed.viewer else name for seat, name in enumerate(viewed.names)]


def _ends_of_turns(insight: Insight, whole: Sequence[AnyPlay]) -> list[int]:
    return sorted({decision.after for decision in decisions(whole, takes_turns(insight, whole[0]))})


def in_points(chance: int) -> int:
    """Return a chance in per cent."""
    return round(chance / _POINT)


_LEFT: Final = (
    gettext_lazy("%(name)s resigned after move %(number)s."),
    gettext_lazy("%(name)s ran out of time after move %(number)s."),
)
_LEFT_YOURSELF: Final = (
    gettext_lazy("You resigned after move %(number)s."),
    gettext_lazy("You ran out of time after move %(number)s."),
)
"""Who left, by whether their time was up."""


def _departure(play: AnyPlay, viewed: ViewedMatch, ends: bool) -> str:
    words = {"name": viewed.names[play.seat or 0], "number": play.number - 1}
    left = (_LEFT_YOURSELF if play.seat == viewed.viewer else _LEFT)[play.text == TIMEOUT] % words
    if ends and play.outcome:
        return f"{left} {_('The match is judged up to there.')}"
    return f"{left} {_('The bot that played on is not judged.')}"


# --- what chances are made of -----------------------------------------------------------------------------------------


def parts_of(review: Review) -> list[tuple[str, Sequence[str]]]:
    """Return what the chances of each seat are made of, in per cent; each column adds up."""
    changes = review.found_changes
    seats = range(len(review.chances[0]))
    columns = []
    for seat in map(Seat, seats):
        deal = changes[0].luck[seat]
        parts = (
            review.chances[0][seat] - deal,
            deal,
            sum(change.luck[seat] for change in changes[1:]),
            sum(change.own(seat) for change in changes),
            sum(change.others(seat) for change in changes),
        )
        columns.append(_rounded(parts))
    labels = [_("At the start"), _("Luck of the deal"), _("Luck of the draw"), _("Own moves"), _("The others’ moves")]
    if len(seats) == 1:
        labels.pop()
    values = list(zip(*columns, strict=True))
    rows = [
        (label, [f"{start}" for start in values[0]] if not place else [_signed(value) for value in values[place]])
        for place, label in enumerate(labels)
    ]
    return [*rows, (_("At the end"), [f"{sum(column)}" for column in columns])]


_LUCKY: Final = (
    (20, gettext_lazy("You were lucky"), gettext_lazy("%(name)s was lucky")),
    (2, gettext_lazy("You were slightly lucky"), gettext_lazy("%(name)s was slightly lucky")),
    (-1, gettext_lazy("You were neither lucky nor unlucky"), gettext_lazy("%(name)s was neither lucky nor unlucky")),
    (-19, gettext_lazy("You were slightly unlucky"), gettext_lazy("%(name)s was slightly unlucky")),
    (-inf, gettext_lazy("You were unlucky"), gettext_lazy("%(name)s was unlucky")),
)
"""From how many points of chance on luck is called so, to oneself and to others."""


def _luck_of(review: Review, viewed: ViewedMatch) -> list[str]:
    found = []
    for seat, name in enumerate(viewed.names):
        points = in_points(sum(change.luck[seat] for change in review.found_changes))
        own, others = next(texts for least, *texts in _LUCKY if points >= least)
        text = own if seat == viewed.viewer else others % {"name": name}
        found.append(f"{text} ({_signed(points)} %)")
    return found


def _rounded(parts: Sequence[int]) -> list[int]:
    """Return parts in whole points that add up to their rounded sum.

    >>> _rounded([5000, 149, 149, -5298, 0])
    [50, 1, 2, -53, 0]
    """
    return [later - earlier for earlier, later in pairwise(map(in_points, accumulate(parts, initial=0)))]


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


# --- moments ----------------------------------------------------------------------------------------------------------


def moment_named(viewed: ViewedMatch, review: Review, reached: Sequence[AnyPlay], last: int | None) -> Moment | None:
    """Return the moment whose last action has this number, None if there is none."""
    named = ((number, each) for number, each in _ordered(viewed, review) if each["last"] == last)
    return next((_moment(viewed, reached, each, number) for number, each in named), None)


def _ordered(viewed: ViewedMatch, review: Review) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """Return what is mentioned, each with its number from 1: first what the reader decided."""
    costly = chain.from_iterable(_mentioned(viewed.match.title, review, seat) for seat in range(len(viewed.seats)))
    return enumerate(sorted(costly, key=lambda each: (each["seat"] != viewed.viewer, each["last"])), start=1)


def _mentioned(title: Title, review: Review, seat: int) -> list[Mapping[str, Any]]:
    """Return what a seat decided that mattered most: all that cost it much, and a little more if that is not much.

    Of turns in a row to which the same could be said, only the one that cost most is mentioned.
    """
    runs = list[list[Mapping[str, Any]]]()
    for each in sorted(review.weighed, key=lambda each: each["last"]):
        if each["seat"] == seat:
            if runs and title.advice.same_advice(_better(title, runs[-1][-1]), _better(title, each)):
                runs[-1].append(each)
            else:
                runs.append([each])
    costliest = (max(run, key=lambda each: each["cost"]) for run in runs)
    costly = sorted(costliest, key=lambda each: (-each["cost"], each["last"]))
    return [
        each
        for place, each in enumerate(costly)
        if any(in_points(each["cost"]) >= points and place < most for points, most in _MENTIONED)
    ]


def _better(title: Title, each: Mapping[str, Any]) -> Plan:
    return tuple(title.game.parse(text) for text in each["better"])


def _moment(viewed: ViewedMatch, reached: Sequence[AnyPlay], each: Mapping[str, Any], number: int) -> Moment:
    title, seat = viewed.match.title, Seat(each["seat"])
    before, through = reached[each["begun"]], reached[each["begun"] + 1 : each["after"] + 1]
    view = title.game.view_for(before.state, seat)
    played, better = tuple(title.game.parse(text) for text in each["played"]), _better(title, each)
    return Moment(
        number,
        seat,
        _called(viewed)[seat],
        each["begun"],
        each["last"],
        each["after"],
        _way(viewed, view, seat, played, through),
        _way(viewed, view, seat, better, _instead(viewed, before, through, seat, better)),
        title.advice.compare(view, played, better),
        in_points(each["cost"]),
        mine=seat == viewed.viewer,
    )


def _way(viewed: ViewedMatch, view: Any, seat: Seat, plan: Plan, steps: Sequence[AnyPlay]) -> Way:
    title = viewed.match.title
    return Way(
        plan,
        plan_text(title, view, seat, plan, viewed.names, viewed.viewer),
        pictures_of(title, view, plan),
        mark_safe(title.board.thumbnail(title.game.view_for(steps[-1].state, None))),  # noqa: S308  # of a title
        steps,
    )


def pictures_of(title: Title, view: Any, plan: Plan) -> list[SafeString]:
    """Return a plan in small pictures, one for each action of which the title has some; the view is from before it."""
    pictures = (title.board.pictured(title.game.notate(action), view) for action in plan)
    return [mark_safe(picture) for picture in pictures if picture]  # noqa: S308  # of a title


def _instead(
    viewed: ViewedMatch, before: AnyPlay, played: Sequence[AnyPlay], seat: Seat, plan: Plan
) -> Sequence[AnyPlay]:
    """Return what would have come of another plan, with the same choices of the others in a secret turn."""
    game, seed = viewed.match.rules, seed_of(viewed.match, viewed.seats)
    actions = [(seat, action) for action in plan]
    if played[0].sealed:
        others = [(play.seat, game.parse(play.text)) for play in played if play.seat != seat and play.sealed]
        actions = [*((Seat(other or 0), action) for other, action in others), *actions]
    steps = [before]
    for actor, action in actions:
        steps.append(runner.act(game, steps[-1].position, actor, action, seed))
    return steps[1:]


def shown(viewed: ViewedMatch, moment: Moment, way: Way) -> Shown:
    """Return the position to which one of the ways of a moment leads, as its seat sees it; all that changed is new."""
    last, events = way.plays[-1], tuple[Event, ...]()
    for play in way.plays:
        events += play.events
    borrowed = moment.seat != viewed.viewer
    board = StandaloneBoard(viewed.match.title, moment.seat, viewed.names, borrowed=borrowed)
    scene = board.scene(last.state, events, active=False, ended=last.outcome is not None)
    facts = [facts for _number, _name, facts in board.facts(scene)]
    line = viewed.match.title.board.line
    lines = (line(event, viewed.names, viewed.viewer) for event in scene.recent)
    return Shown(moment.after, board.html(scene), "", facts, tuple(filter(None, lines)))


# --- the chart of a review: the chances of all seats over the match, with what mattered marked on them ----------------

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 12, 26
_MOST_POINTS = 240
_ACROSS: Final = 18
"""How wide a mark is."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The chances of one seat: a path, and where it ends."""

    seat: int
    path: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A moment that mattered: its number in the list, its name in addresses, and where it is drawn."""

    number: int
    last: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """The chances of all seats, with all coordinates within WIDTH x HEIGHT.

    Args:
        curves, marks: what is drawn.
        levels: pairs of a label and its height.
        last: the number of the last action that is judged; there may be no chances for it yet.
    """

    curves: Sequence[Curve]
    marks: Sequence[Mark]
    levels: Sequence[tuple[str, float]]
    last: int

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM
    below: int = HEIGHT - 6


def chart_of(
    chances: Sequence[Chances], ends: Sequence[int], last: int, moments: Sequence[tuple[int, int, int, int]]
) -> Chart:
    """Return the chart of a match.

    Within a turn chances go up and down with what it still needs: a line joins those after whole turns.

    Args:
        chances: those of every seat, after each action that has been judged so far.
        ends: the numbers of the actions that ended a turn, in their order.
        last: the number of the last action to be judged.
        moments: of each the number in the list, its name, the action after which it shows, and the seat.
    """
    newest = len(chances) - 1
    turns = [0, *(number for number in ends if 0 < number < newest), newest] if newest else [0]
    kept = turns[:: -(-len(turns) // _MOST_POINTS)]
    if kept[-1] != newest:
        kept.append(newest)
    curves = []
    for seat in range(len(chances[0])):
        points = [(_x(number, last), _y(chances[number][seat])) for number in kept]
        curves.append(Curve(seat, "M" + " L".join(f"{x:g} {y:g}" for x, y in points), *points[-1]))
    marks = list[Mark]()
    for place, name, at, seat in moments:
        x = _x(at, last)
        marks.append(Mark(place, name, x, _free(x, _y(chances[at][seat]), marks)))
    levels = [(f"{level}", _y(level * WHOLE // 100)) for level in (0, 25, 50, 75, 100)]
    return Chart(curves, marks, levels, last)


def _free(x: float, y: float, marks: Sequence[Mark]) -> float:
    """Return the height nearest to y at which another mark hides none of these; y itself where there is none."""
    near = [mark.y for mark in marks if abs(mark.x - x) < _ACROSS]
    heights = (y, *(y + sign * step for step in range(_ACROSS, HEIGHT, _ACROSS // 2) for sign in (-1, 1)))
    inside = (each for each in heights if TOP <= each <= HEIGHT - BOTTOM)
    return next((each for each in inside if all(abs(each - taken) >= _ACROSS for taken in near)), y)


def _x(number: int, last: int) -> float:
    return round(LEFT + number / max(1, last) * (WIDTH - LEFT - RIGHT), 1)


def _y(chance: int) -> float:
    return round(HEIGHT - BOTTOM - chance / WHOLE * (HEIGHT - BOTTOM - TOP), 1)


# --- what a review tells on the page of the end of its match: how close it was, and which turn decided it -------------


def judgement_of(viewed: ViewedMatch) -> Judgement | None:
    """Return what the review of a match that is over says to its reader; None if there is none that is done."""
    review = Review.objects.filter(match=viewed.match).first()
    if review is None or not review.is_done or not review.chances:
        return None
    turns = _turns(viewed, len(review.chances) - 1)
    winners = [seat.number for seat in viewed.seats if seat.place == 1]
    decisive = _best(review, turns, Seat(winners[0])) if len(winners) == 1 else None
    return Judgement(
        ahead="" if viewed.viewer is None else _ahead(review, viewed.viewer),
        best="" if viewed.viewer is None else _raised(review, turns, viewed.viewer),
        decisive=None if decisive is None else DecisiveTurn(decisive, _decided(viewed, review, decisive, winners[0])),
    )


def _turns(viewed: ViewedMatch, last: int) -> list[range]:
    """Return the numbers of the actions up to `last` in runs of the same seat: each player's turns."""
    seats = enumerate(standing_actions(viewed.match).values_list("seat", flat=True)[:last], start=1)
    runs = ([number for number, _seat in run] for _seat, run in groupby(seats, key=lambda each: each[1]))
    return [range(run[0], run[-1] + 1) for run in runs]


def _best(review: Review, turns: Sequence[range], seat: Seat) -> range | None:
    """Return the turn, whosever it was, with which the chance of a seat rose most; None if it never did."""
    best = max(turns, key=lambda turn: _rise(review, turn, seat), default=None)
    return best if best and _rise(review, best, seat) > 0 else None


def _rise(review: Review, turn: range, seat: Seat) -> int:
    before, after = _around(review, turn, seat)
    return after - before


def _around(review: Review, turn: range, seat: Seat) -> tuple[int, int]:
    """Return the chance of a seat before and after a turn, in ten-thousandths."""
    return review.chances[turn.start - 1][seat], review.chances[turn[-1]][seat]


def _ahead(review: Review, seat: Seat) -> str:
    own = [chances[seat] for chances in review.chances]
    last = max((at for at, chance in enumerate(own) if 2 * chance >= WHOLE), default=0)
    stage = stage_of(last, len(own) - 1)
    return str(_STILL_LIKELY[stage]) % {"percent": in_points(own[last])} if stage else ""


def _raised(review: Review, turns: Sequence[range], seat: Seat) -> str:
    best = _best(review, turns, seat)
    if best is None:
        return ""
    before, after = map(in_points, _around(review, best, seat))
    words = {"before": before, "after": after}
    return _("In one turn your chance of winning rose from %(before)s %% to %(after)s %%.") % words


def _decided(viewed: ViewedMatch, review: Review, turn: range, winner: int) -> str:
    """Return whose turn it was, the winner’s or one that helped the winner, and how it changed their chance."""
    before, after = map(in_points, _around(review, turn, Seat(winner)))
    mover = standing_actions(viewed.match).values_list("seat", flat=True)[turn.start - 1]
    words = {"name": viewed.names[winner], "mover": viewed.names[mover], "before": before, "after": after}
    if mover == winner == viewed.viewer:
        told = _("The turn that decided it: your chance rose from %(before)s %% to %(after)s %%")
    elif mover == winner:
        told = _("The turn that decided it: %(name)s’s chance rose from %(before)s %% to %(after)s %%")
    elif winner == viewed.viewer:
        told = _("%(mover)s’s turn decided it: your chance rose from %(before)s %% to %(after)s %%")
    elif mover == viewed.viewer:
        told = _("Your turn decided it: %(name)s’s chance rose from %(before)s %% to %(after)s %%")
    else:
        told = _("%(mover)s’s turn decided it: %(name)s’s chance rose from %(before)s %% to %(after)s %%")
    return told % words
