"""Find what titles know about playing well: their optional modules `insight` (see `games.engine.insight`)."""

from __future__ import annotations

import importlib
from functools import cache
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Final, cast

from games.engine.insight import Insight, NoInsight, Policy
from games.titles import games, package_of

_PARTS: Final = ("EFFORT", *(name for name in vars(Insight) if not name.startswith("_")))


@cache
def insight_of(slug: str) -> Insight:
    """Return what is known of playing this game; what its title does not say is as in `NoInsight`.

    Raises:
        KeyError: there is no such game.
    """
    own, usual = _module(slug), NoInsight(games()[slug])
    known = {name: getattr(own, name, None) or getattr(usual, name) for name in _PARTS}
    return cast("Insight", SimpleNamespace(**known))


def policy_of(slug: str) -> Policy:
    """Return how a quick, sensible program plays this game; otherwise as `insight_of`."""
    return insight_of(slug).policy


def _module(slug: str) -> Any:
    """Return the module `insight` of a title, None if it has none."""
    folder = package_of(slug)
    return None if find_spec(f"{folder}.insight") is None else importlib.import_module(f"{folder}.insight")
