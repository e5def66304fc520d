"""What sockets push to people on every page: how many matches wait for them, and each new note once.

`play` itself counts the matches that wait; the levels that keep notes, or count something else, register themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from django.db.models import Count

from games.play.models import Match, Seat
from games.play.sql import Prepared


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

    def unseen(self, people: Collection[int]) -> Mapping[int, Sequence[Note]]:
        """Return the unseen notes of each of these people, the oldest first; those who have none are left out."""

    def words(self, keys: Collection[int], language: str) -> Sequence[dict[str, str]]:
        """Return what to show of these notes, in a language."""


_notebook: Notebook | None = None


def register_notebook(notebook: Notebook) -> None:
    """Register where notes are kept; the app does this when it is ready."""
    global _notebook  # noqa: PLW0603  # there is one
    _notebook = notebook


Counting: TypeAlias = Callable[[Collection[int]], Mapping[int, int]]
"""Counts something for each of some people, in one query for all; those who have none are left out."""

_counts: dict[str, Counting] = {}


def register_count(name: str, counting: Counting) -> None:
    """Register something else to be counted for people, under the name by which pages know it."""
    _counts[name] = counting


@dataclass(frozen=True, slots=True)
class News:
    """How many matches wait for somebody, which notes they have not seen yet, and what else is counted, by name."""

    waiting: int = 0
    notes: Sequence[Note] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def unseen(self) -> int:
        return sum(note.counts for note in self.notes)

    @property
    def numbers(self) -> dict[str, int]:
        """Return every number by the name under which pages are told."""
        return {"waiting": self.waiting, "notices": self.unseen, **self.counts}


def news_of(people: Collection[int]) -> dict[int, News]:
    """Return the news of each of these people, in a query for each thing that is counted."""
    waiting = dict(_TO_MOVE.of(people))
    notes = _notebook.unseen(people) if _notebook else {}
    counted = {name: counting(people) for name, counting in _counts.items()}
    return {
        person: News(
            waiting.get(person, 0),
            notes.get(person, ()),
            {name: found.get(person, 0) for name, found in counted.items()},
        )
        for person in people
    }


def words(keys: Collection[int], language: str) -> Sequence[dict[str, str]]:
    """Return what to show of some notes, in a language."""
    return _notebook.words(keys, language) if _notebook else []


_TO_MOVE = Prepared(
    lambda people: (
        Seat.objects.filter(user__in=people, to_move=True, match__status=Match.Status.RUNNING)
        .values_list("user")
        .annotate(Count("pk"))
    )
)
"""How many matches wait for each of some people; those without any are left out."""
