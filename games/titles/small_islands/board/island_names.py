"""What islands are called: each after a real small island, in the order of the alphabet as they begin.

An island keeps the name of its first tile however it grows; where two join, the older one's name stays.
"""

from __future__ import annotations

from functools import lru_cache

from games.titles.small_islands.rules.islands import Board, Island, Site, joints, printed

NAMES = (
    "Arran", "Burano", "Capri", "Delos", "Elba", "Fogo", "Gozo", "Hydra", "Iona", "Juist", "Kos", "Lipari", "Mull",
    "Naxos", "Oland", "Ponza", "Rhodos", "Samos", "Texel", "Ulva", "Vis", "Wight", "Yell", "Zante",
    "Andros", "Bute", "Cres", "Djerba", "Eigg", "Fano", "Giglio", "Hoy", "Ithaka", "Jura", "Kythera", "Lewis",
    "Murano", "Norderney", "Orust", "Paros", "Rab", "Skye", "Tinos", "Ustica", "Vulcano", "Yeu",
)  # fmt: skip
"""Proper names, the same in every language. When all are taken, the next island is "Arran 2"."""

_REMEMBERED = 1024


def island_name(board: Board, island: Island) -> str:
    """Return the name of an island on this board."""
    again, number = divmod(_begun(board).index(island.sites[0]), len(NAMES))
    return f"{NAMES[number]} {again + 1}" if again else NAMES[number]


@lru_cache(maxsize=_REMEMBERED)
def _begun(board: Board) -> tuple[Site, ...]:
    """Return the regions that began an island, in the order in which they were placed: those that joined no other."""
    if not board:
        return ()
    before, placed = board[:-1], board[-1]
    joined = {site for site, _other in joints(before, placed)}
    return (*_begun(before), *(site for site, _symbols in printed(placed) if site not in joined))
