"""What lessons of Shifting Stones need: goals of steps, and positions that fit (`games.titles.teaching`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Final

from games.engine.lessons import MISSED, OPEN, REACHED, Attempt, Goal, Verdict
from games.titles.shifting_stones.events import CardScored
from games.titles.shifting_stones.state import State


def _score_cards(count: int) -> Goal:
    """Return the goal to score so many cards in this turn."""

    def goal(attempt: Attempt) -> Verdict:
        scored = sum(isinstance(event, CardScored) and event.seat == attempt.seat for event in attempt.events)
        if scored >= count:
            return REACHED
        return OPEN if len(attempt.after.hands[attempt.seat]) >= count - scored else MISSED

    return goal


GOALS: Final[Mapping[str, Goal]] = {"score-two-cards": _score_cards(2), "score-three-cards": _score_cards(3)}


def arrange(before: State, after: State) -> State:
    """Return a position in which every card lies in one place.

    A lesson gives hands, scored cards and discards; of the draw pile at most the first cards. The rest of the draw pile
    follows in the order it had, then what was dealt and is in nobody's hand.
    """
    taken = {*chain(*after.hands, *after.scored), *after.discards}
    rest = chain(before.deck, *before.hands, *before.scored, before.discards)
    return replace(after, deck=tuple(dict.fromkeys(card for card in chain(after.deck, rest) if card not in taken)))
