"""Small Islands: explore, land, and settle the islands that suit your objective.

The rules, importable without Django. What people see of the game is in `board`.
"""

from games.titles.small_islands.rules import EndlessSmallIslands, SmallIslands

GAME = SmallIslands()
EARLIER = (EndlessSmallIslands(),)
