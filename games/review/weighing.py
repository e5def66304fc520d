"""How well seats stood in a match, what chance gave them, and what they could have done better.

A seat is judged by what it could know: in worlds imagined from its own view. All that is imagined comes from dice that
are seeded by the record, so that the same record gives the same review, whenever and wherever it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final

from games.engine.bots.dice import Dice
from games.engine.bots.search import carry_out, movers_of, utilities
from games.engine.insight import Insight, Plan
from games.engine.protocol import AnyGame, Seat
from games.engine.runner import LEAVING, Play

AnyPlay = Play[Any]

_WORLDS: Final = 6
"""In so many worlds a position is judged."""
_DRAWS: Final = 12
"""In so many worlds chance is asked again, to tell what was to be expected of it."""
_TRIED: Final = 10
"""So many plans are compared with the one that was played."""
_FUTURES: Final = 8
"""In so many worlds each of them is carried out."""
_FARTHEST: Final = 4
"""So many actions are played on at most before a position is judged."""
_LONGEST_TURN: Final = 8


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
        """Return how likely each seat is to win after an action, 1 in all; alone, how likely the match is won."""
        seats = [Seat(seat) for seat in range(len(self.game.standing(play.state)))]
        if play.outcome is not None:
            values = utilities(play.outcome.places)
        else:
            values = [self._value(play.state, seat, play.number) for seat in seats]
        whole = sum(values) if len(seats) > 1 else 1.0
        return [round(value / whole, 4) if whole else round(1 / len(seats), 4) for value in values]

    def luck(self, before: AnyPlay, after: AnyPlay) -> float:
        """Return what chance gave to the seat that acted: how much better it stands than was to be expected.

        0 where chance had no part, and where seats act in secret: there nobody can say what was chance.
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

    def _value(self, state: Any, seat: Seat, number: int) -> float:
        """Return how well a seat stands, as far as it knows."""
        view = self.game.view_for(state, seat)
        worlds = (self.game.imagine(view, self._dice(f"value {seat}", number, world)) for world in range(_WORLDS))
        return sum(self._judged(world, seat) for world in worlds) / _WORLDS

    def _judged(self, state: Any, seat: Seat) -> float:
        outcome = self.game.outcome(state)
        return utilities(outcome.places)[seat] if outcome else self.insight.evaluate(state, seat)

    def _dice(self, purpose: str, number: int, world: int) -> Dice:
        text = f"{purpose} {number} {world} ".encode() + self.seed
        return Dice(int.from_bytes(sha256(text).digest()[:16], "big"))

    # --- what else could have been done -------------------------------------------------------------------------------

    def weigh(self, before: AnyPlay, seat: Seat, played: Plan) -> tuple[Plan, float]:
        """Return the best plan found, and how much better it is than what was played; never less than 0."""
        view = self.game.view_for(before.state, seat)
        dice = self._dice("plans", before.number, 0)
        plans = list(self.insight.candidates(self.game.imagine(view, dice), seat, dice))[:_TRIED]
        worth = {plan: self._worth(view, seat, plan, before.number) for plan in (*plans, played)}
        best = max(worth, key=lambda plan: worth[plan])
        return best, round(max(0.0, worth[best] - worth[played]), 4)

    def _worth(self, view: Any, seat: Seat, plan: Plan, number: int) -> float:
        """Return what comes of a plan: every plan of a position is carried out in the same worlds."""
        found = 0.0
        for world in range(_FUTURES):
            dice = self._dice("futures", number, world)
            state = carry_out(self.game, self.game.imagine(view, dice), seat, plan, dice)
            found += self._judged(self._played_on(state, seat, dice), seat)
        return found / _FUTURES

    def _played_on(self, state: Any, seat: Seat, dice: Dice) -> Any:
        for _ in range(min(_FARTHEST, self.insight.EFFORT.horizon)):
            acting = [(mover, self.insight.policy(state, mover, dice)) for mover in movers_of(self.game, state, seat)]
            for mover, action in acting:
                state = self.game.apply(state, mover, action, dice).state
        return state


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat did: in one action, or in a turn of several."""

    seat: Seat
    first: int
    last: int


def decisions(plays: Sequence[AnyPlay], takes_turns: bool) -> list[Decision]:
    """Return the decisions of a match: single actions, or whole turns where `takes_turns`."""
    found: list[Decision] = []
    for before, play in pairwise(plays):
        if play.seat is None or play.text in LEAVING:
            continue
        goes_on = takes_turns and found and _goes_on(found[-1], before, play)
        first = found.pop().first if goes_on else play.number
        found.append(Decision(play.seat, first, play.number))
    return found


def _goes_on(last: Decision, before: AnyPlay, play: AnyPlay) -> bool:
    """Say whether an action belongs to the turn of the one before it."""
    same = last.seat == play.seat and last.last == before.number
    return same and not before.reveals and play.number - last.first < _LONGEST_TURN


def takes_turns(judge: Judge, play: AnyPlay) -> bool:
    """Say whether plans of this game are turns of several actions."""
    seat = min(play.to_move)
    plans = judge.insight.candidates(play.state, seat, Dice(0))
    return any(len(plan) > 1 for plan in plans)


def most_telling(found: Sequence[Decision], chances: Callable[[int], Sequence[float]], most: int) -> list[Decision]:
    """Return the decisions that cost their seats most, by how they stood before and after, the costliest first."""
    drops = {each: chances(each.first - 1)[each.seat] - chances(each.last)[each.seat] for each in found}
    return sorted(found, key=lambda each: (-drops[each], each.first))[:most]
