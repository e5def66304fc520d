"""What moderators decide about a match. Whoever calls keeps the record of who did it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.engine.ranks import ranks
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

    def stopped(draft: Draft) -> None:
        if not draft.match.is_running:
            raise RuleViolation("not-running", _("This match is not running."))
        abort(draft, AbortReason.MODERATORS)

    with writing():
        _change(match_id, stopped)
        explain(match_id, why)


def award(match_id: int, places: Sequence[int], why: str) -> Ruling:
    """Give a match that is over other places, in the order of seats.

    Raises:
        RuleViolation: "not-over", "alone", or "places" if nobody or not everybody has one.
    """

    def awarded(draft: Draft) -> None:
        if len(places) != len(draft.seats) or tuple(places) != ranks(places):
            raise RuleViolation("places", _("Give every player a place; players who are level have the same one."))
        _set(draft, Match.Status.OVER, AWARDED, places)

    return _rule(match_id, list(places), why, awarded)


def annul(match_id: int, why: str) -> Ruling:
    """Let a match that is over not count.

    Raises:
        RuleViolation: "not-over", or "alone".
    """

    def annulled(draft: Draft) -> None:
        _set(draft, Match.Status.ABORTED, AbortReason.MODERATORS, [None] * len(draft.seats))

    return _rule(match_id, None, why, annulled)


def take_back(match_id: int, why: str) -> bool:
    """Let a match have ended as it was played; return whether it had been decided differently."""
    with writing():
        decided = Ruling.objects.select_for_update().filter(match=match_id).first()
        if decided is None:
            return False
        decided.delete()
        played = decided.played
        _change(match_id, lambda draft: _set(draft, Match.Status.OVER, played["reason"], played["places"]))
        explain(match_id, why)
        return True


def explain(match_id: int, why: str) -> None:
    """Keep the reason for what no `Ruling` tells, in the place of an earlier one."""
    Explanation.objects.update_or_create(match_id=match_id, defaults={"why": why, "at": timezone.now()})


def reason_of(match: Match) -> str:
    """Return why moderators decided about a match as it stands, empty if they did not."""
    decided = Ruling.objects.filter(match=match).first() or Explanation.objects.filter(match=match).first()
    return decided.why if decided else ""


def _rule(match_id: int, places: list[int] | None, why: str, change: Callable[[Draft], None]) -> Ruling:
    """Decide about a match; a later decision takes the place of an earlier one."""
    with writing():
        earlier = Ruling.objects.select_for_update().filter(match=match_id).first()
        played = earlier.played if earlier else {}

        def decided(draft: Draft) -> None:
            nonlocal played
            if not draft.match.is_over and earlier is None:
                raise RuleViolation("not-over", _("Only a match that is over can be decided differently."))
            if not in_company(draft.seats):
                raise RuleViolation("alone", _("Only matches of two people or more can be decided differently."))
            played = played or {"places": [seat.place for seat in draft.seats], "reason": draft.match.reason}
            change(draft)

        _change(match_id, decided)
        fields = {"places": places, "played": played, "why": why, "at": timezone.now()}
        return Ruling.objects.update_or_create(match_id=match_id, defaults=fields)[0]


def _change(match_id: int, change: Callable[[Draft], None]) -> None:
    now = timezone.now()
    draft = Draft(snapshot(match_id, now), now)
    change(draft)
    save_change(draft.change())


def _set(draft: Draft, status: Match.Status, reason: str, places: Sequence[int | None]) -> None:
    match = draft.match
    match.status, match.reason = status, reason
    for seat, place in zip(draft.seats, places, strict=True):
        seat.place = place
    match.version += 1
    draft.tell(match_ruled, seats=draft.seats)
