"""What to do next in Shifting Stones, from what the page shows: the stones, one's cards and whether one may skip.

Greedy and the same every time: score what can be scored, else change up to two stones towards a card, else draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.titles.shifting_stones.insight import reachable
from games.titles.shifting_stones.rules.patterns import CELLS, POINTS, Grid, grid_bits, lies_on

FAR = 3
"""How many changes of stones are looked ahead."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a player sees on their own turn."""

    grid: Grid
    hand: tuple[int, ...]
    may_skip: bool


def choose(seen: Seen) -> str:
    """Return the action to take, in the game's notation."""
    bits = grid_bits(seen.grid)
    scorable = [card for card in seen.hand if lies_on(card, bits)]
    if scorable:
        return f"score {_dearest_first(scorable)[0]}"
    for steps in range(1, min(FAR, len(seen.hand) - 1) + 1):
        for after, move in reachable(seen.grid, steps):
            for wanted in _dearest_first(seen.hand):
                if lies_on(wanted, after):
                    return _change(_payment(seen.hand, wanted), move)
    return _draw(seen)


def _dearest_first(cards: Sequence[int]) -> list[int]:
    return sorted(cards, key=lambda card: (-POINTS[card], card))


def _payment(hand: Sequence[int], wanted: int) -> int:
    return max((card for card in hand if card != wanted), key=lambda card: (POINTS[card], card))


def _change(card: int, move: Sequence[int]) -> str:
    cells = " ".join(CELLS[cell] for cell in move)
    return f"{'flip' if len(move) == 1 else 'shift'} {card} {cells}"


def _draw(seen: Seen) -> str:
    """End when that draws, else skip, else throw the dearest card away first."""
    if len(seen.hand) < 4:
        return "end"
    if seen.may_skip:
        return "skip"
    return f"flip {_dearest_first(seen.hand)[0]} b2"
