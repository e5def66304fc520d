"""The games for researchers: to be played, searched and learnt by programs, without a site.

The package `tessera-games` is made of this folder, the engine and the titles (`make wheel`). There this module is
`tessera_games`, and the adapters are `tessera_games.pettingzoo` and `tessera_games.openspiel`.
"""

from __future__ import annotations

from games.engine.runner import Play, act, begin, follow, leave, play, replay
from games.titles.bots import bot_named
from games.titles.registry import games, rules_of, title_of

__all__ = [
    "Play",
    "act",
    "begin",
    "bot_named",
    "follow",
    "games",
    "leave",
    "play",
    "replay",
    "rules_of",
    "title_of",
]
