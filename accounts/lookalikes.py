"""Which names look alike, after Unicode Technical Standard #39; the table comes with confusable-homoglyphs."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data

_ANY_SCRIPT = {"COMMON", "INHERITED"}
_WRITTEN_TOGETHER = ({"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "HANGUL"}, {"HAN", "BOPOMOFO"})
"""The scripts of Japanese, Korean and Chinese, which count as one each (UTS #39, section 5.1)."""


_SEPARATORS = "._-"
_DIGITS = str.maketrans("23456789", "zeasgtbq")
"""Which letter each digit stands for at a glance, no two the same one: 0 and 1 look like letters in the standard."""
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]"
)
"""Accents, and the points of Hebrew and Arabic. In other scripts, marks are vowels: without them words differ."""


def skeleton(name: str) -> str:
    """Return what a name looks like at a glance: of two people, one has to choose another name if it is the same.

    Accents and what separates the parts of a name count for nothing, and digits as letters.

    >>> skeleton("Fi.éte") == skeleton("Fi3te") == skeleton("fiete")
    True
    >>> skeleton("Ann5") == skeleton("Ann6")
    False
    """
    seen = unicodedata.normalize("NFC", _ACCENTS.sub("", looks(name))).translate(_DIGITS)
    return "".join(char for char in seen if char not in _SEPARATORS)


def looks(name: str) -> str:
    """Return the skeleton of UTS #39, section 4: texts with the same one cannot be told apart, letter by letter.

    Upper and lower case count as the same, so i counts as l: one of them looks like I, which is the other in capitals.

    >>> looks("AIice") == looks("Alice")
    True
    >>> looks("MlKE") == looks("Mike")
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
