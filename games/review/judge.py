"""The judge of a match: its decisions, how well seats stood, and what they could have done better.

A seat is judged by what it could know, in worlds imagined from its own view. The dice of imagination are seeded by the
record, so that the same record always gives the same review.

A secret decision has no effect until the turn opens. So a secret plan is judged by the turn that opens with it, while
the others do what a quick, sensible player does in the worlds that the seat imagines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from games.engine.bots import Dice, movers_of, utilities
from games.engine.insight import Insight, Plan
from games.engine.protocol import AnyGame, Seat
from games.engine.runner import LEAVING, Play

AnyPlay = Play[Any]

_LONGEST_TURN: Final = 8


@dataclass(frozen=True, slots=True)
class Decision:
    """An action of a seat, or its turn of several actions.

    Args:
        seat: who decided.
        first, last: the numbers of the actions, which follow each other.
        after: the number of the action after which its effect shows: `last`, or in secret the one that opened the turn.
    """

    seat: Seat
    first: int
    last: int
    after: int


def decisions(plays: Sequence[AnyPlay], takes_turns: bool) -> list[Decision]:
    """Return the decisions of a match: single actions, or whole turns if `takes_turns`.

    Decisions in a secret turn that never opened had no effect and are left out.
    """
    found: list[tuple[Seat, int, int]] = []
    for before, play in pairwise(plays):
        if play.seat is None or play.text in LEAVING:
            continue
        goes_on = takes_turns and found and _goes_on(found[-1], before, play)
        first = found.pop()[1] if goes_on else play.number
        found.append((play.seat, first, play.number))
    openings = _openings(plays)
    return [Decision(*each, openings[each[2]]) for each in found if each[2] in openings]


def _goes_on(last: tuple[Seat, int, int], before: AnyPlay, play: AnyPlay) -> bool:
    """Return whether an action belongs to the turn of the one before it."""
    seat, _first, at = last
    same = seat == play.seat and at == before.number
    return same and not before.reveals and play.number - last[1] < _LONGEST_TURN


def _openings(plays: Sequence[AnyPlay]) -> dict[int, int]:
    """Return for each action the one after which its effect shows."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for play in plays:
        if play.sealed:
            waiting.append(play.number)
        if play.opens or not play.sealed:
            found |= dict.fromkeys(waiting if play.opens else [], play.number)
            found.setdefault(play.number, play.number)
            waiting = [] if play.opens else waiting
    return found


WEIGHED: Final = 6
"""How many decisions are weighed; the page shows those that cost most."""


def steps_of(length: int) -> int:
    """Return how many steps the review of a match of this length has: its positions, then the decisions weighed."""
    return length + 1 + WEIGHED


def takes_turns(insight: Insight, play: AnyPlay) -> bool:
    """Return whether plans in this game are turns of several actions."""
    return any(len(plan) > 1 for plan in insight.candidates(play.state, min(play.to_move), Dice(0)))


def most_telling(found: Sequence[Decision], cost: Callable[[Decision], float], most: int) -> list[Decision]:
    """Return the decisions that seem to have cost their seats most, the costliest first."""
    costs = {each: cost(each) for each in found}
    return sorted(found, key=lambda each: (-costs[each], each.first))[:most]


_WORLDS: Final = 6
"""Worlds in which a position is judged."""
_DRAWS: Final = 12
"""Worlds in which chance is drawn again, for its expected effect."""
_TRIED: Final = 10
"""Plans compared with the one that was played."""
_FUTURES: Final = 6
"""Worlds in which each plan is carried out; twice as many for the one that seems best."""
_SECRET_FUTURES: Final = 24
"""The same for both in a secret turn, where more depends on what others hold."""
_SURE: Final = 2
"""Standard errors by which a plan must be better to count as better."""
_FARTHEST: Final = 4
"""Actions played on at most before a position is judged."""
_SENSIBLE: Final[Plan] = ()
"""In secret: the seat acts as the others are supposed to, as a sensible player."""


class Share(NamedTuple):
    """What a secret turn brought a seat; positive parts improved its chances.

    Args:
        plan: by its own plan, compared with that of a sensible player.
        others: by what the others played, compared with what was to be expected.
        luck: by chance.
    """

    plan: float
    others: float
    luck: float


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges positions of one match.

    Args:
        game: the rules.
        insight: what is known of playing it.
        seed: made from the record.
    """

    game: AnyGame
    insight: Insight
    seed: bytes

    def chances(self, play: AnyPlay) -> list[float]:
        """Return each seat's chance to win after an action, adding up to 1; in a solo match, the chance to win it."""
        seats = [Seat(seat) for seat in range(len(self.game.standing(play.state)))]
        if play.outcome is not None:
            values = utilities(play.outcome.places)
        else:
            values = [self._value(play.state, seat, play.number) for seat in seats]
        whole = sum(values) if len(seats) > 1 else 1.0
        return [round(value / whole, 4) if whole else round(1 / len(seats), 4) for value in values]

    def luck(self, before: AnyPlay, after: AnyPlay) -> float:
        """Return how much better the acting seat stands than it could expect before chance was drawn.

        0 if chance had no part, and where seats act in secret (see `share`).
        """
        if after.seat is None or not after.reveals or after.sealed or after.text in LEAVING or after.outcome:
            return 0.0
        view, action = self.game.view_for(before.state, after.seat), self.game.parse(after.text)
        expected = 0.0
        for world in range(_DRAWS):
            dice = self._dice("luck", after.number, world)
            state = self.game.apply(self.game.imagine(view, dice), after.seat, action, dice).state
            expected += self._judged(state, after.seat) / _DRAWS
        return round(self._value(after.state, after.seat, after.number) - expected, 4)

    def share(self, decided: AnyPlay, plan: Plan, seat: Seat, before: AnyPlay, opened: AnyPlay) -> Share:
        """Return what a secret turn brought a seat.

        Args:
            decided: the position in which the seat decided.
            plan: its decision.
            seat: the seat.
            before, opened: the position before the action that opened the turn, and the one after it.
        """
        futures = self._worths(decided, seat, (_SENSIBLE, plan), "share", _DRAWS)
        worth = {each: fmean(found) for each, found in futures.items()}
        known = self._without_chance(before, opened, seat)
        reached = self._value(opened.state, seat, opened.number)
        found = (worth[plan] - worth[_SENSIBLE], known - worth[plan], reached - known)
        return Share(*(round(part, 4) for part in found))

    def _without_chance(self, before: AnyPlay, opened: AnyPlay, seat: Seat) -> float:
        """Return the expected value of the action that opened a turn, before chance was drawn."""
        actor, action, found = Seat(opened.seat or 0), self.game.parse(opened.text), 0.0
        for world in range(_DRAWS):
            dice = self._dice(f"draws {seat}", opened.number, world)
            state = self.insight.redrawn(before.state, dice)
            found += self._value(self.game.apply(state, actor, action, dice).state, seat, opened.number, worlds=2)
        return found / _DRAWS

    def _value(self, state: Any, seat: Seat, number: int, worlds: int = _WORLDS) -> float:
        """Return how well a seat stands as far as it can know."""
        if self.game.outcome(state):
            return self._judged(state, seat)
        view = self.game.view_for(state, seat)
        imagined = (self.game.imagine(view, self._dice(f"value {seat}", number, world)) for world in range(worlds))
        return sum(self._judged(world, seat) for world in imagined) / worlds

    def _judged(self, state: Any, seat: Seat) -> float:
        outcome = self.game.outcome(state)
        return utilities(outcome.places)[seat] if outcome else self.insight.evaluate(state, seat)

    def _dice(self, purpose: str, number: int, world: int) -> Dice:
        text = f"{purpose} {number} {world} ".encode() + self.seed
        return Dice(int.from_bytes(sha256(text).digest()[:16], "big"))

    # --- what else could have been done -------------------------------------------------------------------------------

    def weigh(self, before: AnyPlay, seat: Seat, played: Plan) -> tuple[Plan, float]:
        """Return the best plan found, and how much better it is than the one played, at least 0.

        It is found in some worlds and measured in others, because the best of many owes part of its value to luck.
        """
        dice = self._dice("plans", before.number, 0)
        imagined = self.game.imagine(self.game.view_for(before.state, seat), dice)
        plans = list(self.insight.candidates(imagined, seat, dice))[:_TRIED]
        many, more = _FUTURES, 2 * _FUTURES
        if self.game.is_sealed(before.state):
            many = more = _SECRET_FUTURES
        found = self._worths(before, seat, (played, *plans), "futures", many)
        best = max(found, key=lambda plan: sum(found[plan]))
        worth = self._worths(before, seat, (played, best), "measured", more)
        return best, round(_surely_more(worth[best], worth[played]), 4)

    def _worths(
        self, before: AnyPlay, seat: Seat, plans: Sequence[Plan], purpose: str, futures: int
    ) -> dict[Plan, list[float]]:
        """Return the value of each plan in each world; all are carried out in the same worlds, with the same dice."""
        view, found = self.game.view_for(before.state, seat), {plan: list[float]() for plan in plans}
        for world in range(futures):
            state = self.game.imagine(view, self._dice(purpose, before.number, world))
            for plan, worth in found.items():
                dice = self._dice(f"{purpose} go on", before.number, world)
                worth.append(self._judged(self._future(state, seat, plan, dice), seat))
        return found

    def _future(self, state: Any, seat: Seat, plan: Plan, dice: Dice) -> Any:
        """Return the state after a plan, the rest of its turn, and some more actions."""
        is_secret, opened = self.game.is_sealed(state), False
        for action in plan:
            step = self.game.apply(state, seat, action, dice)
            state, opened = step.state, opened or step.opens
        while is_secret and not opened and (movers := self.game.to_move(state)):
            mover = min(movers)
            step = self.game.apply(state, mover, self.insight.policy(state, mover, dice), dice)
            state, opened = step.state, step.opens
        for _ in range(min(_FARTHEST, self.insight.EFFORT.horizon)):
            acting = [(mover, self.insight.policy(state, mover, dice)) for mover in movers_of(self.game, state, seat)]
            for mover, action in acting:
                state = self.game.apply(state, mover, action, dice).state
        return state


def _surely_more(values: Sequence[float], others: Sequence[float]) -> float:
    """Return the mean by which values exceed others of the same worlds, 0 if that may be by chance."""
    more = [value - other for value, other in zip(values, others, strict=True)]
    mean = fmean(more)
    return mean if mean > _SURE * stdev(more) / sqrt(len(more)) else 0.0
