"""What stands for the game is drawn from its own pieces."""

from __future__ import annotations

from games.titles.shifting_stones.picture import GRID
from games.titles.shifting_stones.rules.patterns import TILE_SET, TILES


def test_the_stones_in_the_picture_can_lie_there_together() -> None:
    kinds = [next(kind for kind, sides in TILES.items() if face in sides) for face in GRID]
    assert tuple(sorted(kinds)) == TILE_SET
