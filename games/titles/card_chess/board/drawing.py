"""The markup of cards, and of what is more than a macro of `board.jinja` can say: what captures what, and why.

A drawing is a reference to the sprite, which a page holds once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from games.engine.protocol import Event
from games.titles.card_chess.board import wording
from games.titles.card_chess.board.wording import MARKS, card_name
from games.titles.card_chess.rules import HAND, state
from games.titles.card_chess.rules.capture import refusal, strength
from games.titles.card_chess.rules.deck import CARDS, COLOURS, PIECES, SQUARES, parse
from games.titles.card_chess.rules.options import OPTIONS, Rulings
from games.titles.card_chess.rules.state import Pile
from games.titles.card_chess.rules.view import View
from games.titles.phrases import points_text
from games.titles.regions import joined
from games.titles.thumbnails import BOARD, with_points

_PIPS: Mapping[int, tuple[float, tuple[tuple[float, float], ...]]] = {
    1: (2.2, ((49.6, 8.4),)),
    2: (2.2, ((46.4, 8.4), (52.6, 8.4))),
    5: (1.7, ((45, 5), (52.2, 5), (48.6, 8.1), (45, 11.2), (52.2, 11.2))),
}
"""How large the dots of a card's points are, and where they lie, as on a die; a drawn card is 60 x 80."""

_VALUE = '<text class="art-value" x="12" y="18.6">{}</text>'

_STICKER = (
    '<circle fill="#7c1f0e" stroke="#fff" cx="12" cy="12.4" r="9.6"/>'
    '<text class="art-value art-sticker" x="12" y="18.6">{}</text>'
)
"""What a card counts for in this match, stuck over its printed value."""


def drawn(card: str) -> str:
    """Return a card as it is written in ids, where `#` has another meaning.

    >>> drawn("bC#w")
    'bCxw'
    """
    return card.replace("#", "x")


# --- the sprite -----------------------------------------------------------------------------------------------------


@cache
def card_symbols(rulings: Rulings, language: str | None) -> SafeString:
    """Return the sprite's symbols of all cards, `c-bP1l`, with what is on them in words, `n-bP1l`."""
    return joined(_card_symbol(card, strength(card, rulings)) for card in CARDS)


def _card_symbol(card: str, strong: float) -> SafeString:
    printed = CARDS[card]
    differs = strong != printed.strength
    colour, piece, square = COLOURS[printed.colour], PIECES[printed.piece], SQUARES[printed.square]
    radius, pips = _PIPS[printed.points]
    return format_html(
        '<symbol id="c-{0}" viewBox="0 0 60 80"><title id="n-{0}">{1}</title><g class="ink-{2}">'
        '<use href="#frame-{2}"/><use href="#square-{3}"/><use href="#piece-{4}"/><use href="#corners-{2}"/>{5}{6}'
        "</g></symbol>",
        drawn(card),
        _card_said(card, strong),
        colour,
        square,
        piece,
        format_html(_STICKER if differs else _VALUE, int(strong) if differs else printed.value),
        joined(format_html('<circle class="art-pip" cx="{}" cy="{}" r="{}"/>', x, y, radius) for x, y in pips),
    )


def _card_said(card: str, strong: float) -> str:
    """Return a card with its points, and what it counts as if that is not printed, as for green rooks by option."""
    printed = CARDS[card]
    said = gettext("%(card)s, %(points)s") % {"card": card_name(card), "points": points_text(printed.points)}
    if strong == printed.strength:
        return said
    return gettext("%(card)s, counts as %(value)s") % {"card": said, "value": int(strong)}


# --- cards ----------------------------------------------------------------------------------------------------------


@cache
def face(card: str) -> SafeString:
    """Return a card as a picture with its name."""
    return format_html('<svg class="face" role="img" aria-labelledby="n-{0}"><use href="#c-{0}"/></svg>', drawn(card))


def faces(name: str, cards: tuple[str, ...]) -> SafeString:
    """Return the cards of a pile as pictures, in this order."""
    return format_html('<span class="one-pile" id="{}">{}</span>', name, joined(map(face, cards)))


def pictured(text: str, view: View) -> SafeString:
    """Return each card of the table with the card that is laid on it."""
    pairs = zip(view.table, parse(text).cards, strict=True)
    return joined(format_html('<span class="laid">{}{}</span>', *map(face, pair)) for pair in pairs)


# --- the table ------------------------------------------------------------------------------------------------------


def column(  # noqa: PLR0917  # everything a column depends on
    number: int, target: str, hand: tuple[str, ...], sealed: str, rulings: Rulings, hints: bool
) -> SafeString:
    """Return a place of the table, from 1, with the cards that can be played there or the one that was confirmed.

    With hints it says which of them capture the card of the table, the target.
    """
    refusals = [refusal(card, target, rulings) for card in hand] if hints else []
    language = get_language()
    marks = (_mark(slot, reason, language) for slot, reason in enumerate(refusals, 1))
    place = _sealed(sealed, language) if sealed else ""
    if hand:
        told = ["✗ " if reason else "✓ " for reason in refusals] or [""] * len(hand)
        options = (_option(card, sign, language) for card, sign in zip(hand, told, strict=True))
        place = joined((_pick(number, language), *options, "</select></label>"))
    about = wording.captured_by(number, target, rulings) if hints else ""
    return joined((_target(number, target, about, language), *marks, "</div>", place, "</div>"))


# Cards and words are few, and most of a column is the same in one match as in another: these parts are kept.
@cache
def _target(number: int, card: str, about: str, language: str | None) -> SafeString:
    return format_html(
        '<div class="column" id="column-{0}" role="group" aria-label="{1}" data-place="{0}"{2}>'
        '<div class="target" id="target-{0}">{3}',
        number,
        gettext("Place %(number)s: %(card)s") % {"number": number, "card": card_name(card)},
        format_html(' data-about="{}"', about) if about else "",
        face(card),
    )


@cache
def _mark(slot: int, reason: str | None, language: str | None) -> SafeString:
    """Return what a card of the hand would do; styles show that of the chosen one."""
    text = MARKS[reason] if reason else gettext("can capture")  # a stronger card may still be played at it
    return format_html('<b class="m m{}{}">{}</b>', slot, "" if reason else " yes", text)


@cache
def _pick(number: int, language: str | None) -> SafeString:
    """Return where a card is put, and the beginning of a select for pages without a script."""
    return format_html(
        '<button type="button" class="place" id="place-{0}" value="{0}">'
        '<svg class="face" aria-hidden="true"><use/></svg><i>{0}</i></button>'
        '<label class="pick"><span>{1} {0}</span><select name="place{0}" id="pick-{0}" form="act">'
        '<option value="">{2}</option>',
        number,
        gettext("Place"),
        gettext("choose a card"),
    )


@cache
def _option(card: str, told: str, language: str | None) -> SafeString:
    return format_html('<option value="{}">{}{}</option>', card, told, card_name(card))


@cache
def _sealed(card: str, language: str | None) -> SafeString:
    return format_html(
        '<div class="place sealed">{}<svg class="lock" role="img" aria-label="{}"><use href="#icon-lock"/></svg></div>',
        face(card),
        gettext("sealed"),
    )


# --- the hand -------------------------------------------------------------------------------------------------------


def hand(cards: tuple[str, ...], mode: str, borrowed: bool) -> SafeString:
    """Return the cards of a hand, with empty slots in place of missing cards; `borrowed`: another looks at them."""
    slots = '<i class="slot"></i>' * (HAND - len(cards))
    return format_html(
        '<fieldset id="hand"{}><legend>{}</legend>{}</fieldset>',
        "" if mode == "play" else mark_safe(" disabled"),
        gettext("Cards") if borrowed else gettext("Your cards"),
        joined((*(_held(card, slot) for slot, card in enumerate(cards, 1)), slots)),
    )


@cache
def _held(card: str, slot: int) -> SafeString:
    """Return a card of the hand as a radio button: choosing it shows what it captures, then it can be placed."""
    return format_html(
        '<label class="held" id="held-{1}" data-slot="{1}"><input type="radio" name="card" value="{2}" id="card-{1}" '
        'aria-labelledby="n-{0}"><svg class="face" aria-hidden="true"><use href="#c-{0}"/></svg></label>',
        drawn(card),
        slot,
        card,
    )


# --- the last turn --------------------------------------------------------------------------------------------------

_PRIZE = ' data-captor="{}" data-worth="{}"'
"""Who took a pile, and for how many points: numbers grow by it while the turn is told."""


def pile(pile: Pile, before: tuple[str, ...], names: tuple[str, ...], yours: bool, rulings: Rulings) -> SafeString:
    """Return a pile that was revealed; `before` is what its captor, who reads it if it is `yours`, had won before."""
    earned, note = wording.earned(pile, before), wording.rook_note(pile, rulings)
    return format_html(
        '<li class="pile{}" id="pile-{}"{}><div class="target">{}</div><ul>{}</ul><p class="verdict">{}{}{}</p></li>',
        "" if pile.captor is None else " taken",
        pile.place + 1,
        "" if pile.captor is None else format_html(_PRIZE, pile.captor, wording.worth(pile, before)),
        face(pile.target),
        joined(_played(pile, seat, name, rulings) for seat, name in enumerate(names)),
        wording.verdict(pile, names, pile.captor if yours else None, rulings),  # type: ignore[arg-type]  # a seat
        format_html(' <b class="earned">{}</b>', earned) if earned else "",
        format_html(' <span class="note">{}</span>', note) if note else "",
    )


def _played(pile: Pile, seat: int, name: str, rulings: Rulings) -> SafeString:
    """Return the card of a seat with what kept it from the pile."""
    kind, mark = "", str(MARKS[wording.fate(pile, seat, rulings)])
    if seat == pile.captor:
        kind, mark = ' class="took"', format_html("✓ <span>{}</span>", mark)
    elif seat in wording.blocking_seats(pile, rulings):
        kind, mark = ' class="blocks"', gettext("%(reason)s: blocks") % {"reason": mark}
    return format_html(
        '<li{}><span class="who"><i class="seat-dot" data-seat="{}"></i><b>{}</b></span><span class="turned">{}</span>'
        '<span class="mark">{}</span></li>',
        mark_safe(kind),  # noqa: S308  # a constant
        seat,
        name,
        face(pile.cards[seat]),
        mark,
    )


# --- what is special about a match ----------------------------------------------------------------------------------


def remarks(rulings: Rulings, seats: int, removed: str | None) -> SafeString:
    """Return the options that were chosen, and the pawn that is out of the match."""
    sentences = []
    for option in OPTIONS:
        if option.exists_for(seats) and (value := getattr(rulings, option.name)) != option.default:
            label = gettext(option.label)
            sentences.append(f"{label}." if value is True else f"{label}: {gettext(dict(option.choices)[value])}.")
    if removed:
        sentences.append(gettext("Out of this match: %(card)s.") % {"card": card_name(removed)})
    return format_html('<p class="meta" id="remarks">{}</p>', " ".join(sentences))


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


# --- what an action did, in small pictures for the log ----------------------------------------------------------------

_LOCK = SafeString('<svg class="sign"><use href="#icon-lock"/></svg>')
_LOG_CARD = '<svg class="of-card{}"><use href="#c-{}"/></svg>'


@lru_cache(maxsize=4_000)
def log_picture(event: Event) -> SafeString:
    """Return a lock for a secret turn; of a pile its target and the cards played there, its captor's marked."""
    match event:
        case state.Confirmed():
            return _LOCK
        case state.PileSettled(pile=pile):
            played = (
                format_html(_LOG_CARD, " took" if seat == pile.captor else "", drawn(card))
                for seat, card in enumerate(pile.cards)
            )
            return joined((format_html(_LOG_CARD, "", drawn(pile.target)), *played))
    return SafeString()
