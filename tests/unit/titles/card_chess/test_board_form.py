"""What a submitted board form asks for."""

from __future__ import annotations

import pytest

from games.engine.protocol import RuleViolation
from games.titles.card_chess import GAME, board


def refusal(**fields: list[str]) -> str:
    with pytest.raises(RuleViolation) as caught:
        board.compose(fields)
    assert caught.value.code == "choice"
    return caught.value.text


def test_the_cards_of_the_places_become_a_play() -> None:
    fields = {"places": ["3"], "place1": ["gR5d"], "place2": ["bP1l"], "place3": ["bC#w"], "csrfmiddlewaretoken": ["x"]}
    text = board.compose(fields)
    assert text == "play gR5d bP1l bC#w"
    assert GAME.notate(GAME.parse(text)) == text


def test_one_place_is_enough_when_one_card_lies_on_the_table() -> None:
    assert board.compose({"places": ["1"], "place1": ["gR5d"]}) == "play gR5d"


def test_the_four_places_of_the_last_turn_of_three_are_all_played() -> None:
    cards = ["gR5d", "bP1l", "bC#w", "bQ9w"]
    fields = {"places": ["4"], **{f"place{number}": [card] for number, card in enumerate(cards, 1)}}
    assert board.compose(fields) == "play gR5d bP1l bC#w bQ9w"


@pytest.mark.parametrize("lacking", [1, 2, 3])
@pytest.mark.parametrize("left", [{}, {"value": [""]}])
def test_every_place_needs_a_card(lacking: int, left: dict[str, list[str]]) -> None:
    fields = {f"place{number}": ["gR5d"] for number in (1, 2, 3) if number != lacking}
    fields |= {f"place{lacking}": value for value in left.values()}
    assert refusal(places=["3"], **fields) == "Choose a card for every pile."


@pytest.mark.parametrize("places", [[], [""], ["0"], ["5"], ["3", "3"], ["²"], ["-1"]])
def test_a_form_without_places_is_incomplete(places: list[str]) -> None:
    assert refusal(places=places, place1=["gR5d"]) == "Choose a card for every pile."


@pytest.mark.parametrize("value", ["gR5d bP1l bC#w bQ9w bK5w", "xx", "gr5d", "gR5d\n"])
def test_what_is_no_card_is_refused_by_the_notation(value: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        GAME.parse(board.compose({"places": ["1"], "place1": [value]}))
    assert caught.value.code == "notation"
