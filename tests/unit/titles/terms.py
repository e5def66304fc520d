"""The words of a language for the terms of the games and of the site, and which texts have others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polib
from django.conf import settings

from config.catalogues import catalogues

TITLES = Path(settings.BASE_DIR) / "games/titles"

SOFT_HYPHEN = "\u00ad"
"""Where a long word may be parted; it is the same word."""

NAMES = re.compile(r"“[^”]*”|%\(\w+\)[sd]|\{\w*\}|<[^>]*>|Shifting Stones|Small Islands|in a row|twice in a row")
"""What is not translated, or is a phrase of its own."""


@dataclass(frozen=True)
class Terms:
    """English words, and how a language says them; which form it takes depends on the sentence."""

    language: str
    games: Mapping[str, str]
    """The words of every game."""
    own: Mapping[str, Mapping[str, str]]
    """The words of each game alone."""
    site: Mapping[str, str]
    """The words of the site itself: of its pages, notices, puzzles, lessons and bots."""
    elsewhere: Mapping[str, str]
    """Texts whose translation turns a sentence so that it needs no such word."""
    never: str
    """Words that stand for none of these things, such as those by which machines translate our rulebooks."""

    def texts(self, title: str) -> Iterator[tuple[str, str]]:
        """Yield the texts of a title, English and translated, and those of its lessons."""
        yield from texts_in(self.catalogue(title))
        for path in sorted((TITLES / title / "lessons").glob("*.json")):
            yield from self._texts_of(json.loads(path.read_text()))

    def catalogue(self, title: str) -> Path:
        """Return the file with the texts of a title, lessons aside."""
        return TITLES / title / "locale" / self.language / "LC_MESSAGES/django.po"

    def texts_of_the_site(self) -> Iterator[tuple[str, str]]:
        """Yield the texts of everything but the titles."""
        for path in catalogues():
            if path.parts[-3] == self.language and TITLES not in path.parents:
                yield from texts_in(path)

    def wrong_in(self, title: str, english: str, said: str) -> list[str]:
        """Return the terms of a title's text that its translation does not have, and words that it must not have."""
        return self._wrong({**self.games, **self.own[title]}, english, said)

    def wrong_on_the_site(self, english: str, said: str) -> list[str]:
        """Return the same for a text of the site."""
        return self._wrong(self.site, english, said)

    def _texts_of(self, part: Any) -> Iterator[tuple[str, str]]:
        """Yield the texts of a part of a lesson: whatever is there by language."""
        if isinstance(part, dict) and {"en", self.language} <= part.keys():
            yield part["en"], part[self.language]
        elif isinstance(part, dict | list):
            for inner in part.values() if isinstance(part, dict) else part:
                yield from self._texts_of(inner)

    def _wrong(self, terms: Mapping[str, str], english: str, said: str) -> list[str]:
        kept = {term: wanted for term, wanted in terms.items() if self.elsewhere.get(english) != term}
        found = [term for term, wanted in kept.items() if occurs(term, english) and not _has(wanted, said)]
        return found + re.findall(self.never, said, re.IGNORECASE)


def texts_in(catalogue: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts of a catalogue, English and translated, every number of a plural for itself."""
    for entry in polib.pofile(str(catalogue)):
        for said in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
            yield entry.msgid, said.replace(SOFT_HYPHEN, "")


def occurs(term: str, english: str) -> bool:
    """Return whether an English text speaks of a thing."""
    return _has(rf"\b({term})\b", NAMES.sub(" ", english))


def _has(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
