"""What people write: nothing that looks empty, turns the line around, or climbs over the lines beside it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, strategies as st

from accounts.names import MARKS, tidy_text

UNSEEN = [
    "\u200d\u200d\u200d",
    "\ufe0f\u200d\ufe0f",
    " \u200c \u2060 ",
    "\u115f\u1160\u3164\uffa0",
    "\u2800\u2800",
    "\u034f\u180b\u17b4",
    "\u00ad\u202e\u2066\u2069\ufeff",
    "\U000e0100\U000e0041",
    "\U0001d159",
    "\u0301\u0301",
    "\ufff9\u061c",
]


@pytest.mark.parametrize("text", UNSEEN)
def test_what_cannot_be_seen_is_nothing(text: str) -> None:
    assert tidy_text(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "👩‍👩‍👧 and 🏳️‍🌈 and 1️⃣ and ❤️",
        "می‌خواهم",  # Persian, with a joiner that keeps letters apart
        "क्‍ष श्री",
        "Việt Nam, Čeština, Ünï",
        "שָׁלוֹם",
        "ภาษาไทย",
        "རྒྱུ",
        "한국어 日本語 がぎ",
    ],
)
def test_what_people_write_in_their_languages_stays(text: str) -> None:
    assert tidy_text(text) == unicodedata.normalize("NFC", text)


def test_a_letter_keeps_only_a_few_marks() -> None:
    assert tidy_text("Z" + "\u0301" * 96 + "o") == unicodedata.normalize("NFC", "Z\u0301") + "\u0301" * MARKS + "o"
    assert tidy_text("Z" + "\u20dd\u0329\u200d\ufe0f" * 96).count("\u0329") <= MARKS


@given(st.text(max_size=60))
def test_a_tidy_text_is_empty_or_seen_and_stays_so(text: str) -> None:
    tidied = tidy_text(text)
    assert tidy_text(tidied) == tidied
    assert not tidied or any(unicodedata.category(char)[0] in "LNPSM" for char in tidied)
    run = 0
    for char in tidied:
        run = run + 1 if unicodedata.category(char) in ("Mn", "Me") and char not in "\ufe0e\ufe0f" else 0
        assert run <= MARKS
