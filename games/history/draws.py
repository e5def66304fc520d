"""Everything chance decided in a finished match."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.fair import Draw
from games.play.access import Table
from games.play.positions import plays


def draws_of(table: Table) -> Iterator[Draw]:
    """Yield every draw of a match in order, by playing it again. Only for matches that have ended.

    Raises:
        RuleViolation: a stored action is refused (`manage.py verify_matches` names it).
    """
    for play in plays(table.match, table.seats):
        yield from play.draws
