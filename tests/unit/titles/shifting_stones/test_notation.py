"""How actions are written."""

from __future__ import annotations

import pytest

from games.engine.protocol import NotationError
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.rules.notation import DISCARDS, END, SCORES, SKIP, Action, Flip, Score, Shift
from games.titles.shifting_stones.rules.patterns import CARDS

EVERY_ACTION = (END, SKIP, *SCORES.values(), *(action for actions in DISCARDS.values() for action in actions))

EXAMPLES: list[tuple[str, Action]] = [
    ("shift 12 a1 b1", Shift(12, 0, 1)),
    ("shift 12 b1 a1", Shift(12, 1, 0)),
    ("shift 72 c2 c3", Shift(72, 5, 8)),
    ("flip 12 b2", Flip(12, 4)),
    ("flip 1 a3", Flip(1, 6)),
    ("score 12", Score(12)),
    ("end", END),
    ("skip", SKIP),
]


@pytest.mark.parametrize(("text", "action"), EXAMPLES)
def test_notation_of_the_rules(text: str, action: Action) -> None:
    assert GAME.parse(text) == action
    assert GAME.notate(GAME.parse(text)) == text


def test_every_action_survives_writing_and_reading() -> None:
    assert all(GAME.parse(GAME.notate(action)) == action for action in EVERY_ACTION)


def test_there_are_24_things_to_do_with_72_cards_and_no_two_look_alike() -> None:
    assert len({GAME.notate(action) for action in EVERY_ACTION}) == 72 * (12 + 9 + 1) + 2


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "End", "END", "end ", " end", "end\n", "skip\n", "ends", "end skip", "pass",
        "score", "score ", "score  12", "score 12 ", "score 12\n", "score 012", "score 0", "score 73", "score 100",
        "score -1", "score +1", "score 1.0", "score x", "score 1 2", "Score 12", "score\t12", "score ١٢", "score １２",
        "flip 12", "flip 12 d1", "flip 12 a0", "flip 12 a4", "flip 12 B2", "flip 12 b2 b3", "flip 12  b2", "flip b2",
        "flip 012 b2", "flip 99 b2", "flip 12 2b", "flip 12 ａ1",
        "shift 12 a1", "shift 12 a1 b1 c1", "shift 12 a1  b1", "shift 12 a1,b1", "shift 12 a1b1", "shift a1 b1",
        "shift 12 a1 b4", "shift 12 A1 b1", "shift 0 a1 b1", "shift 12 a1 b1\n", "shift 12 a1-b1", "resign",
    ],
)  # fmt: skip
def test_notation_is_strict(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.parse(text)
    assert caught.value.code == "notation"


def test_long_nonsense_is_refused() -> None:
    with pytest.raises(NotationError):
        GAME.parse("score " + "1" * 100_000)


def test_cells_of_a_shift_may_stand_in_either_order() -> None:
    one, other = GAME.parse("shift 12 a1 b1"), GAME.parse("shift 12 b1 a1")
    assert one == other
    assert hash(one) == hash(other)
    assert {GAME.notate(one), GAME.notate(other)} == {"shift 12 a1 b1", "shift 12 b1 a1"}


@pytest.mark.parametrize("text", ["shift 13 a1 b1", "shift 12 a1 a2", "flip 12 a1", "score 12", "end"])
def test_shift_differs_from_every_other_action(text: str) -> None:
    assert GAME.parse("shift 12 a1 b1") != GAME.parse(text)


def test_cards_are_named_by_their_id_in_the_data_file() -> None:
    assert [GAME.parse(f"score {card}") for card in CARDS] == [Score(card) for card in range(1, 73)]
