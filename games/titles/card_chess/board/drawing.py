"""The markup of cards, figures and marks, made once for each language.

A drawing is a reference to the sprite, which a page holds once. Boards are rendered for every viewer at every move, so
whatever depends on cards alone is cached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.titles.card_chess.board.wording import MARKS, card_name, colour_name, piece_name
from games.titles.card_chess.rules.capture import refusal, strength
from games.titles.card_chess.rules.deck import CARDS, COLOURS, PIECES, SQUARES
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import REALM
from games.titles.card_chess.rules.view import View
from games.titles.regions import joined, region
from games.titles.thumbnails import BOARD, with_points

_PIPS: Mapping[int, tuple[tuple[float, float], ...]] = {
    1: ((47, 13),),
    2: ((42.5, 13), (51, 13)),
    5: ((41, 7.5), (41, 18.5), (46.5, 13), (52, 7.5), (52, 18.5)),
}
"""Where the dots of a card's points lie; a drawn card is 60 x 80."""


_STICKER = (
    '<circle class="art-sticker-paper" cx="29" cy="13.5" r="9.5"/><text class="art-sticker" x="29" y="18.5">{}</text>'
)
"""What a card counts for in this match, stuck beside its printed value."""


def drawn(card: str) -> str:
    """Return a card as it is written in ids, where `#` has another meaning.

    >>> drawn("bC#w")
    'bCxw'
    """
    return card.replace("#", "x")


# --- the sprite -----------------------------------------------------------------------------------------------------


@cache
def card_symbols(rulings: Rulings, language: str | None) -> SafeString:
    """Return the sprite's symbols of all cards, `c-bP1l`, with their names, `n-bP1l`.

    A card that counts for more than is printed on it, as green rooks can by option, says so.
    """
    return joined(_card_symbol(card, strength(card, rulings)) for card in CARDS)


def _card_symbol(card: str, strong: float) -> SafeString:
    printed = CARDS[card]
    differs = strong != printed.strength
    colour, piece, square = COLOURS[printed.colour], PIECES[printed.piece], SQUARES[printed.square]
    return format_html(
        '<symbol id="c-{0}" viewBox="0 0 60 80"><title id="n-{0}">{1}</title><g class="ink-{2}">'
        '<use href="#frame-{2}"/><use href="#square-{3}"/><text class="art-value" x="7" y="20.5">{4}</text>{5}'
        '<use href="#figure-{6}" x="9" y="30" width="42" height="42"/>{7}</g></symbol>',
        drawn(card),
        gettext("%(card)s, counts as %(value)s") % {"card": card_name(card), "value": int(strong)}
        if differs
        else card_name(card),
        colour,
        square,
        printed.value,
        joined(
            format_html('<circle class="art-pip" cx="{}" cy="{}" r="2.6"/>', x, y) for x, y in _PIPS[printed.points]
        ),
        piece,
        format_html(_STICKER, int(strong)) if differs else "",
    )


# --- cards ----------------------------------------------------------------------------------------------------------


@cache
def face(card: str) -> SafeString:
    """Return a card as a picture with its name."""
    return format_html('<svg class="face" role="img" aria-labelledby="n-{0}"><use href="#c-{0}"/></svg>', drawn(card))


@lru_cache(maxsize=4096)
def faces(cards: tuple[str, ...]) -> SafeString:
    """Return cards as pictures, in this order."""
    return joined(map(face, cards))


@lru_cache(maxsize=4096)
def pile(name: str, cards: tuple[str, ...], newest_first: bool = False) -> SafeString:
    """Return the cards of a pile, given from the oldest on, as pictures; copies of a card are numbered."""
    counted: Counter[str] = Counter()
    parts = []
    for card in cards:
        counted[card] += 1
        parts.append(_in_pile(f"{name}-{drawn(card)}-{counted[card]}", drawn(card)))
    return joined(reversed(parts) if newest_first else parts)


@lru_cache(maxsize=4096)
def _in_pile(name: str, card: str) -> SafeString:
    drawn = '<svg id="{0}" class="face" role="img" aria-labelledby="n-{1}"><use href="#c-{1}"/></svg>'
    return region(format_html(drawn, name, card))


@lru_cache(maxsize=1024)
def hand_card(card: str, slot: int) -> SafeString:
    """Return a card of the hand as a radio button: choosing it shows what it captures, then it can be placed."""
    return region(format_html(
        '<label class="held" id="held-{1}" data-slot="{1}"><input type="radio" name="card" value="{2}" id="card-{1}" '
        'aria-labelledby="n-{0}"><svg class="face" aria-hidden="true"><use href="#c-{0}"/></svg></label>',
        drawn(card), slot, card,
    ))  # fmt: skip


@cache
def empty_slot(number: int) -> SafeString:
    """Return an empty slot of the hand, numbered from the last one."""
    return region(format_html('<i class="slot" id="slot-{}"></i>', number))


# --- what captures what ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def marks(target: str, hand: tuple[str, ...], rulings: Rulings, language: str | None) -> SafeString:
    """Return for each card of a hand whether it captures the target, or why not; styles show that of the chosen one."""
    found = ((slot, refusal(card, target, rulings)) for slot, card in enumerate(hand, 1))
    able = gettext("can capture")  # a stronger card may still be played at it
    return joined(
        format_html('<b class="m m{}{}">{}</b>', slot, "" if reason else " yes", MARKS[reason] if reason else able)
        for slot, reason in found
    )


@lru_cache(maxsize=4096)
def choices(target: str, hand: tuple[str, ...], rulings: Rulings, language: str | None) -> SafeString:
    """Return the cards of a hand as options of a select, for pages without a script."""
    return joined(
        format_html(
            '<option value="{}">{} {}</option>', card, "✗" if refusal(card, target, rulings) else "✓", card_name(card)
        )
        for card in hand
    )


@lru_cache(maxsize=1024)
def cards(hand: tuple[str, ...], language: str | None) -> SafeString:
    """Return the cards of a hand as options of a select, without a hint on what they capture."""
    return joined(format_html('<option value="{}">{}</option>', card, card_name(card)) for card in hand)


# --- realms ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def realm(seat: int, colour: str, parts: tuple[int, int, int], language: str | None) -> SafeString:
    """Return king, queen and castle of a colour for a seat; those that it has are drawn full, with their number."""
    pieces = list(zip(REALM, parts, strict=True))
    text = ", ".join(f"{piece_name(piece)} {count}" for piece, count in pieces)
    return region(format_html(
        '<span class="realm ink-{0}" id="realm-{1}-{0}" role="img" aria-label="{2}">{3}</span>',
        COLOURS[colour],
        seat,
        gettext("%(colour)s: %(parts)s") % {"colour": colour_name(colour), "parts": text},
        joined(_part(PIECES[piece], count) for piece, count in pieces),
    ))  # fmt: skip


def _part(piece: str, count: int) -> SafeString:
    more = format_html("<i>{}</i>", count) if count > 1 else ""
    absent = "" if count else mark_safe(' class="none"')
    return format_html('<svg{}><use href="#figure-{}"/></svg>{}', absent, piece, more)


# --- thumbnails -----------------------------------------------------------------------------------------------------

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
    cards = (_small_card(left + pitch * place, top, card) for place, card in enumerate(table))
    sealed = (format_html('<use href="#chess-back" x="{}" y="76"/>', below + _BACK * place) for place in range(backs))
    by_points = view.outcome is None and view.rulings.length == "one_challenge"
    return with_points("".join((*cards, *sealed)), view.points if by_points else view.gold)


@cache
def _small_card(x: int, y: int, card: str) -> SafeString:
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
