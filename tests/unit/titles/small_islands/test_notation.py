"""How actions are written."""

from __future__ import annotations

import pytest

from games.engine.protocol import NotationError
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.notation import (
    Action,
    Choose,
    Discard,
    Explore,
    Land,
    PortToken,
    ResourceToken,
    Settle,
    Start,
)
from tests.unit.titles.small_islands.positions import site

HERE = Cell(1, -1)

EXAMPLES: list[tuple[str, Action]] = [
    ("choose 4 9", Choose((4,), (9,))),
    ("choose m2 r5 m7 r1", Choose((2, 5), (7, 1))),
    ("start S1A 0,0 3", Start("S1A", Cell(0, 0), 3)),
    ("explore 2 17 1,-1 3", Explore(2, 17, HERE, 3)),
    (
        "explore 2 17 1,-1 3 token fruit 0,1 flower",
        Explore(2, 17, HERE, 3, ResourceToken("fruit", "fruit", site("0,1"), "flower")),
    ),
    (
        "explore 2 17 1,-1 3 token fruit 0,1.2 flower",
        Explore(2, 17, HERE, 3, ResourceToken("fruit", "fruit", site("0,1.2"), "flower")),
    ),
    (
        "explore 2 17 1,-1 3 token any=leaf 0,1 fruit",
        Explore(2, 17, HERE, 3, ResourceToken("any", "leaf", site("0,1"), "fruit")),
    ),
    ("explore 2 17 1,-1 3 token fruit=port 0,1 W", Explore(2, 17, HERE, 3, PortToken("fruit", Cell(0, 1), 3))),
    ("explore 2 17 1,-1 3 token any=port 0,1 N", Explore(2, 17, HERE, 3, PortToken("any", Cell(0, 1), 0))),
    ("explore 2 17 discard", Discard(2, 17)),
    ("land own 2,0", Land("own", Cell(2, 0))),
    ("land grey -12,40", Land("grey", Cell(-12, 40))),
    ("settle 0,1 3,2", Settle((site("0,1"), site("3,2")))),
    ("settle 0,1.1 3,2 -1,0.2 9,9", Settle((site("0,1.1"), site("3,2"), site("-1,0.2"), site("9,9")))),
    ("settle", Settle(())),
]


@pytest.mark.parametrize(("text", "action"), EXAMPLES)
def test_notation_of_the_rules(text: str, action: Action) -> None:
    assert GAME.parse(text) == action
    assert GAME.notate(action) == text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "resign", "timeout", "pass", "end", "Explore 2 17 1,-1 3", "EXPLORE 2 17 discard",
        "choose", "choose 4", "choose 4 9 1", "choose 04 9", "choose 0 9", "choose 13 9", "choose 4 13", "choose 4  9",
        "choose 4 9 ", " choose 4 9", "choose 4 9\n", "choose +4 9", "choose -4 9", "choose ٤ 9", "choose 4,9",
        "choose m2 r5", "choose m2 r5 m7", "choose r5 m2 r1 m7", "choose m2 m5 m7 m1", "choose m13 r5 m7 r1",
        "choose m2 r13 m7 r1", "choose m02 r5 m7 r1", "choose M2 r5 m7 r1", "choose m2 r5 7 1", "choose 2 5 7 1",
        "start", "start S1 0,0 3", "start S1C 0,0 3", "start S5A 0,0 3", "start s1a 0,0 3", "start S1A 0,0",
        "start S1A 0,0 4", "start S1A 0, 0 3", "start S1A 0,0 3 token fruit=port 0,0 N", "start 17 0,0 3",
        "explore", "explore 2", "explore 2 17", "explore 0 17 1,-1 3", "explore 4 17 1,-1 3", "explore 2 57 1,-1 3",
        "explore 2 0 1,-1 3", "explore 2 017 1,-1 3", "explore 2 17 1,-1 4", "explore 2 17 1,-1",
        "explore 2 17 01,-1 3", "explore 2 17 1,-0 3", "explore 2 17 +1,-1 3", "explore 2 17 1,-01 3",
        "explore 2 17 100,0 3", "explore 2 17 1;-1 3", "explore 2 17 1,-1.1 3", "explore 2 S1A 1,-1 3",
        "explore 2 17 1,-1 3 ", "explore 2 17 1,-1 3 token", "explore 2 17 1,-1 3 token ",
        "explore 2 17 1,-1 3 token fruit", "explore 2 17 1,-1 3 token fruit 0,1",
        "explore 2 17 1,-1 3 fruit 0,1 flower", "explore 2 17 1,-1 -1",
        "explore 2 17 1,-1 3 token fruit 0,1 temple", "explore 2 17 1,-1 3 token fruit 0,1 W",
        "explore 2 17 1,-1 3 token temple 0,1 fruit", "explore 2 17 1,-1 3 token any 0,1 fruit",
        "explore 2 17 1,-1 3 token any=any 0,1 fruit", "explore 2 17 1,-1 3 token fruit=leaf 0,1 flower",
        "explore 2 17 1,-1 3 token fruit=fruit 0,1 flower", "explore 2 17 1,-1 3 token fruit 0,1.0 flower",
        "explore 2 17 1,-1 3 token fruit 0,1.3 flower", "explore 2 17 1,-1 3 token fruit=port 0,1.1 W",
        "explore 2 17 1,-1 3 token fruit=port 0,1 w", "explore 2 17 1,-1 3 token fruit=port 0,1 NW",
        "explore 2 17 1,-1 3 token port 0,1 W", "explore 2 17 1,-1 3 token fruit=port 0,1 flower",
        "explore 2 17 1,-1 3 token fruit 0,1 flower token leaf 0,1 flower", "explore 2 17 1,-1 3\n",
        "explore 2 17 discard ", "explore 2 17 discard token fruit=port 0,1 W", "explore 17 discard",
        "explore 2 17 1,-1 3 discard", "explore 2 17  discard", "explore 2 57 discard",
        "land", "land own", "land 2,0", "land red 2,0", "land own 2,0 1", "land Own 2,0", "land own 2",
        "land own 2,0.1",
        "land own  2,0", "land own 2,0\n", "settle ", "settle 0", "settle 0,1 ", "settle  0,1", "settle 0,1,3,2",
        "settle 0,1.3", "settle 0,1.0", "settle 0,1.", "settle none", "settle 0,1 0,2 0,3 0,4 0,5", "settle\n",
        "settle -0,1", "settle 00,1", "settle ０,1",
    ],
)  # fmt: skip
def test_notation_is_strict(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.parse(text)
    assert caught.value.code == "notation"


def test_long_nonsense_is_refused() -> None:
    for text in (
        "settle" + " 0,1" * 50_000,
        "explore 2 17 " + "1" * 100_000,
        "explore 2 17 1,-1 3 token " + "a" * 9999,
    ):
        with pytest.raises(NotationError):
            GAME.parse(text)


def test_tiles_and_cards_that_do_not_exist_are_named() -> None:
    with pytest.raises(NotationError, match="no tile 57"):
        GAME.parse("explore 2 57 discard")
    with pytest.raises(NotationError, match="from 1 to 12"):
        GAME.parse("choose 13 1")


def test_actions_of_different_kinds_are_never_equal() -> None:
    assert len({action for _, action in EXAMPLES}) == len(EXAMPLES)
    assert GAME.parse("explore 2 17 discard") != GAME.parse("choose 2 12")


@pytest.mark.parametrize("text", [text for text, _ in EXAMPLES])
def test_a_text_has_at_most_200_characters(text: str) -> None:
    assert len(text) <= 200
