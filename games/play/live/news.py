"""What sockets push to people on every page: how many matches wait for them, and each new note once.

`play` itself counts the matches that wait; the levels that keep notes, or count something else, register themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from typing import Any, Protocol, TypeAlias

from django.db.models import Count, QuerySet, Value
from django.utils import timezone

from accounts.questions import Prepared
from games.play.live.presence import LOOKING
from games.play.models import Match, Seat


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a person has not seen yet.

    Args:
        key: distinguishes it from all others.
        match: id of the match it is about, None for none; somebody looking at that match needs no toast.
        counts: False while they are looking at the match: they are about to see it.
    """

    key: int
    match: int | None
    counts: bool = True


class Notebook(Protocol):
    """Where notes are kept."""

    def unseen(self, people: Collection[int], now: datetime, looked: datetime) -> QuerySet[Any, Any]:
        """Return the query for the unseen notes of people: whose, and what a `Note` has, in this order.

        Args:
            people: their keys.
            now: what is to be told later is left out.
            looked: who has looked at a match since then is looking at it.
        """

    def words(self, keys: Collection[int], language: str) -> Sequence[dict[str, str | int]]:
        """Return what to show of these notes, in a language, each with its `key`."""


_notebook: Notebook | None = None


def register_notebook(notebook: Notebook) -> None:
    """Register where notes are kept; the app does this when it is ready."""
    global _notebook  # noqa: PLW0603  # there is one
    _notebook = notebook


Counting: TypeAlias = Callable[[Collection[int]], QuerySet[Any, Any]]
"""Returns the query for the key and the number of each of some people; those who have none may be left out."""


def _to_move(people: Collection[int]) -> QuerySet[Any, Any]:
    seats = Seat.objects.filter(user__in=people, to_move=True, match__status=Match.Status.RUNNING)
    return seats.values_list("user").annotate(Count("pk"))


_countings: dict[str, Counting] = {"waiting": _to_move}
_untold: set[str] = set()


def register_count(name: str, counting: Counting, *, told: bool = True) -> None:
    """Register something else to be counted for people.

    Args:
        name: by which pages know it.
        counting: asks for the numbers.
        told: whether pages are told when it changes.
    """
    _countings[name] = counting
    if not told:
        _untold.add(name)


@dataclass(frozen=True, slots=True)
class News:
    """What is counted for somebody, by name, and which notes they have not seen yet, in the order of their keys."""

    counts: Mapping[str, int] = field(default_factory=dict)
    notes: Sequence[Note] = ()

    @property
    def waiting(self) -> int:
        """Return how many matches wait for them."""
        return self.counts["waiting"]

    @property
    def unseen(self) -> int:
        return sum(note.counts for note in self.notes)

    @property
    def latest(self) -> int:
        """Return the key of the newest note; 0 if there is none."""
        return max((note.key for note in self.notes), default=0)

    @property
    def numbers(self) -> dict[str, int]:
        """Return the numbers that pages are told, by name."""
        told = {name: number for name, number in self.counts.items() if name not in _untold}
        return {**told, "notices": self.unseen}


def news_of(people: Collection[int]) -> dict[int, News]:
    """Return the news of each of these people, in one query."""
    now = timezone.now()
    counts = {person: dict.fromkeys(_countings, 0) for person in people}
    notes: dict[int, list[Note]] = defaultdict(list)
    for person, number, match, fresh, name in sorted(_NEWS.of(people, now, now - LOOKING), key=itemgetter(1)):
        if name == _NOTE:
            notes[person].append(Note(number, match, bool(fresh)))
        else:
            counts[person][name] = number
    return {person: News(counts[person], notes[person]) for person in people}


def _news(people: Collection[int], now: datetime, looked: datetime) -> QuerySet[Any, Any]:
    """Return the query for all news, as rows of person, key or number, match, whether it counts, and name."""
    asked: list[QuerySet[Any, Any]] = [
        counting(people).order_by().annotate(about=Value(0), fresh=Value(value=True), called=Value(name))
        for name, counting in _countings.items()
    ]
    if _notebook is not None:
        asked.insert(0, _notebook.unseen(people, now, looked).order_by().annotate(called=Value(_NOTE)))
    return asked[0].union(*asked[1:], all=True).order_by()


_NOTE = "note"

_NEWS = Prepared(_news)


def words(keys: Collection[int], language: str) -> Sequence[dict[str, str | int]]:
    """Return what to show of some notes, in a language."""
    return _notebook.words(keys, language) if _notebook else []
