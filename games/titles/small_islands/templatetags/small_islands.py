"""What the Django templates of the title need: the drawings, and pictures for the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.titles.small_islands import rules_page
from games.titles.small_islands.board import drawing, form, panels, wording
from games.titles.small_islands.rules.components import OBJECTIVES

register = template.Library()


@register.simple_tag
def tile_symbols() -> SafeString:
    """Return the drawings of all tiles, for the sprite."""
    return drawing.tile_symbols()


@register.simple_tag
def land_symbols() -> SafeString:
    """Return the land of each shape of tile, `isle-*`, for thumbnails."""
    return drawing.land_symbols()


@register.simple_tag
def card_symbols() -> SafeString:
    """Return the pictures of all missions and rewards, for the sprite."""
    return drawing.card_symbols()


@register.simple_tag
def sign_symbols() -> SafeString:
    """Return the symbols as pictures of their own, for the sprite."""
    return drawing.sign_symbols()


@register.simple_tag
def house_symbols() -> SafeString:
    """Return the Houses of the four seats, for the sprite."""
    return drawing.house_symbols()


@register.simple_tag
def rulers() -> SafeString:
    """Return the numbers of columns and rows, for the sprite."""
    return drawing.rulers()


@register.simple_tag
def board_words() -> SafeString:
    """Return an invisible element with the sentences the script says."""
    said = format_html_join("", ' data-{}="{}"', form.words().items())
    return format_html('<div id="board-words" hidden{}></div>', said)


@register.simple_tag
def objective_numbers() -> tuple[int, ...]:
    """Return the numbers of all objective cards."""
    return tuple(OBJECTIVES)


@register.simple_tag
def sign(name: str) -> SafeString:
    """Return a symbol as a small picture."""
    return drawing.sign(name)


@register.simple_tag
def tile_picture(face: str, turn: int = 0) -> SafeString:
    """Return a tile as a picture with its name, turned this many quarters clockwise."""
    return drawing.lying_picture(face, turn, wording.face_text(face, get_language()))


@register.simple_tag
def example(name: str, *arguments: str | int) -> SafeString:
    """Return a picture of the rules by the name of its function in `rules_drawing`."""
    picture: SafeString = _EXAMPLES[name](*arguments, get_language())
    return picture


_EXAMPLES: Mapping[str, Callable[..., SafeString]] = {
    "alexis-cards": rules_page.alexis_cards,
    "alexis-landed": rules_page.alexis_landed,
    "board": rules_page.board,
    "discoveries": rules_page.discoveries,
    "expedition": rules_page.expedition,
    "explored": rules_page.explored,
    "hand": rules_page.hand,
    "landed": rules_page.landed,
    "missions": rules_page.missions,
    "place": rules_page.place,
    "rewards": rules_page.rewards,
    "seats": rules_page.seats,
    "settled": rules_page.settled,
    "token": rules_page.token,
}


@register.simple_tag
def mission_card(number: int) -> SafeString:
    """Return a mission of the advanced game."""
    return format_html('<span class="objective-card">{}</span>', panels.mission(number, get_language()))


@register.simple_tag
def objective_card(number: int) -> SafeString:
    """Return an objective card."""
    return format_html('<span class="objective-card">{}</span>', panels.card(OBJECTIVES[number], get_language()))
