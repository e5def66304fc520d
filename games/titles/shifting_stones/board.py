"""What a person sees of Shifting Stones, and what a submitted form asks for (`games.titles.Board`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.engine.protocol import Event, Outcome, RuleViolation
from games.titles import Fact, Scene, SoloResult
from games.titles.shifting_stones import drawing, wording
from games.titles.shifting_stones.events import CardScored, StoneFlipped, StonesShifted
from games.titles.shifting_stones.patterns import POINTS, cells_of
from games.titles.shifting_stones.state import BONUS, STRIKES
from games.titles.shifting_stones.view import View

TEMPLATE = "shifting_stones/board.jinja"
STYLES = ("shifting_stones/board.css",)
SCRIPTS = ("shifting_stones/board.js", "shifting_stones/drag.js", "shifting_stones/motion.js")
SPRITE = "shifting_stones/sprite.svg"
"""A Django template with the drawings, placed once in a page and outside what is pushed."""

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
    """Return what `board.jinja` needs, taken from the scene alone."""
    view: View = scene.view
    changed = _changed(scene.recent)
    mode = "watch" if view.viewer is None else "play" if scene.active else "wait"
    stones = [drawing.stone(cell, face, mode, changed=cell in changed) for cell, face in enumerate(view.grid)]
    return {
        "view": view,
        "mode": mode,
        "rows": (stones[:3], stones[3:6], stones[6:]),
        "hand": [drawing.hand_card(card, cells_of(card, view.grid), enabled=scene.active) for card in view.hand],
        "hint": _hint(view, active=scene.active),
        "no_skip": "" if view.skip_refused is None else _SKIP_REFUSED[view.skip_refused],
        "stands": _stands(view),
        "bonus": _bonus(view, scene.names),
        "discards": drawing.card_faces(view.discards[::-1]),
        "top": drawing.card_face(view.discards[-1]) if view.discards else "",
        "seats": [_seat(view, seat, name) for seat, name in enumerate(scene.names)],
        "strikes": (True,) * view.strikes + (False,) * (STRIKES - view.strikes) if view.solo else (),
    }


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


def _hint(view: View, *, active: bool) -> str:
    """Return what to choose; a script says it more exactly while one chooses."""
    if not active:
        return ""
    if not view.hand:
        return gettext("You have no cards: end your turn or skip it.")
    return gettext("Choose a card, then one or two stones.")


def _stands(view: View) -> str:
    """Return in one line where the match stands towards its end."""
    if view.solo and view.ended is None:
        return gettext("Turn %(turn)s · score all %(goal)s cards before the fourth strike") % {
            "turn": view.round,
            "goal": view.goal,
        }
    if view.solo:
        return gettext("Ended in turn %(turn)s") % {"turn": view.round}
    if view.ended is not None:
        return gettext("Ended in round %(round)s") % {"round": view.round}
    if view.last_round:
        return gettext("Round %(round)s · the last one") % {"round": view.round}
    return gettext("Round %(round)s · the end comes when somebody has scored %(goal)s cards") % {
        "round": view.round,
        "goal": view.goal,
    }


def _bonus(view: View, names: Sequence[str]) -> str:
    if view.solo:
        return ""
    if not view.bonus_seats:
        return gettext("+%(bonus)s points for the most 1-point cards: nobody yet") % {"bonus": BONUS}
    holders = wording.listing(names[seat] for seat in view.bonus_seats)
    return gettext("+%(bonus)s points for the most 1-point cards: %(names)s") % {"bonus": BONUS, "names": holders}


def _seat(view: View, seat: int, name: str) -> Mapping[str, Any]:
    cards = view.scored[seat]
    return {
        "number": seat,
        "name": name,
        "chips": drawing.chips(cards),
        "faces": drawing.card_faces(cards),
        "tally": gettext("%(count)s of %(goal)s") % {"count": len(cards), "goal": view.goal},
        "points": wording.points_text(view.points[seat]),
        "bonus": seat in view.bonus_seats,
    }


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
        return gettext("Your turn: play more cards, or end your turn.")
    if view.may_skip:
        return gettext("Your turn: play cards, or skip and draw two.")
    return gettext("Your turn: play cards, then end your turn.")


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
    return [_facts(view, seat) for seat in range(view.seats)]


def _facts(view: View, seat: int) -> list[Fact]:
    found = [
        Fact("score", gettext("Points"), str(view.scores[seat])),
        Fact("scored", gettext("Cards scored"), f"{len(view.scored[seat])}/{view.goal}"),
        Fact("hand", gettext("Cards in hand"), str(view.hand_sizes[seat])),
    ]
    if view.solo:
        found.append(Fact("strikes", gettext("Strikes left"), str(view.strikes_left)))
    return found


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
    rank = 1_000_000 + view.strikes_left * 10_000 - view.round if won else sum(POINTS[card] for card in view.scored[0])
    return SoloResult(rank, _solo_text(scene))


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
