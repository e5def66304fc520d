"""Parts of the board that are the same for many viewers or at many moves, each made once.

Boards are rendered for every viewer at every move; each part depends only on the arguments of its function.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.titles.phrases import listing, points_text
from games.titles.regions import rendered
from games.titles.shifting_stones import drawing
from games.titles.shifting_stones.state import BONUS, GOALS, STRIKES, card_points

_SKIP_REFUSED = {
    "skip-after-acting": _("You have already acted, so you cannot skip this turn."),
    "skip-twice": _("You skipped your last turn, so you cannot skip this one."),
    "skip-hand-too-full": _("You hold more than four cards, so you cannot skip."),
}


class Standing(NamedTuple):
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
    faces = drawing.card_faces("discarded", cards[::-1])
    return _made("discards", language, {"count": len(cards), "faces": faces, "top": drawing.card_face(cards[-1])})


@lru_cache(maxsize=1024)
def standing(told: Standing, language: str | None) -> SafeString:
    """Return what all players have scored."""
    strikes = told.strikes or 0
    alone = told.strikes is not None
    shown = {
        "stands": _stands(told),
        "struck": strikes,
        "strikes": (True,) * strikes + (False,) * (STRIKES - strikes) if alone else (),
        "seats": [_seat(told, seat) for seat in range(len(told.names))],
        "mover": told.mover,
        "bonus": "" if alone else _bonus([told.names[seat] for seat in told.bonus]),
    }
    return _made("standing", language, shown)


def _made(piece: str, language: str | None, shown: Mapping[str, object]) -> SafeString:
    return rendered(f"shifting_stones/{piece}.jinja", {"labels": labels(language), **shown})


def _stands(told: Standing) -> str:
    """Return one line that says how far the match has come."""
    alone = told.strikes is not None
    if told.over:
        text = gettext("Ended in turn %(turn)s") if alone else gettext("Ended in round %(turn)s")
    elif alone:
        text = gettext("Turn %(turn)s · score all %(goal)s cards before the fourth strike")
    elif told.last:
        text = gettext("Round %(turn)s · the last one")
    else:
        text = gettext("Round %(turn)s · the match ends with the round in which a player reaches %(goal)s cards")
    return text % {"turn": told.turn, "goal": GOALS[len(told.names)]}


def _bonus(names: list[str]) -> str:
    holders = listing(names) if names else gettext("nobody yet")
    text = gettext("+%(bonus)s points for the most 1-point cards: %(names)s")
    return text % {"bonus": BONUS, "names": holders}


def _seat(told: Standing, seat: int) -> SimpleNamespace:
    cards = told.scored[seat]
    return SimpleNamespace(
        name=told.names[seat],
        chips=drawing.chips(cards, told.fresh),
        faces=drawing.card_faces("scored", cards),
        tally=gettext("%(count)s of %(goal)s") % {"count": len(cards), "goal": told.goal},
        points=points_text(card_points(cards)),
        bonus=seat in told.bonus,
    )
