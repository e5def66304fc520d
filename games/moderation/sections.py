"""Sections that other apps add to the pages of cases, people and matches.

An app registers a section when it is ready::

    sections.register("fair-play", findings)

`findings(subject)` returns the section as HTML, or an empty text where there is nothing to say to who reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from django.utils.safestring import SafeString

from accounts.models import User
from games.play.models import Match


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page of moderators is about: a person, a match, or both; and who reads it."""

    reader: User
    person: User | None = None
    match: Match | None = None


Section: TypeAlias = Callable[[Subject], SafeString]

_known: dict[str, Section] = {}


def register(name: str, section: Section) -> None:
    """Add a section; one with the same name is replaced."""
    _known[name] = section


def of(subject: Subject) -> list[SafeString]:
    """Return the sections that have something to say, in the order in which they were added."""
    return [html for section in _known.values() if (html := section(subject))]
