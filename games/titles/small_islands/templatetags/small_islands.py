"""What the Django templates of the title need: the drawings, and pictures for the rules."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.titles.small_islands.board import drawing, form, panels, wording
from games.titles.small_islands.rules.components import OBJECTIVES

register = template.Library()
for drawn in (drawing.tile_symbols, drawing.land_symbols, drawing.card_symbols, drawing.sign_symbols):
    register.simple_tag(drawn)
for drawn in (drawing.house_symbols, drawing.rulers, drawing.sign):
    register.simple_tag(drawn)


@register.simple_tag
def board_words() -> SafeString:
    """Return an invisible element with the sentences the script says."""
    attributes = format_html_join("", ' data-{}="{}"', form.words().items())
    return format_html('<div id="board-words" hidden{}></div>', attributes)


@register.simple_tag
def objective_numbers() -> tuple[int, ...]:
    """Return the numbers of all objective cards."""
    return tuple(OBJECTIVES)


@register.simple_tag
def tile_picture(face: str, turn: int = 0) -> SafeString:
    """Return a tile as a picture with its name, turned this many quarters clockwise."""
    return drawing.lying_picture(face, turn, wording.face_text(face))


@register.simple_tag
def mission_card(number: int) -> SafeString:
    """Return a mission of the advanced game."""
    return format_html('<span class="objective-card">{}</span>', panels.ruling("mission", number))


@register.simple_tag
def objective_card(number: int) -> SafeString:
    """Return an objective card."""
    return format_html('<span class="objective-card">{}</span>', panels.card(OBJECTIVES[number]))
