"""Every title explains itself: sections, contents, options, glossary, and the section about what happens now."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.utils import translation

from games.engine.contract.playouts import Chooser, option_combinations, random_plays
from games.engine.protocol import Option, Seat
from games.titles import Scene, games, titles
from games.titles.board import anchor
from tests.unit.titles.rules_pages import rules_html

SEED = bytes(range(32))
LANGUAGES = ("en", "de", "it")
WRITTEN = [slug for slug, title in titles().items() if len(title.board.RULES) > 1]
"""The games whose rules have sections; a simple game may do with one page, or none."""


def words(slug: str) -> str:
    """Return what can be read on the page of rules."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", rules_html(slug))))


@pytest.mark.parametrize("slug", titles())
def test_the_section_about_now_exists_at_every_position(slug: str) -> None:
    game, board = games()[slug], titles()[slug].board
    anchors, found = {anchor(template) for template, _ in board.RULES}, set()
    for seats in game.seats:
        names = tuple("abcde"[:seats])
        for play in random_plays(game, seats, option_combinations(game, seats)[-1], SEED, Chooser(SEED)):
            for viewer in (None, *map(Seat, range(seats))):
                scene = Scene(game.view_for(play.state, viewer), viewer, names, active=viewer in play.to_move)
                found.add(board.rules_section(scene))
    assert found <= anchors | {""}
    assert len(found) > 1 or slug not in WRITTEN


@pytest.mark.parametrize("slug", WRITTEN)
def test_rules_begin_in_short_and_have_a_glossary(slug: str) -> None:
    anchors = [anchor(template) for template, _ in titles()[slug].board.RULES]
    assert anchors[0] == "short"
    assert {"setup", "pieces", "rulings", "glossary"} <= set(anchors)
    assert len(set(anchors)) == len(anchors)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", WRITTEN)
def test_every_option_is_explained_with_its_choices(slug: str, language: str) -> None:
    with translation.override(language):
        text = words(slug).casefold()
        said = [translation.gettext(part) for option in games()[slug].options for part in _parts(option)]
    assert [part for part in said if part.casefold() not in text] == []


def _parts(option: Option) -> list[str]:
    """Return the label of an option and those of its choices, yes and no left out."""

    return [option.label, *(name for _, name in option.choices if name not in {"yes", "no"})]


@pytest.mark.parametrize("slug", WRITTEN)
def test_every_drawing_has_a_caption_or_says_what_it_shows(slug: str) -> None:
    html = rules_html(slug)
    figures = re.findall(r'<figure class="example">.*?</figure>', html, re.DOTALL)
    assert len(figures) >= 20
    assert [figure for figure in figures if "<figcaption>" not in figure or 'class="drawing"' not in figure] == []


@pytest.mark.parametrize("slug", WRITTEN)
def test_no_id_of_the_rules_occurs_twice_or_on_the_board(slug: str) -> None:
    assert re.findall(r' id="', rules_html(slug)) == []
