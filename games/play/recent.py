"""Matches as this process committed them last, so that a move and its pushes do not load everything again.

An entry is a shortcut and never an authority: a writer compares its version with the database's under the lock, a
push with the version in its hint, and everything else loads from the database.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.play.access import Table

MOST = 2_000
"""Matches remembered; the least recently used is forgotten first."""

SECONDS = 60.0
"""For so long a match is followed before it is loaded afresh; until then a changed name may be shown as it was."""

_known: OrderedDict[str, tuple[float, Table]] = OrderedDict()
_lock = Lock()


def remember(table: Table) -> None:
    """Keep a match as it was committed just now."""
    slug = table.match.slug
    with _lock:
        since = _known[slug][0] if slug in _known else time.monotonic()
        _known[slug] = (since, table)
        _known.move_to_end(slug)
        while len(_known) > MOST:
            _known.popitem(last=False)


def recall(slug: str, version: int = 0) -> Table | None:
    """Return the match as it was committed last, None when that is unknown, too long ago or older than `version`."""
    with _lock:
        since, table = _known.get(slug, (0.0, None))
        if table is None or table.match.version < version:
            return None
        if time.monotonic() - since > SECONDS:
            del _known[slug]
            return None
        return table
