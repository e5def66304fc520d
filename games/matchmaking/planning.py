"""Tables planned for a time: plan one, say that one comes, take it back, and what happens when the time has come.

While a table is planned nobody sits there; a seat is kept for everybody who said they come (`models.Promise`). At its
time it opens (`open_due`), and they sit down as at any table (`services.join`). Whoever has not done so in time
(`limits.GRACE`) loses the seat, and that counts as a no-show (`release`). Like those of `services`, each of these
functions locks the table.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.relations import lock_people
from games.engine.protocol import RuleViolation
from games.matchmaking import promises, series
from games.matchmaking.admission import (
    check_may_come,
    check_may_play,
    check_may_still_play,
    check_planned,
    check_registered,
)
from games.matchmaking.closing import call_off, close
from games.matchmaking.counting import check_moment, count_plan, count_promise
from games.matchmaking.invitations import accept, invite
from games.matchmaking.limits import GRACE
from games.matchmaking.seating import changed
from games.matchmaking.signals import offered
from games.matchmaking.wishes import Wish, prepared
from games.play.matches.locking import lock
from games.play.matches.transactions import writing
from games.play.models import Absence, Match, Seat

COMPANY = 2
"""With fewer people there is nobody to meet."""


def plan_table(host: Any, wish: Wish, opens_at: datetime) -> Match:
    """Plan a table for a time and keep a seat there for its host.

    Raises:
        RuleViolation: "guest-plans", "moment" when the time is too near or too far away, "plan-alone" without seats for
            other people; as `services.open_table` and `counting.count_plan`.
    """
    check_registered(host)
    check_may_play(host)
    check_moment(opens_at)
    if wish.seats < COMPANY or wish.bots:
        raise RuleViolation("plan-alone", _("A planned table has seats for other people."))
    match = prepared(host, wish)
    match.status, match.opens_at = Match.Status.PLANNED, opens_at
    with writing():
        count_plan(host)
        check_may_still_play(host)
        match.save()
        if wish.first_to:
            series.begin(match, wish.first_to)
        invite(match, wish.invited, by=host)
        promises.give(match, host)
        offered.send(Match, match=match, host=host)
    return match


def come(match_id: int, user: Any) -> Match:
    """Keep a seat at a planned table for somebody. Idempotent.

    Raises:
        RuleViolation: as `admission.check_may_come` and `counting.count_promise`.
    """
    with writing():
        match = lock(match_id).match
        check_planned(match)
        if not promises.is_coming(match, user):
            lock_people([user.pk, match.host_id, *promises.people(match)])  # nobody blocks anybody meanwhile
            check_may_still_play(user)
            check_may_come(match, user)
            count_promise(user)
            promises.give(match, user)
            accept(match, user)
            changed(match)
    return match


def take_back(match_id: int, user: Any) -> None:
    """Give back the seat kept at a planned table. If the host does, whoever came next is host; the last one closes it.

    Raises:
        RuleViolation: "table-open", "table-begun" or "table-closed" when it is too late, or "not-coming".
    """
    with writing():
        match = lock(match_id).match
        check_planned(match)
        if not promises.is_coming(match, user):
            raise RuleViolation("not-coming", _("No seat is kept for you at this table."))
        promises.end(match, [user])
        first = match.promises.select_related("user").first()
        if first is None:
            close(match)
            return
        if match.host_id == user.pk:
            match.host, match.kept = first.user, 0
        changed(match)


def open_due(match_id: int) -> bool:
    """Open a planned table whose time has come, or close it if only one person wants to come.

    Returns:
        Whether this did it: not when another worker has, or it was called off meanwhile.
    """
    with writing():
        match, now = lock(match_id).match, timezone.now()
        if not match.is_planned or match.opens_at is None or match.opens_at > now:
            return False
        if promises.count(match) < COMPANY:
            call_off(match)
            return True
        match.status, match.created_at = Match.Status.OPEN, now
        match.save(update_fields=["created_at"])
        changed(match)
        return True


def release(match_id: int) -> bool:
    """Free the seats of those who did not come in time, which counts as a no-show; nobody there closes the table.

    Returns:
        Whether this did it.
    """
    with writing():
        locked, now = lock(match_id), timezone.now()
        match = locked.match
        if not match.is_open or match.opens_at is None or match.created_at + GRACE > now:
            return False
        absent = promises.end_all(match)
        Absence.objects.bulk_create([Absence(match=match, user=user, at=now) for user in absent])
        _go_on(match, locked.seats)
        return bool(absent)


def _go_on(match: Match, seats: list[Seat]) -> None:
    """Leave the table to those who came; the first of them is host if the host did not."""
    people = [seat for seat in seats if not seat.is_bot]
    if not people:
        close(match)
        return
    if all(seat.user_id != match.host_id for seat in people):
        match.host, match.kept = people[0].user, 0
    changed(match)
