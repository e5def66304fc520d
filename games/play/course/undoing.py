"""Actions that are taken back."""

from __future__ import annotations

from collections import deque
from copy import copy

from django.utils.translation import gettext as _

from games.engine import runner
from games.engine.protocol import RuleViolation
from games.engine.protocol import Seat as SeatNumber
from games.play.course import clockwork, positions
from games.play.course.draft import Draft
from games.play.course.recording import set_position
from games.play.models import Action

MOST_SEALS_TAKEN_BACK = 20
"""Secret actions that one seat may take back in one turn: their seals are kept for ever."""


def take_back(draft: Draft, seat: int, most: int | None) -> None:
    """Take back the latest actions of a seat, as long as nothing was revealed and no chance was used since.

    Time goes on as if they had not been taken: none is given back, and what they earned is lost.

    Args:
        draft: the match, with all its actions.
        seat: who asks.
        most: how many; None for all of this turn.

    Raises:
        RuleViolation: "nothing-to-undo", "undo-limit", "no-time-left".
    """
    standing = [copy(action) for action in draft.before.actions]
    undone = list(positions.undoable(draft.match, seat, reversed(standing)))[:most]
    if not undone:
        raise RuleViolation("nothing-to-undo", _("There is nothing you can take back."))
    if draft.before.seals_taken_back >= MOST_SEALS_TAKEN_BACK:
        raise RuleViolation("undo-limit", _("You have taken back too many plays in this turn."))
    clockwork.take_back(draft.seats[seat], undone[-1], draft.now, draft.before.vacations, draft.before.outages)
    _withdraw(draft, standing, undone)
    set_position(draft, _replayed(draft, [action for action in standing if not action.withdrawn]))


def _withdraw(draft: Draft, standing: list[Action], undone: list[Action]) -> None:
    """Mark actions as withdrawn, and close the gaps they leave in a sealed turn."""
    for action in undone:
        action.withdrawn = True
    left = [action for action in standing if not action.withdrawn]
    for number, action in enumerate(left, 1):
        if action.number != number:
            action.number = number
            draft.renumbered.append(action)
    draft.taken_back.extend(undone)


def _replayed(draft: Draft, actions: list[Action]) -> positions.AnyPlay:
    match = draft.match
    pairs = ((SeatNumber(action.seat), action.text) for action in actions)
    seed = positions.seed_of(match, draft.seats)
    return deque(runner.replay(match.rules, match.seat_count, match.options, seed, pairs), maxlen=1).pop()
