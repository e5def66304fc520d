"""From the submitted form of the board to the notation of an action, and back to what would be marked for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.protocol import RuleViolation
from games.titles import Doubt, Mark
from games.titles.shifting_stones.view import View

MISSING = {
    "card": _("Choose a card to discard."),
    "pattern": _("Choose the card to score."),
    "two": _("Choose two neighbouring stones."),
    "one": _("Choose one stone to flip."),
    "verb": _("Choose what to do: shift, flip, score, end or skip."),
}
"""The messages for an incomplete choice."""


def compose(fields: Mapping[str, Sequence[str]]) -> str:
    """Return the notation of the action a submitted board form asks for.

    >>> compose({"verb": ["flip"], "card": ["12"], "cell": ["b2"]})
    'flip 12 b2'

    Raises:
        RuleViolation: with the code "choice", if a card or a stone is missing or there are too many.
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


def doubt(text: str, view: View) -> Doubt | None:
    """Return what to ask before a turn ends on which nothing was done, or is skipped; None for all else."""
    if view.viewer != view.mover or view.acted:
        return None
    if text == "end":
        return Doubt(gettext("You have done nothing in this turn. End it anyway?"), gettext("End turn"))
    if text == "skip" and not view.skip_refused:
        return Doubt(gettext("Skip this turn and draw two cards?"), gettext("Skip turn"))
    return None


def marks(text: str) -> Sequence[Mark]:
    """Return the card, the stones and the button of an action.

    >>> [mark.values[0] for mark in marks("shift 12 a1 b1")]
    ['12', 'a1', 'b1', 'shift']
    """
    verb, *words = text.split()
    card, cells = words[:1], words[1:]
    return (
        *(Mark("card", (word,)) for word in card),
        *(Mark("cell", (word,)) for word in cells),
        Mark("verb", (verb,)),
    )


def _only(fields: Mapping[str, Sequence[str]], name: str, count: int, missing: str) -> list[str]:
    values = list(fields.get(name, ()))
    if len(values) != count:
        raise _incomplete(missing)
    return values


def _incomplete(missing: str) -> RuleViolation:
    return RuleViolation("choice", str(MISSING[missing]))
