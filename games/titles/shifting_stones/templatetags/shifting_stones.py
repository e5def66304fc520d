"""Drawings for the Django templates of the title."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.titles.shifting_stones import board, drawing

register = template.Library()


@register.simple_tag
def card_symbols() -> SafeString:
    """Return the symbols of all cards, for the sprite."""
    return drawing.card_symbols(get_language())


@register.simple_tag
def guide_name() -> str:
    """Return the name of the guide to fronts and backs."""
    return drawing.guide_name()


@register.simple_tag
def card_face(card: int) -> SafeString:
    """Return the picture of a card."""
    return drawing.card_face(card)


@register.simple_tag
def stone_grid(faces: str, marked: str = "") -> SafeString:
    """Return a picture of a grid: nine faces from the top left; `marked` names the cells to highlight."""
    return drawing.picture(tuple(faces.split()), frozenset(marked.split()))


@register.simple_tag
def board_words() -> SafeString:
    """Return an invisible element with the sentences that the script shows."""
    said = format_html_join("", ' data-{}="{}"', board.words().items())
    return format_html('<div id="board-words" hidden{}></div>', said)
