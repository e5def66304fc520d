"""What a person sees of Shifting Stones, and what a submitted form asks for (`games.titles.Board`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

from django.utils.html import escape
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.engine.protocol import Event, Outcome, RuleViolation
from games.titles import Fact, Scene, SoloResult
from games.titles.shifting_stones import drawing, wording
from games.titles.shifting_stones.events import CardScored, StoneFlipped, StonesShifted
from games.titles.shifting_stones.patterns import SIDE, cells_of
from games.titles.shifting_stones.state import BONUS, GOALS, HAND, STRIKES, card_points
from games.titles.shifting_stones.view import View

TEMPLATE = "shifting_stones/board.jinja"
STYLES = ("shifting_stones/board.css",)
SCRIPTS = ("shifting_stones/board.js", "shifting_stones/drag.js", "shifting_stones/motion.js")
SPRITE = "shifting_stones/sprite.svg"
"""A Django template with the drawings, placed once in a page and outside what is pushed."""
RULES = "shifting_stones/rules.html"
OPEN = False
COUNTED = ()
SHORTCUTS = (
    ("1 – 6", _("choose a card")),
    ("← ↑ → ↓, Enter", _("go to a stone and choose it")),
    ("X", _("shift")),
    ("F", _("flip")),
    ("S", _("score")),
    ("Esc", _("choose nothing")),
)

MISSING = {
    "card": _("Choose a card to discard."),
    "pattern": _("Choose the card to score."),
    "two": _("Choose two neighbouring stones."),
    "one": _("Choose the one stone to flip."),
    "verb": _("Choose what to do: shift, flip, score, end or skip."),
}
"""What is said when a choice is incomplete."""

_SKIP_REFUSED = {
    "skip-after-acting": _("You have already acted, so you cannot skip this turn."),
    "skip-twice": _("You skipped your last turn, so you cannot skip this one."),
    "skip-hand-too-full": _("You hold more than four cards, so you cannot skip."),
}


# --- what is submitted ----------------------------------------------------------------------------------------------


def compose(fields: Mapping[str, Sequence[str]]) -> str:
    """Return the notation of the action a submitted board form asks for.

    >>> compose({"verb": ["flip"], "card": ["12"], "cell": ["b2"]})
    'flip 12 b2'

    Raises:
        RuleViolation: with the code "choice", when a card or a stone is missing or there are too many.
    """
    verb = _only(fields, "verb", 1, "verb")[0]
    match verb:
        case "end" | "skip":
            return verb
        case "score":
            words = _only(fields, "card", 1, "pattern")
        case "flip":
            words = [*_only(fields, "card", 1, "card"), *_only(fields, "cell", 1, "one")]
        case "shift":
            words = [*_only(fields, "card", 1, "card"), *_only(fields, "cell", 2, "two")]
        case _:
            raise _incomplete("verb")
    return " ".join((verb, *words))


def _only(fields: Mapping[str, Sequence[str]], name: str, count: int, missing: str) -> list[str]:
    values = list(fields.get(name, ()))
    if len(values) != count:
        raise _incomplete(missing)
    return values


def _incomplete(missing: str) -> RuleViolation:
    return RuleViolation("choice", str(MISSING[missing]))


# --- what is shown --------------------------------------------------------------------------------------------------


def context(scene: Scene) -> Mapping[str, Any]:
    """Return what `board.jinja` needs, taken from the scene alone, under one name: the page around it has its own."""
    view: View = scene.view
    language = get_language()
    mode = "watch" if view.viewer is None else "play" if scene.active else "wait"
    bonus = view.bonus_seats
    shown = SimpleNamespace(
        mode=mode,
        labels=_labels(language),
        rows=_rows(view, mode, _changed(scene.recent), language),
        seated=view.viewer is not None,
        hand=[drawing.hand_card(card, cells_of(card, view.grid), scene.active, language) for card in view.hand],
        slots=range(HAND - len(view.hand)),
        empty_handed=not view.hand,
        no_skip="" if view.skip_refused is None else _SKIP_REFUSED[view.skip_refused],
        stands=_stands(view.seats, view.round, view.last_round, view.ended is not None, language),
        bonus="" if view.solo else _bonus(tuple(scene.names[seat] for seat in bonus), language),
        deck=view.deck,
        discarded=len(view.discards),
        discards=drawing.card_faces(view.discards[::-1]),
        top=drawing.card_face(view.discards[-1]) if view.discards else "",
        mover=view.to_move,
        seats=[
            _seat(name, view.scored[seat], view.goal, seat in bonus, language) for seat, name in enumerate(scene.names)
        ],
        struck=view.strikes,
        strikes=(True,) * view.strikes + (False,) * (STRIKES - view.strikes) if view.solo else (),
    )
    return {"stones": shown}


def _rows(view: View, mode: str, changed: frozenset[int], language: str | None) -> Sequence[Sequence[str]]:
    stones = [drawing.stone(cell, face, mode, cell in changed, language) for cell, face in enumerate(view.grid)]
    return (stones[:SIDE], stones[SIDE : 2 * SIDE], stones[2 * SIDE :])


def _changed(recent: Sequence[Event]) -> frozenset[int]:
    """Return the cells which the last action moved, turned or used."""
    for event in recent:
        match event:
            case StonesShifted():
                return frozenset((event.first, event.second))
            case StoneFlipped():
                return frozenset((event.cell,))
            case CardScored():
                return frozenset(event.cells)
    return frozenset()


# What follows is made once for each language and position: boards are rendered for every viewer at every move.


@cache
def _labels(language: str | None) -> SimpleNamespace:
    """Return the fixed words of the board, ready for the page."""
    words = {
        "stones": gettext("Stones"),
        "hand": gettext("Your cards"),
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


@lru_cache(maxsize=1024)
def _stands(seats: int, turn: int, last: bool, over: bool, language: str | None) -> str:
    """Return in one line where the match stands towards its end."""
    alone = seats == 1
    if over:
        text = gettext("Ended in turn %(turn)s") if alone else gettext("Ended in round %(turn)s")
    elif alone:
        text = gettext("Turn %(turn)s · score all %(goal)s cards before the fourth strike")
    elif last:
        text = gettext("Round %(turn)s · the last one")
    else:
        text = gettext("Round %(turn)s · the end comes when somebody has scored %(goal)s cards")
    return escape(text % {"turn": turn, "goal": GOALS[seats]})


@lru_cache(maxsize=1024)
def _bonus(names: tuple[str, ...], language: str | None) -> str:
    holders = wording.listing(names) if names else gettext("nobody yet")
    text = gettext("+%(bonus)s points for the most 1-point cards: %(names)s")
    return escape(text % {"bonus": BONUS, "names": holders})


@lru_cache(maxsize=4096)
def _seat(
    name: str,
    cards: tuple[int, ...],
    goal: int,
    bonus: bool,
    language: str | None,
) -> SimpleNamespace:
    return SimpleNamespace(
        name=escape(name),
        chips=drawing.chips(cards),
        faces=drawing.card_faces(cards),
        tally=escape(gettext("%(count)s of %(goal)s") % {"count": len(cards), "goal": goal}),
        points=escape(wording.points_text(card_points(cards))),
        bonus=bonus,
    )


# --- what stands around the board -----------------------------------------------------------------------------------


def status(scene: Scene) -> str:
    """Return in one sentence who must do what, or how the match ended, in the words of this viewer."""
    view: View = scene.view
    outcome = view.outcome
    if outcome is not None:
        return _ending(scene, outcome)
    if view.mover == view.viewer:
        return _your_turn(view) if scene.active else gettext("Your turn.")
    turn = gettext("%(name)s’s turn") % {"name": scene.names[view.mover]}
    return gettext("%(turn)s, in the last round.") % {"turn": turn} if view.last_round else f"{turn}."


def _your_turn(view: View) -> str:
    if view.last_round:
        return gettext("Your last turn: play cards, then end it.")
    if view.acted:
        return gettext("Your turn: play on, or end it.")
    if view.may_skip:
        return gettext("Your turn: play cards, or skip.")
    return gettext("Your turn: play cards, then end it.")


def _ending(scene: Scene, outcome: Outcome) -> str:
    view: View = scene.view
    if view.solo:
        return _solo_text(scene)
    winners = [seat for seat, place in enumerate(outcome.places) if place == 1]
    told = wording.result(scene.names, outcome.places, outcome.scores)
    if winners == [view.viewer]:
        return gettext("You have won: %(told)s") % {"told": told}
    return told


def _solo_text(scene: Scene) -> str:
    view: View = scene.view
    turns = ngettext("%(count)s turn", "%(count)s turns", view.round) % {"count": view.round}
    if view.ended == "won":
        return gettext("Won in %(turns)s with %(left)s.") % {
            "turns": turns,
            "left": wording.strikes_text(view.strikes_left),
        }
    return gettext("Lost after %(turns)s with %(scored)s of %(goal)s cards scored.") % {
        "turns": turns,
        "scored": len(view.scored[0]),
        "goal": view.goal,
    }


def facts(scene: Scene) -> Sequence[Sequence[Fact]]:
    """Return points (the bonus as it stands included), cards scored and cards in hand for each seat; alone, strikes."""
    view: View = scene.view
    scores, sizes, language = view.scores, view.hand_sizes, get_language()
    strikes = view.strikes_left if view.solo else None
    return [
        _facts(scores[seat], f"{len(view.scored[seat])}/{view.goal}", sizes[seat], strikes, language)
        for seat in range(view.seats)
    ]


@lru_cache(maxsize=4096)
def _facts(score: int, scored: str, hand: int, strikes: int | None, language: str | None) -> tuple[Fact, ...]:
    found = (
        Fact("score", gettext("Points"), str(score)),
        Fact("scored", gettext("Scored"), scored),
        Fact("hand", gettext("In hand"), str(hand)),
    )
    return found if strikes is None else (*found, Fact("strikes", gettext("Strikes left"), str(strikes)))


def line(event: Event, names: Sequence[str]) -> str:
    """Return one sentence for the log."""
    return wording.line(event, names)


def solo_result(scene: Scene) -> SoloResult | None:
    """Return the result of a finished match played alone: won before lost, more strikes left, fewer turns.

    Lost matches, which all have no strikes left, are ranked by their points.
    """
    view: View = scene.view
    if not view.solo or view.ended is None:
        return None
    won = view.ended == "won"
    rank = 1_000_000 + view.strikes_left * 10_000 - view.round if won else card_points(view.scored[0])
    return SoloResult(rank, _solo_text(scene))


def counts(scene: Scene) -> Sequence[Mapping[str, int]]:
    """Return nothing: places and points say it all."""
    return ()


def words() -> Mapping[str, str]:
    """Return the sentences the script says while one chooses, by the name it knows them by."""
    return {
        "start": gettext("Choose a card, then one or two stones."),
        "card": gettext("Now one stone to flip, or two neighbours to shift."),
        "pattern": gettext("Score it, or choose stones to discard it for."),
        "one": gettext("Flip {0}, or choose a neighbour to shift it with."),
        "two": gettext("Shift {0} and {1}."),
        "stones": gettext("Choose a card to discard for this."),
        "score": gettext("Choose a card whose pattern lies on the stones now."),
        "lies": gettext("The pattern of this card does not lie on the stones now."),
        "shift": str(MISSING["two"]),
        "flip": str(MISSING["one"]),
        "discard": str(MISSING["card"]),
    }
