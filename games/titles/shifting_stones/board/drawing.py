"""Markup: stones, cards, the guide and the parts of the board.

Boards are rendered for every viewer at every move, so each function that depends on little is cached. Drawings refer to
the sprite, which is in the page once.
"""

from __future__ import annotations

from functools import cache, lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.engine.protocol import Event
from games.titles.phrases import listing
from games.titles.regions import joined
from games.titles.shifting_stones.board.wording import face_name, pattern_text
from games.titles.shifting_stones.rules import state
from games.titles.shifting_stones.rules.patterns import CARDS, CELLS, OTHER_SIDE, SIDE, TILE_SET, TILES, Card
from games.titles.shifting_stones.rules.state import BONUS, STRIKES
from games.titles.shifting_stones.rules.view import View
from games.titles.thumbnails import with_points

_FREE_TO_MOVE = mark_safe(" data-free")

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


def hand_card(card: int, scores: bool, bonus: bool, last: bool) -> SafeString:
    """Return a card of the hand as a radio button, with what it pays if it scores now, perhaps with the bonus.

    As the last one of a hand it also ends the turn.
    """
    control = format_html(
        '<input type="radio" name="card" value="{0}" id="card-{0}" form="act" aria-labelledby="name-{0}{1}"{2}>',
        card,
        format_html(" now-{}", card) if scores else "",
        format_html(' data-pays="{}"', _pays(CARDS[card].points, bonus, last)) if scores else "",
    )
    flag = format_html('<b class="flag" id="now-{}"><span>{}</span></b>', card, gettext("Scores now")) if scores else ""
    kind = "pattern glow" if scores else "pattern"
    face = format_html('<svg class="face" aria-hidden="true"><use href="#face-{}"/></svg>', card)
    return format_html('<label id="held-{}" class="{}">{}{}{}</label>', card, kind, control, face, flag)


def _pays(points: int, bonus: bool, last: bool) -> str:
    if last:
        text = ngettext(
            "Your last card: %(count)s point, and your turn ends.",
            "Your last card: %(count)s points, and your turn ends.",
            points,
        )
        return text % {"count": points}
    if bonus:
        return gettext("1 point, +%(bonus)s at the end for most 1-point cards.") % {"bonus": BONUS}
    text = ngettext("Score this card for %(count)s point.", "Score this card for %(count)s points.", points)
    return text % {"count": points}


def ghost(card: int, right: tuple[str, ...], missing: tuple[tuple[str, str], ...]) -> SafeString:
    """Return a card's pattern as it lies over the stones while the card is chosen: ticks, and the stones it lacks.

    A pattern that may lie elsewhere, which is every smaller one than the grid, says so to the script.
    """
    ticks = (format_html('<b class="{}"></b>', cell) for cell in right)
    lacking = (
        format_html('<svg class="{}" viewBox="0 0 18 18"><use href="#mini-{}"/></svg>', cell, face)
        for cell, face in missing
    )
    kind = "ghost" if missing else "ghost whole"
    free = "" if len(CARDS[card].rows) == len(CARDS[card].rows[0]) == SIDE else _FREE_TO_MOVE
    return format_html('<div id="ghost-{}" class="{}"{}>{}{}</div>', card, kind, free, joined(ticks), joined(lacking))


def pictured(text: str, view: View) -> SafeString:
    """Return the card, the sign and the stones of an action; empty for the end of a turn.

    >>> "#icon-flip" in pictured("flip 12 a1", None)
    True
    """
    verb, *words = text.split()
    if verb == "end":
        return SafeString()
    card = card_face(int(words[0])) if words else ""
    sign = format_html('<svg class="sign" viewBox="0 0 24 24"><use href="#icon-{}"/></svg>', verb)
    return format_html("{}{}{}", card, sign, " ".join(words[1:]))


# --- stones ---------------------------------------------------------------------------------------------------------


def stone(cell: int, face: str, seated: bool) -> SafeString:
    """Return one cell of the grid: a checkbox for a player, a picture for a spectator."""
    words = {"cell": CELLS[cell], "face": face_name(face), "back": face_name(OTHER_SIDE[face])}
    name = gettext("%(cell)s, %(face)s, back is %(back)s") % words
    return format_html(_SEATED if seated else _WATCHED, face, CELLS[cell], name)


_WATCHED = (
    '<div role="cell" id="at-{1}"><span class="stone f-{0}" data-cell="{1}">'
    '<svg role="img" aria-label="{2}"><use href="#glyph-{0}"/></svg></span></div>'
)
_SEATED = (
    '<div role="gridcell" id="at-{1}"><label class="stone f-{0}" data-cell="{1}"><input type="checkbox" name="cell" '
    'value="{1}" id="cell-{1}" form="act" aria-label="{2}"><svg aria-hidden="true"><use href="#glyph-{0}"/></svg>'
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


# --- how far the match has come -------------------------------------------------------------------------------------


def progress(turn: int, goal: int, last: bool, over: bool, strikes: int | None) -> SafeString:
    """Return how far the match has come, in one line.

    Args:
        turn: the number of the turn; with several players, of the round.
        goal: the number of scored cards that triggers the end.
        last: this round is the last one.
        over: the match has ended.
        strikes: those of a solo player; None with several players.
    """
    alone = strikes is not None
    if over:
        text = gettext("Ended in turn %(turn)s") if alone else gettext("Ended in round %(turn)s")
    elif alone:
        text = gettext("Turn %(turn)s · score all %(goal)s cards before the fourth strike")
    elif last:
        text = gettext("Round %(turn)s · the last one")
    else:
        text = gettext("Round %(turn)s · the match ends when someone has scored %(goal)s cards")
    marks = "" if strikes is None else _strikes(strikes)
    return format_html('<p id="progress">{}{}</p>', text % {"turn": turn, "goal": goal}, marks)


def _strikes(count: int) -> SafeString:
    marks = (_STRUCK,) * count + (_FREE,) * (STRIKES - count)
    name = gettext("%(count)s of 4 strikes") % {"count": count}
    return format_html('<span class="strikes" role="img" aria-label="{}">{}</span>', name, joined(marks))


_FREE = '<svg><use href="#icon-strike"/></svg>'
_STRUCK = '<svg class="struck"><use href="#icon-strike"/></svg>'


def bonus(holders: tuple[str, ...], over: bool) -> SafeString:
    """Return who got the bonus or, as long as the match goes on, who would get it now."""
    words = {"bonus": BONUS, "names": listing(holders) if holders else gettext("nobody")}
    if over:
        text = gettext("%(bonus)s points for the most 1-point cards: %(names)s") % words
    else:
        text = gettext("%(bonus)s points at the end for the most 1-point cards (so far: %(names)s)") % words
    return format_html('<p class="meta" id="bonus">{}</p>', text)


# --- thumbnails -----------------------------------------------------------------------------------------------------

_SMALL_PITCH, _SMALL_EDGE = 36, 6


def thumbnail(view: View) -> SafeString:
    """Return the stones as they lie, and the points of each seat; `thumbnail.svg` holds the stones.

    The bonus is told apart until the match is over, as beside the board.
    """
    stones = "".join(_small_stone(cell, face) for cell, face in enumerate(view.grid))
    if view.ended is not None:
        return with_points(stones, view.scores)
    return with_points(stones, view.points, dict.fromkeys(view.bonus_seats, BONUS))


@cache
def _small_stone(cell: int, face: str) -> SafeString:
    row, column = divmod(cell, SIDE)
    x, y = _SMALL_EDGE + _SMALL_PITCH * column, _SMALL_EDGE + 1 + _SMALL_PITCH * row
    return format_html('<use href="#stone-{}" x="{}" y="{}"/>', face, x, y)


# --- what an action did, in small pictures for the log ----------------------------------------------------------------

_STONE = '<svg viewBox="0 0 18 18"><use href="#mini-{}"/></svg>'
_SIGN = '<svg class="sign"><use href="#icon-{}"/></svg>'
_CARD = '<svg class="of-card"><use href="#face-{}"/></svg>'
_CHANGED = f"{_STONE}{_SIGN}{_STONE}{_CARD}"


@lru_cache(maxsize=4_000)
def log_picture(event: Event) -> SafeString:
    """Return the stones that changed and the card that it cost, a card that was scored, or the sign of a turn."""
    match event:
        case state.StonesShifted():
            return format_html(_CHANGED, event.first_face, "shift", event.second_face, event.card)
        case state.StoneFlipped():
            return format_html(_CHANGED, event.old_face, "flip", event.new_face, event.card)
        case state.CardScored():
            return format_html(_SIGN + _CARD, "score", event.card)
        case state.TurnEnded():
            return format_html(_SIGN, "end")
        case state.TurnSkipped():
            return format_html(_SIGN, "skip")
    return SafeString()
