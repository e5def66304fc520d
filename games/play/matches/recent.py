"""Running matches as this process committed or loaded them last, so that a move and its pushes need not load them.

An entry is a shortcut and never an authority: a writer compares its version with the database's under the lock, a
push with the version in its hint, a socket that has just been opened with the database's, and everything else loads
from the database. Kept because without it a move costs its lane twice the processor time in the row "stock" of the
benchmark.
"""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from threading import Lock

from games.play.matches.viewed import ViewedMatch

MOST = 2_000
"""Matches remembered; the least recently used is forgotten first."""

SECONDS = 60.0
"""How long a match is followed, at most, before it is loaded afresh; until then a changed name may be shown as it was.

Each match has its own time, from half of this on, so that those that began together are not loaded together.
"""

_known: OrderedDict[str, tuple[float, ViewedMatch]] = OrderedDict()
_lock = Lock()


def remember(viewed: ViewedMatch) -> None:
    """Keep a match as it was committed just now."""
    with _lock:
        until, _ = _known.get(viewed.match.slug, (_expiry(), viewed))
        _keep(viewed, until)


def remember_loaded(viewed: ViewedMatch) -> None:
    """Keep a match as it was loaded just now, unless a newer one is known."""
    with _lock:
        _, known = _known.get(viewed.match.slug, (0.0, viewed))
        if known.match.version <= viewed.match.version:
            _keep(viewed, _expiry())


def _keep(viewed: ViewedMatch, until: float) -> None:
    _known[viewed.match.slug] = (until, viewed)
    _known.move_to_end(viewed.match.slug)
    while len(_known) > MOST:
        _known.popitem(last=False)


def _expiry() -> float:
    return time.monotonic() + SECONDS * random.uniform(0.5, 1)  # noqa: S311  # no secret


def recall(slug: str, version: int = 0) -> ViewedMatch | None:
    """Return the match as it is known, None if it is not known, is too old, or is older than `version`."""
    with _lock:
        until, viewed = _known.get(slug, (0.0, None))
        if viewed is None or viewed.match.version < version:
            return None
        if time.monotonic() > until:
            del _known[slug]
            return None
        return viewed
