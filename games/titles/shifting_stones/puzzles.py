"""Puzzles of Shifting Stones: score as many points as possible in this turn, or some points with the fewest cards.

The solver goes through every turn: every way to move as many stones as the cards can pay for, and at each moment every
choice of the cards that lie there. An answer is the set of cards it scores; which of the others pay does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from games.engine.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import RuleViolation, Seat, Step
from games.engine.puzzles import PuzzleMaker, Solved
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import quick
from games.titles.shifting_stones.insight.planning import MOVES, Move, paying
from games.titles.shifting_stones.rules import carry_out
from games.titles.shifting_stones.rules.notation import END, Action, End, Score, Skip
from games.titles.shifting_stones.rules.patterns import POINTS, bits_after, grid_bits, lies_on
from games.titles.shifting_stones.rules.state import HAND, State, card_points
from games.titles.shifting_stones.rules.view import View

Cards: TypeAlias = frozenset[int]
Moment: TypeAlias = tuple[int, Cards]
"""The stones, and which cards have been scored."""

Before: TypeAlias = dict[Moment, tuple[Moment, Move | int] | None]
"""Every moment of some turn, and how it came about: by a move, or by scoring a card."""


def moments(view: View) -> Before:
    """Return every moment that a turn can lead to, those after fewer moves first."""
    return _moments(grid_bits(view.grid), view.hand)


@lru_cache(maxsize=4)
def _moments(bits: int, hand: Sequence[int]) -> Before:
    start: Moment = (bits, frozenset())
    found: Before = {start: None}
    latest = [start]
    for moves in range(len(hand)):
        latest += _scored(hand, found, latest, most=len(hand) - moves)
        latest = list(_moved(found, latest, most=len(hand) - moves - 1))
    return found


def _scored(hand: Sequence[int], found: Before, moments: Sequence[Moment], most: int) -> list[Moment]:
    """Note and return what follows when cards that lie now are scored, each choice of them, `most` in all."""
    scored, waiting = [], list(moments)
    while waiting:
        moment = waiting.pop()
        bits, cards = moment
        for card in hand if len(cards) < most else ():
            after = (bits, cards | {card})
            if card not in cards and after not in found and lies_on(card, bits):
                found[after] = (moment, card)
                scored.append(after)
                waiting.append(after)
    return scored


def _moved(found: Before, moments: Sequence[Moment], most: int) -> Iterator[Moment]:
    """Note and yield what follows when one stone moves, as long as a card is left to pay for it.

    The last card of a turn that has scored nothing pays for nothing: nothing could be scored then.
    """
    for moment in moments:
        bits, cards = moment
        if len(cards) > most or (not cards and not most):
            continue
        for move in MOVES:
            after = (bits_after(bits, move), cards)
            if after not in found:
                found[after] = (moment, move)
                yield after


def _steps(found: Before, moment: Moment) -> list[Move | int]:
    """Return the moves and scored cards that lead to a moment, the last first."""
    steps: list[Move | int] = []
    while (came := found[moment]) is not None:
        moment, step = came
        steps.append(step)
    return steps


def _line(view: View, found: Before, moment: Moment) -> Plan:
    """Return the actions that lead to a moment, and the end of the turn; the poorest cards pay first."""
    paid = iter(sorted((card for card in view.hand if card not in moment[1]), key=lambda card: (POINTS[card], card)))
    steps = reversed(_steps(found, moment))
    actions = [Score(step) if isinstance(step, int) else paying(next(paid), step) for step in steps]
    return (*actions, END)


class _Turn:
    """What the kinds share."""

    least = 3

    def suits(self, view: View) -> bool:
        """Return whether the viewer begins a turn with a full hand."""
        return view.to_move == view.viewer and not view.acted and len(view.hand) == HAND

    def greedy(self, view: View) -> Plan:
        """Return the turn of somebody who scores the dearest card that lies, or is nearest to lie, again and again."""
        state, seat, line = GAME.imagine(view, Dice(0)), Seat(view.viewer or 0), list[Action]()
        while GAME.to_move(state) == {seat}:
            action = quick(GAME.view_for(state, seat))
            line.append(END if isinstance(action, Skip) else action)
            state = GAME.apply(state, seat, line[-1], Dice(0)).state
        return tuple(line)

    def essence(self, view: View, line: Plan) -> str:
        """Return the cards that are scored."""
        return " ".join(map(str, sorted(scored_in(line))))

    def shown(self, state: State, seat: Seat, line: Plan) -> Sequence[Step[State]]:
        """Return each step of a turn but its end."""
        steps: list[Step[State]] = []
        for action in line:
            GAME.apply(state, seat, action, Dice(0))  # refuses what is not legal
            if isinstance(action, End | Skip):
                break
            state, events = carry_out(state, action, Dice(0))
            steps.append(Step(state, tuple(events), reveals=False))
        return steps


def scored_in(line: Plan) -> tuple[int, ...]:
    """Return the cards that an answer scores, in order."""
    return tuple(action.card for action in line if isinstance(action, Score))


def _is_over(view: View, line: Plan) -> bool:
    """Return whether an answer is complete.

    Raises:
        RuleViolation: "skip", as a skip scores nothing.
    """
    if any(isinstance(action, Skip) for action in line):
        raise RuleViolation("skip", "A skip scores nothing: play cards, then end the turn.")
    return any(isinstance(action, End) for action in line) or len(line) == len(view.hand)


class _Points(_Turn):
    """Score the most points."""

    def solve(self, view: View) -> Solved:
        """Compare the sets of cards that can be scored in this turn."""
        found = moments(view)
        worth = {cards: card_points(tuple(cards)) for _, cards in found}
        ranked = sorted(worth, key=lambda cards: -worth[cards])
        best = ranked[0]
        reached = next(moment for moment in found if moment[1] == best)
        second = worth[ranked[1]] if len(ranked) > 1 else 0
        return Solved(_line(view, found, reached), worth[best], second, len(found))

    def worth(self, view: View, line: Plan) -> int | None:
        """Return the points of the cards scored, None before the turn ends."""
        return card_points(scored_in(line)) if _is_over(view, line) else None


TOO_FEW = -1
"""What an answer brings that scores fewer points than are asked for."""


def goal(view: View) -> int:
    """Return how many points are asked for where as few cards as possible are to be played: the most there are."""
    return max(card_points(tuple(cards)) for _, cards in moments(view))


class _Fewest(_Turn):
    """Score some points, two at least, with the fewest cards; what it brings are the cards that are left."""

    least = 1

    def suits(self, view: View) -> bool:
        """Return whether the viewer begins a turn with a full hand, and could score enough."""
        return super().suits(view) and goal(view) > 1

    def solve(self, view: View) -> Solved:
        """Compare the sets of cards that are worth enough, each with every number of cards that pay."""
        found, least = moments(view), goal(view)
        left: dict[tuple[Cards, int], Moment] = {}
        for moment in found:
            if card_points(tuple(moment[1])) >= least:
                left.setdefault((moment[1], HAND - len(_steps(found, moment))), moment)
        best, *others = sorted(left, key=lambda answer: -answer[1])
        second = others[0][1] if others else TOO_FEW
        return Solved(_line(view, found, left[best]), best[1], second, len(found))

    def worth(self, view: View, line: Plan) -> int | None:
        """Return how many cards are left after the points were scored, less than 0 if they were not."""
        if not _is_over(view, line):
            return None
        played = sum(not isinstance(action, End) for action in line)
        return HAND - played if card_points(scored_in(line)) >= goal(view) else TOO_FEW

    def essence(self, view: View, line: Plan) -> str:
        """Return the cards that are scored, and how many pay."""
        scored = super().essence(view, line)
        return f"{scored} +{sum(not isinstance(action, End | Score) for action in line)}"


KINDS: Mapping[str, PuzzleMaker] = {"points": _Points(), "fewest": _Fewest()}
