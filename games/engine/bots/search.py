"""Monte Carlo tree search over information sets: each iteration imagines a world that fits what the seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.bots.budget import Budget, Watch
from games.engine.bots.dice import Dice
from games.engine.bots.tree import Edge, Node
from games.engine.insight import Insight, Plan
from games.engine.protocol import AnyGame, Seat

_LEAST = 8
"""So many futures are imagined however slow the machine is."""


@dataclass(frozen=True, slots=True)
class Considered:
    """A plan that a search weighed: how often it was tried, and its value for the seat, 0 (last) to 1 (first)."""

    plan: Plan
    visits: int
    value: float


@dataclass(frozen=True, slots=True)
class Search:
    """A search for one seat in one position.

    Args:
        game: the rules.
        insight: what is known of playing this game well.
        view: what the seat may know: all that the search is given of the position.
        seat: to move.
        dice: for everything that is imagined.
    """

    game: AnyGame
    insight: Insight
    view: Any
    seat: Seat
    dice: Dice

    def run(self, budget: Budget) -> list[Considered]:
        """Return what the seat could do, the best first; a single plan is not weighed."""
        watch, root = Watch(), Node()
        own = self.insight.candidates(self._imagined(), self.seat, self.dice)
        if len(own) > 1:
            for number in range(budget.iterations):
                if number >= _LEAST and watch.seconds > budget.seconds:
                    break
                self._iterate(root, own, budget.horizon)
        ranked = root.choices(self.seat).ranked() or [Edge(own[0])]
        return [Considered(edge.plan, edge.visits, edge.value) for edge in ranked]

    def _imagined(self) -> Any:
        return self.game.imagine(self.view, self.dice)

    def _iterate(self, root: Node, own: Sequence[Plan], horizon: int) -> None:
        """Go down the tree in one imagined world, play on a little, and note at each point what came of it."""
        state, node, path = self._imagined(), root, []
        while movers := movers_of(self.game, state, self.seat):
            chosen = {
                mover: node.choices(mover).select(
                    own if node is root and mover == self.seat else self.insight.candidates(state, mover, self.dice)
                )
                for mover in movers
            }
            path.append((node, chosen))
            for mover, plan in chosen.items():
                state = carry_out(self.game, state, mover, plan, self.dice)
            following = node.after(chosen)
            if following is None:
                break
            node = following
        values = self._values(self._played_on(state, horizon))
        for passed, choices in path:
            passed.learn(choices, values)

    def _played_on(self, state: Any, horizon: int) -> Any:
        for _ in range(horizon):
            movers = movers_of(self.game, state, self.seat)
            if not movers:
                break
            acting = [(mover, self.insight.policy(state, mover, self.dice)) for mover in movers]
            for mover, action in acting:
                state = self.game.apply(state, mover, action, self.dice).state
        return state

    def _values(self, state: Any) -> Sequence[float]:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return utilities(outcome.places)
        return [self.insight.evaluate(state, Seat(seat)) for seat in range(len(self.game.standing(state)))]


def movers_of(game: AnyGame, state: Any, seat: Seat) -> list[Seat]:
    """Return who chooses next: everybody who still has to in a sealed turn, otherwise one seat, `seat` if it may."""
    to_move = game.to_move(state)
    if len(to_move) > 1 and not game.is_sealed(state):
        return [seat if seat in to_move else min(to_move)]
    return sorted(to_move)


def carry_out(game: AnyGame, state: Any, seat: Seat, plan: Plan, dice: Dice) -> Any:
    """Return the state after a seat has done what it planned."""
    for action in plan:
        state = game.apply(state, seat, action, dice).state
    return state


def utilities(places: Sequence[int]) -> list[float]:
    """Return for each seat the share of its opponents that it left behind; a tie counts half.

    >>> utilities((1, 2, 2))
    [1.0, 0.25, 0.25]
    """
    others = len(places) - 1
    if not others:
        return [float(places[0] == 1)]
    return [
        (sum(1.0 if other > place else 0.5 for other in places if other >= place) - 0.5) / others for place in places
    ]
