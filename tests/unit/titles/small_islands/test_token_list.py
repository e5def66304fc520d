"""The list of bonus tokens: each choice is a token together with a place it may go to."""

from __future__ import annotations

import re

from games.engine.protocol import Seat
from games.titles.small_islands import GAME, board
from games.titles.small_islands.rules.state import State
from tests.unit.titles.small_islands.positions import position, tiles, token
from tests.unit.titles.small_islands.showing import html, scene

NEW = "new"


def fields(state: State) -> list[tuple[str, list[str]]]:
    """Return the lists that the form sends, each with the name of its field and the values offered, "" left out."""
    selects = re.findall(r"<select ([^>]*)>(.*?)</select>", html(scene(state, 0)), re.DOTALL)
    return [
        (name.group(1), re.findall(r'<option value="([^"]+)"', options))
        for attributes, options in selects
        if (name := re.search(r'name="([^"]+)"', attributes))
    ]


def offered(state: State) -> list[str]:
    """Return the values of the list of tokens."""
    ((_name, values),) = fields(state)
    return values


def legal(state: State) -> set[str]:
    """Return the notation of every legal action of seat 0."""
    return {GAME.notate(action) for action in GAME.legal_actions(state, Seat(0))}


def composed(state: State, texts: set[str], value: str) -> set[str]:
    """Return what the form asks for with this token and each way of placing a tile that is legal without one."""
    found = set()
    for text in texts:
        verb, slot, tile, *where = text.split(" ")
        if verb == "explore" and len(where) == 2:
            taken = state.table.row[int(slot) - 1]
            chosen = {"verb": "place", "slot": f"{slot}:{taken}", "tile": tile, "cell": where[0], "turn": where[1]}
            found.add(board.compose({"token": [value], **{name: [said] for name, said in chosen.items()}}))
    return found


def test_one_list_holds_tokens_and_places() -> None:
    assert [name for name, _values in fields(position())] == ["token"]


def test_every_choice_on_the_tiles_in_play_is_legal_and_every_legal_one_is_offered() -> None:
    state = position(tokens=(token("0 fruit port 0,1 W"), token("1 leaf leaf 0,0 flower")))
    texts = legal(state)
    on_map = {value for value in offered(state) if f" {NEW}" not in value}
    assert all(composed(state, texts, value) <= texts for value in on_map)
    cells = {f"{placed.cell.x},{placed.cell.y}" for placed in state.table.board}
    uses = {text.partition(" token ")[2] for text in texts if " token " in text}
    assert on_map == {use for use in uses if use.split(" ")[1].partition(".")[0] in cells}


def test_a_token_that_has_been_laid_is_not_offered_again() -> None:
    values = offered(position(tokens=(token("0 fruit port 0,1 W"),)))
    assert {value.split(" ")[0] for value in values} == {
        "flower", "leaf", "any=flower", "any=fruit", "any=leaf", "flower=port", "leaf=port", "any=port",
    }  # fmt: skip
    assert "leaf 0,0 flower" in values
    assert not any(value.endswith(" 0,1 W") for value in values)


def test_each_choice_says_where_it_lies_on_the_map() -> None:
    text = html(scene(position(), 0))
    assert re.search(r'<option value="flower 0,1 leaf" data-at="\d+ \d+">0, 1: leaf</option>', text)


def test_every_choice_on_the_tile_being_placed_is_legal_with_one_of_the_tiles() -> None:
    walled = position(board=tiles("1 0,0 0"), hands=((52, 41), (54, 55)), row=(30, 17, None))
    for state in (position(), walled):
        texts = legal(state)
        on_new = {value for value in offered(state) if f" {NEW}" in value}
        assert on_new
        assert all(composed(state, texts, value) & texts for value in on_new)


def test_no_choice_is_offered_twice() -> None:
    values = offered(position())
    assert len(values) == len(set(values))


def test_each_token_shows_its_sides_to_choose_from() -> None:
    state = position(tokens=(token("0 fruit port 0,1 W"),))
    sides = re.findall(r'id="sides-(\w+)">(.*?)</span>', html(scene(state, 0)))
    assert {name: re.findall(r'name="token-use" value="([^"]+)"', drawn) for name, drawn in sides} == {
        "flower": ["flower", "flower=port"],
        "leaf": ["leaf", "leaf=port"],
        "any": ["any=flower", "any=fruit", "any=leaf", "any=port"],
    }


def test_the_choices_are_grouped_by_token() -> None:
    groups = re.findall(r'<optgroup label="([^"]+)">(.*?)</optgroup>', html(scene(position(), 0)), re.DOTALL)
    assert [label for label, _options in groups] == [
        "flower",
        "dragon fruit",
        "leaf",
        "any resource, as flower",
        "any resource, as dragon fruit",
        "any resource, as leaf",
        "Port, on the back of flower",
        "Port, on the back of dragon fruit",
        "Port, on the back of leaf",
        "Port, on the back of any resource",
    ]
    for _label, options in groups:
        assert len({value.split(" ")[0] for value in re.findall(r'value="([^"]+)"', options)}) == 1
