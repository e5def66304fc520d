"""Everything chance decided in a finished match."""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.fair import Draw
from games.play.matches.actions import plays
from games.play.matches.viewed import ViewedMatch


def draws_of(viewed: ViewedMatch) -> Iterator[Draw]:
    """Yield every draw of a match in order, by playing it again. Only for matches that have ended.

    Raises:
        RuleViolation: a stored action is refused (`manage.py verify_matches` names it).
    """
    for play in plays(viewed.match, viewed.seats):
        yield from play.draws
