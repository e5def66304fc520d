"""Programs that play any game: a search over what a seat can imagine, guided by what a title knows of playing well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from time import thread_time
from typing import Any, TypeAlias

from games.engine.dice import Dice
from games.engine.insight import Considered, Effort, Insight, Plan
from games.engine.protocol import AnyGame, Seat


@dataclass(frozen=True, slots=True)
class Budget:
    """What a search may spend.

    Args:
        iterations: how many futures it imagines, so that strength does not depend on the machine.
        seconds: of a processor, after which it stops in any case.
        horizon: how many actions it plays on beyond the tree before it evaluates.
    """

    iterations: int
    seconds: float
    horizon: int


Wavering: TypeAlias = Callable[[], float]

# --- the tree ---------------------------------------------------------------------------------------------------------

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
        """The mean of its results for its seat, 0 to 1."""
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
            wavering: gives numbers from 0 to 1 where seats choose in secret: without chance two of them could go
                through the same choices in a circle, and one would always seem to win.
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
        """Return whether this many more tries could change nothing: the best is too far ahead of all others."""
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
        """Count the result of a try for each seat."""
        for seat, plan in chosen.items():
            self._choices[seat].learn(plan, values[seat])


# --- the search -------------------------------------------------------------------------------------------------------

_LEAST = 8
"""How many futures are imagined however few the seconds are."""
_WORLDS = 1 << 62


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
        began, root, first = thread_time(), Node(self.insight.EFFORT.first), self.dice.below("worlds", _WORLDS)
        state = self.insight.suppose(self.view, self.dice)
        candidates = self.insight.candidates(state, self.seat, self.dice)
        wavering = self.dice.fraction if self.game.is_sealed(state) else None
        own = candidates[: self.insight.EFFORT.plans]
        choices = root.begun(self.seat, Choices(len(own)))
        for number in range(budget.iterations if len(own) > 1 and budget.iterations > 1 else 0):
            late = number >= _LEAST and thread_time() - began > budget.seconds
            if late or choices.is_settled(budget.iterations - number):
                break
            plan = choices.select(own, wavering)
            self._iterate(root, plan, Dice(first + choices.visits(plan)), budget.horizon)
        ranked = choices.ranked()
        weighed = {edge.plan for edge in ranked}
        others = [Edge(plan) for plan in candidates if plan not in weighed]
        return [Considered(edge.plan, edge.visits, edge.value) for edge in (*ranked, *others)]

    def _iterate(self, root: Node, plan: Plan, dice: Dice, horizon: int) -> None:
        """Begin with a plan in the world these dice make, go down the tree, play on a little, and store the result.

        The first futures of every plan begin in the same worlds, so that luck favours no plan.
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


# --- levels -----------------------------------------------------------------------------------------------------------

_MOST_SLIPS = 0.95
_ONE_OF = 2
"""Of how many plans a bot takes one when it slips: the best but those that it overlooks."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength to play against: a budget and a tendency to err.

    Args:
        name: in commands and records.
        effort: how many futures the bot imagines, relative to Master; to what is pondered, if it ponders.
        slips: in which share of its turns it overlooks its best plans, 0 to 1 (see `Effort.slips`).
        horizon: how far it plays on beyond its tree, relative to Master.
        overlooks: how many plans it overlooks then, and `Effort.overlooks` more; it takes one of the two after them.
        ponders: whether it decides as the game's `Insight.ponder` says, where there is one.
    """

    name: str
    effort: float
    slips: float
    horizon: float
    overlooks: int = 1
    ponders: bool = False

    def budget(self, most: Effort, seconds: float) -> Budget:
        """Return what it may spend on a search in a game."""
        return Budget(self.futures(most), seconds, round(most.horizon * self.horizon))

    def futures(self, most: Effort) -> int:
        """Return how many futures it imagines in a game: one is not a search, only the best of what is known."""
        return max(1, round((most.pondered if self.ponders else most.iterations) * self.effort))

    def errs(self, most: Effort) -> float:
        """Return in which share of its turns it slips in a game, 0 to 1."""
        return min(_MOST_SLIPS, self.slips * most.slips)


NOVICE = Level("novice", effort=0.02, slips=0.95, horizon=0, overlooks=2)
COMPANION = Level("companion", effort=0.15, slips=0.55, horizon=1)
MASTER = Level("master", effort=1.0, slips=0.0, horizon=1)
GRANDMASTER = Level("grandmaster", effort=1.0, slips=0.0, horizon=1, ponders=True)
LEVELS = {level.name: level for level in (NOVICE, COMPANION, MASTER, GRANDMASTER)}


@dataclass(frozen=True, slots=True)
class SoFar:
    """What a bot has done in a turn that goes on: it errs as people do, once, and then carries out what it planned.

    Args:
        view: of its seat when the turn began.
        done: its actions since.
        seed: of the turn, the same before each of its actions and secret.
    """

    view: Any
    done: Plan
    seed: bytes


def choose(level: Level, search: Search, turn: SoFar, seconds: float) -> Any:
    """Return what a bot of this level does: the same for the same search and turn, unless its seconds run out."""
    insight, most = search.insight, search.insight.EFFORT
    if not level.slips and (plan := insight.last_turn(search.view, search.seat)):
        return plan[0]
    if level.ponders and insight.ponder:
        return insight.ponder(search.view, search.seat, search.dice, level.futures(most))[0].plan[0]
    budget = level.budget(most, seconds)
    dice = Dice(int.from_bytes(turn.seed, "big"))
    if dice.fraction() < level.errs(most) and (plan := _rest_of_slip(level, replace(search, dice=dice), turn, budget)):
        return plan[0]
    return search.run(budget)[0].plan[0]


def _rest_of_slip(level: Level, search: Search, turn: SoFar, budget: Budget) -> Plan:
    """Return what is left of the plan with which a bot slips in a turn; nothing once it has done anything else."""
    found = replace(search, view=turn.view).run(budget)
    overlooked = level.overlooks + search.insight.EFFORT.overlooks
    plans = found[overlooked : overlooked + _ONE_OF] or found[1:]
    if not plans:
        return ()
    plan, count = plans[search.dice.below("slip", len(plans))].plan, len(turn.done)
    return plan[count:] if plan[:count] == turn.done else ()
