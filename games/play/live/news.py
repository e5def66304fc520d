"""What sockets push to people on every page: how many matches wait for them, and each new note once.

`play` itself counts the matches that wait; the level that keeps notes registers itself here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db.models import Count

from games.play.models import Match, Seat


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a person has not seen yet.

    Args:
        key: distinguishes it from all others.
        match: id of the match it is about; somebody looking at that match needs no toast.
        counts: False while they are looking at the match: they are about to see it.
    """

    key: int
    match: int
    counts: bool = True


class Notebook(Protocol):
    """Where notes are kept."""

    def unseen(self, people: Collection[int]) -> Mapping[int, Sequence[Note]]:
        """Return the unseen notes of each of these people, the oldest first; those who have none are left out."""

    def words(self, keys: Collection[int], language: str) -> Sequence[dict[str, str]]:
        """Return what to show of these notes, in a language."""


class _Empty:
    """No notes: used until a level above registers its own."""

    def unseen(self, people: Collection[int]) -> Mapping[int, Sequence[Note]]:
        return {}

    def words(self, keys: Collection[int], language: str) -> Sequence[dict[str, str]]:
        return []


_notebook: Notebook = _Empty()


def sign_in(notebook: Notebook) -> None:
    """Register where notes are kept; the app does this when it is ready."""
    global _notebook  # noqa: PLW0603  # there is one
    _notebook = notebook


@dataclass(frozen=True, slots=True)
class Standing:
    """How many matches wait for somebody, and which notes they have not seen yet."""

    waiting: int = 0
    notes: Sequence[Note] = ()

    @property
    def unseen(self) -> int:
        return sum(note.counts for note in self.notes)


def standings(people: Collection[int]) -> dict[int, Standing]:
    """Return what waits for each of these people, in two queries for all of them."""
    waiting, notes = _waiting(people), _notebook.unseen(people)
    return {person: Standing(waiting.get(person, 0), notes.get(person, ())) for person in people}


def words(keys: Collection[int], language: str) -> Sequence[dict[str, str]]:
    """Return what to show of some notes, in a language."""
    return _notebook.words(keys, language)


def _waiting(people: Collection[int]) -> dict[int, int]:
    """Return how many matches wait for each of these people; those without any are left out."""
    waiting = Seat.objects.filter(user__in=people, to_move=True, match__status=Match.Status.RUNNING)
    return dict(waiting.values_list("user").annotate(Count("pk")))
