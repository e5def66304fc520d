"""What seats decided in a match, and which of that is worth a closer look."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from games.engine.bots.dice import Dice
from games.engine.insight import Insight
from games.engine.protocol import Seat
from games.engine.runner import LEAVING, Play

AnyPlay = Play[Any]

_LONGEST_TURN: Final = 8


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat did: in one action, or in a turn of several.

    Args:
        seat: who decided.
        first, last: its actions, which follow each other.
        after: the action that showed what came of it: `last`, or in secret the one that opened the turn.
    """

    seat: Seat
    first: int
    last: int
    after: int


def decisions(plays: Sequence[AnyPlay], takes_turns: bool) -> list[Decision]:
    """Return the decisions of a match: single actions, or whole turns where `takes_turns`.

    What was decided in a secret turn that never opened came to nothing, and is left out.
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
    """Say whether an action belongs to the turn of the one before it."""
    seat, _first, at = last
    same = seat == play.seat and at == before.number
    return same and not before.reveals and play.number - last[1] < _LONGEST_TURN


def _openings(plays: Sequence[AnyPlay]) -> dict[int, int]:
    """Return for each action the one that showed what came of it."""
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


def takes_turns(insight: Insight, play: AnyPlay) -> bool:
    """Say whether plans of this game are turns of several actions."""
    seat = min(play.to_move)
    plans = insight.candidates(play.state, seat, Dice(0))
    return any(len(plan) > 1 for plan in plans)


def most_telling(found: Sequence[Decision], cost: Callable[[Decision], float], most: int) -> list[Decision]:
    """Return the decisions that seem to have cost their seats most, the costliest first."""
    costs = {each: cost(each) for each in found}
    return sorted(found, key=lambda each: (-costs[each], each.first))[:most]
