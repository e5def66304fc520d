"""What the board says of ships, Ports and tokens, and of the points that Ports bring."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.engine.protocol import Event
from games.titles.small_islands.board import pieces, wording
from games.titles.small_islands.rules.events import ShipPlaced, TilePlaced, TokenLaid
from games.titles.small_islands.rules.islands import Token
from tests.unit.titles.small_islands.positions import act, cell, position, site, tiles, token
from tests.unit.titles.small_islands.showing import html, scene

# S3A has a Port; the ship of seat 0 lies beside it, and one of seat 1 beside none
SAILED = tiles("S1A 0,0 3", "S2A 1,0 2", "S3A 0,1 0", "S4A 1,1 1", "ship 2,2 0 0", "ship 5,5 0 1")


def test_each_piece_is_explained_in_a_sentence_that_controls_refer_to() -> None:
    text = html(scene(position(navigation=0), 0))
    said = dict(re.findall(r'<span id="piece-(\w+)">([^<]+)</span>', text))
    said |= dict(re.findall(r'<span id="piece-(\w+)" hidden>([^<]+)</span>', text))
    assert said.keys() == {"port", "ship", "own", "last", "grey", "token", "discovery"}
    assert "3 to 8 points" in said["discovery"]
    described = set(re.findall(r'aria-describedby="piece-(\w+)"', text))
    assert described == {"own", "grey"}


@pytest.mark.parametrize(
    ("players", "ships", "round_", "about"),
    [
        (2, (), 1, ["own", "grey"]),
        (2, ("grey", "grey"), 3, ["last"]),
        (2, ("grey", "grey"), 4, ["own"]),
        (2, ("ship",), 2, ["grey"]),
        (2, ("ship", "grey"), 3, ["last"]),
        (4, (), 1, ["last"]),
    ],
)
def test_whoever_lands_with_their_last_ship_is_told(
    players: int, ships: tuple[str, ...], round_: int, about: list[str]
) -> None:
    landed = tiles(*(f"{ship} {9 + number},0 0{' 0' if ship == 'ship' else ''}" for number, ship in enumerate(ships)))
    state = position(players, board=(*SAILED[:4], *landed), navigation=0, round=round_)
    text = html(scene(state, 0))
    assert re.findall(r'name="tile"[^>]*aria-describedby="piece-(\w+)"', text) == about


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (ShipPlaced(None, 0, "own", cell("2,2")), ["+1 for a Port around your ship.", "the ship of ann"]),
        (ShipPlaced(None, 1, "own", cell("5,5")), ["No Port lies around the ship of bob.", "around your ship."]),
        (ShipPlaced(None, 0, "grey", cell("2,2")), ["", ""]),
        (TokenLaid(None, 1, "leaf", "port", site("1,1"), "N"), ["+1 for a Port around your ship.", "the ship of ann"]),
        (TokenLaid(None, 1, "leaf", "leaf", site("0,0"), "flower"), ["", ""]),
        (TokenLaid(None, 1, "leaf", "port", site("0,0"), "N"), ["", ""]),
    ],
)
def test_what_ports_have_just_brought_is_told(event: Event, said: list[str]) -> None:
    laid = event if isinstance(event, TokenLaid) else None
    tokens = (Token(laid.seat, laid.name, laid.shows, laid.site, laid.spot),) if laid else ()
    state = position(board=SAILED, tokens=tokens)
    for viewer, text in enumerate(said):
        told = pieces.ports_told(scene(state, viewer, (event,)))
        assert text in told
        assert bool(text) == bool(told) == ("data-told" in html(scene(state, viewer, (event,))))


@pytest.mark.parametrize("text", ["fruit 0,0 flower", "fruit=port 0,0 N", "leaf 0,0 fruit"])
def test_what_an_action_placed_has_a_ring_its_token_too_even_on_another_one(text: str) -> None:
    earlier = (token("1 fruit fruit 0,0 flower"),) if text == "leaf 0,0 fruit" else ()
    state = position(row=(17, 2, 3), hands=((5, 41), (6, 7)), deck=tuple(range(20, 40)), tokens=earlier)
    step = act(state, f"explore 1 17 2,1 3 token {text}")
    shown = html(scene(step.state, 1, step.events))
    [rings] = re.findall(r'id="last">(.*?)</g>', shown)
    [(x, y)] = re.findall(r'<circle class="s0" cx="(\d+)" cy="(\d+)"', rings)
    assert f'<use href="#token" x="{x}" y="{y}"/>' in shown
    assert rings.count("<rect") == 1


@pytest.mark.parametrize(("where", "ports"), [("3,3", 1), ("4,4", 1), ("0,3", 0)])
def test_a_tile_with_a_port_beside_a_ship_brings_its_owner_a_point(where: str, ports: int) -> None:
    tile = next(face for face in range(1, 60) if "Port" in wording.face_text(str(face)))
    placed: dict[str, Any] = {"slot": 1, "taken": tile, "tile": tile, "turn": 0, "known": True}
    event = TilePlaced(None, 1, cell=cell(where), **placed)
    told = pieces.ports_told(scene(position(board=SAILED), None, (event,)))
    assert told.count("+") == ports
