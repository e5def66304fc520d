"""What the players have won, and what has not been seen yet: piles, points, realms, gold, challenges, card counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace

from django.utils.html import escape
from django.utils.translation import gettext

from games.titles.card_chess import drawing
from games.titles.card_chess.deck import CARDS, COLOURS, PIECES
from games.titles.card_chess.scoring import realm_parts
from games.titles.card_chess.standings import Challenge
from games.titles.card_chess.view import View
from games.titles.card_chess.wording import colour_name, piece_name, square_name
from games.titles.regions import joined


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
    counts = Counter(cards)
    kinds = dict.fromkeys((card.piece, "" if card.piece == "rook" else card.value) for card in CARDS.values())
    return SimpleNamespace(
        title=escape(gettext("Not seen yet: %(count)s") % {"count": len(cards)}),
        colours=[escape(colour_name(colour)) for colour in COLOURS],
        squares=[escape(square_name(square)) for _ in COLOURS for square in ("light", "dark")],
        rows=[_row(piece, value, counts) for piece, value in kinds],
    )


def _row(piece: str, value: str, counts: Counter[str]) -> SimpleNamespace:
    kinds = [card for card in CARDS.values() if card.piece == piece and value in ("", card.value)]
    return SimpleNamespace(
        letter=PIECES[piece],
        name=escape(f"{piece_name(piece)} {value}".strip()),
        value=value or "5/6",
        cells=[
            SimpleNamespace(count=counts[card.text], square=card.square, wide=card.square == "white") for card in kinds
        ],
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
        SimpleNamespace(
            name=escape(name),
            hand=drawing.faces(view.hand),
            play=drawing.faces(view.play),
        )
        for name, view in zip(names, views, strict=False)  # no views: nothing is shown
    ]
