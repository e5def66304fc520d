"""Which names are allowed, and when two names are the same."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.lookalikes import is_of_one_script, looks, skeleton

NAME_LENGTH = 24
SHORTEST = 2

_SEPARATORS = frozenset("._-")
_LETTERS = ("L", "Nd")
_MARKS = ("M",)
# Letters and marks that are invisible (Hangul fillers, joiners, variation selectors): names with them look the same.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_TOO_MANY_MARKS = 3
# What turns text around, as what encloses a name that was copied from a page: no part of it.
_TURNING = dict.fromkeys(map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
# Names that seem to speak for the site.
# fmt: off
_RESERVED = frozenset({
    "account", "accounts", "administration", "amministrazione", "anonymous", "api", "everybody", "help", "me", "mod",
    "nobody", "none", "null", "owner", "player", "postmaster", "root", "settings", "static", "system", "undefined",
    "verwaltung", "webmaster", "www", "you",
})
# The beginnings of names that the site itself gives to deleted users, guests and bots, and of those who look after it.
_RESERVED_BEGINNINGS = (
    "admin", "administrator", "amministratore", "bot", "deleted", "guest", "moderation", "moderator", "moderatore",
    "moderatoren", "moderatori", "moderatorin", "moderators", "moderatrice", "moderazione", "official", "security",
    "staff", "support", "tessera",
)
# fmt: on
# What bots are called in every language of the site, where there are several of a level with a number behind it.
_BOTS = ("novice", "companion", "master", "neuling", "gefährte", "meister", "principiante", "compagno", "maestro")


def tidy_name(name: str) -> str:
    """Return the name as it is stored: NFKC, without spaces around it and without what turns text around.

    >>> tidy_name(" Ａnn ")
    'Ann'
    """
    return unicodedata.normalize("NFKC", name.translate(_TURNING)).strip()


def name_key(name: str) -> str:
    """Return the form under which names are unique: compatibility caseless matching (Unicode, section 3.13, D146).

    >>> name_key("Ａnn") == name_key("ANN") == "ann"
    True
    """
    folded = unicodedata.normalize("NFD", name.translate(_TURNING)).casefold()
    folded = unicodedata.normalize("NFKD", folded).casefold()
    return unicodedata.normalize("NFKC", folded)


def validate_name(name: str) -> None:
    """Accept an allowed name; otherwise raise a ValidationError that says what is wrong."""
    if not SHORTEST <= len(name) <= NAME_LENGTH:
        raise ValidationError(
            _("Names must have %(shortest)d to %(longest)d characters."),
            code="length",
            params={"shortest": SHORTEST, "longest": NAME_LENGTH},
        )
    if not _well_formed(name):
        raise ValidationError(_("Names may have letters and digits, with . - or _ between them."), code="form")
    if not is_of_one_script(name):
        raise ValidationError(
            _("All letters of a name must come from one script, so that no two names look alike."), code="mixed"
        )
    if any(_is_reserved(written) for written in (name, name_key(name))):
        raise ValidationError(_("This name is reserved. Please choose another one."), code="reserved")


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


def _is_reserved(name: str) -> bool:
    """Return whether a name looks like a reserved one, whatever is added to its letters, and with digits as letters."""
    seen = _unmarked(looks(name))
    stem, _separator, _rest = re.sub(r"[\W\d_]+$", "", name).partition("-")
    return (
        seen in _reserved_looks()
        or _reserved_beginning().fullmatch(seen) is not None
        or skeleton(name) in _skeletons_of(_RESERVED)
        or skeleton(stem) in _skeletons_of((*_RESERVED_BEGINNINGS, *_BOTS))
    )


def _unmarked(text: str) -> str:
    return "".join(char for char in text if not unicodedata.category(char).startswith(_MARKS))


@cache
def _reserved_looks() -> frozenset[str]:
    return frozenset(map(looks, _RESERVED))


@cache
def _skeletons_of(names: frozenset[str] | tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(skeleton, names))


@cache
def _reserved_beginning() -> re.Pattern[str]:
    """Match a reserved beginning alone, with a number, or with anything after a separator; a bot, with its number."""
    beginnings = "|".join(map(looks, _RESERVED_BEGINNINGS))
    bots = "|".join(_unmarked(looks(name)) for name in _BOTS)
    digits = re.escape("".join(map(looks, "0123456789")))
    return re.compile(f"(?:{beginnings})(?:[{digits}]*|[._-].*)|(?:{bots})[._-]?[{digits}]*")
