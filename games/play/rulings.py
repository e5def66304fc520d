"""What moderators decide about a match. Whoever calls keeps the record of who did it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation, ranks
from games.play.models import AWARDED, AbortReason, Explanation, Match, Ruling, in_company
from games.play.reducer.draft import Draft
from games.play.reducer.results import abort
from games.play.signals import match_ruled
from games.play.store import save_change, snapshot, writing


def stop(match_id: int, why: str) -> None:
    """End a running match without a result; nobody is to blame for it.

    Raises:
        RuleViolation: "not-running".
    """
    with writing():
        draft = _draft(match_id)
        if not draft.match.is_running:
            raise RuleViolation("not-running", _("This match is not running."))
        abort(draft, AbortReason.MODERATORS)
        save_change(draft.change())
        explain(match_id, why)


def award(match_id: int, places: Sequence[int], why: str) -> Ruling:
    """Give a match that is over other places, in the order of seats.

    Raises:
        RuleViolation: "not-over", "alone", or "places" if nobody or not everybody has one.
    """
    return _rule(match_id, list(places), why)


def annul(match_id: int, why: str) -> Ruling:
    """Let a match that is over not count.

    Raises:
        RuleViolation: "not-over", or "alone".
    """
    return _rule(match_id, None, why)


def take_back(match_id: int, why: str) -> bool:
    """Let a match have ended as it was played; return whether it had been decided differently."""
    with writing():
        decided = Ruling.objects.select_for_update().filter(match=match_id).first()
        if decided is None:
            return False
        decided.delete()
        draft = _draft(match_id)
        _end_otherwise(draft, Match.Status.OVER, decided.played["reason"], decided.played["places"])
        explain(match_id, why)
        return True


def explain(match_id: int, why: str) -> None:
    """Keep the reason for what no `Ruling` tells, in the place of an earlier one."""
    Explanation.objects.update_or_create(match_id=match_id, defaults={"why": why, "at": timezone.now()})


def reason_of(match: Match) -> str:
    """Return why moderators decided about a match as it stands, empty if they did not."""
    decided = Ruling.objects.filter(match=match).first() or Explanation.objects.filter(match=match).first()
    return decided.why if decided else ""


def _rule(match_id: int, places: list[int] | None, why: str) -> Ruling:
    """Decide about a match, None: that it does not count; a later decision takes the place of an earlier one."""
    with writing():
        earlier = Ruling.objects.select_for_update().filter(match=match_id).first()
        draft = _draft(match_id)
        match, seats = draft.match, draft.seats
        if not match.is_over and earlier is None:
            raise RuleViolation("not-over", _("Only a match that is over can be decided differently."))
        if not in_company(seats):
            raise RuleViolation("alone", _("Only matches of two people or more can be decided differently."))
        if places is not None and (len(places) != len(seats) or tuple(places) != ranks(places)):
            raise RuleViolation("places", _("Give every player a place; players who are level have the same one."))
        played = earlier.played if earlier else {"places": [seat.place for seat in seats], "reason": match.reason}
        if places is None:
            _end_otherwise(draft, Match.Status.ABORTED, AbortReason.MODERATORS, [None] * len(seats))
        else:
            _end_otherwise(draft, Match.Status.OVER, AWARDED, places)
        fields = {"places": places, "played": played, "why": why, "at": timezone.now()}
        return Ruling.objects.update_or_create(match_id=match_id, defaults=fields)[0]


def _draft(match_id: int) -> Draft:
    """Lock a match, to change how it ended."""
    now = timezone.now()
    return Draft(snapshot(match_id, now), now)


def _end_otherwise(draft: Draft, status: Match.Status, reason: str, places: Sequence[int | None]) -> None:
    draft.match.status, draft.match.reason = status, reason
    for seat, place in zip(draft.seats, places, strict=True):
        seat.place = place
    draft.match.version += 1
    draft.tell(match_ruled, seats=draft.seats)
    save_change(draft.change())
