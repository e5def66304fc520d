"""What a submitted board form asks for."""

from __future__ import annotations

import pytest

from games.engine.protocol import RuleViolation
from games.titles.small_islands import GAME, board
from games.titles.small_islands.board.form import MISSING

EXPLORE = {"verb": ["place"], "slot": ["2:41"], "tile": ["17"], "cell": ["1,-1"], "turn": ["3"]}


def refusal(fields: dict[str, list[str]]) -> str:
    with pytest.raises(RuleViolation) as caught:
        board.compose(fields)
    assert caught.value.code == "choice"
    return caught.value.text


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"verb": ["choose"], "now-objectives": ["4"], "next-objectives": ["9"]}, "choose 4 9"),
        ({"verb": ["choose"], "now-objectives": ["4"], "any-objectives": ["4", "9", "2"]}, "choose 4 9"),
        (
            {
                "verb": ["combine"],
                "now-missions": ["2"],
                "now-rewards": ["5"],
                "next-missions": ["7"],
                "next-rewards": ["1"],
            },
            "choose m2 r5 m7 r1",
        ),
        ({"verb": ["place"], "tile": ["S1A"], "cell": ["0,0"], "turn": ["3"]}, "start S1A 0,0 3"),
        (EXPLORE, "explore 2 17 1,-1 3"),
        ({**EXPLORE, "tile": ["taken"]}, "explore 2 41 1,-1 3"),
        ({**EXPLORE, "token": [""]}, "explore 2 17 1,-1 3"),
        ({**EXPLORE, "token": ["fruit 0,1 flower"]}, "explore 2 17 1,-1 3 token fruit 0,1 flower"),
        ({**EXPLORE, "token": ["any=leaf 0,1.2 fruit"]}, "explore 2 17 1,-1 3 token any=leaf 0,1.2 fruit"),
        ({**EXPLORE, "token": ["fruit=port 0,1 W"]}, "explore 2 17 1,-1 3 token fruit=port 0,1 W"),
        ({**EXPLORE, "token": ["leaf new fruit"]}, "explore 2 17 1,-1 3 token leaf 1,-1 fruit"),
        ({**EXPLORE, "token": ["leaf new.2 fruit"]}, "explore 2 17 1,-1 3 token leaf 1,-1.2 fruit"),
        ({**EXPLORE, "token": ["leaf=port new S"]}, "explore 2 17 1,-1 3 token leaf=port 1,-1 S"),
        ({**EXPLORE, "verb": ["discard"]}, "explore 2 17 discard"),
        ({"verb": ["place"], "tile": ["own"], "cell": ["2,0"], "turn": ["1"]}, "land own 2,0"),
        ({"verb": ["place"], "tile": ["grey"], "cell": ["2,0"]}, "land grey 2,0"),
        ({"verb": ["settle"], "site": ["0,1", "3,2.1"]}, "settle 0,1 3,2.1"),
        ({"verb": ["settle"]}, "settle"),
        ({"verb": ["settle"], "places": ["1"], "none": ["1"]}, "settle"),
        ({"verb": ["settle"], "places": ["1"], "site": ["0,1"]}, "settle 0,1"),
    ],
)
def test_every_form_becomes_an_action(fields: dict[str, list[str]], text: str) -> None:
    assert board.compose(fields) == text
    assert GAME.notate(GAME.parse(board.compose(fields))) == text


@pytest.mark.parametrize(
    ("lacking", "said"), [("slot", "slot"), ("tile", "tile"), ("cell", "cell"), ("turn", "turn"), ("verb", "verb")]
)
def test_what_is_missing_to_explore_is_said(lacking: str, said: str) -> None:
    assert refusal({name: values for name, values in EXPLORE.items() if name != lacking}) == str(MISSING[said])


def test_no_house_must_be_asked_for_where_one_could_be_placed() -> None:
    assert refusal({"verb": ["settle"], "places": ["1"]}) == str(MISSING["none"])


@pytest.mark.parametrize("ship", ["own", "grey"])
def test_a_token_is_not_left_out_silently_when_a_ship_lands(ship: str) -> None:
    landing = {"verb": ["place"], "tile": [ship], "cell": ["2,0"]}
    assert refusal({**landing, "token": ["fruit 0,1 flower"]}) == str(MISSING["token"])
    assert board.compose({**landing, "token": [""]}) == f"land {ship} 2,0"


@pytest.mark.parametrize("chosen", [{}, {"now-objectives": ["4"]}, {"next-objectives": ["4"]}])
def test_two_cards_must_be_chosen(chosen: dict[str, list[str]]) -> None:
    assert refusal({"verb": ["choose"], **chosen}) == str(MISSING["cards"])


def test_in_the_last_round_one_card_must_be_chosen() -> None:
    assert refusal({"verb": ["choose"], "any-objectives": ["4", "9", "2"]}) == str(MISSING["last"])


def test_missions_and_rewards_must_be_chosen_both() -> None:
    chosen = {"now-missions": ["1"], "next-missions": ["2"], "now-rewards": ["3"]}
    assert refusal({"verb": ["combine"], **chosen}) == str(MISSING["cards"])


@pytest.mark.parametrize("verbs", [[], ["resign"], [""], ["settle", "place"]])
def test_a_verb_is_needed(verbs: list[str]) -> None:
    assert refusal({**EXPLORE, "verb": verbs}) == str(MISSING["verb"])


@pytest.mark.parametrize(
    "change",
    [
        {"slot": ["41"]},
        {"cell": ["1;1"]},
        {"turn": ["4"]},
        {"tile": ["77"]},
        {"token": ["fruit"]},
        {"token": ["fruit 0,1 W"]},
        {"token": ["any=port new leaf"]},
    ],
)
def test_what_makes_no_sense_is_refused_by_the_notation(change: dict[str, list[str]]) -> None:
    with pytest.raises(RuleViolation) as caught:
        GAME.parse(board.compose({**EXPLORE, **change}))
    assert caught.value.code == "notation"
