"""Find what titles know about playing well: their optional modules `insight` (see `games.engine.insight`)."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from typing import cast

from games.engine.insight import Policy, any_action
from games.titles import apps, games


@cache
def policy_of(slug: str) -> Policy:
    """Return how a program plays this game: by the title's own policy, or any legal action if it has none.

    Raises:
        KeyError: there is no such game.
    """
    game = games()[slug]
    folder = next(name for name in apps() if importlib.import_module(name).GAME.slug == slug)
    if find_spec(f"{folder}.insight") is None:
        return any_action(game)
    return cast("Policy", importlib.import_module(f"{folder}.insight").policy)
