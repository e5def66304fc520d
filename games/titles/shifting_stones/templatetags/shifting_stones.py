"""Drawings for the Django templates of the title."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.titles.shifting_stones import board, rules_page
from games.titles.shifting_stones.board import drawing

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
def example(name: str, *arguments: str | int) -> SafeString:
    """Return a picture of the rules by the name of its function in `rules_drawing`."""
    picture: SafeString = _EXAMPLES[name](*arguments, get_language())
    return picture


_EXAMPLES: Mapping[str, Callable[..., SafeString]] = {
    "alone": rules_page.alone,
    "compared": rules_page.compared,
    "count": rules_page.count,
    "drawn": rules_page.drawn,
    "goals": rules_page.goals,
    "last-round": rules_page.last_round,
    "move": rules_page.move,
    "places": rules_page.places,
    "scored": rules_page.scored,
    "start": rules_page.start,
    "turn": rules_page.turn,
}


@register.simple_tag
def named_grid() -> SafeString:
    """Return a grid with the names of its cells."""
    return rules_page.named_grid()


@register.simple_tag
def board_words() -> SafeString:
    """Return an invisible element with the sentences that the script shows."""
    said = format_html_join("", ' data-{}="{}"', board.words().items())
    return format_html('<div id="board-words" hidden{}></div>', said)
