"""Names and other texts that people write: which names are allowed, when two look alike, and how texts are stored.

The rules for names follow Unicode Technical Standard #39; its table of characters that look alike comes with the
library confusable-homoglyphs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from confusable_homoglyphs.categories import unique_aliases
from confusable_homoglyphs.confusables import confusables_data
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

_ANY_SCRIPT = {"COMMON", "INHERITED"}
_WRITTEN_TOGETHER = ({"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "HANGUL"}, {"HAN", "BOPOMOFO"})
"""The scripts of Japanese, Korean and Chinese, which count as one each (UTS #39, section 5.1)."""
_SEPARATORS = frozenset("._-")
_DIGITS = str.maketrans("23456789", "zeasgtbq")
"""The letter that each digit looks like at a glance, all different; for 0 and 1 the standard has one."""
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]"
)
"""Accents, and the points of Hebrew and Arabic. The marks of other scripts are vowels, which distinguish words."""


def skeleton(name: str) -> str:
    """Return what a name looks like at a glance; no two people can have names with the same skeleton.

    Accents and separators are ignored, and digits count as letters.

    >>> skeleton("Fi.éte") == skeleton("Fi3te") == skeleton("fiete")
    True
    >>> skeleton("Ann5") == skeleton("Ann6")
    False
    """
    seen = unicodedata.normalize("NFC", _ACCENTS.sub("", looks(name))).translate(_DIGITS)
    return "".join(char for char in seen if char not in _SEPARATORS)


def looks(name: str) -> str:
    """Return the skeleton of UTS #39, section 4: texts with the same one cannot be told apart, letter by letter.

    Case is ignored, and i counts as l: in capitals i looks like l.

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
    """Return whether all letters belong to one script; digits and signs common to scripts are ignored."""
    scripts = unique_aliases(name) - _ANY_SCRIPT
    return len(scripts) <= 1 or any(scripts <= together for together in _WRITTEN_TOGETHER)


@cache
def _prototypes() -> dict[str, str]:
    """Return the standard's prototype of each character that looks like another one.

    The library lists, for each character or sequence, all those it can be confused with. A prototype is listed with
    many; every other character is listed with its prototype alone. Of a pair, the lower one is the prototype.
    """
    mark = "\u200e"  # two of these enclose characters that run from right to left
    alike = {
        text.replace(mark, ""): [other["c"].replace(mark, "") for other in others]
        for text, others in confusables_data.items()
    }
    found = {}
    for text, others in alike.items():
        other = others[0]
        if len(text) == 1 and len(others) == 1 and (len(other) > 1 or len(alike[other]) > 1 or other < text):
            found[text] = other
    return found


NAME_LENGTH = 24
SHORTEST = 2

_LETTERS = ("L", "Nd")
_MARKS = ("M",)
# Letters and marks that are invisible: Hangul fillers, joiners, variation selectors.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
_TOO_MANY_MARKS = 3
# Marks of direction, which a name that was copied from a page can be enclosed in.
_TURNING = dict.fromkeys(map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
# Names that would seem to speak for the site.
# fmt: off
_RESERVED = frozenset({
    "account", "accounts", "administration", "amministrazione", "anonymous", "api", "everybody", "help", "me", "mod",
    "nobody", "none", "null", "owner", "player", "postmaster", "root", "settings", "static", "system", "undefined",
    "verwaltung", "webmaster", "www", "you",
})
# How names begin that the site gives to deleted users, guests and bots, and names that its staff might have.
_RESERVED_BEGINNINGS = (
    "admin", "administrator", "amministratore", "bot", "deleted", "gast", "guest", "moderation", "moderator",
    "moderatore", "moderatoren", "moderatori", "moderatorin", "moderators", "moderatrice", "moderazione", "official",
    "ospite", "security", "staff", "support", "tessera",
)
# What bots are called in every language of the site, perhaps with a number.
_BOTS = (
    "novice", "companion", "master", "grandmaster", "neuling", "gefährte", "meister", "großmeister", "principiante",
    "compagno", "maestro", "grandemaestro",
)
# fmt: on

BOT_MARK: Final = "BOT "
"""What stands before the name of a bot account wherever it is shown. No name has a space, so it is part of none."""


def tidy_name(name: str) -> str:
    """Return the name as it is stored: NFKC, without spaces around it and without marks of direction.

    >>> tidy_name(" Ａnn ")
    'Ann'
    """
    return unicodedata.normalize("NFKC", name.translate(_TURNING)).strip()


def name_key(name: str) -> str:
    """Return the form in which names are unique: compatibility caseless matching (Unicode, section 3.13, D146).

    The mark of a bot is no part of its name.

    >>> name_key("Ａnn") == name_key("ANN") == name_key("BOT Ann") == "ann"
    True
    """
    folded = unicodedata.normalize("NFD", name.translate(_TURNING)).casefold()
    folded = unicodedata.normalize("NFKD", folded).casefold()
    return unicodedata.normalize("NFKC", folded).removeprefix(BOT_MARK.casefold())


def key_begins(beginning: str) -> Q:
    """Return the condition on users that the key of their name begins like this; its bounds make use of the index."""
    return Q(name_key__gte=beginning, name_key__lt=f"{beginning}\U0010ffff")


def validate_name(name: str) -> None:
    """Raise a ValidationError that says what is wrong with a name, unless it is allowed."""
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
            _("All letters of a name must come from one alphabet, so that no two names look alike."), code="mixed"
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
    """Return whether a name looks like a reserved one, also with digits for letters or something added."""
    stem, _separator, _rest = re.sub(r"[\W\d_]+$", "", name).partition("-")
    return (
        _reserved_looks().fullmatch(_unmarked(looks(name))) is not None
        or skeleton(name) in _skeletons_of(_RESERVED)
        or skeleton(stem) in _skeletons_of((*_RESERVED_BEGINNINGS, *_BOTS))
    )


TITLE_LENGTH: Final = 40
SHORTEST_TITLE: Final = 3

_OF_STAFF = frozenset(_RESERVED_BEGINNINGS) - {"bot", "deleted", "gast", "guest", "ospite"}


def check_title(title: str) -> None:
    """Raise a ValidationError that says what is wrong with the name of a group, which may have several words.

    Each word comes from one alphabet, and none would seem to speak for the site.

    Args:
        title: as `tidy_text` returns it.
    """
    if not SHORTEST_TITLE <= len(title) <= TITLE_LENGTH:
        raise ValidationError(
            _("Names must have %(shortest)d to %(longest)d characters."),
            code="length",
            params={"shortest": SHORTEST_TITLE, "longest": TITLE_LENGTH},
        )
    if not any(unicodedata.category(char).startswith(_LETTERS) for char in title):
        raise ValidationError(_("A name needs a letter or a digit."), code="form")
    words = re.findall(r"[\w.]+", title)
    if not all(map(is_of_one_script, words)):
        raise ValidationError(
            _("All letters of a word must come from one alphabet, so that no two names look alike."), code="mixed"
        )
    staff = _skeletons_of(_OF_STAFF)
    if any(skeleton(word) in staff for word in words) or skeleton("".join(words)) in staff:
        raise ValidationError(_("This name is reserved. Please choose another one."), code="reserved")


def _unmarked(text: str) -> str:
    return "".join(char for char in text if not unicodedata.category(char).startswith(_MARKS))


@cache
def _skeletons_of(names: frozenset[str] | tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(skeleton, names))


@cache
def _reserved_looks() -> re.Pattern[str]:
    """Match a reserved name; a reserved beginning alone, with a number, or before a separator; a bot and its number."""
    names = "|".join(map(looks, _RESERVED))
    beginnings = "|".join(map(looks, _RESERVED_BEGINNINGS))
    bots = "|".join(_unmarked(looks(name)) for name in _BOTS)
    digits = re.escape("".join(map(looks, "0123456789")))
    return re.compile(f"{names}|(?:{beginnings})(?:[{digits}]*|[._-].*)|(?:{bots})[._-]?[{digits}]*")


# --- other texts: messages, notes, reports, reasons -------------------------------------------------------------------

MARKS: Final = 4
"""How many combining marks a letter keeps: more than any script needs, too few to cover other lines."""

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
"""Letters and signs that look like spaces, and count as such."""
_NOTHING: Final = frozenset("\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f\U00016fe4")
"""Marks that cannot be seen."""
_JOINERS: Final = "\u200c\u200d"
"""Invisible, but some scripts and many emoji need them between two characters."""
_VARIATIONS: Final = "\ufe0e\ufe0f"
"""Whether the character before is shown as text or as a picture."""

_FROM_RIGHT: Final = frozenset({"R", "AL", "AN"})
"""The classes of characters that make the text around them run from right to left."""


def tidy_text(text: str) -> str:
    """Return a text on one line, without anything that is invisible, changes its direction or leaves its line.

    Joiners stay between characters that can be seen, and each letter keeps its first `MARKS` marks. What is left is
    empty or can be seen.

    >>> tidy_text("  Beginners\\n welcome\\u202e! ")
    'Beginners welcome!'
    >>> tidy_text("\\u200d\\ufe0f\\u200d")
    ''
    """
    kept: list[str] = []
    joiner, marks = "", MARKS  # a mark without a letter is dropped
    for char in filter(_may_be_seen, unicodedata.normalize("NFC", text)):
        if char.isspace() or char in _BLANK:
            kept.append(" ")
            joiner, marks = "", MARKS
        elif char in _JOINERS:
            joiner = char if kept and kept[-1] != " " else ""
        elif char in _VARIATIONS:
            kept += [char] if kept and kept[-1] not in (" ", *_VARIATIONS) else []
        elif not _is_mark(char) or marks < MARKS:
            kept += [joiner, char] if joiner else [char]
            joiner, marks = "", marks + 1 if _is_mark(char) else 0
    return " ".join("".join(kept).split())


def _may_be_seen(char: str) -> bool:
    """Return whether a character can be seen, or characters around it may need it."""
    if char.isspace() or char in _JOINERS or char in _VARIATIONS:
        return True
    is_variation = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"
    return not (unicodedata.category(char) in _UNSEEN or char in _NOTHING or is_variation)


def _is_mark(char: str) -> bool:
    """Return whether a character stands above, below or around the one before."""
    return unicodedata.category(char) in ("Mn", "Me")


def isolated(text: str) -> str:
    """Return a name or text so that it can stand among others: letters from right to left do not reorder those.

    Such a text is enclosed in the marks of an isolate (UAX #9), the plain-text form of `bdi`, which works in titles,
    attributes, mails and pushes too. Others stay as they are.

    >>> isolated("Ann"), isolated("\u05d0\u05d1")
    ('Ann', '\u2068\u05d0\u05d1\u2069')
    """
    if not text.isascii() and any(unicodedata.bidirectional(char) in _FROM_RIGHT for char in text):
        return f"\u2068{text}\u2069"
    return text
