"""What a submitted board form asks for."""

from __future__ import annotations

import pytest

from games.engine.protocol import RuleViolation
from games.titles.shifting_stones import GAME, board


def refusal(**fields: list[str]) -> str:
    with pytest.raises(RuleViolation) as caught:
        board.compose(fields)
    assert caught.value.code == "choice"
    return caught.value.text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"verb": ["shift"], "card": ["12"], "cell": ["a1", "b1"]}, "shift 12 a1 b1"),
        ({"verb": ["flip"], "card": ["12"], "cell": ["b2"]}, "flip 12 b2"),
        ({"verb": ["score"], "card": ["12"]}, "score 12"),
        ({"verb": ["end"]}, "end"),
        ({"verb": ["skip"]}, "skip"),
    ],
)
def test_each_verb_becomes_an_action(fields: dict[str, list[str]], text: str) -> None:
    assert board.compose(fields) == text
    assert GAME.notate(GAME.parse(board.compose(fields))) == text


def test_score_end_and_skip_take_no_notice_of_a_choice_they_do_not_need() -> None:
    chosen = {"card": ["12"], "cell": ["a1", "b1"], "csrfmiddlewaretoken": ["x"]}
    assert [board.compose({"verb": [verb], **chosen}) for verb in ("score", "end", "skip")] == [
        "score 12",
        "end",
        "skip",
    ]


@pytest.mark.parametrize("cells", [[], ["a1"], ["a1", "b1", "c1"]])
def test_a_shift_needs_two_stones(cells: list[str]) -> None:
    assert refusal(verb=["shift"], card=["12"], cell=cells) == "Choose two adjacent stones."


@pytest.mark.parametrize("cells", [[], ["a1", "b1"]])
def test_a_flip_needs_one_stone(cells: list[str]) -> None:
    assert refusal(verb=["flip"], card=["12"], cell=cells) == "Choose one stone to flip."


@pytest.mark.parametrize("verb", ["shift", "flip"])
@pytest.mark.parametrize("cards", [[], ["1", "2"]])
def test_a_shift_and_a_flip_need_one_card(verb: str, cards: list[str]) -> None:
    assert refusal(verb=[verb], card=cards, cell=["a1", "b1"]) == "Choose a card to discard."


def test_a_score_needs_a_card() -> None:
    assert refusal(verb=["score"], cell=["a1"]) == "Choose the card to score."


@pytest.mark.parametrize("verbs", [[], ["resign"], ["end", "skip"], [""]])
def test_a_verb_is_needed(verbs: list[str]) -> None:
    assert refusal(verb=verbs, card=["12"]) == "Choose what to do: shift, flip, score, end or skip."


@pytest.mark.parametrize("value", ["012", "12 a1", "73", "12\n"])
def test_what_is_no_card_is_refused_by_the_notation(value: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        GAME.parse(board.compose({"verb": ["score"], "card": [value]}))
    assert caught.value.code == "notation"
