"""Shifting Stones: shift and flip nine stones until they show the patterns on your cards.

The rules, importable without Django. What players see of the game is in `board`.
"""

from games.titles.shifting_stones.rules import ShiftingStones

GAME = ShiftingStones()
