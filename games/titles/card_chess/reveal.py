"""The turn that was revealed last, pile by pile: what lay there, who played what, who took it and why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace

from django.utils.html import escape
from django.utils.translation import gettext

from games.titles.card_chess import drawing, wording
from games.titles.card_chess.capture import refusal
from games.titles.card_chess.options import Rulings
from games.titles.card_chess.state import Pile, Revealed
from games.titles.card_chess.view import View


def last_turn(view: View, names: tuple[str, ...], language: str | None) -> SimpleNamespace | None:
    """Return the last turn that was revealed, ready for the page; None before the first."""
    shown = view.revealed
    if not shown.piles:
        return None
    phase, turn = shown.piles[-1].phase, shown.piles[-1].turn
    return SimpleNamespace(
        key=f"{shown.challenge}-{phase}-{turn}",
        title=_title(shown.challenge, turn, language),
        piles=[_pile(pile, names, view.rulings, language) for pile in shown.of_turn],
        left=_left(shown, names, language),
        counted=_counted(view, names),
    )


@lru_cache(maxsize=1024)
def _title(challenge: int, turn: int, language: str | None) -> str:
    return escape(gettext("Revealed: challenge %(number)s, turn %(turn)s") % {"number": challenge, "turn": turn})


@lru_cache(maxsize=4096)
def _pile(pile: Pile, names: tuple[str, ...], rulings: Rulings, language: str | None) -> SimpleNamespace:
    played = zip(names, pile.cards, strict=True)
    return SimpleNamespace(
        number=pile.place + 1,
        target=drawing.face(pile.target),
        played=[
            _played(name, card, refusal(card, pile.target, rulings), seat == pile.captor)
            for seat, (name, card) in enumerate(played)
        ],
        captor=pile.captor,
        verdict=escape(wording.settlement(pile, names)),
    )


def _played(name: str, card: str, reason: str | None, took: bool) -> SimpleNamespace:
    mark = "✓" if reason is None else escape(wording.MARKS[reason])
    return SimpleNamespace(name=escape(name), face=drawing.face(card), mark=mark, able=reason is None, took=took)


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
    """Return how the challenge ended which this turn ended; empty when it goes on."""
    if not view.revealed.left:
        return ""
    number = view.revealed.challenge
    return escape(wording.challenge_text(number, view.challenges[number - 1], names))
