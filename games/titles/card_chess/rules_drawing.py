"""The pictures of the rules, drawn from the sprite and from what the rules make of the examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.titles.card_chess import examples, explaining, wording
from games.titles.card_chess.capture import refusal
from games.titles.card_chess.deck import CARDS
from games.titles.card_chess.drawing import face
from games.titles.card_chess.options import Rulings
from games.titles.card_chess.scoring import REALM_POINTS, points, realms
from games.titles.card_chess.standings import Challenge
from games.titles.card_chess.state import Pile
from games.titles.card_chess.wording import MARKS
from games.titles.regions import joined

_ARROW = mark_safe('<span aria-hidden="true">→</span>')
_ONWARD = mark_safe('<span class="onward" aria-hidden="true">→</span>')


def _drawing(*parts: SafeString) -> SafeString:
    return format_html('<div class="drawing">{}</div>', joined(parts))


def _list(items: Iterable[SafeString], kind: str) -> SafeString:
    listed = joined(format_html("<li>{}</li>", item) for item in items)
    return format_html('<ul role="list" class="{}">{}</ul>', kind, listed)


def _sum(told: str) -> SafeString:
    return format_html('<span class="sum">{}</span>', told)


# --- capturing ------------------------------------------------------------------------------------------------------


@cache
def duel(card: str, target: str, language: str | None) -> SafeString:
    """Return a card that is played at another, and whether it captures it or why not."""
    reason = refusal(card, target, Rulings())
    verdict = format_html('<b class="{}">{}</b>', "no" if reason else "yes", MARKS[reason])
    return _drawing(face(card), _ARROW, face(target), verdict)


@cache
def pile(target: str, cards: str, options: str, language: str | None) -> SafeString:
    """Return a table card with what was played at it, and who takes the pile.

    Args:
        target: the table card.
        cards: what each seat played.
        options: the names of the rulings that are switched on.
        language: the reader's, which is active.
    """
    rulings = Rulings(**dict.fromkeys(options.split(), True))  # type: ignore[arg-type]  # all but `length` are flags
    return _drawing(_pile(examples.pile(target, cards, rulings), rulings))


def _pile(settled: Pile, rulings: Rulings) -> SafeString:
    played = _list(map(_played, *zip(*_by_seat(settled), strict=True)), "row-of-cards")
    verdict = explaining.verdict(settled, examples.NAMES, None, rulings)
    return format_html(
        '<div class="settled"><div class="target">{}<span>{}</span></div>{}<p>{}</p></div>',
        face(settled.target), gettext("on the table"), played, verdict,
    )  # fmt: skip


def _by_seat(settled: Pile) -> Iterator[tuple[str, str, bool]]:
    for seat, card in enumerate(settled.cards):
        yield examples.NAMES[seat], card, seat == settled.captor


def _played(name: str, card: str, takes: bool) -> SafeString:
    return format_html('<span class="{}">{}</span><b>{}</b>', "taker" if takes else "", face(card), name)


# --- a turn ---------------------------------------------------------------------------------------------------------


@cache
def start(language: str | None) -> SafeString:
    """Return the table of a match of two as the first player sees it when it begins."""
    state = examples.start(2)
    pile = format_html(
        '<svg class="face" role="img" aria-label="{0}"><use href="#card-back"/></svg>{0}',
        gettext("Draw pile: %(count)s") % {"count": len(state.deck)},
    )
    return _drawing(
        _row(gettext("On the table"), map(face, state.table)),
        _row(gettext("Ann’s hand"), map(face, state.hands[0])),
        _row("", [pile]),
    )


def _row(title: str, items: Iterable[SafeString]) -> SafeString:
    return format_html('<div class="titled"><span>{}</span>{}</div>', title, _list(items, "row-of-cards"))


@cache
def turn(language: str | None) -> SafeString:
    """Return the piles of a first turn with who takes them, and what is kept in hand."""
    state = examples.first_turn()
    piles = _list((_pile(settled, state.rulings) for settled in state.revealed.of_turn), "piles-of-turn")
    kept = [format_html("{}<b>{}</b>", face(state.hands[seat][0]), examples.NAMES[seat]) for seat in range(2)]
    return _drawing(piles, _row(gettext("Kept in hand"), kept))


@cache
def second_phase(language: str | None) -> SafeString:
    """Return how the second phase of a challenge begins: what is kept, what is dealt, what is left."""
    state, dealt = examples.second_phase()
    kept = _row(gettext("Kept in hand"), [face(state.kept[0])])
    table = _row(gettext("On the table"), map(face, state.table))
    hand = _row(gettext("Ann’s hand"), map(face, state.hands[0]))
    told = gettext("%(count)s discards are dealt again; %(left)s are left in the draw pile.")
    return _drawing(table, kept, _ONWARD, hand, _sum(told % {"count": dealt, "left": len(state.deck)}))


@cache
def deals(seats: int, language: str | None) -> SafeString:
    """Return the rows of a table: for each turn of a challenge the cards on the table and in each hand."""
    return _rows((number, table, hand) for number, (table, hand) in enumerate(examples.turns(seats), start=1))


@cache
def last_turns(language: str | None) -> SafeString:
    """Return the rows of a table: how many cards may be left for the last turn of a second phase, and how they lie."""
    return _rows(examples.last_turns())


def _rows(numbers: Iterable[tuple[int, int, int]]) -> SafeString:
    return format_html_join("", '<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>', numbers)


# --- points and gold ------------------------------------------------------------------------------------------------


@cache
def count(language: str | None) -> SafeString:
    """Return the cards of somebody's piles and how their points add up."""
    cards = examples.WON
    parts = [str(CARDS[card].points) for card in cards]
    parts += [gettext("%(points)s realm") % {"points": REALM_POINTS}] * realms(cards)
    return _drawing(_list(map(face, cards), "row-of-cards"), _sum(f"{' + '.join(parts)} = {points(cards)}"))


@cache
def course(name: str, language: str | None) -> SafeString:
    """Return the challenges of a match with their winners, and how it ended."""
    challenges, outcome = examples.course(name)
    shown = _list(map(_challenge, challenges), "row-of-gold")
    if outcome is None:
        return _drawing(shown)
    seats = len(outcome.places)
    told = wording.result(examples.NAMES[:seats], outcome.places, outcome.scores, outcome.reason)
    return _drawing(shown, _sum(told))


def _challenge(played: Challenge) -> SafeString:
    if played.winner is None:
        return _prize("gold none", "icon-gold", gettext("drawn"))
    name = examples.NAMES[played.winner]
    if played.decider:
        return _prize("gold", "figure-K", gettext("%(name)s, deciding") % {"name": name})
    return _prize("gold", "icon-gold", name)


def _prize(kind: str, symbol: str, told: str) -> SafeString:
    return format_html('<svg class="{}" aria-hidden="true"><use href="#{}"/></svg>{}', kind, symbol, told)
