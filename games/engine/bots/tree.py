"""The tree of a search: what each seat tried at each point, and what came of it.

Not everything is possible in every imagined world. So a plan is compared by how often it was tried among the times it
was available (Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", 2012), and seats that choose in
secret at the same time choose independently of each other. A point begins with its best candidates and admits more the
more often those it has are tried (progressive widening).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log, sqrt
from typing import TypeAlias

from games.engine.insight import Plan
from games.engine.protocol import Seat

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
