"""What moderators do to a match: stop it, decide its result, or undo that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.play.course import recording
from games.play.course.draft import Draft
from games.play.models import AWARDED, AbortReason, Match
from games.play.signals import match_ruled


def stop(draft: Draft) -> None:
    """End a running match without a result; nobody is to blame for it.

    Raises:
        RuleViolation: "not-running".
    """
    if not draft.match.is_running:
        raise RuleViolation("not-running", _("This match is not running."))
    recording.abort(draft, AbortReason.MODERATORS)


def ending(draft: Draft) -> dict[str, Any]:
    """Return how a match ended, as `Ruling.played` keeps it."""
    return {"places": [seat.place for seat in draft.seats], "reason": draft.match.reason}


def award(draft: Draft, places: Sequence[int]) -> None:
    """Give a match that is over other places.

    Raises:
        RuleViolation: "places" if nobody or not everybody has one.
    """
    if len(places) != len(draft.seats) or not _are_places(places):
        raise RuleViolation("places", _("Give every player a place; players who are level have the same one."))
    _set(draft, Match.Status.OVER, AWARDED, places)


def _are_places(places: Sequence[int]) -> bool:
    """Return whether each place is one more than there are better ones."""
    return all(place == 1 + sum(other < place for other in places) for place in places)


def annul(draft: Draft) -> None:
    """Let a match that is over not count."""
    _set(draft, Match.Status.ABORTED, AbortReason.MODERATORS, [None] * len(draft.seats))


def reinstate(draft: Draft, played: dict[str, Any]) -> None:
    """Let a match have ended as it was played."""
    _set(draft, Match.Status.OVER, played["reason"], played["places"])


def _set(draft: Draft, status: Match.Status, reason: str, places: Sequence[int | None]) -> None:
    match = draft.match
    match.status, match.reason = status, reason
    for seat, place in zip(draft.seats, places, strict=True):
        seat.place = place
    match.version += 1
    draft.tell(match_ruled, seats=draft.seats)
