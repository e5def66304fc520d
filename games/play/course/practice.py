"""Practice against bots alone: a match goes back to a decision of its player, who knows by then what followed."""

from __future__ import annotations

from copy import copy

from django.utils.translation import gettext as _

from games.engine import runner
from games.engine.protocol import RuleViolation
from games.engine.protocol import Seat as SeatNumber
from games.play.course import positions
from games.play.course.draft import Draft
from games.play.course.recording import set_position
from games.play.models import in_company


def go_back(draft: Draft, seat: int, number: int | None) -> None:
    """Take everything back that followed a decision of a seat, and the decision itself; mark the match as practice.

    Args:
        draft: the match, with all its actions.
        seat: who asks.
        number: the decision is the seat's first one after so many actions; None for the latest one.

    Raises:
        RuleViolation: "no-practice" in a match with other people, "nothing-to-undo" when there is no such decision.
    """
    if not draft.match.has_bots or in_company(draft.seats):
        raise RuleViolation("no-practice", _("You can go back only in a match against bots alone."))
    standing = [copy(action) for action in draft.before.actions]
    own = [action.number for action in standing if action.seat == seat]
    later = [decision for decision in own if number is not None and decision > number]
    if not (own if number is None else later):
        raise RuleViolation("nothing-to-undo", _("There is nothing you can take back."))
    first = own[-1] if number is None else later[0]
    undone = [action for action in standing if action.number >= first]
    for action in undone:
        action.withdrawn = True
    draft.taken_back.extend(undone)
    draft.match.practice = True
    _replay(draft, [(SeatNumber(action.seat), action.text) for action in standing if action.number < first])


def _replay(draft: Draft, actions: list[tuple[SeatNumber, str]]) -> None:
    match = draft.match
    seed = positions.seed_of(match, draft.seats)
    match.opened = 0
    for play in runner.replay(match.rules, match.seat_count, match.options, seed, actions):
        match.opened = play.number if play.opens else match.opened
        reached = play
    set_position(draft, reached)
    match.turn_version = match.version  # what was seen before holds no longer, even if the turn is the same
