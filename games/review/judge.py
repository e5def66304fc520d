"""The judge of a match: how likely each seat is to end first, what changed that, and what could have been done better.

Chances are those of the true state (`Insight.chances`). What changed them is split into what each seat did and into
luck, so that for each seat the chance with which it began, its luck, its own moves and those of the others add up to
the chance with which it ended. Chances are counted in whole ten-thousandths: nothing is lost by rounding.

What a seat did, and could have done better, is judged by what it could know, in worlds imagined from its own view; luck
is the rest: what was drawn, and what lay hidden. The dice of imagination are seeded by the record, so that the same
record always gives the same review.

A secret decision has no effect until its turn is over. It is judged by how that turn ends, while the others do what a
quick, sensible player does in the worlds that the seat imagines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple, TypeAlias

from games.engine.bots import carry_out, movers_of
from games.engine.chances import shares
from games.engine.dice import Dice
from games.engine.insight import Insight, Plan
from games.engine.protocol import AnyGame, Options, Seat
from games.engine.runner import LEAVING, Play, place_leavers

AnyPlay = Play[Any]

WHOLE: Final = 10_000
"""The chances of all seats together."""

Chances: TypeAlias = tuple[int, ...]
"""For each seat, in ten-thousandths, how likely it is to end first; alone, to win. Also by how much that changed."""

_LONGEST_TURN: Final = 8


@dataclass(frozen=True, slots=True)
class Decision:
    """An action of a seat, or its turn of several actions.

    Args:
        seat: who decided.
        begun: the number of the position in which it could first have been taken: in secret, before others did.
        first, last: the numbers of the actions, which follow each other.
        after: the number of the action after which its effect shows: `last`, or in secret the one that ended the turn.
    """

    seat: Seat
    begun: int
    first: int
    last: int
    after: int


def judged(plays: Sequence[AnyPlay]) -> Sequence[AnyPlay]:
    """Return the part of a match that is judged: all of it, without the departure that ended it."""
    return plays[:-1] if plays[-1].text in LEAVING and plays[-1].outcome else plays


def decisions(plays: Sequence[AnyPlay], takes_turns: bool) -> list[Decision]:
    """Return the decisions of the players of a match: single actions, or whole turns if `takes_turns`.

    Decisions in a secret turn that never ended had no effect and are left out, as are those of bots for who has left.
    """
    found: list[tuple[Seat, int, int]] = []
    for before, play in pairwise(plays):
        if play.seat is None or play.text in LEAVING or play.seat in play.position.leavers:
            continue
        goes_on = takes_turns and found and _goes_on(found[-1], before, play)
        first = found.pop()[1] if goes_on else play.number
        found.append((play.seat, first, play.number))
    ends = _ends_of_turns(plays)
    return [
        Decision(seat, plays[first - 1].position.turn, first, last, ends[last])
        for seat, first, last in found
        if last in ends
    ]


def _goes_on(last: tuple[Seat, int, int], before: AnyPlay, play: AnyPlay) -> bool:
    """Return whether an action belongs to the turn of the one before it."""
    seat, _first, at = last
    same = seat == play.seat and at == before.number
    return same and not before.reveals and play.number - last[1] < _LONGEST_TURN


def _ends_of_turns(plays: Sequence[AnyPlay]) -> dict[int, int]:
    """Return for each action the one with which its secret turn ended, or itself where there was no such turn."""
    found: dict[int, int] = {}
    begun = 0
    for play in plays:
        if play.position.turn == play.number:
            found |= dict.fromkeys(range(begun, play.number + 1), play.number)
            begun = play.number + 1
    return found


def takes_turns(insight: Insight, play: AnyPlay) -> bool:
    """Return whether plans in this game are turns of several actions."""
    return any(len(plan) > 1 for plan in insight.candidates(play.state, min(play.to_move), Dice(0)))


_COSTLY: Final = WHOLE // 20
"""Every decision that seems to have cost so much is weighed: a good turn may gain as much by the model's own error."""
LEAST: Final = 64
"""How many decisions are weighed in any case, if there are so many: nearly all of a match of two.

What a mistake seems to have cost does not tell enough. The model may be off by more than that, and a mistake may cost
nothing as the others' cards happen to be, though its player could not know that.
"""


def steps_of(length: int) -> int:
    """Return how many steps the review of a match of this length has: its positions, then the decisions weighed.

    How many of these there are shows when all positions are judged.
    """
    return length + 1 + min(length, LEAST)


def telling(found: Sequence[Decision], changes: Sequence[Change]) -> list[Decision]:
    """Return the decisions to be weighed, those first that seem to have cost their seats most."""
    cost = {each: -sum(changes[at].own(each.seat) for at in range(each.first, each.after + 1)) for each in found}
    ordered = sorted(found, key=lambda each: (-cost[each], each.first))
    return [each for place, each in enumerate(ordered) if place < LEAST or cost[each] >= _COSTLY]


class Change(NamedTuple):
    """What an action changed, or the deal.

    Args:
        luck: what was drawn and what lay hidden did, for each seat.
        moves: what each seat did that decided something, for each seat.
    """

    luck: Chances
    moves: Mapping[Seat, Chances]

    def own(self, seat: Seat) -> int:
        """Return what a seat did for itself."""
        return self.moves[seat][seat] if seat in self.moves else 0

    def others(self, seat: Seat) -> int:
        """Return what the other seats did for it, or rather against it."""
        return sum(move[seat] for by, move in self.moves.items() if by != seat)


_TRIED: Final = 10
"""Plans compared with the one that was played."""
_FUTURES: Final = 16
"""Worlds in which each plan is carried out; twice as many for the one that seems best."""
_SECRET_FUTURES: Final = 32
"""The same for both in a secret turn, where more depends on what others hold."""
_SURE: Final = 2
"""Standard errors by which a plan must be better to count as better."""
_NO_CHANCE: Final = 0.01
"""A seat with less than this has given up."""
_FARTHEST: Final = 4
"""Actions played on at most before a position is judged."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges positions of one match.

    Args:
        game: the rules.
        insight: what is known of playing it.
        seed: made from the record.
        worlds: in how many worlds what an action changes is measured.
    """

    game: AnyGame
    insight: Insight
    seed: bytes
    worlds: int = 16

    def position(self, plays: Sequence[AnyPlay], number: int, before: Chances) -> tuple[Chances, Change]:
        """Return the chances after an action, and what it changed.

        A secret turn changes nothing until it ends.

        Args:
            plays: the match.
            number: of the action.
            before: the chances before it.
        """
        play = plays[number]
        if play.seat is None:
            raise ValueError("The deal is nobody's action.")
        if play.sealed and play.position.turn < number:
            return before, Change((0,) * len(before), {})
        after = self._chances(play)
        if play.text in LEAVING:
            return after, Change((0,) * len(after), {play.seat: _less(after, before)})
        turn = plays[number - 1].position.turn
        moves = {
            each.seat: self._changed(plays[turn], each.seat, self.game.parse(each.text), each.number)
            for each in plays[turn + 1 : number + 1]
            if each.seat is not None and each.text not in LEAVING
        }
        return after, Change(_less(after, before, *moves.values()), moves)

    def deal(self, start: AnyPlay, options: Options) -> tuple[Chances, Change]:
        """Return the chances after the deal, and how far they are from even; alone, from those of other deals."""
        after = self._chances(start)
        even = [1 / len(after)] * len(after)
        if len(after) == 1:
            deals = (self.game.start(1, options, self._dice("deal", 0, world)).state for world in range(self.worlds))
            even = [fmean(self._of(state)[0] for state in deals)]
        return after, Change(_less(after, _counted(even)), {})

    def _chances(self, play: AnyPlay) -> Chances:
        if play.outcome is not None:
            return _counted(shares(play.outcome.places))
        return _counted(self._of(play.state, play.position.leavers))

    def _changed(self, before: AnyPlay, seat: Seat, action: Any, number: int) -> Chances:
        """Return what an action brings compared with a sensible player's turn, as its seat could know it.

        This is the mean over worlds imagined from its view, at the end of a turn that goes on sensibly. Where the
        sensible player's turn leaves its seat no chance, it is what its chance rose by: not to give up is no skill, and
        to have no chance left no mistake.

        Args:
            before: the position in which it could first be chosen.
            seat: who acts.
            action: legal in every such world.
            number: of the action.
        """
        view, leavers = self.game.view_for(before.state, seat), before.position.leavers
        played, policy, until_then = (list[Sequence[float]]() for _ in range(3))
        for world in range(self.worlds):
            state = self.game.imagine(view, self._dice("changed", number, world))
            until_then.append(self._of(state, leavers))
            for found, plan in ((played, (action,)), (policy, ())):
                end = self._end_of_turn(state, seat, plan, self._dice("goes on", number, world))
                found.append(self._of(end, leavers))

        def own(found: Sequence[Sequence[float]]) -> float:
            return fmean(chances[seat] for chances in found)

        return _counted_changes(played, min(played, until_then, key=own) if own(policy) < _NO_CHANCE else policy)

    def _of(self, state: Any, leavers: Sequence[Seat] = ()) -> Sequence[float]:
        """Return the chances in a state, 0 to 1; those who have left have none."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            return shares(place_leavers(outcome, leavers).places)
        found = self.insight.chances(state)
        if not leavers:
            return found
        left = [0.0 if seat in leavers else chance + 1e-9 for seat, chance in enumerate(found)]
        return [chance / sum(left) for chance in left] if any(left) else left

    def _dice(self, purpose: str, number: int, world: int) -> Dice:
        text = f"{purpose} {number} {world} ".encode() + self.seed
        return Dice(int.from_bytes(sha256(text).digest()[:16], "big"))

    # --- what else could have been done -------------------------------------------------------------------------------

    def weigh(self, before: AnyPlay, seat: Seat, played: Plan) -> tuple[Plan, int]:
        """Return the best plan found, and how much better it is than the one played, at least 0, in ten-thousandths.

        It is found in some worlds and measured in others, because the best of many owes part of its value to luck.
        """
        dice = self._dice("plans", before.number, 0)
        imagined = self.game.imagine(self.game.view_for(before.state, seat), dice)
        exact = self.insight.last_turn(self.game.view_for(before.state, seat), seat)
        plans = [exact] if exact else list(self.insight.candidates(imagined, seat, dice))[:_TRIED]
        many, more = _FUTURES, 2 * _FUTURES
        if self.game.is_sealed(before.state):
            many = more = _SECRET_FUTURES
        found = self._worths(before, seat, (played, *plans), "futures", many)
        best = max(found, key=lambda plan: sum(found[plan]))
        worth = self._worths(before, seat, (played, best), "measured", more)
        return best, round(WHOLE * _surely_more(worth[best], worth[played]))

    def worths(self, before: AnyPlay, seat: Seat, plans: Sequence[Plan]) -> list[int]:
        """Return the seat's chance by each plan, as it could know it, in ten-thousandths."""
        many = _SECRET_FUTURES if self.game.is_sealed(before.state) else 2 * _FUTURES
        found = self._worths(before, seat, plans, "measured", many)
        return [round(WHOLE * fmean(found[plan])) for plan in plans]

    def _worths(
        self, before: AnyPlay, seat: Seat, plans: Sequence[Plan], purpose: str, futures: int
    ) -> dict[Plan, list[float]]:
        """Return the seat's chance by each plan in each world; all have the same worlds, with the same dice."""
        view, found = self.game.view_for(before.state, seat), {plan: list[float]() for plan in plans}
        for world in range(futures):
            state = self.game.imagine(view, self._dice(purpose, before.number, world))
            for plan, worth in found.items():
                dice = self._dice(f"{purpose} go on", before.number, world)
                worth.append(self._of(self._future(state, seat, plan, dice), before.position.leavers)[seat])
        return found

    def _future(self, state: Any, seat: Seat, plan: Plan, dice: Dice) -> Any:
        """Return the state after a plan, what the others choose in the same secret turn, and some more actions."""
        state = self._after(state, seat, plan, dice)
        for _ in range(min(_FARTHEST, self.insight.EFFORT.horizon)):
            acting = [(mover, self.insight.policy(state, mover, dice)) for mover in movers_of(self.game, state, seat)]
            for mover, action in acting:
                state = self.game.apply(state, mover, action, dice).state
        return state

    def _after(self, state: Any, seat: Seat, plan: Plan, dice: Dice) -> Any:
        """Return the state after a plan, and after what the others choose in the same secret turn."""
        others = sorted(self.game.to_move(state) - {seat}) if self.game.is_sealed(state) else []
        state = carry_out(self.game, state, seat, plan, dice)
        for other in others:
            state = self.game.apply(state, other, self.insight.policy(state, other, dice), dice).state
        return state

    def _end_of_turn(self, state: Any, seat: Seat, plan: Plan, dice: Dice) -> Any:
        """Return the state at the end of a turn that begins with a plan and goes on as a sensible player would."""
        if self.game.is_sealed(state):
            return self._after(state, seat, plan or (self.insight.policy(state, seat, dice),), dice)
        for number in range(_LONGEST_TURN):
            action = plan[number] if number < len(plan) else self.insight.policy(state, seat, dice)
            step = self.game.apply(state, seat, action, dice)
            state = step.state
            if step.reveals or self.game.to_move(state) != {seat}:
                break
        return state


def _counted(chances: Sequence[float]) -> Chances:
    """Return chances from 0 to 1 in whole ten-thousandths; what rounding leaves goes to those who lost most by it.

    >>> _counted([1 / 3, 1 / 3, 1 / 3])
    (3334, 3333, 3333)
    """
    if len(chances) == 1:
        return (round(WHOLE * chances[0]),)
    found = [int(WHOLE * chance) for chance in chances]
    by_rest = sorted(range(len(found)), key=lambda seat: found[seat] - WHOLE * chances[seat])
    for seat in by_rest[: WHOLE - sum(found)]:
        found[seat] += 1
    return tuple(found)


def _counted_changes(after: Sequence[Sequence[float]], before: Sequence[Sequence[float]]) -> Chances:
    """Return by how much the chances of each seat rose on average, in whole ten-thousandths."""
    seats = zip(zip(*after, strict=True), zip(*before, strict=True), strict=True)
    return tuple(round(WHOLE * (fmean(more) - fmean(less))) for more, less in seats)


def _less(chances: Chances, *others: Chances) -> Chances:
    return tuple(chance - sum(less) for chance, *less in zip(chances, *others, strict=True))


def _surely_more(values: Sequence[float], others: Sequence[float]) -> float:
    """Return the mean by which values exceed others of the same worlds, 0 if that may be by chance."""
    more = [value - other for value, other in zip(values, others, strict=True)]
    mean = fmean(more)
    return mean if mean > _SURE * stdev(more) / sqrt(len(more)) else 0.0
