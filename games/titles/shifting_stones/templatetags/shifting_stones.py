"""Drawings for the Django templates of the title."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.titles.shifting_stones import board, rules_page
from games.titles.shifting_stones.board import drawing

register = template.Library()
register.simple_tag(drawing.guide_name, name="guide_name")
register.simple_tag(drawing.card_face, name="card_face")
register.simple_tag(rules_page.named_grid, name="named_grid")


@register.simple_tag
def card_symbols() -> SafeString:
    """Return the symbols of all cards, for the sprite."""
    return drawing.card_symbols(get_language())


@register.simple_tag
def board_words() -> SafeString:
    """Return an invisible element with the sentences that the script shows."""
    attributes = format_html_join("", ' data-{}="{}"', board.words().items())
    return format_html('<div id="board-words" hidden{}></div>', attributes)
