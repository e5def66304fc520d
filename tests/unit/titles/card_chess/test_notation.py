"""How actions are written."""

from __future__ import annotations

import pytest

from games.engine.protocol import NotationError
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import CARDS, Play

EXAMPLES = [
    ("play gR5d bP1l bQ9w", Play(("gR5d", "bP1l", "bQ9w"))),
    ("play bC#w", Play(("bC#w",))),
    ("play bC#w bC#w", Play(("bC#w", "bC#w"))),
    ("play gG#w gK5w bN5l bB7d", Play(("gG#w", "gK5w", "bN5l", "bB7d"))),
]


@pytest.mark.parametrize(("text", "action"), EXAMPLES)
def test_notation_of_the_rules(text: str, action: Play) -> None:
    assert GAME.parse(text) == action
    assert GAME.notate(action) == text


@pytest.mark.parametrize("card", CARDS)
def test_every_card_can_be_read_and_written(card: str) -> None:
    assert GAME.notate(GAME.parse(f"play {card}")) == f"play {card}"


def test_the_notation_keeps_the_printed_5_of_a_green_rook() -> None:
    assert GAME.parse("play gR5l") == Play(("gR5l",))
    with pytest.raises(NotationError):
        GAME.parse("play gR6l")


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "play", "play ", "Play bP1l", "play  bP1l", " play bP1l", "play bP1l ", "play bP1l\n", "play\tbP1l",
        "play bP1l  bP2l", "play bP1l,bP2l", "play bP1lbP2l", "bP1l", "play bP1l play", "play 1", "play b", "play bp1l",
        "play BP1L", "play bP5l", "play bP1w", "play bQ9l", "play bQ9", "play xQ9w", "play bC4w", "play bP١l",
        "play bP1l bP1d bP2l bP2d bP3l", "play" + " bP1l" * 50_000, "resign",
    ],
)  # fmt: skip
def test_notation_is_strict(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.parse(text)
    assert caught.value.code == "notation"
