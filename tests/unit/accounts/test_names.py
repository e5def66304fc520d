"""What is a name, and which names are the same or look alike."""

from __future__ import annotations

import unicodedata

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import translation
from hypothesis import given, strategies as st

from accounts.models import KEY_LENGTH, SKELETON_LENGTH
from accounts.names import name_key, skeleton, tidy_name, validate_name
from games.play.models import Level

names = st.text(st.characters(categories=["L", "M", "N", "P", "S", "Z"]), min_size=1, max_size=30)


@given(names)
def test_the_key_of_a_key_is_itself(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@given(names)
def test_writing_a_name_differently_keeps_its_key(name: str) -> None:
    key = name_key(name)
    assert key == name_key(unicodedata.normalize("NFKC", name)) == name_key(unicodedata.normalize("NFD", name))
    assert key == name_key(name.casefold())


@given(names)
def test_what_is_stored_has_the_key_of_what_was_typed_and_is_stable(name: str) -> None:
    assert name_key(tidy_name(name)) == name_key(tidy_name(tidy_name(name)))


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_refused_in_words(text: str) -> None:
    words = refusal(tidy_name(text))
    assert words or len(name_key(tidy_name(text))) <= KEY_LENGTH
    assert words or len(skeleton(tidy_name(text))) <= SKELETON_LENGTH


def refusal(name: str) -> str:
    """Return why this name is refused; empty if it is not."""
    try:
        validate_name(name)
    except ValidationError as error:
        return str(error.messages[0])
    return ""


def code_of(name: str) -> str | None:
    """Return the code with which this name is refused; None if it is not."""
    try:
        validate_name(name)
    except ValidationError as error:
        return error.code
    return None


def test_names_that_read_alike_are_the_same() -> None:
    pairs = [("ÄNN", "änn"), ("Ａｎｎ", "ann"), ("Straße", "STRASSE"), ("ﬁsh", "fish"), ("Å", "A\u030a")]
    assert [(one, other) for one, other in pairs if name_key(one) != name_key(other)] == []


PEOPLE = [
    "ann",
    "Ann-Marie",
    "x.y_z",
    "李小龍",
    "हिन्दी",
    "Ünï",
    "r2d2",
    "botanist",
    "Jürgen",
    "сосо",
    "東京タワー",
    "김철수",
    "Ian",
    "moderata",
    "Staffan",
    "Bottega",
    "Bots4Fun",
    "Modesto",
    "supporter",
]


def test_names_of_people_are_accepted() -> None:
    assert {name: refusal(tidy_name(name)) for name in PEOPLE} == dict.fromkeys(PEOPLE, "")
    assert [name for name in PEOPLE if tidy_name(name) != unicodedata.normalize("NFKC", name)] == []


NONE = {
    "a": "length",
    "x" * 25: "length",
    "": "length",
    ".ann": "form",
    "ann.": "form",
    "ann smith": "form",
    "ann@example": "form",
    "<b>ann</b>": "form",
    "a\u115fnn": "form",
    "a\ufe0fnn": "form",
    "ann\r\nBcc:x": "form",
    "z\u0323\u0324\u0325\u0326algo": "form",
    "аnn": "mixed",  # the first letter is Cyrillic
    "admin": "reserved",
    "ＡＤＭＩＮ": "reserved",
    "Bot-easy": "reserved",
    "deleted.12": "reserved",
    "guest7": "reserved",
    "Tessera": "reserved",
    "admiṇ": "reserved",
    "AdmIn": "reserved",
    "ɑdmin": "reserved",
    "Tеssеra": "mixed",
    "b0t-easy": "reserved",
    "ADMlN": "reserved",
    "adm1n": "reserved",
    "4dmin": "reserved",
    "5upport": "reserved",
    "m0d3r4t0r7": "reserved",
    "t3ssera": "reserved",
    "su.pport": "reserved",
    "5taff-Ann": "reserved",
    "support-team": "reserved",
    "Staff.Ann": "reserved",
    "Moderation": "reserved",
    "moderazione2": "reserved",
    "Moderatorin-Eva": "reserved",
    "Verwaltung": "reserved",
    "рауpal": "mixed",
    "Αnn": "mixed",
}
"""What is no name, and the code of the refusal."""


def test_what_is_no_name_is_refused() -> None:
    assert {name: code_of(tidy_name(name)) for name in NONE} == NONE


def test_nobody_is_called_like_a_bot() -> None:
    written, allowed = set(), set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for level in Level:
                name = str(level.label).replace(" ", "")  # no name of a person has a space in it
                written |= {name, name.upper(), f"{name}2", f"{name}_3"}
                allowed.add(f"{name}y")
    assert {name: code_of(tidy_name(name)) for name in written} == dict.fromkeys(written, "reserved")
    assert {name: refusal(name) for name in allowed} == dict.fromkeys(allowed, "")


ALIKE = [
    ("Carol", "Cɑrol"),
    ("coco", "сосо"),
    ("Alice", "AIice"),
    ("scope", "ѕсоре"),
    ("Bob1", "Bobl"),
    ("max0", "maxO"),
    ("Mike", "MlKE"),
    ("ingo", "lngo"),
    ("elsa", "еӏѕа"),
    ("Ines", "Ine5"),
    ("Fiete", "Fi3te"),
    ("Fiete", "Fi.ete"),
    ("Fiete", "Fi_e-te"),
    ("Fiete", "Fiéte"),
    ("Jurgen", "Jürgen"),
    ("Soren", "Søren"),
    ("Zoe8", "ZoéB"),
    ("Toby", "7o8y"),
    ("Greta", "Gr3t4"),
    ("שלום", "שָׁלוֹם"),
]


def test_names_that_look_alike_have_one_skeleton() -> None:
    assert [(one, other) for one, other in ALIKE if name_key(one) == name_key(other)] == []
    assert [(one, other) for one, other in ALIKE if skeleton(one) != skeleton(other)] == []


def test_names_that_look_different_have_two() -> None:
    pairs = [("Ann", "Anne"), ("ann1", "ann2"), ("Ian", "Jan"), ("गी", "गु"), ("กิน", "กุน"), ("かき", "がき")]
    assert [(one, other) for one, other in pairs if skeleton(one) == skeleton(other)] == []


@pytest.mark.parametrize("digits", ["", "7", "2024"])
def test_names_that_differ_in_their_number_do_not_look_alike(digits: str) -> None:
    numbered = {skeleton(f"Ann{digits}{number}") for number in range(100)}
    assert len(numbered) == 100
