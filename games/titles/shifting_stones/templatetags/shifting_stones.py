"""Drawings for the Django templates of the title."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.titles.shifting_stones import board, drawing, rules_drawing

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
    "alone": rules_drawing.alone,
    "compared": rules_drawing.compared,
    "count": rules_drawing.count,
    "drawn": rules_drawing.drawn,
    "goals": rules_drawing.goals,
    "last-round": rules_drawing.last_round,
    "move": rules_drawing.move,
    "places": rules_drawing.places,
    "scored": rules_drawing.scored,
    "start": rules_drawing.start,
    "turn": rules_drawing.turn,
}


@register.simple_tag
def named_grid() -> SafeString:
    """Return a grid with the names of its cells."""
    return rules_drawing.named_grid()


@register.simple_tag
def board_words() -> SafeString:
    """Return an invisible element with the sentences that the script shows."""
    said = format_html_join("", ' data-{}="{}"', board.words().items())
    return format_html('<div id="board-words" hidden{}></div>', said)
