"""What a user name may be, and when two names are the same."""

from __future__ import annotations

import re
import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 24
SHORTEST = 2

_SEPARATORS = frozenset("._-")
_LETTERS = ("L", "Nd")
_MARKS = ("M",)
# Letters and marks which show nothing (Hangul fillers, joiners, variation selectors): names would only look the same.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_TOO_MANY_MARKS = 3
# Scripts whose letters look alike: a name keeps to one of them.
_LOOKALIKES = frozenset({"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"})
# Names which would speak for the site, and those it gives itself (deleted people, guests, bots).
_RESERVED = re.compile(
    r"accounts?|administrator|anonymous|api|everybody|help|me|mod|moderator|nobody|none|null|official|owner|player"
    r"|postmaster|root|security|settings|staff|static|support|system|undefined|webmaster|www|you"
    r"|(?:admin|bot|deleted|guest|tessera)(?:[0-9]*|[._-].*)"
)


def tidy_name(name: str) -> str:
    """Return the name as it is stored and shown: NFKC, without spaces around it.

    >>> tidy_name(" Ａnn ")
    'Ann'
    """
    return unicodedata.normalize("NFKC", name).strip()


def name_key(name: str) -> str:
    """Return the form under which names are unique: compatibility caseless matching (Unicode, section 3.13, D146).

    >>> name_key("Ａnn") == name_key("ANN") == "ann"
    True
    """
    folded = unicodedata.normalize("NFD", name).casefold()
    folded = unicodedata.normalize("NFKD", folded).casefold()
    return unicodedata.normalize("NFKC", folded)


def validate_name(name: str) -> None:
    """Accept what a person may be called; raise ValidationError in words for people otherwise."""
    if not SHORTEST <= len(name) <= NAME_LENGTH:
        raise ValidationError(
            _("A name has %(shortest)d to %(longest)d characters."),
            code="length",
            params={"shortest": SHORTEST, "longest": NAME_LENGTH},
        )
    if not _well_formed(name):
        raise ValidationError(_("A name has letters and digits, and between them . - or _."), code="form")
    if len(_scripts(name) & _LOOKALIKES) > 1:
        raise ValidationError(_("A name keeps to the letters of one script, so that no two look alike."), code="mixed")
    if _RESERVED.fullmatch(name_key(name)):
        raise ValidationError(_("This name is kept for the site itself. Please choose another one."), code="reserved")


def _well_formed(name: str) -> bool:
    kinds = [unicodedata.category(char) for char in name]
    return (
        kinds[0].startswith(_LETTERS)
        and kinds[-1].startswith(_LETTERS + _MARKS)
        and all(
            kind.startswith(_LETTERS + _MARKS) or char in _SEPARATORS for char, kind in zip(name, kinds, strict=True)
        )
        and not _INVISIBLE.search(name)
        and "M" * _TOO_MANY_MARKS not in "".join(kind[0] for kind in kinds)
    )


def _scripts(name: str) -> set[str]:
    return {unicodedata.name(char, "").split(" ")[0] for char in name if char.isalpha()}
