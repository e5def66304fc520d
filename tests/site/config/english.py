"""Finds English words on pages that are in another language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Final

ENGLISH: Final = re.compile(
    r"\b(the|and|of|your|you|with|this|that|from|for|are|is|not|it|has|have|to|by|matches|match|cards?|turns?|players?)\b",
    re.IGNORECASE,
)
"""Words that occur in no German and no Italian sentence."""


class _Words(HTMLParser):
    """Collects the words that users read or hear on a page, except code, the cities of time zones, and what
    nobody should translate.
    """

    SILENT = ("script", "style", "code", "optgroup")
    HEARD = ("aria-label", "aria-description", "aria-roledescription", "aria-valuetext", "title", "alt", "placeholder")
    SHARED = ("description", "og:title", "og:description", "og:image:alt")
    """What others show of a page to which a link leads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent = 0
        self._as_it_is = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if said.get("translate") == "no":
            self._as_it_is = tag
        self._silent += tag in self.SILENT
        heard = [*self.HEARD, *(name for name in said if name.startswith("data-")), *self._content(tag, said)]
        self.found += [text for name in heard if (text := said.get(name)) and " " in text.strip()]

    def _content(self, tag: str, said: dict[str, str | None]) -> Iterable[str]:
        return ["content"] if tag == "meta" and (said.get("name") or said.get("property")) in self.SHARED else []

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in self.SILENT
        if tag == self._as_it_is:
            self._as_it_is = ""

    def handle_data(self, data: str) -> None:
        if not self._silent and not self._as_it_is and data.strip():
            self.found.append(" ".join(data.split()))


def english_in(html: str) -> list[str]:
    """Return the texts of a page that have an English word."""
    words = _Words()
    words.feed(html)
    return [text for text in words.found if ENGLISH.search(text)]
