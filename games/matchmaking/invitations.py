"""Invitations to open and planned tables: sent, accepted by sitting down (`services.join`), declined."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import relations
from games.engine.protocol import RuleViolation
from games.matchmaking import stale
from games.matchmaking.admission import check_open, seat_of
from games.matchmaking.counting import count_invitations
from games.matchmaking.limits import ANSWER_WITHIN
from games.matchmaking.models import Invitation
from games.matchmaking.promises import is_coming
from games.matchmaking.seating import changed
from games.matchmaking.signals import invited
from games.play.matches.locking import lock
from games.play.matches.transactions import writing
from games.play.models import Match, Speed


def invite(match: Match, people: Iterable[Any], by: Any) -> bool:
    """Invite people to a locked table, each of them once; an invitation that has expired is sent anew.

    People who have blocked the inviter are told nothing, and neither is the inviter: the invitation waits in vain.

    Returns:
        Whether any invitation was sent; the others were there already.

    Raises:
        RuleViolation: "blocked" for somebody whom the inviter has blocked, "declined" for somebody who does not want
            to come, or as `counting.count_invitations`.
    """
    others = {person.pk: person for person in people if person.pk != by.pk}
    apart = relations.blocked_with(by) & set(others)
    for key in apart:
        _check_not_blocked(by, others[key])
    former = {it.user_id: it for it in match.invitations.filter(user__in=others)}
    for key, invitation in former.items():
        _check_not_declined(invitation, others[key])
    new = [person for key, person in others.items() if _is_due(former.get(key), withheld=key in apart)]
    if new:
        count_invitations(match, new, by)
    Invitation.objects.bulk_create(
        [_invitation(match, person, by, withheld=person.pk in apart) for person in new],
        update_conflicts=True,
        update_fields=["by", "created_at", "expires_at", "withheld"],
        unique_fields=["match", "user"],
    )
    invited.send(Match, match=match, people=[it for key, it in others.items() if key not in apart], by=by)
    return bool(new)


def _is_due(former: Invitation | None, *, withheld: bool) -> bool:
    """Return whether an invitation is to be sent: for the first time, or because the former one reaches nobody."""
    return former is None or former.has_expired or (former.withheld and not withheld)


def _check_not_blocked(by: Any, person: Any) -> None:
    if relations.has_blocked(by, person):
        text = _("You have blocked %(name)s. Unblock them first.")
        raise RuleViolation("blocked", text % {"name": person.shown_name})


def _check_not_declined(invitation: Invitation, person: Any) -> None:
    if invitation.declined_at is not None:
        text = _("%(name)s has declined, and can still sit down without another invitation.")
        raise RuleViolation("declined", text % {"name": person.shown_name})


def _invitation(match: Match, person: Any, by: Any, *, withheld: bool) -> Invitation:
    now, until = timezone.now(), expiry(match, timezone.now())
    return Invitation(match=match, user=person, by=by, created_at=now, expires_at=until, withheld=withheld)


def expiry(match: Match, now: datetime) -> datetime:
    """Return when an invitation sent now expires; to a rematch or a planned table as late as the table does."""
    until = stale.waits_until(match)
    if match.previous_id is not None or match.opens_at is not None:
        return until
    return min(until, now + ANSWER_WITHIN[Speed(match.speed)])


def accept(match: Match, user: Any) -> None:
    """Note that somebody sits at a locked table, or comes to it, after all: they may have declined before."""
    match.invitations.filter(user=user).exclude(declined_at=None).update(declined_at=None)


def decline(match_id: int, user: Any) -> None:
    """Decline an invitation to an open or planned table. Idempotent; those who sit down later have changed their mind.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-invited", "seated" for somebody who sits there already, or
            "coming" for somebody for whom a seat is kept.
    """
    with writing():
        locked = lock(match_id)
        if not locked.match.is_planned:
            check_open(locked.match)
        invitation = locked.match.invitations.filter(user=user, withheld=False).first()
        if invitation is None:
            raise RuleViolation("not-invited", _("You are not invited to this table."))
        if seat_of(user, locked.seats) is not None:
            raise RuleViolation("seated", _("You are already sitting at this table. You can leave it."))
        if is_coming(locked.match, user):
            raise RuleViolation("coming", _("A seat is kept for you at this table. You can give it back."))
        if invitation.declined_at is None:
            invitation.declined_at = timezone.now()
            invitation.save(update_fields=["declined_at"])
            changed(locked.match)
