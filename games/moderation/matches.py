"""What moderators decide about matches and tables."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.moderation.decisions import check_not_own, checked_reason, write_deed
from games.moderation.models import Case, Deed
from games.notifications.services import notify_players
from games.play import rulings
from games.play.models import Match, Seat
from games.play.store import writing

Act = Deed.Act


def shut_table(by: User | None, match: Match, reason: str, case: Case | None = None) -> Deed:
    """Close a table that has not begun; raises as `abort`, or "table-begun", "table-closed"."""
    reason = checked_reason(by, reason)
    check_not_own(by, match=match)
    with writing():
        people = tables.close_for_moderators(match.pk)
        rulings.explain(match.pk, reason)
        deed = write_deed(by, Act.SHUT, reason, match=match, case=case)
        match.refresh_from_db()
        notify_players(match, people)
    return deed


def abort(by: User | None, match: Match, reason: str, case: Case | None = None) -> Deed:
    """End a running match without a result, or annul one that is over and recompute ratings.

    Raises:
        RuleViolation: "not-moderator", "reason", "too-long", "own", "not-running", "alone".
    """
    reason = checked_reason(by, reason)
    check_not_own(by, match=match)
    with writing():
        match.refresh_from_db()
        if match.is_over:
            ruling = rulings.annul(match.pk, reason)
            deed = write_deed(by, Act.ANNUL, reason, match=match, case=case, details={"played": ruling.played})
        else:
            rulings.stop(match.pk, reason)
            deed = write_deed(by, Act.ABORT, reason, match=match, case=case)
        _tell_players(match)
    return deed


def award(by: User | None, match: Match, places: Sequence[int], reason: str, case: Case | None = None) -> Deed:
    """Decide the places of a match that is over, in the order of seats, and recompute ratings.

    Raises:
        RuleViolation: "not-moderator", "reason", "too-long", "own", "not-over", "alone", "places".
    """
    reason = checked_reason(by, reason)
    check_not_own(by, match=match)
    with writing():
        ruling = rulings.award(match.pk, places, reason)
        details = {"places": list(places), "played": ruling.played}
        deed = write_deed(by, Act.AWARD, reason, match=match, case=case, details=details)
        _tell_players(match)
    return deed


def reinstate(
    by: User | None, match: Match, reason: str, case: Case | None = None, *, undone: Deed | None = None
) -> Deed:
    """Restore the result of a match as it was played; raises as `abort`, or "not-ruled"."""
    reason = checked_reason(by, reason)
    check_not_own(by, match=match)
    with writing():
        if not rulings.take_back(match.pk, reason):
            raise RuleViolation("not-ruled", _("The result of this match stands as it was played."))
        deed = write_deed(by, Act.REINSTATE, reason, undone, match=match, case=case)
        _tell_players(match)
    return deed


def _tell_players(match: Match) -> None:
    match.refresh_from_db()
    seats = Seat.objects.filter(match=match).exclude(user=None)
    notify_players(match, seats.values_list("user", flat=True))
