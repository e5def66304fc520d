"""Puzzles of Shifting Stones: score as many points as possible in this turn.

The solver goes through every turn: every way to move as many stones as the cards can pay for, and at each moment every
choice of the cards that lie there. An answer is the set of cards it scores; which of the others pay does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from django.utils.translation import gettext, ngettext

from games.engine.bots import Dice
from games.engine.insight import Plan
from games.engine.protocol import RuleViolation, Seat, Step
from games.engine.puzzles import Solved
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import quick
from games.titles.shifting_stones.planning import MOVES, Move, paying
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


def suits(view: View) -> bool:
    """Return whether the viewer begins a turn with a full hand."""
    return view.to_move == view.viewer and not view.acted and len(view.hand) == HAND


def solve(view: View) -> Solved:
    """Compare the sets of cards that can be scored in this turn."""
    found = moments(view)
    worth = {cards: card_points(tuple(cards)) for _, cards in found}
    ranked = sorted(worth, key=lambda cards: -worth[cards])
    best = ranked[0]
    reached = next(moment for moment in found if moment[1] == best)
    second = worth[ranked[1]] if len(ranked) > 1 else 0
    return Solved(_line(view, found, reached), worth[best], second, len(found))


def moments(view: View) -> Before:
    """Return every moment that a turn can lead to, those after fewer moves first."""
    start: Moment = (grid_bits(view.grid), frozenset())
    found: Before = {start: None}
    latest = [start]
    for moves in range(len(view.hand)):
        latest += _scored(view, found, latest, most=len(view.hand) - moves)
        latest = list(_moved(found, latest, most=len(view.hand) - moves - 1))
    return found


def _scored(view: View, found: Before, moments: Sequence[Moment], most: int) -> list[Moment]:
    """Note and return what follows when cards that lie now are scored, each choice of them, `most` in all."""
    scored, waiting = [], list(moments)
    while waiting:
        moment = waiting.pop()
        bits, cards = moment
        for card in view.hand if len(cards) < most else ():
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


def _line(view: View, found: Before, moment: Moment) -> Plan:
    """Return the actions that lead to a moment, and the end of the turn; the poorest cards pay first."""
    paid = iter(sorted((card for card in view.hand if card not in moment[1]), key=lambda card: (POINTS[card], card)))
    steps: list[Move | int] = []
    reached = moment
    while (came := found[reached]) is not None:
        reached, step = came
        steps.append(step)
    actions = [Score(step) if isinstance(step, int) else paying(next(paid), step) for step in reversed(steps)]
    return (*actions, END)


def greedy(view: View) -> Plan:
    """Return the turn of somebody who scores the dearest card that lies, or is nearest to lie, again and again."""
    state, seat, line = GAME.imagine(view, Dice(0)), Seat(view.viewer or 0), list[Action]()
    while GAME.to_move(state) == {seat}:
        action = quick(GAME.view_for(state, seat))
        line.append(END if isinstance(action, Skip) else action)
        state = GAME.apply(state, seat, line[-1], Dice(0)).state
    return tuple(line)


def worth(view: View, line: Plan) -> int | None:
    """Return the points of the cards scored, None before the turn ends.

    Raises:
        RuleViolation: "skip", as a skip scores nothing.
    """
    if any(isinstance(action, Skip) for action in line):
        raise RuleViolation("skip", gettext("A skip scores nothing: play cards, then end the turn."))
    over = any(isinstance(action, End) for action in line) or len(line) == len(view.hand)
    return sum(POINTS[action.card] for action in line if isinstance(action, Score)) if over else None


def shown(state: State, seat: Seat, line: Plan) -> Sequence[Step[State]]:
    """Return each step of a turn but its end."""
    steps: list[Step[State]] = []
    for action in line:
        GAME.apply(state, seat, action, Dice(0))  # refuses what is not legal
        if isinstance(action, End | Skip):
            break
        state, events = carry_out(state, action, Dice(0))
        steps.append(Step(state, tuple(events), reveals=False))
    return steps


def task(view: View) -> str:
    """Ask for the most points."""
    return gettext(
        "Score as many points as you can in this one turn, then end it. "
        "The bonus for the most 1-point cards does not count."
    )


def gain(worth: int) -> str:
    """Say how many points were scored."""
    return ngettext("%(count)s point", "%(count)s points", worth) % {"count": worth}
