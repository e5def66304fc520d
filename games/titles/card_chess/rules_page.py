"""The pictures on the page of rules: examples, which the rules play, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.engine.fair import FairChance
from games.engine.protocol import Outcome, Seat, complete_options
from games.titles.card_chess import GAME
from games.titles.card_chess.board import wording
from games.titles.card_chess.board.drawing import face
from games.titles.card_chess.board.wording import MARKS
from games.titles.card_chess.rules import HAND, REFILL, scoring
from games.titles.card_chess.rules.capture import refusal, settle
from games.titles.card_chess.rules.deck import CARDS, DECK, PLACES, deal_in_rounds
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import REALM_POINTS, Challenge, points, realms
from games.titles.card_chess.rules.state import Pile, State
from games.titles.regions import joined

# --- the examples, played by the rules ------------------------------------------------------------------------------

_SEED: Final = bytes([4] * 32)
NAMES: Final = ("Ann", "Bob", "Cleo", "Dan")

TURN: Final = ("bP3d gC#w bN5l", "bK5w gK5w gP4d")
"""What the two players play in the first turn."""

WON: Final = ("gK5w", "bP2d", "gQ9w", "gC#w", "bN5l", "gP3d", "bC#w")
"""The cards in somebody's piles at the end of a challenge: a green realm and more."""

COURSES: Final[dict[str, tuple[int, Rulings, tuple[int | None, ...]]]] = {
    "official": (2, Rulings(), (0, 0, None, 0, 1)),
    "decided": (2, Rulings(length="decided"), (0, 0, None, 0)),
    "decider": (2, Rulings(), (0, 1, 1, 0, 1)),
    "shared": (2, Rulings(shared=True), (0, 1, 1, 0)),
    "two-gold": (2, Rulings(length="two_gold"), (1, 0, 1)),
    "one": (2, Rulings(length="one_challenge"), (0,)),
    "three": (3, Rulings(), (0, 2, 0, 1, None, 0)),
    "four": (4, Rulings(), (0, 1, 2, 3, 0, 1, 2, 3, 2)),
}
"""Matches: the number of seats, the options, and who won each challenge (None: drawn)."""


def start_position(seats: int) -> State:
    """Return a match that has just begun."""
    return GAME.start(seats, complete_options(GAME, seats, {}), FairChance(_SEED, 0)).state


@cache
def first_turn_position() -> State:
    """Return the position after the first turn of two players, who play `TURN`.

    Raises:
        RuleViolation: the play is not legal, so the example is wrong.
    """
    state = start_position(2)
    for seat, cards in enumerate(TURN):
        state = GAME.apply(state, Seat(seat), GAME.parse(f"play {cards}"), FairChance(_SEED, seat + 1)).state
    return state


def settled_pile(target: str, cards: str, rulings: Rulings) -> Pile:
    """Return a table card with what was played at it, settled."""
    played = tuple(cards.split())
    return Pile(1, 1, 0, target, played, *settle(target, played, rulings))


@cache
def second_phase_position() -> tuple[State, int]:
    """Return the position at the beginning of a second phase, and the number of discards that were shuffled.

    In the first phase both play the first cards of their hands.
    """
    state, number = start_position(2), 0
    while state.phase == 1:
        for seat in range(2):
            number += 1
            discards, state = state.discards, _first_cards(state, seat, number)
    piles = (card for pile in state.revealed.of_turn if pile.captor is None for card in pile.whole)
    return state, len((*discards, *piles))


def _first_cards(state: State, seat: int, number: int) -> State:
    """Let a seat play the first cards of its hand."""
    cards = " ".join(state.hands[seat][: len(state.table)])
    return GAME.apply(state, Seat(seat), GAME.parse(f"play {cards}"), FairChance(_SEED, number)).state


def last_deals() -> Iterator[tuple[int, int, int]]:
    """Yield for each last turn that a second phase can have how many cards were left to deal, and then lie on the table
    and in each hand: what is left is three discarded piles or fewer, and one card was kept.
    """
    seats, kept = 2, HAND - REFILL
    for piles in range(PLACES, 0, -1):
        left = DECK[: piles * (seats + 1)]
        dealt = deal_in_rounds(left, seats)
        yield len(left), len(dealt.table), kept + len(dealt.received[0])


def deals_of_turns(seats: int) -> Iterator[tuple[int, int]]:
    """Yield for each turn of the first challenge how many cards lie on the table and how many each player holds.

    Everybody plays the first cards of the hand; of a challenge of two only the first phase is told.
    """
    state, number = start_position(seats), 0
    while not state.challenges and state.phase == 1:
        yield len(state.table), len(state.hands[0])
        for seat in range(seats):
            number += 1
            state = _first_cards(state, seat, number)


def played_course(name: str) -> tuple[list[Challenge], Outcome | None]:
    """Return the challenges of a match, those played for the match itself marked, and its outcome.

    Raises:
        ValueError: the match is over before its last challenge, so the example is wrong.
    """
    seats, rulings, winners = COURSES[name]
    played: list[Challenge] = []
    reason = None
    for winner in winners:
        if reason is not None:
            raise ValueError(f"The match {name!r} ends after {len(played)} challenges.")
        won = tuple(30 if seat == winner else 20 - seat * (winner is not None) for seat in range(seats))
        played.append(Challenge(won, (0,) * seats, winner, scoring.is_decider(played, seats)))
        reason = scoring.ending(played, seats, rulings)
    return played, None if reason is None else scoring.outcome(played, seats, reason)


# --- how they are drawn ---------------------------------------------------------------------------------------------

_ARROW = mark_safe('<span aria-hidden="true">→</span>')
_ROW_OF_NUMBERS = '<tr><th scope="row">{}</th><td>{}</td><td>{}</td></tr>'
_ONWARD = mark_safe('<span class="onward" aria-hidden="true">→</span>')


def _drawing(*parts: SafeString) -> SafeString:
    return format_html('<div class="drawing">{}</div>', joined(parts))


def _list(items: Iterable[SafeString], kind: str) -> SafeString:
    listed = joined(format_html("<li>{}</li>", item) for item in items)
    return format_html('<ul role="list" class="{}">{}</ul>', kind, listed)


def _sum(text: str) -> SafeString:
    return format_html('<span class="sum">{}</span>', text)


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
    return _drawing(_pile(settled_pile(target, cards, rulings), rulings))


def _pile(settled: Pile, rulings: Rulings) -> SafeString:
    played = (
        format_html('<span class="{}">{}</span><b>{}</b>', "taker" if seat == settled.captor else "", face(card), name)
        for seat, (name, card) in enumerate(zip(NAMES, settled.cards, strict=False))
    )
    return format_html(
        '<div class="settled"><div class="target">{}<span>{}</span></div>{}<p>{}</p></div>',
        face(settled.target),
        gettext("on the table"),
        _list(played, "row-of-cards"),
        wording.verdict(settled, NAMES, None, rulings),
    )


# --- a turn ---------------------------------------------------------------------------------------------------------


@cache
def start(language: str | None) -> SafeString:
    """Return the table of a match of two as the first player sees it when it begins."""
    state = start_position(2)
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
    state = first_turn_position()
    piles = _list((_pile(settled, state.rulings) for settled in state.revealed.of_turn), "piles-of-turn")
    kept = [format_html("{}<b>{}</b>", face(state.hands[seat][0]), NAMES[seat]) for seat in range(2)]
    return _drawing(piles, _row(gettext("Kept in hand"), kept))


@cache
def second_phase(language: str | None) -> SafeString:
    """Return how the second phase of a challenge begins: what is kept, what is dealt, what is left."""
    state, dealt = second_phase_position()
    kept = _row(gettext("Kept in hand"), [face(state.kept[0])])
    table = _row(gettext("On the table"), map(face, state.table))
    hand = _row(gettext("Ann’s hand"), map(face, state.hands[0]))
    text = gettext("%(count)s discards are dealt again; %(left)s are left in the draw pile.")
    return _drawing(table, kept, _ONWARD, hand, _sum(text % {"count": dealt, "left": len(state.deck)}))


@cache
def deals(seats: int, language: str | None) -> SafeString:
    """Return the rows of a table: for each turn of a challenge the cards on the table and in each hand."""
    rows = ((number, table, hand) for number, (table, hand) in enumerate(deals_of_turns(seats), start=1))
    return format_html_join("", _ROW_OF_NUMBERS, rows)


@cache
def last_turns(language: str | None) -> SafeString:
    """Return the rows of a table: how many cards may be left for the last turn of a second phase, and how they lie."""
    return format_html_join("", _ROW_OF_NUMBERS, last_deals())


# --- points and gold ------------------------------------------------------------------------------------------------


@cache
def count(language: str | None) -> SafeString:
    """Return the cards of somebody's piles and how their points add up."""
    cards = WON
    parts = [str(CARDS[card].points) for card in cards]
    parts += [gettext("%(points)s realm") % {"points": REALM_POINTS}] * realms(cards)
    return _drawing(_list(map(face, cards), "row-of-cards"), _sum(f"{' + '.join(parts)} = {points(cards)}"))


@cache
def course(name: str, language: str | None) -> SafeString:
    """Return the challenges of a match with their winners, and how it ended."""
    challenges, outcome = played_course(name)
    prizes = []
    for played in challenges:
        text, kind, symbol = gettext("drawn"), "gold none", "icon-gold"
        if played.winner is not None:
            text, kind = NAMES[played.winner], "gold"
            if played.decider:
                text, symbol = gettext("%(name)s, deciding") % {"name": text}, "figure-K"
        prizes.append(format_html('<svg class="{}" aria-hidden="true"><use href="#{}"/></svg>{}', kind, symbol, text))
    shown = _list(prizes, "row-of-gold")
    if outcome is None:
        return _drawing(shown)
    names = NAMES[: len(outcome.places)]
    return _drawing(shown, _sum(wording.result(names, outcome.places, outcome.scores, outcome.reason)))
