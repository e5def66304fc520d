"""The way in for what moderators decide about a match. Whoever calls keeps the record of who did it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.play.course import ruling
from games.play.course.draft import Draft
from games.play.matches.snapshots import snapshot
from games.play.matches.storing import store
from games.play.matches.transactions import writing
from games.play.models import Explanation, Match, Ruling, in_company


def stop(match_id: int, why: str) -> None:
    """End a running match without a result.

    Raises:
        RuleViolation: "not-running".
    """
    with writing():
        _change(match_id, ruling.stop)
        explain(match_id, why)


def award(match_id: int, places: Sequence[int], why: str) -> Ruling:
    """Give a match that is over other places, in the order of seats.

    Raises:
        RuleViolation: "not-over", "alone", or "places".
    """
    return _rule(match_id, list(places), why, lambda draft: ruling.award(draft, places))


def annul(match_id: int, why: str) -> Ruling:
    """Let a match that is over not count.

    Raises:
        RuleViolation: "not-over", or "alone".
    """
    return _rule(match_id, None, why, ruling.annul)


def take_back(match_id: int, why: str) -> bool:
    """Let a match have ended as it was played; return whether it had been decided differently."""
    with writing():
        decided = Ruling.objects.select_for_update().filter(match=match_id).first()
        if decided is None:
            return False
        decided.delete()
        _change(match_id, lambda draft: ruling.reinstate(draft, decided.played))
        explain(match_id, why)
        return True


def explain(match_id: int, why: str) -> None:
    """Keep why moderators did what no `Ruling` tells; it takes the place of what they said before."""
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
            _check(draft.match, draft, earlier)
            played = played or ruling.ending(draft)
            change(draft)

        _change(match_id, decided)
        fields = {"places": places, "played": played, "why": why, "at": timezone.now()}
        return Ruling.objects.update_or_create(match_id=match_id, defaults=fields)[0]


def _check(match: Match, draft: Draft, earlier: Ruling | None) -> None:
    if not match.is_over and earlier is None:
        raise RuleViolation("not-over", _("Only a match that is over can be decided differently."))
    if not in_company(draft.seats):
        raise RuleViolation("alone", _("Only matches of two people or more can be decided differently."))


def _change(match_id: int, change: Callable[[Draft], None]) -> None:
    now = timezone.now()
    draft = Draft(snapshot(match_id, now), now)
    change(draft)
    store(draft.change())
