"""Which names look alike, after Unicode Technical Standard #39; the table comes with confusable-homoglyphs."""

from __future__ import annotations

import unicodedata
from functools import cache

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data

_ANY_SCRIPT = {"COMMON", "INHERITED"}
_WRITTEN_TOGETHER = ({"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "HANGUL"}, {"HAN", "BOPOMOFO"})
"""The scripts of Japanese, Korean and Chinese, which count as one each (UTS #39, section 5.1)."""


def skeleton(name: str) -> str:
    """Return what a name looks like: names with the same skeleton look alike (UTS #39, section 4).

    Upper and lower case count as the same, so i counts as l: one of them looks like I, which is the other in capitals.

    >>> skeleton("AIice") == skeleton("Alice")
    True
    >>> skeleton("MlKE") == skeleton("Mike")
    True
    """
    return _mapped(_mapped(name).casefold()).replace("i", "l")


def _mapped(text: str) -> str:
    prototypes = _prototypes()
    plain = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(prototypes.get(char, char) for char in plain))


def is_of_one_script(name: str) -> bool:
    """Return whether all letters belong to one script; common digits and signs are ignored."""
    scripts = unique_aliases(name) - _ANY_SCRIPT
    return len(scripts) <= 1 or any(scripts <= together for together in _WRITTEN_TOGETHER)


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of each character that looks like another one.

    The library lists, for each character or sequence, all those it can be confused with. In the standard's table many
    point to one prototype: a character with a single partner points to it, and the lower of a pair is the prototype.
    """
    alike = {_shown(text): [_shown(other["c"]) for other in others] for text, others in confusables_data.items()}
    found = {}
    for text, others in alike.items():
        other = others[0]
        if len(text) == 1 and len(others) == 1 and (len(other) > 1 or len(alike[other]) > 1 or other < text):
            found[text] = other
    return found


def _shown(text: str) -> str:
    """Return the characters without the two marks that enclose right-to-left ones."""
    return text.replace("\u200e", "")
