"""The turn that was revealed last, pile by pile: what lay there, who played what, who took it and why, and its worth.

If it ended a challenge, also where everybody's points come from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import SimpleNamespace

from django.utils.html import escape
from django.utils.translation import gettext

from games.engine.protocol import Seat, Viewer
from games.titles.card_chess import drawing, explaining, wording
from games.titles.card_chess.deck import CARDS
from games.titles.card_chess.options import Rulings
from games.titles.card_chess.scoring import points, realms
from games.titles.card_chess.standings import Challenge
from games.titles.card_chess.state import Pile, Revealed
from games.titles.card_chess.view import View

Cards = tuple[str, ...]


def last_turn(view: View, names: tuple[str, ...], language: str | None) -> SimpleNamespace | None:
    """Return the last turn that was revealed, ready for the page; None before the first."""
    shown = view.revealed
    if not shown.piles:
        return None
    phase, turn = shown.piles[-1].phase, shown.piles[-1].turn
    viewer, rulings = view.viewer, view.rulings
    return SimpleNamespace(
        key=f"{shown.challenge}-{phase}-{turn}",
        title=_title(shown.challenge, turn, language),
        piles=[_pile(pile, won, names, viewer, rulings, language) for pile, won in _piles(view)],
        left=_left(shown, names, language),
        counted=_counted(view, names),
        counting=_counting(view, names, language),
    )


@lru_cache(maxsize=1024)
def _title(challenge: int, turn: int, language: str | None) -> str:
    return escape(gettext("Revealed: challenge %(number)s, turn %(turn)s") % {"number": challenge, "turn": turn})


# --- piles ----------------------------------------------------------------------------------------------------------


def _piles(view: View) -> Iterator[tuple[Pile, Cards]]:
    """Yield the piles of the turn, each with what its captor had won in the challenge before."""
    turn = view.revealed.of_turn
    settled = view.revealed.piles if view.revealed.left else view.piles
    for pile in turn:
        earlier = settled[: len(settled) - len(turn) + turn.index(pile)]
        yield pile, _won(earlier, pile.captor)


def _won(piles: Sequence[Pile], seat: int | None) -> Cards:
    """Return the cards of the piles a seat has captured; none for nobody."""
    return tuple(card for pile in piles if pile.captor == seat is not None for card in pile.whole)


@lru_cache(maxsize=4096)
def _pile(  # noqa: PLR0917  # everything a pile depends on
    pile: Pile, before: Cards, names: tuple[str, ...], viewer: Viewer, rulings: Rulings, language: str | None
) -> SimpleNamespace:
    blocking = explaining.blocking_seats(pile, rulings)
    played = enumerate(zip(names, pile.cards, strict=True))
    return SimpleNamespace(
        number=pile.place + 1,
        target=drawing.face(pile.target),
        played=[
            _played(name, card, explaining.fate(pile, seat, rulings), seat == pile.captor, seat in blocking)
            for seat, (name, card) in played
        ],
        captor=pile.captor,
        verdict=escape(explaining.verdict(pile, names, viewer, rulings)),
        earned=escape(explaining.earned(pile, before)),
        note=escape(explaining.rook_note(pile, rulings)),
    )


def _played(name: str, card: str, fate: str | None, took: bool, blocks: bool) -> SimpleNamespace:
    mark = str(wording.MARKS[None if took else fate])
    if blocks:
        mark = gettext("%(reason)s: blocks") % {"reason": mark}
    return SimpleNamespace(name=escape(name), face=drawing.face(card), mark=escape(mark), took=took, blocks=blocks)


# --- the end of a challenge -----------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _left(shown: Revealed, names: tuple[str, ...], language: str | None) -> Sequence[SimpleNamespace]:
    """Return what each seat had left in hand when this turn ended the challenge."""
    if not any(shown.left):
        return ()
    return [
        SimpleNamespace(name=escape(name), faces=drawing.faces(cards))
        for name, cards in zip(names, shown.left, strict=True)
    ]


def _counted(view: View, names: Sequence[str]) -> str:
    """Return how the challenge that this turn ended came out; empty if it goes on."""
    if not view.revealed.left:
        return ""
    number = view.revealed.challenge
    reader = None if view.viewer is None else Seat(view.viewer)
    return escape(wording.challenge_text(number, view.challenges[number - 1], names, reader))


def _counting(view: View, names: tuple[str, ...], language: str | None) -> Sequence[SimpleNamespace]:
    """Return for each seat where the points of the challenge that this turn ended come from; nothing if it goes on.

    Nothing either for a match of the first rules, which did not keep the piles of finished challenges.
    """
    if not view.revealed.left:
        return ()
    won = tuple(_won(view.revealed.piles, seat) for seat in range(view.seats))
    challenge = view.challenges[view.revealed.challenge - 1]
    return _counting_of(won, challenge, names) if tuple(map(points, won)) == challenge.points else ()


def _counting_of(won: tuple[Cards, ...], challenge: Challenge, names: tuple[str, ...]) -> Sequence[SimpleNamespace]:
    return [
        SimpleNamespace(
            name=escape(name),
            counts=_counts(cards),
            points=challenge.points[seat],
            wins=seat == challenge.winner,
        )
        for seat, (name, cards) in enumerate(zip(names, won, strict=True))
    ]


def _counts(cards: Cards) -> tuple[int, ...]:
    """Return how many cards of 5, of 2 and of 1 point there are, and how many realms."""
    count = Counter(CARDS[card].points for card in cards)
    return count[5], count[2], count[1], realms(cards)
