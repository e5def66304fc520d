"""Monte Carlo tree search over information sets: each iteration imagines a world that fits what the seat may know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from time import monotonic
from typing import Any, TypeAlias

from games.engine.bots.dice import Dice
from games.engine.insight import Insight, Plan
from games.engine.protocol import AnyGame, Seat


@dataclass(frozen=True, slots=True)
class Budget:
    """What a search may spend.

    Args:
        iterations: how many futures it imagines, so that strength does not depend on the machine.
        seconds: after which it stops in any case.
        horizon: how many actions it plays on beyond the tree before it evaluates.
    """

    iterations: int
    seconds: float
    horizon: int


class Watch:
    """Measures the seconds since it was made."""

    def __init__(self) -> None:
        self._begun = monotonic()

    @property
    def seconds(self) -> float:
        return monotonic() - self._begun


Wavering: TypeAlias = Callable[[], float]

EXPLORATION = 0.5
FIRST, TRIES = 4, 6
"""A point begins with FIRST candidates, unless a search asks otherwise, and admits √(n / TRIES) more after n tries."""


class Edge:
    """A plan that was tried."""

    __slots__ = ("available", "plan", "total", "visits")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.visits = 0
        self.available = 1
        self.total = 0.0

    @property
    def value(self) -> float:
        """The mean of what came of it for its seat, 0 to 1."""
        return self.total / self.visits if self.visits else 0.0

    @property
    def promise(self) -> float:
        """Its value, and more the less often it was tried (UCB1)."""
        return self.value + EXPLORATION * sqrt(log(self.available + 1) / self.visits)


class Choices:
    """What one seat tried at one point.

    Args:
        first: how many candidates it begins with.
    """

    __slots__ = ("_edges", "_first")

    def __init__(self, first: int = FIRST) -> None:
        self._edges: dict[Plan, Edge] = {}
        self._first = first

    def select(self, candidates: Sequence[Plan], wavering: Wavering | None = None) -> Plan:
        """Return the plan to try next: a new one if one more is admitted, the best first, else the most promising.

        Args:
            candidates: what is possible, the best first.
            wavering: gives numbers from 0 to 1, where seats choose in secret: otherwise two of them could fall into
                step, and one would seem to win for ever.
        """
        known = [edge for edge in map(self._edges.get, candidates) if edge is not None]
        for edge in known:
            edge.available += 1
        tries = sum(edge.visits for edge in known)
        if len(known) < min(len(candidates), self._first + int(sqrt(tries / TRIES))):
            plan = next(plan for plan in candidates if plan not in self._edges)
            self._edges[plan] = Edge(plan)
            return plan
        if wavering is None:
            return max(known, key=_promise).plan
        return max(known, key=lambda edge: edge.value + 2 * wavering() * (_promise(edge) - edge.value)).plan

    def learn(self, plan: Plan, value: float) -> None:
        edge = self._edges[plan]
        edge.visits += 1
        edge.total += value

    def visits(self, plan: Plan) -> int:
        """Return how often a plan was tried and something learnt of it."""
        return self._edges[plan].visits

    def is_settled(self, left: int) -> bool:
        """Return whether so many more tries could change nothing: the best is too far ahead of all others."""
        tried = sorted((edge.visits for edge in self._edges.values()), reverse=True)
        return len(tried) > 1 and tried[0] - tried[1] > left

    def ranked(self) -> list[Edge]:
        """Return what was tried, the most often first: that is the best."""
        return sorted(self._edges.values(), key=lambda edge: (-edge.visits, -edge.value))


def _promise(edge: Edge) -> float:
    return edge.promise if edge.visits else 1.0


class Node:
    """A point of the tree.

    Args:
        first: how many candidates it and those below begin with.
    """

    __slots__ = ("_choices", "_first", "_next")

    def __init__(self, first: int = FIRST) -> None:
        self._choices: dict[Seat, Choices] = {}
        self._first = first
        self._next: dict[tuple[Plan, ...], Node] = {}

    def choices(self, seat: Seat) -> Choices:
        if seat not in self._choices:
            self._choices[seat] = Choices(self._first)
        return self._choices[seat]

    def begun(self, seat: Seat, choices: Choices) -> Choices:
        """Return these choices, which are now those of a seat here."""
        self._choices[seat] = choices
        return choices

    def after(self, chosen: Mapping[Seat, Plan]) -> Node | None:
        """Return the point that follows what the seats chose; None, and make it, when it is new."""
        key = tuple(chosen.values())
        if key in self._next:
            return self._next[key]
        self._next[key] = Node(self._first)
        return None

    def learn(self, chosen: Mapping[Seat, Plan], values: Sequence[float]) -> None:
        """Note what came of it for each seat."""
        for seat, plan in chosen.items():
            self._choices[seat].learn(plan, values[seat])


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
