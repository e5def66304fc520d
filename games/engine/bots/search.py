"""Monte Carlo tree search over information sets: each iteration imagines a world that fits what the seat may know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.engine.bots.budget import Budget, Watch
from games.engine.bots.dice import Dice
from games.engine.bots.tree import Choices, Edge, Node
from games.engine.insight import Insight, Plan
from games.engine.protocol import AnyGame, Seat

_LEAST = 8
"""So many futures are imagined however slow the machine is."""
_WORLDS = 1 << 62


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
        """Return what the seat could do, the best first: what was weighed, then the other candidates."""
        watch, root, first = Watch(), Node(self.insight.EFFORT.first), self.dice.below("worlds", _WORLDS)
        state = self.insight.suppose(self.view, self.dice)
        candidates = self.insight.candidates(state, self.seat, self.dice)
        wavering = self.dice.fraction if self.game.is_sealed(state) else None
        own = candidates[: self.insight.EFFORT.plans]
        choices = root.begun(self.seat, Choices(len(own)))
        for number in range(budget.iterations if len(own) > 1 and budget.iterations > 1 else 0):
            late = number >= _LEAST and watch.seconds > budget.seconds
            if late or choices.is_settled(budget.iterations - number):
                break
            plan = choices.select(own, wavering)
            self._iterate(root, plan, Dice(first + choices.visits(plan)), budget.horizon)
        ranked = choices.ranked()
        weighed = {edge.plan for edge in ranked}
        others = [Edge(plan) for plan in candidates if plan not in weighed]
        return [Considered(edge.plan, edge.visits, edge.value) for edge in (*ranked, *others)]

    def _iterate(self, root: Node, plan: Plan, dice: Dice, horizon: int) -> None:
        """Begin with a plan in the world these dice make, go down the tree, play on a little, and note what came of it.

        The first futures of every plan begin in the same worlds, so that plans differ by more than luck.
        """
        state, node, path = self.insight.suppose(self.view, dice), root, []
        while movers := movers_of(self.game, state, self.seat):
            chosen = {
                mover: plan
                if node is root and mover == self.seat
                else node.choices(mover).select(
                    self.insight.candidates(state, mover, dice), self.dice.fraction if len(movers) > 1 else None
                )
                for mover in movers
            }
            path.append((node, chosen))
            for mover, actions in chosen.items():
                state = carry_out(self.game, state, mover, actions, dice)
            following = node.after(chosen)
            if following is None:
                break
            node = following
        values = self._values(self._played_on(state, dice, horizon))
        for passed, choices in path:
            passed.learn(choices, values)

    def _played_on(self, state: Any, dice: Dice, horizon: int) -> Any:
        for _ in range(horizon):
            movers = movers_of(self.game, state, self.seat)
            if not movers:
                break
            acting = [(mover, self.insight.policy(state, mover, dice)) for mover in movers]
            for mover, action in acting:
                state = self.game.apply(state, mover, action, dice).state
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
