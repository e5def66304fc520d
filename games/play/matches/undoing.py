"""Actions that are taken back: how many are allowed, and what is kept of them."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.play.matches import positions
from games.play.models import Action, Match

UNDONE_KEPT = 50
"""How many actions taken back are kept per match, to recognise repeated requests; seals stay."""

MOST_SEALS_TAKEN_BACK = 20
"""Secret actions that one seat may take back in one turn."""


def withdraw(match: Match, undone: Sequence[Action]) -> None:
    """Mark actions as withdrawn, the latest first, and close the gaps they leave in a sealed turn."""
    for action in undone:
        action.withdrawn = True
        action.save(update_fields=["withdrawn"])
        for later in positions.standing_actions(match).filter(number__gt=action.number):
            later.number -= 1
            later.save(update_fields=["number"])


def check_patience(match: Match, seat: int) -> None:
    """Refuse to take back too many secret actions in one turn: their seals are kept for ever ("undo-limit")."""
    sealed = Action.objects.filter(match=match, seat=seat, withdrawn=True, number__gt=match.turn or 0).exclude(seal="")
    if sealed.count() >= MOST_SEALS_TAKEN_BACK:
        raise RuleViolation("undo-limit", _("You have taken back too many plays in this turn."))


def forget(match: Match) -> None:
    """Delete all but the latest of the withdrawn actions without a seal: nothing needs them any more."""
    undone = Action.objects.filter(match=match, withdrawn=True, seal="").order_by("-pk")
    if (old := undone.values_list("pk", flat=True)[UNDONE_KEPT : UNDONE_KEPT + 1].first()) is not None:
        undone.filter(pk__lte=old).delete()
