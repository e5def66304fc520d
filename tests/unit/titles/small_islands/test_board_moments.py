"""What the board says only at certain moments: the last round, the last ships, no place for a House, the end."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.unit.titles.small_islands.positions import begin, house, position, tiles
from tests.unit.titles.small_islands.showing import html, scene

START = begin().table.board
ALL_SEA = tiles("grey 0,0 0")


def changed(**changes: Any) -> str:
    return html(scene(position(**changes), 0))


@pytest.mark.parametrize(
    ("ships", "said"),
    [
        ("ship", "Ships: 3 ·"),
        ("grey", "Ships: 3 ·"),
        ("grey grey", "Ships: 2 ·"),
        ("ship grey grey", "Round 1/4 · Only bob has a ship left ·"),
    ],
)
def test_whose_ships_are_left_is_told_once_somebody_cannot_land_any_more(ships: str, said: str) -> None:
    laid = tiles(*(f"{face} {5 + at},5 0" for at, face in enumerate(ships.split())))
    assert said in changed(board=(*START, *(tile._replace(seat=0) for tile in laid)))


def test_it_is_told_how_many_tiles_are_left_until_ships_may_land() -> None:
    assert "1 tile until landing</bdi></p>" in changed(navigation=1)
    assert "Ships may land</bdi></p>" in changed(navigation=0)
    assert "Ships may land" not in changed(phase="reward", navigation=0)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"phase": "explore"}, "Last round: once somebody lands or no tile is left, "),
        ({"phase": "reward"}, "Last round: the match ends once everyone has placed Houses<"),
        ({"phase": "over", "end": "ships"}, "Round 4/4 · Ships: 4<"),
    ],
)
def test_what_ends_the_last_round_is_told(changes: dict[str, Any], said: str) -> None:
    assert f'id="said">{said}' in changed(round=4, navigation=0, **changes)


def test_a_reserve_that_is_too_small_for_another_round_makes_it_the_last() -> None:
    lasts = [
        "Last round" in html(scene(replace(position(navigation=0), deck=tuple(range(1, 1 + tiles_left))), 0))
        for tiles_left in (6, 5)
    ]
    assert lasts == [False, True]


def test_everybody_can_land_with_a_grey_ship_alexis_too() -> None:
    assert "Ships: 4 ·" in html(scene(position(seats=1, alexis="night", navigation=6), 0))


def test_who_chooses_an_objective_is_told_what_the_round_before_brought() -> None:
    before = {"houses": (house(0, "0,0", 4), house(0, "1,0", 2)), "revealed": ((4,), (4,)), "starter": 0}
    text = changed(phase="choose", chosen=(False, False), round=2, **before)
    told = text.split('id="round-told">')[1].split("</p>")[0]
    assert told == "<b>Round 1</b> bob: no House · You: 6 points (Arran, Burano)"
    assert "round-told" not in changed(phase="choose", chosen=(False, False))


@pytest.mark.parametrize(
    ("ship", "told"),
    [
        ("ship 2,2 0 0", "You: 7 points (Arran, Burano, Ports)"),
        ("ship 2,2 0 1", "bob: 1 point (Ports)"),
        ("grey 2,2 0", "You: 6 points (Arran, Burano)"),
    ],
)
def test_what_the_round_before_brought_includes_ports_around_the_ship_that_landed(ship: str, told: str) -> None:
    board = tiles("S1A 0,0 3", "S2A 1,0 2", "S3A 0,1 0", "S4A 1,1 1", ship, "14 3,1 0")
    before = {
        "houses": (house(0, "0,0", 4), house(0, "1,0", 2)),
        "revealed": ((4,), (4,)),
        "starter": 0,
        "board": board,
    }
    assert (
        told
        in changed(phase="choose", chosen=(False, False), round=2, **before)
        .split('id="round-told">')[1]
        .split("</p>")[0]
    )


@pytest.mark.parametrize(
    ("ships", "number", "others"),
    [
        ("grey grey", 3, "bob"),
        ("ship grey", 3, "bob"),
        ("grey", 2, ""),  # with the other gray ship or their own
        ("grey grey", 4, ""),  # no other round follows
    ],
)
def test_before_the_last_ship_lands_it_is_told_who_alone_can_end_a_round_then(
    ships: str, number: int, others: str
) -> None:
    laid = tiles(*(f"{face} {5 + at},5 0 0" for at, face in enumerate(ships.split())))
    asked = re.findall(r'data-last-landing="([^"]*)"', changed(board=(*START, *laid), navigation=0, round=number))
    said = f"Your last ship: after this only {others} can end a round."
    assert asked == ([said] if others else [])


def test_in_the_last_round_nothing_is_put_aside() -> None:
    asked = [changed(phase="choose", chosen=(False, False), round=number) for number in (3, 4)]
    assert ["choose only what scores now" in text for text in asked] == [False, True]
    assert ["Next time" in text for text in asked] == [True, False]
    assert ["Put aside for next time" in changed(round=number) for number in (3, 4)] == [True, False]


def test_after_the_end_nobody_has_an_objective_any_more() -> None:
    text = changed(phase="over", end="ships")
    assert "Your objective" not in text
    assert "Put aside for next time" not in text


NONE_LEFT = "You have no Houses left."


@pytest.mark.parametrize(
    ("changes", "hints", "said"),
    [
        ({"objective": (1,), "board": ALL_SEA}, True, "No island fulfills your objective."),
        ({"objective": (4,), "houses": (house(0, "1,0"),)}, True, "You already have a House on Burano."),
        ({"objective": (4,), "houses": (house(1, "1,0"),)}, True, "Burano has no free house spot."),
        *(({"objective": (4,), "houses": (house(0, "0,0"),) * 8}, hints, NONE_LEFT) for hints in (True, False)),
        ({"objective": (4,), "board": ALL_SEA}, False, "No island has a free house spot."),
    ],
)
def test_why_no_house_can_be_placed_is_told(changes: dict[str, Any], hints: bool, said: str) -> None:
    text = html(scene(position(phase="reward", **changes), 0, hints=hints))
    told = f"{said} You place no House."
    assert f'role="status" data-noplace="{told}">{told}</p>' in text
    assert re.findall(r'id="verb-send"[^>]*>([^<]+)<', text) == ["Confirm"]
