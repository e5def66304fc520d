"""Pieces of markup made once for each language: stones, cards, the guide.

Boards are rendered for every viewer at every move, so whatever depends only on a card or a face is cached. Drawings
refer to the sprite, which is in the page once.
"""

from __future__ import annotations

from functools import cache, lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.titles.regions import joined, region
from games.titles.shifting_stones.patterns import CARDS, CELLS, OTHER_SIDE, SIDE, TILE_SET, TILES, Card
from games.titles.shifting_stones.wording import face_name, pattern_text

_NEW = mark_safe(' class="new"')

_PITCH = 20
"""The distance between the cells of a drawn pattern; a drawn card is 68 x 88."""


# --- the sprite -----------------------------------------------------------------------------------------------------


@cache
def card_symbols(language: str | None) -> SafeString:
    """Return the sprite's symbols of all 72 cards, `face-N`, with their names, `name-N`."""
    return joined(_card_symbol(card) for card in CARDS.values())


def _card_symbol(card: Card) -> SafeString:
    return format_html(
        '<symbol id="face-{}" viewBox="0 0 68 88"><title id="name-{}">{}</title><use href="#card-front"/>{}'
        '<text class="art-worth" x="13" y="80">{}</text><text class="art-number" x="63" y="80">{}</text></symbol>',
        card.id,
        card.id,
        _card_name(card),
        _pattern(card),
        card.points,
        card.id,
    )


def _card_name(card: Card) -> str:
    form = ngettext(
        "Card %(id)s, %(points)s point: %(pattern)s", "Card %(id)s, %(points)s points: %(pattern)s", card.points
    )
    return form % {"id": card.id, "points": card.points, "pattern": pattern_text(card.id)}


def _pattern(card: Card) -> SafeString:
    """Draw the pattern in its true shape in the middle of a square of 60; a row of two is not drawn as a grid of nine.

    A pattern that fits into two by two is drawn larger.
    """
    height, width = len(card.rows), len(card.rows[0])
    scale = 1.4 if height < SIDE and width < SIDE else 1
    left, top = (34 - scale * (size * _PITCH - 2) / 2 for size in (width, height))
    cells = (
        format_html('<use href="#mini-{}" x="{}" y="{}"/>', face or "any", x * _PITCH, y * _PITCH)
        for y, row in enumerate(card.rows)
        for x, face in enumerate(row)
    )
    at = f"translate({left:g} {top:g})" + (f"scale({scale:g})" if scale > 1 else "")
    return format_html('<g transform="{}">{}</g>', at, joined(cells))


# --- cards ----------------------------------------------------------------------------------------------------------


@cache
def card_face(card: int) -> SafeString:
    """Return a card as a picture with its name."""
    return format_html(
        '<svg class="face" role="img" aria-labelledby="name-{}"><use href="#face-{}"/></svg>', card, card
    )


@lru_cache(maxsize=4096)
def card_faces(pile: str, cards: tuple[int, ...]) -> SafeString:
    """Return the cards of a pile as pictures, in this order."""
    return joined(_card_in(pile, card) for card in cards)


@cache
def _card_in(pile: str, card: int) -> SafeString:
    drawn = '<svg id="{0}-{1}" class="face" role="img" aria-labelledby="name-{1}"><use href="#face-{1}"/></svg>'
    return region(format_html(drawn, pile, card))


@lru_cache(maxsize=4096)
def chips(cards: tuple[int, ...], fresh: frozenset[int]) -> SafeString:
    """Return the values of scored cards as a row of chips, fresh ones marked; a text beside the row describes it."""
    return joined(
        format_html('<i data-points="{0}"{1}>{0}</i>', CARDS[card].points, _NEW if card in fresh else "")
        for card in cards
    )


@lru_cache(maxsize=4096)
def hand_card(card: int, cells: tuple[int, ...], language: str | None) -> SafeString:
    """Return a card of the hand as a radio button; `cells` show its pattern now (empty: it cannot be scored)."""
    control = format_html(
        '<input type="radio" name="card" value="{0}" id="card-{0}" form="act" aria-labelledby="name-{0}{1}"{2}>',
        card,
        format_html(" now-{}", card) if cells else "",
        format_html(' data-cells="{}"', " ".join(CELLS[cell] for cell in cells)) if cells else "",
    )
    flag = format_html('<b class="flag" id="now-{}">{}</b>', card, gettext("Scores now")) if cells else ""
    kind = "pattern glow" if cells else "pattern"
    face = format_html('<svg class="face" aria-hidden="true"><use href="#face-{}"/></svg>', card)
    return region(format_html('<label id="held-{}" class="{}">{}{}{}</label>', card, kind, control, face, flag))


@cache
def empty_slot(number: int) -> SafeString:
    """Return the room of a card that is missing in the hand, the last of so many."""
    return region(format_html('<i class="slot" id="slot-{}"></i>', number))


# --- stones ---------------------------------------------------------------------------------------------------------


@cache
def stone(cell: int, face: str, seated: bool, changed: bool, language: str | None) -> SafeString:
    """Return one cell of the grid.

    Args:
        seated: a checkbox for a player, a picture for a spectator.
        changed: others have changed it since the viewer's last action, or the last action changed or used it.
        language: the reader's, which is active.
    """
    name = stone_name(cell, face)
    if changed:
        name = gettext("%(stone)s, changed") % {"stone": name}
    last = " last" if changed else ""
    drawn = _SEATED if seated else _WATCHED
    return region(format_html(drawn, face, last, CELLS[cell], name))


_WATCHED = (
    '<div role="cell" id="at-{2}"><span class="stone f-{0}{1}" data-cell="{2}">'
    '<svg role="img" aria-label="{3}"><use href="#glyph-{0}"/></svg></span></div>'
)
_SEATED = (
    '<div role="gridcell" id="at-{2}"><label class="stone f-{0}{1}" data-cell="{2}"><input type="checkbox" name="cell" '
    'value="{2}" id="cell-{2}" form="act" aria-label="{3}"><svg aria-hidden="true"><use href="#glyph-{0}"/></svg>'
    "</label></div>"
)


def stone_name(cell: int, face: str) -> str:
    """Return the name for screen readers: "b2, boat, back is horse"."""
    return gettext("%(cell)s, %(face)s, back is %(back)s") % {
        "cell": CELLS[cell],
        "face": face_name(face),
        "back": face_name(OTHER_SIDE[face]),
    }


def guide_name() -> str:
    """Return a description of which sides belong together and how many stones of each kind there are."""
    kinds = (
        gettext("%(count)s with %(front)s and %(back)s")
        % {"count": TILE_SET.count(kind), "front": face_name(front), "back": face_name(back)}
        for kind, (front, back) in TILES.items()
    )
    return gettext("The two sides of the stones: %(kinds)s") % {"kinds": ", ".join(kinds)}
