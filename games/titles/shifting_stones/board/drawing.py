"""Markup: stones, cards, the guide and the parts of the board.

Boards are rendered for every viewer at every move, so each function that depends on little is cached. Drawings refer to
the sprite, which is in the page once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import NamedTuple

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.titles.phrases import listing, points_text
from games.titles.regions import joined, region, rendered
from games.titles.shifting_stones.board.wording import face_name, pattern_text
from games.titles.shifting_stones.rules.patterns import CARDS, CELLS, OTHER_SIDE, SIDE, TILE_SET, TILES, Card
from games.titles.shifting_stones.rules.state import BONUS, GOALS, STRIKES, card_points
from games.titles.shifting_stones.rules.view import View
from games.titles.thumbnails import with_points

_NEW = mark_safe(' class="new"')

_PITCH = 20
"""The distance between the cells of a drawn pattern; a drawn card is 68 x 88."""


# --- the sprite -----------------------------------------------------------------------------------------------------


@cache
def card_symbols(language: str | None) -> SafeString:
    """Return the sprite's symbols of all 72 cards, `face-N`, with their names, `name-N`."""
    symbols = []
    for card in CARDS.values():
        form = ngettext(
            "Card %(id)s, %(points)s point: %(pattern)s", "Card %(id)s, %(points)s points: %(pattern)s", card.points
        )
        symbols.append(
            format_html(
                '<symbol id="face-{0}" viewBox="0 0 68 88"><title id="name-{0}">{1}</title><use href="#card-front"/>{2}'
                '<text class="art-worth" x="13" y="80">{3}</text><text class="art-number" x="63" y="80">{0}</text>'
                "</symbol>",
                card.id,
                form % {"id": card.id, "points": card.points, "pattern": pattern_text(card.id)},
                _pattern(card),
                card.points,
            )
        )
    return joined(symbols)


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
    """Return an empty slot of the hand, numbered from the last one."""
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
    words = {"cell": CELLS[cell], "face": face_name(face), "back": face_name(OTHER_SIDE[face])}
    name = gettext("%(cell)s, %(face)s, back is %(back)s") % words
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


def guide_name() -> str:
    """Return a description of which sides belong together and how many stones of each kind there are."""
    kinds = (
        gettext("%(count)s with %(front)s and %(back)s")
        % {"count": TILE_SET.count(kind), "front": face_name(front), "back": face_name(back)}
        for kind, (front, back) in TILES.items()
    )
    return gettext("The two sides of the stones: %(kinds)s") % {"kinds": ", ".join(kinds)}


# --- the parts of the board, each made once: they depend on nothing but their arguments -----------------------------

_SKIP_REFUSED = {
    "skip-after-acting": _("You have already acted, so you cannot skip this turn."),
    "skip-twice": _("You skipped your last turn, so you cannot skip this one."),
    "skip-hand-too-full": _("You hold more than four cards, so you cannot skip."),
}


class Scoreboard(NamedTuple):
    """What the players have scored, and how far the match has come.

    Args:
        names: of the players, by seat.
        scored: cards by seat.
        fresh: cards that others have scored since the viewer's last action.
        goal: the number of scored cards that triggers the end.
        bonus: the seats that would get the bonus now.
        mover: the seat to move, None if the match is over.
        turn: the number of the turn; with several players, of the round.
        last: this round is the last one.
        over: the match has ended.
        strikes: those of a solo player; None with several players.
    """

    names: tuple[str, ...]
    scored: tuple[tuple[int, ...], ...]
    fresh: frozenset[int]
    goal: int
    bonus: tuple[int, ...]
    mover: int | None
    turn: int
    last: bool
    over: bool
    strikes: int | None


@cache
def labels(language: str | None) -> SimpleNamespace:
    """Return the fixed words of the board, ready for the page."""
    words = {
        "verbs": gettext("What to do"),
        "hint": gettext("Choose a card, then one or two stones."),
        "no_card": gettext("You have no cards: end your turn or skip it."),
        "shift": gettext("Shift"),
        "flip": gettext("Flip"),
        "score": gettext("Score"),
        "end": gettext("End turn"),
        "skip": gettext("Skip, draw 2"),
        "deck": gettext("Draw pile"),
        "discards": gettext("Discards"),
        "scored": gettext("Scored cards"),
        "none_scored": gettext("No cards scored yet."),
    }
    return SimpleNamespace(**{name: escape(text) for name, text in words.items()})


@cache
def verbs(empty_handed: bool, skip_refused: str | None, language: str | None) -> SafeString:
    """Return the mover's buttons; the skip button says why if it is refused."""
    no_skip = "" if skip_refused is None else str(_SKIP_REFUSED[skip_refused])
    return _made("verbs", language, {"empty_handed": empty_handed, "no_skip": no_skip})


@cache
def deck(count: int, language: str | None) -> SafeString:
    """Return the draw pile."""
    return _made("deck", language, {"count": count})


@lru_cache(maxsize=1024)
def discards(cards: tuple[int, ...], language: str | None) -> SafeString:
    """Return what lies on the discard pile, its newest card on top."""
    faces = card_faces("discarded", cards[::-1])
    return _made("discards", language, {"count": len(cards), "faces": faces, "top": card_face(cards[-1])})


@lru_cache(maxsize=1024)
def scoreboard(board: Scoreboard, language: str | None) -> SafeString:
    """Return what all players have scored."""
    strikes, alone = board.strikes or 0, board.strikes is not None
    seats = [
        SimpleNamespace(
            name=name,
            chips=chips(cards, board.fresh),
            faces=card_faces("scored", cards),
            tally=gettext("%(count)s of %(goal)s") % {"count": len(cards), "goal": board.goal},
            points=points_text(card_points(cards)),
            bonus=seat in board.bonus,
        )
        for seat, (name, cards) in enumerate(zip(board.names, board.scored, strict=True))
    ]
    holders = listing(board.names[seat] for seat in board.bonus) if board.bonus else gettext("nobody yet")
    bonus = gettext("+%(bonus)s points for the most 1-point cards: %(names)s") % {"bonus": BONUS, "names": holders}
    shown = {
        "stands": _progress(board),
        "struck": strikes,
        "strikes": (True,) * strikes + (False,) * (STRIKES - strikes) if alone else (),
        "seats": seats,
        "mover": board.mover,
        "bonus": "" if alone else bonus,
    }
    return _made("standing", language, shown)


def _made(piece: str, language: str | None, shown: Mapping[str, object]) -> SafeString:
    return rendered(f"shifting_stones/{piece}.jinja", {"labels": labels(language), **shown})


def _progress(board: Scoreboard) -> str:
    """Return one line that says how far the match has come."""
    alone = board.strikes is not None
    if board.over:
        text = gettext("Ended in turn %(turn)s") if alone else gettext("Ended in round %(turn)s")
    elif alone:
        text = gettext("Turn %(turn)s · score all %(goal)s cards before the fourth strike")
    elif board.last:
        text = gettext("Round %(turn)s · the last one")
    else:
        text = gettext("Round %(turn)s · the match ends with the round in which a player reaches %(goal)s cards")
    return text % {"turn": board.turn, "goal": GOALS[len(board.names)]}


# --- thumbnails -----------------------------------------------------------------------------------------------------

_SMALL_PITCH, _SMALL_EDGE = 36, 6


def thumbnail(view: View) -> SafeString:
    """Return the stones as they lie, and the score of each seat; `thumbnail.svg` holds the stones."""
    return with_points("".join(_small_stone(cell, face) for cell, face in enumerate(view.grid)), view.scores)


@cache
def _small_stone(cell: int, face: str) -> SafeString:
    row, column = divmod(cell, SIDE)
    x, y = _SMALL_EDGE + _SMALL_PITCH * column, _SMALL_EDGE + 1 + _SMALL_PITCH * row
    return format_html('<use href="#stone-{}" x="{}" y="{}"/>', face, x, y)
