"""Thumbnails of every game at random positions: small, well-formed, and made from what everybody may know."""

from __future__ import annotations

import gzip
import re
from xml.etree import ElementTree as ET

import pytest
from django.template.loader import render_to_string

from games.engine.contract.playouts import Chooser, Match, option_combinations, random_match
from games.engine.fair import FairChance
from games.titles import games, titles
from games.titles.defaults import DefaultBoard

SETTINGS = [(slug, seats) for slug, game in games().items() for seats in game.seats]
SPRITES = {slug: title.board.THUMBNAIL_SPRITE for slug, title in titles().items() if title.board.THUMBNAIL_SPRITE}
"""Those games that draw thumbnails from symbols of their own."""
MOST = 3_000
"""Bytes of a thumbnail under gzip."""


@pytest.fixture(params=SETTINGS, ids=lambda setting: f"{setting[0]}-{setting[1]}", scope="module")
def played(request: pytest.FixtureRequest) -> tuple[str, Match]:
    slug, seats = request.param
    game, seed = games()[slug], bytes([seats]) * 32
    return slug, random_match(game, seats, option_combinations(game, seats)[-1], seed, Chooser(seed))


def drawn(played: tuple[str, Match]) -> list[str]:
    slug, match = played
    board, game = titles()[slug].board, games()[slug]
    return [board.thumbnail(game.view_for(play.state, None)) for play in match.sample()]


def names_in(sprite: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', render_to_string(sprite))


def test_they_are_small_and_well_formed(played: tuple[str, Match]) -> None:
    for picture in drawn(played):
        assert len(gzip.compress(picture.encode(), 6)) <= MOST
        ET.fromstring(f"<svg>{picture}</svg>")  # our own
        assert not re.search(r"\b(?:id|style|class|onload)=", picture)


def test_they_change_with_the_position(played: tuple[str, Match]) -> None:
    assert len(set(drawn(played))) > 1


def test_they_refer_only_to_what_the_sprite_holds(played: tuple[str, Match]) -> None:
    there = set(names_in(SPRITES[played[0]])) if played[0] in SPRITES else set()
    wanted = {name for picture in drawn(played) for name in re.findall(r'href="#([^"]+)"', picture)}
    assert bool(wanted) == bool(there)
    assert wanted <= there


def test_they_do_not_depend_on_what_is_hidden(played: tuple[str, Match]) -> None:
    slug, match = played
    board, game = titles()[slug].board, games()[slug]
    for play in match.sample():
        view = game.view_for(play.state, None)
        world = game.imagine(view, FairChance(bytes(32), 1_000_000 + play.number))
        assert board.thumbnail(game.view_for(world, None)) == board.thumbnail(view)


def test_no_two_sprites_use_the_same_name() -> None:
    names = [name for sprite in SPRITES.values() for name in names_in(sprite)]
    assert len(names) == len(set(names))


def test_a_game_that_draws_none_gets_its_points_as_bars(played: tuple[str, Match]) -> None:
    slug, match = played
    game = games()[slug]
    last = match.plays[-1].state
    usual = DefaultBoard(game, "any", frozenset())
    picture = usual.thumbnail(game.view_for(last, None))
    ET.fromstring(f"<svg>{picture}</svg>")  # our own
    shown = re.findall(r">([\d−]+)</text>", picture)
    assert shown == [str(points).replace("-", "−") for points in game.standing(last)]
