"""What the board shows, part by part: the table, the last turn, what everybody has won, what has not been seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

from django.utils.html import escape
from django.utils.translation import gettext, ngettext

from games.engine.protocol import Viewer
from games.titles.card_chess.board import drawing, wording
from games.titles.card_chess.board.wording import card_name, colour_name, piece_name, square_name
from games.titles.card_chess.rules import HAND, scoring
from games.titles.card_chess.rules.deck import CARDS, COLOURS, PIECES, Card
from games.titles.card_chess.rules.options import OPTIONS, Rulings
from games.titles.card_chess.rules.scoring import Challenge, points, realm_parts, realms
from games.titles.card_chess.rules.state import Pile, Revealed
from games.titles.card_chess.rules.view import View
from games.titles.regions import joined

_SECOND = 2


def columns(view: View, active: bool, language: str | None, hints: bool = True) -> Sequence[SimpleNamespace]:
    """Return the places of the table in order, each with what may be played there or was confirmed for it.

    Unless there are hints, which card captures what is left to the player.
    """
    hand = view.hand if active else ()
    own = view.play or (None,) * len(view.table)
    return [
        _column(number, target, sealed, hand, view.rulings, language, hints)
        for number, (target, sealed) in enumerate(zip(view.table, own, strict=True), 1)
    ]


@lru_cache(maxsize=4096)
def _column(  # noqa: PLR0917  # everything a column depends on
    number: int,
    target: str,
    sealed: str | None,
    hand: tuple[str, ...],
    rulings: Rulings,
    language: str | None,
    hints: bool,
) -> SimpleNamespace:
    return SimpleNamespace(
        number=number,
        label=escape(gettext("Place %(number)s: %(card)s") % {"number": number, "card": card_name(target)}),
        target=drawing.face(target),
        marks=drawing.marks(target, hand, rulings, language) if hints else "",
        choices=drawing.choices(target, hand, rulings, language) if hints else drawing.cards(hand, language),
        sealed=drawing.face(sealed) if sealed else "",
    )


def hand(view: View) -> Sequence[str]:
    """Return the viewer's hand, ready for the page: empty slots keep the room of missing cards."""
    cards = (drawing.hand_card(card, slot) for slot, card in enumerate(view.hand, 1))
    slots = (drawing.empty_slot(number) for number in range(HAND - len(view.hand), 0, -1))
    return [*cards, *slots]


# --- how far the match is --------------------------------------------------------------------------------------------


def stands(view: View, over: bool, language: str | None) -> str:
    """Return in a few words how far the match has come: "Challenge 2, second phase, turn 5"."""
    challenge, decider = view.challenge, view.is_decider
    if over:
        return _ended(challenge, view.ended is not None, language)
    return _stands(challenge, decider, view.phase, None if view.is_last_turn else view.turn, language)


@lru_cache(maxsize=1024)
def _ended(challenge: int, by_the_rules: bool, language: str | None) -> str:
    if not by_the_rules:
        return escape(gettext("Ended in challenge %(number)s") % {"number": challenge})
    told = ngettext("Ended after %(count)s challenge", "Ended after %(count)s challenges", challenge)
    return escape(told % {"count": challenge})


@lru_cache(maxsize=1024)
def _stands(challenge: int, decider: bool, phase: int, turn: int | None, language: str | None) -> str:
    """Return how far a match has come that goes on; without a turn it is the last one of the challenge."""
    if turn is None and decider:
        return escape(gettext("Last turn of deciding challenge %(number)s") % {"number": challenge})
    if turn is None:
        return escape(gettext("Last turn of challenge %(number)s") % {"number": challenge})
    name = gettext("Deciding challenge %(number)s") if decider else gettext("Challenge %(number)s")
    told = (
        gettext("%(challenge)s, second phase, turn %(turn)s")
        if phase == _SECOND
        else gettext("%(challenge)s, turn %(turn)s")
    )
    return escape(told % {"challenge": name % {"number": challenge}, "turn": turn})


@lru_cache(maxsize=1024)
def goal(rulings: Rulings, seats: int, gold_left: int, language: str | None) -> str:
    """Return in a few words what the match is played for; empty when one challenge decides."""
    if rulings.length == "one_challenge":
        return ""
    if scoring.plays_for_all(seats, rulings):
        return escape(gettext("Gold left: %(count)s") % {"count": gold_left})
    return escape(gettext("Goal: %(count)s gold cards") % {"count": scoring.TARGET[rulings.length]})


@cache
def remarks(rulings: Rulings, seats: int, removed: str | None, language: str | None) -> str:
    """Return what is special about this match: options that were chosen, and the pawn that is out of it."""
    told = []
    for option in OPTIONS:
        if option.exists_for(seats) and (value := getattr(rulings, option.name)) != option.default:
            label = gettext(option.label)
            told.append(f"{label}." if value is True else f"{label}: {gettext(dict(option.choices)[value])}.")
    if removed:
        told.append(gettext("Out of this match: %(card)s.") % {"card": card_name(removed)})
    return escape(" ".join(told))


# --- the turn that was revealed last --------------------------------------------------------------------------------


def last_turn(view: View, names: tuple[str, ...], language: str | None) -> SimpleNamespace | None:
    """Return the last turn that was revealed, pile by pile, ready for the page; None before the first.

    If it ended a challenge, also what was left in hand and where everybody's points come from.
    """
    shown, turn = view.revealed, view.revealed.of_turn
    if not turn:
        return None
    before = [pile for pile in (shown.piles if shown.left else view.piles) if pile.turn < turn[0].turn]
    piles = []
    for number, pile in enumerate(turn):
        had = _won((*before, *turn[:number]), pile.captor)
        piles.append(_pile(pile, had, names, view.viewer, view.rulings, language))
    return SimpleNamespace(
        key=f"{shown.challenge}-{turn[0].phase}-{turn[0].turn}",
        title=escape(
            gettext("Revealed: challenge %(number)s, turn %(turn)s") % {"number": shown.challenge, "turn": turn[0].turn}
        ),
        piles=piles,
        **_end_of_challenge(shown, view.challenges[shown.challenge - 1], names, view.viewer, language)
        if shown.left
        else {"left": (), "counted": "", "counting": ()},
    )


def _won(piles: Sequence[Pile], seat: int | None) -> tuple[str, ...]:
    """Return the cards of the piles a seat has captured; none for nobody."""
    return tuple(card for pile in piles if pile.captor == seat is not None for card in pile.whole)


@lru_cache(maxsize=4096)
def _pile(  # noqa: PLR0917  # everything a pile depends on
    pile: Pile,
    before: tuple[str, ...],
    names: tuple[str, ...],
    viewer: Viewer,
    rulings: Rulings,
    language: str | None,
) -> SimpleNamespace:
    """Return a pile, given what its captor had won in the challenge before."""
    blocking, played = wording.blocking_seats(pile, rulings), []
    for seat, (name, card) in enumerate(zip(names, pile.cards, strict=True)):
        took, blocks = seat == pile.captor, seat in blocking
        mark = str(wording.MARKS[None if took else wording.fate(pile, seat, rulings)])
        if blocks:
            mark = gettext("%(reason)s: blocks") % {"reason": mark}
        played.append(
            SimpleNamespace(name=escape(name), face=drawing.face(card), mark=escape(mark), took=took, blocks=blocks)
        )
    return SimpleNamespace(
        number=pile.place + 1,
        target=drawing.face(pile.target),
        played=played,
        captor=pile.captor,
        verdict=escape(wording.verdict(pile, names, viewer, rulings)),
        earned=escape(wording.earned(pile, before)),
        note=escape(wording.rook_note(pile, rulings)),
    )


@lru_cache(maxsize=1024)
def _end_of_challenge(
    shown: Revealed, challenge: Challenge, names: tuple[str, ...], viewer: Viewer, language: str | None
) -> Mapping[str, Any]:
    """Return what each seat had left in hand, how the challenge came out, and where the points of each seat come from.

    The points of a match of the first rules are not told apart: they did not keep the piles of finished challenges.
    """
    won = [_won(shown.piles, seat) for seat in range(len(names))]
    counting = []
    for seat, (name, cards) in enumerate(zip(names, won, strict=True)):
        of = Counter(CARDS[card].points for card in cards)
        counts = (of[5], of[2], of[1], realms(cards))
        counting.append(
            SimpleNamespace(
                name=escape(name), counts=counts, points=challenge.points[seat], wins=seat == challenge.winner
            )
        )
    left = [
        SimpleNamespace(name=escape(name), faces=drawing.faces(cards))
        for name, cards in zip(names, shown.left, strict=True)
    ]
    return {
        "left": left if any(shown.left) else (),
        "counted": escape(wording.challenge_text(shown.challenge, challenge, names, viewer)),
        "counting": counting if tuple(map(points, won)) == challenge.points else (),
    }


# --- what everybody has won -----------------------------------------------------------------------------------------


def seats(view: View, names: Sequence[str], language: str | None) -> Sequence[SimpleNamespace]:
    """Return for each seat its gold, points, realms in progress and won piles of the challenge."""
    gold, captures, points = view.gold, view.captures, view.points
    return [
        _seat(seat, name, gold[seat], captures[seat], points[seat], view.won(seat), language)
        for seat, name in enumerate(names)
    ]


@lru_cache(maxsize=4096)
def _seat(  # noqa: PLR0917  # everything shown of a seat
    seat: int, name: str, gold: int, captures: int, points: int, won: tuple[str, ...], language: str | None
) -> SimpleNamespace:
    return SimpleNamespace(
        name=escape(name),
        gold=range(gold),
        gold_text=escape(gettext("Gold cards: %(count)s") % {"count": gold}),
        tally=escape(gettext("Piles: %(count)s") % {"count": captures}),
        points=escape(gettext("Points: %(count)s") % {"count": points}),
        realms=joined(
            drawing.realm(seat, colour, parts, language)
            for colour, parts in zip(COLOURS, realm_parts(won), strict=True)
        ),
        faces=drawing.pile(f"of-{seat}", won),
    )


# --- counting cards -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def unseen(cards: tuple[str, ...], language: str | None) -> SimpleNamespace:
    """Return which cards have not been seen, as a table: a row for each piece and value, columns for the squares."""
    counts, kinds = Counter(cards), dict[tuple[str, str], list[Card]]()
    for card in CARDS.values():
        kinds.setdefault((card.piece, "" if card.piece == "rook" else card.value), []).append(card)
    rows = [
        SimpleNamespace(
            letter=PIECES[piece],
            name=escape(f"{piece_name(piece)} {value}".strip()),
            value=value or "5/6",
            cells=[
                SimpleNamespace(count=counts[each.text], square=each.square, wide=each.square == "white")
                for each in same
            ],
        )
        for (piece, value), same in kinds.items()
    ]
    return SimpleNamespace(
        title=escape(gettext("Not seen yet: %(count)s") % {"count": len(cards)}),
        colours=[escape(colour_name(colour)) for colour in COLOURS],
        squares=[escape(square_name(square)) for _ in COLOURS for square in ("light", "dark")],
        rows=rows,
    )


# --- what lies open -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def discards(cards: tuple[str, ...], language: str | None) -> SimpleNamespace:
    """Return the discards, the newest first."""
    return SimpleNamespace(
        title=escape(gettext("Discards: %(count)s") % {"count": len(cards)}),
        faces=drawing.pile("discarded", cards, newest_first=True),
    )


@lru_cache(maxsize=1024)
def challenges(past: tuple[Challenge, ...], language: str | None) -> Sequence[SimpleNamespace]:
    """Return the finished challenges: number, points of all, who won; a deciding one is marked."""
    return [
        SimpleNamespace(number=number, points=list(each.points), winner=each.winner, decider=each.decider)
        for number, each in enumerate(past, 1)
    ]


def open_hands(views: Sequence[View], names: Sequence[str]) -> Sequence[SimpleNamespace]:
    """Return the hand and the confirmed play of every seat, for a match that is over and replayed with all hands."""
    return [
        SimpleNamespace(name=escape(name), hand=drawing.faces(view.hand), play=drawing.faces(view.play))
        for name, view in zip(names, views, strict=False)  # no views: nothing is shown
    ]
