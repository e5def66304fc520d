"""What the Django templates of the title need: the drawn cards, squares and figures."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.titles.card_chess.board import drawing, wording
from games.titles.card_chess.board.wording import piece_name, square_name
from games.titles.card_chess.rules.deck import PIECES, SQUARES
from games.titles.card_chess.rules.options import Rulings

register = template.Library()
register.simple_tag(drawing.face, name="card_face")

_PIECE_NAMES = {letter: piece for piece, letter in PIECES.items()}
_SQUARE_NAMES = {letter: square for square, letter in SQUARES.items()}


@register.simple_tag(takes_context=True)
def card_symbols(context: Context) -> SafeString:
    """Return the symbols of all cards, for the sprite, as the options of the page's match have them."""
    options = getattr(context.get("match"), "options", {})
    return drawing.card_symbols(Rulings(symmetric_rooks=bool(options.get("symmetric_rooks"))), get_language())


@register.simple_tag
def square(letter: str) -> SafeString:
    """Return the picture of a square: `l`, `d` or `w`."""
    return format_html(
        '<svg class="square" role="img" aria-label="{}" viewBox="3 44 54 34"><use href="#square-{}"/></svg>',
        square_name(_SQUARE_NAMES[letter]),
        letter,
    )


@register.simple_tag
def figure(letter: str, colour: str = "b") -> SafeString:
    """Return the picture of a piece by its letter in the notation."""
    return format_html(
        '<svg class="figure ink-{}" role="img" aria-label="{}"><use href="#figure-{}"/></svg>',
        colour,
        piece_name(_PIECE_NAMES[letter]),
        letter,
    )


@register.simple_tag
def board_words() -> SafeString:
    """Return an invisible element with the sentences the script says."""
    attributes = format_html_join("", ' data-{}="{}"', wording.words().items())
    return format_html('<div id="board-words" hidden{}></div>', attributes)
