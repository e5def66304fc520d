"""Shifting Stones in numbers, for programs that learn: every action is one word, its own text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.titles.shifting_stones.rules.notation import DISCARDS, END, SCORES, SKIP, Action, Shift, notate
from games.titles.shifting_stones.rules.patterns import CARDS, FACES
from games.titles.shifting_stones.rules.state import LAST_ROUND, SKIP_DRAW, SKIP_LIMIT, STRIKES
from games.titles.shifting_stones.rules.view import View
from games.titles.tensors import counts, from_own, one_hot, share

_CARDS: Final = tuple(CARDS)
_POINTS: Final = 60

WORDS: Final = (
    *(notate(action) for actions in DISCARDS.values() for action in actions),
    *map(notate, SCORES.values()),
    notate(END),
    notate(SKIP),
)
"""For each card the 12 shifts and 9 flips it pays for; scoring each card; end and skip."""


def words(action: Action) -> Sequence[str]:
    """Return the text of an action, the cells of a shift in the order of the grid."""
    if isinstance(action, Shift):
        action = Shift(action.card, *sorted((action.first, action.second)))
    return (notate(action),)


def observed(view: View) -> Sequence[float]:
    """Return the stones, the cards in hand and discarded, what each seat has scored, and how far the match has come."""
    found = list[float]()
    for face in view.grid:
        found += one_hot(face, FACES)
    found += [*counts(view.hand, _CARDS), *counts(view.discards, _CARDS)]
    for seat in from_own(range(view.seats), view.viewer):
        found += counts(view.scored[seat], _CARDS)
        found += [
            share(view.points[seat], _POINTS),
            share(view.hand_sizes[seat], SKIP_LIMIT + SKIP_DRAW),
            float(seat in view.bonus_seats),
            float(view.skipped[seat]),
            float(seat == view.to_move),
            float(seat == view.triggered_by),
        ]
    return [
        *found,
        float(view.acted),
        float(view.has_scored),
        share(view.deck, len(_CARDS)),
        share(view.round, LAST_ROUND),
        share(view.strikes, STRIKES),
        float(view.ended is not None),
    ]
