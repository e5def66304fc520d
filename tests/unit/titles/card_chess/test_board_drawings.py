"""The drawings: what the sprite contains, and that boards and rules use nothing else."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.template.loader import render_to_string

from games.titles.card_chess import board
from games.titles.card_chess.board.drawing import drawn
from games.titles.card_chess.rules.deck import CARDS
from tests.unit.titles.card_chess.showing import text_of, whole_match
from tests.unit.titles.rules_pages import referred, rules_html


def test_the_sprite_draws_every_card_with_its_frame_square_piece_value_and_points() -> None:
    sprite = render_to_string(board.SPRITE)
    for card in CARDS.values():
        symbol = re.search(rf'<symbol id="c-{drawn(card.text)}".*?</symbol>', sprite)
        assert symbol
        colour, figure, square = card.text[0], card.text[1], card.text[3]
        drawings = [f"frame-{colour}", f"square-{square}", f"piece-{figure}", f"corners-{colour}"]
        assert re.findall(r'href="#([^"]+)"', symbol[0]) == drawings
        assert f">{card.value}</text>" in symbol[0]
        assert symbol[0].count("art-pip") == card.points


def test_no_two_figures_pieces_squares_or_frames_are_drawn_alike() -> None:
    sprite = render_to_string(board.SPRITE)
    shapes = re.findall(r'<(?:symbol|g) id="(?:figure|piece|square|frame|corners)-\w"[^>]*>(.*)</(?:symbol|g)>', sprite)
    assert len(shapes) == 8 + 8 + 3 + 2 + 2
    assert len(set(shapes)) == len(shapes)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whatever_is_drawn_or_named_stands_in_the_sprite(seats: int) -> None:
    ids = set(re.findall(r' id="([^"]+)"', render_to_string(board.SPRITE)))
    texts = [text_of(each.state, 0) for each in whole_match(seats)[::9]]
    for text in (*texts, rules_html("card-chess")):
        assert referred(text) <= ids
        assert set(re.findall(r"\bn-[bg]\w{3}", text)) <= ids


def test_a_board_has_no_inline_style_or_script() -> None:
    for text in (text_of(whole_match(2)[-1].state, 0), render_to_string(board.SPRITE), rules_html("card-chess")):
        assert not re.search(r"<script|\sstyle=|\son\w+=|<style", text)


def test_styles_and_scripts_exist() -> None:
    assert all(finders.find(path) for path in (*board.STYLES, *board.SCRIPTS))
