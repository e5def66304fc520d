"""Tables planned for a time: plan one, promise to come, take that back, open it in time, and the page that lists them.

While a table is planned nobody sits there; a seat is kept for everybody who said they would come (`models.Promise`). At
its time a job opens it (`open_planned`), and they sit down as at any table (`tables.join`). Somebody who has not done
so within `limits.GRACE` loses the seat, which counts as a no-show (`release_seats`). As in `tables`, each function that
takes the key of a match locks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext as _

from accounts.relations import friends_of, lock_people
from games.clubs.membership import in_clubs_of, lock_club, put_in_club
from games.engine.protocol import RuleViolation
from games.matchmaking import requirements, seats, tables
from games.matchmaking.filters import Filters
from games.matchmaking.invitations import accept_invitation, invite
from games.matchmaking.limits import GRACE, check_moment, count_plan, count_promise
from games.matchmaking.models import Invitation, Promise, Removal
from games.matchmaking.series import begin_series
from games.matchmaking.signals import offered
from games.matchmaking.tables import TableSetup, call_off, close_locked, new_table
from games.play.models import Absence, Match, MatchQuerySet, Seat, Speed
from games.play.store import lock, writing

FEWEST_PEOPLE = 2
"""Fewer people cannot meet."""


def plan_table(host: Any, setup: TableSetup, opens_at: datetime, *, comes: bool = True) -> Match:
    """Plan a table for a time.

    Args:
        host: who calls it off, removes and invites people until it opens.
        setup: what is played.
        opens_at: when it opens.
        comes: whether a seat is kept for the host, too.

    Raises:
        RuleViolation: "guest-plans", "moment" when the time is too near or too far away, "plan-alone" without seats for
            other people; as `tables.open_table` and `limits.count_plan`.
    """
    seats.check_registered(host)
    seats.check_may_play(host)
    check_moment(opens_at)
    if setup.seats < FEWEST_PEOPLE or setup.bots:
        raise RuleViolation("plan-alone", _("A planned table has seats for other people."))
    match = new_table(host, setup)
    match.status, match.opens_at = Match.Status.PLANNED, opens_at
    with writing():
        if setup.club is not None:
            lock_club(pk=setup.club.pk)
        count_plan(host, comes=comes)
        seats.check_may_still_play(host)
        match.save()
        put_in_club(match, setup.club)
        if setup.first_to:
            begin_series(match, setup.first_to)
        invite(match, setup.invited, by=host)
        if comes:
            requirements.promise_seat(match, host)
        offered.send(Match, match=match, host=host, comes=comes)
    return match


def come(match_id: int, user: Any) -> Match:
    """Keep a seat at a planned table for somebody. Idempotent.

    Raises:
        RuleViolation: as `seats.check_may_come` and `limits.count_promise`.
    """
    with writing():
        match = lock(match_id).match
        seats.check_planned(match)
        if not requirements.is_coming(match, user):
            lock_people([user.pk, match.host_id, *requirements.promised_to(match)])  # nobody blocks anybody meanwhile
            seats.check_may_still_play(user)
            seats.check_may_come(match, user)
            count_promise(user)
            requirements.promise_seat(match, user)
            accept_invitation(match, user)
            seats.table_changed(match)
    return match


def take_back(match_id: int, user: Any) -> None:
    """Give back the seat kept at a planned table.

    If the host does, the next who said they would come becomes host; if there is none, the table is closed.

    Raises:
        RuleViolation: "table-open", "table-begun" or "table-closed" when it is too late, or "not-coming".
    """
    with writing():
        match = lock(match_id).match
        seats.check_planned(match)
        if not requirements.is_coming(match, user):
            raise RuleViolation("not-coming", _("No seat is kept for you at this table."))
        requirements.end_promises(match, [user])
        first = match.promises.select_related("user").first()
        if match.host_id == user.pk:
            if first is None:
                close_locked(match)
                return
            match.host, match.kept = first.user, 0
        seats.table_changed(match)


def open_planned(match_id: int) -> bool:
    """Open a planned table whose time has come, or close it if only one person wants to come.

    Returns:
        Whether this did it: not if another worker has, or it has been called off.
    """
    with writing():
        match, now = lock(match_id).match, timezone.now()
        if not match.is_planned or match.opens_at is None or match.opens_at > now:
            return False
        if requirements.count_promises(match) < FEWEST_PEOPLE:
            call_off(match)
            return True
        match.status, match.created_at = Match.Status.OPEN, now
        match.save(update_fields=["created_at"])
        seats.table_changed(match)
        return True


def release_seats(match_id: int) -> bool:
    """Free the seats of those who did not come in time, which counts as a no-show; close the table if nobody has.

    Returns:
        Whether any seat was freed.
    """
    with writing():
        locked, now = lock(match_id), timezone.now()
        match = locked.match
        if not match.is_open or match.opens_at is None or match.created_at + GRACE > now:
            return False
        absent = requirements.end_all_promises(match)
        Absence.objects.bulk_create([Absence(match=match, user=user, at=now) for user in absent])
        there = [seat for seat in locked.seats if not seat.is_bot]
        if not there:
            close_locked(match)
            return bool(absent)
        if all(seat.user_id != match.host_id for seat in there):
            match.host, match.kept = there[0].user, 0
        seats.table_changed(match)
        return bool(absent)


# --- the page of planned tables ---------------------------------------------------------------------------------------

MOST_PLANNED = 100
"""Planned tables on the page."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A planned table as one reader sees it.

    Args:
        match: with `promises`.
        mine: whether a seat is kept for the reader.
        may_come: whether one could be.
    """

    match: Match
    mine: bool
    may_come: bool


@dataclass(frozen=True, slots=True)
class Day:
    """The planned tables of a day; for visitors, whose time zone is unknown, the day is None and there is only one."""

    day: date | None
    tables: Sequence[Planned]

    @property
    def heading(self) -> str:
        """Return the day in words, "" for no day."""
        if self.day is None:
            return ""
        ahead = (self.day - timezone.localdate()).days
        near = {0: gettext("Today"), 1: gettext("Tomorrow")}.get(ahead, "")
        return ", ".join(filter(None, (near, date_format(self.day, "MONTH_DAY_FORMAT"))))


def planned_days(user: Any, filters: Filters) -> list[Day]:
    """Return the planned tables that a reader can find and that fit, the next one first."""
    found = with_promises(Match.objects.filter(found_by(user), status=Match.Status.PLANNED))
    if filters.vacations:
        found = found.filter(Q(speed=Speed.LIVE) | Q(excludes_vacations=True))
    wanted = {"game": filters.game, "speed": filters.speed, "seat_count": filters.seats}
    found = found.filter(**{name: value for name, value in wanted.items() if value})
    if filters.rated:
        found = found.filter(rated=filters.rated == "yes")
    reader = requirements.reader_of(user) if user.is_authenticated else None
    shown = [seen for match in found[:MOST_PLANNED] if (seen := _seen(match, reader))]
    if reader is None:
        return [Day(None, shown)] if shown else []
    if filters.joinable:
        shown = [each for each in shown if each.may_come]
    return [Day(day, list(tables)) for day, tables in groupby(shown, key=_day)]


def _day(planned: Planned) -> date | None:
    opens_at = planned.match.opens_at
    return timezone.localtime(opens_at).date() if opens_at else None


def _seen(match: Match, reader: requirements.Reader | None) -> Planned | None:
    """Return a planned table as somebody sees it, None if a block keeps them apart from somebody who comes."""
    if reader is None:
        return Planned(match, mine=False, may_come=False)
    coming = {promise.user_id for promise in match.promises.all()}
    if reader.user.pk not in {match.host_id, *coming} and reader.apart & {match.host_id, *coming}:
        return None
    mine = reader.user.pk in coming
    return Planned(match, mine, not mine and requirements.could_come(match, reader))


def found_by(user: Any) -> Q:
    """Return the condition on tables that somebody may find: public ones, those of friends and clubs, and their own."""
    public = Q(visibility=Match.Visibility.PUBLIC)
    if not user.is_authenticated:
        return public
    of_friends = Q(visibility=Match.Visibility.FRIENDS, host__in=friends_of(user))
    of_clubs = Q(visibility=Match.Visibility.CLUB, pk__in=in_clubs_of(user))
    return public | of_friends | of_clubs | _is_theirs(user)


def _is_theirs(user: Any) -> Q:
    theirs = {"match": OuterRef("pk"), "user": user}
    asked = Exists(Invitation.objects.filter(**theirs)) & ~Exists(Removal.objects.filter(**theirs))
    return Q(Exists(Promise.objects.filter(**theirs))) | Q(asked)


def with_promises(tables: MatchQuerySet) -> MatchQuerySet:
    """Load planned tables with those who come."""
    promises = Prefetch("promises", Promise.objects.select_related("user"))
    return (
        tables.select_related("host")
        .defer("state", "server_seed")
        .prefetch_related(promises)
        .order_by("opens_at", "pk")
    )


# --- leaving all tables, or those of somebody else --------------------------------------------------------------------


def leave_tables(user: Any) -> None:
    """Get up from tables that have not begun, and give back promised seats.

    A planned table whose host has no seat there is closed, and people are told.
    """
    for match_id in Seat.objects.filter(user=user, match__status=Match.Status.OPEN).values_list("match", flat=True):
        with suppress(RuleViolation):  # it has begun, or was closed, meanwhile
            tables.leave(match_id, user)
    for promise in Promise.objects.filter(user=user, match__status=Match.Status.PLANNED):
        with suppress(RuleViolation):
            take_back(promise.match_id, user)
    for match in Match.objects.filter(host=user, status=Match.Status.PLANNED):
        with suppress(RuleViolation):
            tables.close_table(match.pk, user)


def on_becomes_bot(user: Any, **_: Any) -> None:
    """Let an account leave its tables before a program plays for it (`accounts.signals.becomes_bot`)."""
    leave_tables(user)


def on_blocked(by: Any, other: Any, **_: Any) -> None:
    """Separate two people (`accounts.signals.blocked`) after the block is stored: tables are locked before people."""
    transaction.on_commit(partial(separate, by, other))


def separate(by: Any, other: Any) -> None:
    """Let the other leave tables that `by` hosts, and `by` all others where both sit or said they would come."""
    shared = Seat.objects.filter(user=other, match__status=Match.Status.OPEN, match__seats__user=by)
    for match_id in shared.values_list("match", flat=True):
        with writing():
            locked = lock(match_id)
            leaving = other if locked.match.host_id == by.pk else by
            if locked.match.is_open and all(seats.seat_of(person, locked.seats) for person in (by, other)):
                tables.get_up(locked.match, leaving, locked.seats)
    ahead = Match.objects.filter(status=Match.Status.PLANNED, promises__user=other)
    for match in list(ahead.filter(pk__in=Promise.objects.filter(user=by).values("match"))):
        with suppress(RuleViolation):  # one of them has just done so
            take_back(match.pk, other if match.host_id == by.pk else by)
