"""What the players have in front of them: the table cards in columns, and their own places beneath."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from types import SimpleNamespace

from django.utils.html import escape
from django.utils.translation import gettext, ngettext

from games.engine.protocol import Option, OptionValue
from games.titles.card_chess import drawing, standings
from games.titles.card_chess.options import OPTIONS, Rulings
from games.titles.card_chess.turns import HAND
from games.titles.card_chess.view import View
from games.titles.card_chess.wording import card_name

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
    if view.is_last_turn:
        return _last_turn(challenge, decider, language)
    return _in_challenge(challenge, decider, view.phase, view.turn, language)


@lru_cache(maxsize=1024)
def _ended(challenge: int, by_the_rules: bool, language: str | None) -> str:
    if not by_the_rules:
        return escape(gettext("Ended in challenge %(number)s") % {"number": challenge})
    told = ngettext("Ended after %(count)s challenge", "Ended after %(count)s challenges", challenge)
    return escape(told % {"count": challenge})


@lru_cache(maxsize=1024)
def _last_turn(challenge: int, decider: bool, language: str | None) -> str:
    last = (
        gettext("Last turn of deciding challenge %(number)s")
        if decider
        else gettext("Last turn of challenge %(number)s")
    )
    return escape(last % {"number": challenge})


@lru_cache(maxsize=1024)
def _in_challenge(challenge: int, decider: bool, phase: int, turn: int, language: str | None) -> str:
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
    if standings.plays_for_all(seats, rulings):
        return escape(gettext("Gold left: %(count)s") % {"count": gold_left})
    return escape(gettext("Goal: %(count)s gold cards") % {"count": standings.TARGET[rulings.length]})


@cache
def remarks(rulings: Rulings, seats: int, removed: str | None, language: str | None) -> str:
    """Return what is special about this match: options that were chosen, and the pawn that is out of it."""
    chosen = [
        _remark(option, value)
        for option in OPTIONS
        if option.exists_for(seats) and (value := getattr(rulings, option.name)) != option.default
    ]
    out = [gettext("Out of this match: %(card)s.") % {"card": card_name(removed)}] if removed else []
    return escape(" ".join([*chosen, *out]))


def _remark(option: Option, value: OptionValue) -> str:
    label = gettext(option.label)
    return f"{label}." if value is True else f"{label}: {gettext(dict(option.choices)[value])}."
