"""The table in a few strokes, for lists of matches."""

from __future__ import annotations

from functools import cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.titles.card_chess.rules.deck import CARDS, COLOURS, PIECES, SQUARES
from games.titles.card_chess.rules.view import View
from games.titles.thumbnails import BOARD, joined, with_points

_CARD, _BACK = 38, 27
"""The distance between two cards if there is room, and between two that lie face down."""

_TOP, _MIDDLE = 14, 35
"""How far down the cards of the table lie: with room beneath them for cards face down, and without."""

_INK = {"b": 'fill="#173f86"', "g": 'fill="#f4fbf0" stroke="#14633a" stroke-width="4"'}
_ON_BAND = {"b": "#fffaf0", "g": "#14633a"}


def thumbnail(view: View) -> SafeString:
    """Return the cards on the table (of the last turn when the match is over), who has confirmed, and the score."""
    table = view.table or tuple(pile.target for pile in view.revealed.of_turn)
    backs = sum(view.confirmed) if view.ended is None else 0
    pitch = min(_CARD, (BOARD - _CARD) // max(len(table) - 1, 1))
    left, below = (BOARD - pitch * (len(table) - 1) - _CARD) // 2 + 1, (BOARD - _BACK * backs) // 2 + 1
    top = _TOP if view.ended is None else _MIDDLE
    cards = (_card(left + pitch * place, top, card) for place, card in enumerate(table))
    sealed = (_back(below + _BACK * place) for place in range(backs))
    return with_points(joined((*cards, *sealed)), _points(view))


def _points(view: View) -> tuple[int, ...]:
    if view.outcome is not None:
        return view.outcome.scores
    return view.points if view.rulings.length == "one_challenge" else view.gold


@cache
def _card(x: int, y: int, card: str) -> SafeString:
    printed = CARDS[card]
    colour = COLOURS[printed.colour]
    ink = SafeString(_INK[colour])
    return format_html(
        '<g transform="translate({} {})"><use href="#chess-{}"/><use href="#chess-{}" x="2.5" y="16.5"/>'
        '<text x="5" y="11.5" font-size="11" font-weight="700" fill="{}">{}</text>'
        '<use href="#shape-{}" transform="translate(5 19)scale(.54)" {}/></g>',
        x,
        y,
        colour,
        SQUARES[printed.square],
        _ON_BAND[colour],
        printed.value,
        PIECES[printed.piece],
        ink,
    )


@cache
def _back(x: int) -> SafeString:
    return format_html('<use href="#chess-back" x="{}" y="76"/>', x)
