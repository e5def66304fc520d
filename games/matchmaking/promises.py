"""Seats kept at a planned table for those who said they come; the table is locked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from games.matchmaking.models import Promise
from games.matchmaking.signals import called_off, promise_ended, promised
from games.play.models import Match


def give(match: Match, user: Any) -> None:
    """Keep a seat for somebody."""
    Promise.objects.create(match=match, user=user)
    promised.send(Match, match=match, user=user)


def is_coming(match: Match, user: Any) -> bool:
    """Return whether a seat is kept for somebody."""
    return match.opens_at is not None and match.promises.filter(user=user).exists()


def count(match: Match) -> int:
    """Return how many seats are kept at a table; none at one that was not planned."""
    return match.promises.count() if match.opens_at is not None else 0


def people(match: Match) -> list[int]:
    """Return the keys of those for whom seats are kept."""
    return list(match.promises.values_list("user", flat=True)) if match.opens_at is not None else []


def end(match: Match, people: Iterable[Any]) -> None:
    """Stop keeping seats for these people."""
    gone = list(people)
    match.promises.filter(user__in=gone).delete()
    promise_ended.send(Match, match=match, people=gone)


def end_all(match: Match) -> list[Any]:
    """Stop keeping seats at a table; return for whom they were kept."""
    kept = [promise.user for promise in match.promises.select_related("user")] if match.opens_at else []
    if kept:
        end(match, kept)
    return kept


def tell_called_off(match: Match, people: Iterable[Any], by: Any = None) -> None:
    """Tell those who wanted to come that a planned table does not open, except whoever called it off."""
    told = [person for person in people if by is None or person.pk != by.pk]
    called_off.send(Match, match=match, people=told, by=by)
