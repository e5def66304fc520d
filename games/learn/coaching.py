"""Coach marks: what a title tells a newcomer on its board, in their first match of the game, against bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.play.access import ViewedMatch
from games.play.models import Seat
from games.titles.board import CoachMark


def marks_for(viewed: ViewedMatch, reader: Any) -> Sequence[CoachMark]:
    """Return the marks that a match shows its reader; () unless it is their first one of the game, against bots alone.

    Args:
        viewed: the match as the reader sees it.
        reader: who has an account, perhaps a guest's; anybody without one is shown none.
    """
    if not viewed.may_practise or not viewed.match.title.coach:
        return ()
    read = set(reader.coached.split())
    left = [mark for mark in viewed.match.title.coach if word_for(viewed, mark) not in read]
    return left if left and _is_first(viewed, reader) else ()


def word_for(viewed: ViewedMatch, mark: CoachMark) -> str:
    """Return how an account keeps that it has read a mark, as "shifting-stones:aim"."""
    return f"{viewed.match.game}:{mark.key}"


def _is_first(viewed: ViewedMatch, reader: Any) -> bool:
    begun = Seat.objects.filter(user=reader, match__game=viewed.match.game, match__started_at__isnull=False)
    return not begun.exclude(match=viewed.match.pk).exists()
