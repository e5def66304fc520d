"""The phrases that several titles use."""

from __future__ import annotations

import pytest
from django.utils import translation

from games.engine.protocol import Seat
from games.titles.phrases import addressed, listing, winners_text

NAMES = ("ann", "bob", "cleo")


def test_names_are_listed_as_one_says_them() -> None:
    assert [listing(NAMES[:count]) for count in (1, 2, 3)] == ["ann", "ann and bob", "ann, bob and cleo"]


def test_readers_are_called_you() -> None:
    assert addressed(NAMES, Seat(1)) == ["ann", "you", "cleo"]
    assert addressed(NAMES, None) == ["ann", "bob", "cleo"]


@pytest.mark.parametrize(
    ("others", "reader_wins", "english", "german"),
    [
        ((), True, "You win with 7 points", "Du gewinnst: 7 Punkte"),
        (("ann",), False, "ann wins with 7 points", "ann gewinnt: 7 Punkte"),
        (("ann",), True, "You and ann share the win with 7 points each", "Du und ann teilt euch den Sieg: je 7 Punkte"),
        (
            ("ann", "bob"),
            False,
            "ann and bob share the win with 7 points each",
            "ann und bob teilen sich den Sieg: je 7 Punkte",
        ),
    ],
)
def test_winners_are_told_to_each_reader(others: tuple[str, ...], reader_wins: bool, english: str, german: str) -> None:
    assert winners_text(others, reader_wins, 7) == english
    with translation.override("de"):
        assert winners_text(others, reader_wins, 7) == german
