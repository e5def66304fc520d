"""Whether somebody may sit down or invite, as `limits` has it; what they do is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.limits import asked_from
from accounts.relations import lock_people
from games.engine.protocol import RuleViolation
from games.matchmaking import stale
from games.matchmaking.limits import (
    AHEAD,
    FORGOTTEN,
    INVITED,
    OPEN_TABLES,
    PLANNED_TABLES,
    PROMISES,
    RATED,
    UNANSWERED,
    WAITS,
)
from games.matchmaking.models import Invitation, Promise, Use
from games.matchmaking.uses import count, in_words
from games.play.matches.reliability import no_shows
from games.play.models import Match, Seat

# --- sitting down -----------------------------------------------------------------------------------------------------


def count_seat(match: Match, seats: Sequence[Seat], user: Any, expected: bool = False) -> None:
    """Count that a player sits down at a table, inside the transaction, or refuse it.

    Args:
        match: saved and, unless it is new, locked.
        seats: those taken; with none the person has just opened the table.
        user: the player about to sit down.
        expected: whether a seat was kept for them at a planned table: it was counted when they said they come.

    Raises:
        RuleViolation: "must-wait" after no-shows (not alone, or against bots alone), "too-many-open",
            "too-many-tables", "too-many-seats", or "rated-enough" for another rated match between the same two people.
    """
    lock_people([user.pk, *(seat.user_id for seat in seats)])
    against_bots = match.has_bots and not seats
    if match.seat_count > 1 and not against_bots and not expected:
        check_wait(user)
    if not seats and match.opens_at is None:
        _check_open_tables(match, user)
        count(Use.What.TABLE, user)
    if not expected:
        count(Use.What.SEAT, user)
    _check_rated(match, seats, user)


def check_wait(user: Any) -> None:
    """Refuse somebody who may not sit down with others yet, after no-shows: "must-wait"."""
    if words := wait_in_words(user):
        raise RuleViolation("must-wait", words)


# --- planned tables ---------------------------------------------------------------------------------------------------


def check_moment(opens_at: datetime) -> None:
    """Refuse a time for a planned table that is too near or too far away: "moment"."""
    soonest, latest = AHEAD
    if not soonest <= opens_at - timezone.now() <= latest:
        text = _("Choose a time that is at least %(minutes)d minutes and at most %(days)d days from now.")
        raise RuleViolation("moment", text % {"minutes": soonest // timedelta(minutes=1), "days": latest.days})


def count_plan(user: Any) -> None:
    """Count that somebody plans a table and comes there, inside the transaction, or refuse it.

    Raises:
        RuleViolation: "too-many-planned", "too-many-tables", and as `count_promise`.
    """
    lock_people([user.pk])
    if Match.objects.filter(status=Match.Status.PLANNED, host=user).count() >= PLANNED_TABLES:
        text = _("You already have %(count)d planned tables. Call one of them off first.")
        raise RuleViolation("too-many-planned", text % {"count": PLANNED_TABLES})
    count(Use.What.TABLE, user)
    count_promise(user)


def count_promise(user: Any) -> None:
    """Count that somebody says they come to a planned table, inside the transaction, or refuse it.

    Raises:
        RuleViolation: "must-wait" after no-shows, "too-many-promises", or "too-many-seats".
    """
    lock_people([user.pk])
    check_wait(user)
    if Promise.objects.filter(user=user, match__status=Match.Status.PLANNED).count() >= PROMISES:
        text = _("You already have seats at %(count)d planned tables. Give one back first.")
        raise RuleViolation("too-many-promises", text % {"count": PROMISES})
    count(Use.What.SEAT, user)


def count_paired(match: Match, seats: Sequence[Seat], user: Any) -> None:
    """Count that the site seats a player beside others, who are locked already, or refuse it. It opens no table.

    Raises:
        RuleViolation: "must-wait", "too-many-seats", "rated-enough", as `count_seat`.
    """
    check_wait(user)
    with asked_from(""):  # the request is that of only one of them, and each was counted when they began to wait
        count(Use.What.SEAT, user)
    _check_rated(match, seats, user)


def _check_open_tables(match: Match, user: Any) -> None:
    if stale.fresh_tables().filter(host=user).exclude(pk=match.pk).count() >= OPEN_TABLES:
        text = _("You already have %(count)d open tables. Close one of them first.")
        raise RuleViolation("too-many-open", text % {"count": OPEN_TABLES})


# --- after no-shows ---------------------------------------------------------------------------------------------------


def wait_in_words(user: Any) -> str:
    """Return why and how long a player must wait before sitting down with others, empty if they need not."""
    now = timezone.now()
    missed = no_shows(user, now - FORGOTTEN)
    until = max(missed) + WAITS[min(len(missed), len(WAITS)) - 1] if missed else now
    if until <= now:
        return ""
    text = ngettext(
        "In the last week you left %(count)d match before everybody had moved, or did not come. "
        "You can sit down again in %(wait)s.",
        "In the last week you left %(count)d matches before everybody had moved, or did not come. "
        "You can sit down again in %(wait)s.",
        len(missed),
    )
    return text % {"count": len(missed), "wait": in_words(until)}


# --- pairs of people --------------------------------------------------------------------------------------------------


def _check_rated(match: Match, seats: Sequence[Seat], user: Any) -> None:
    if not match.rated:
        return
    if words := enough_in_words(seats, user):
        raise RuleViolation("rated-enough", words)


def enough_in_words(seats: Sequence[Seat], user: Any) -> str:
    """Return why somebody cannot sit down at a rated table with one of these people now, empty if they can."""
    enough = played_enough([user.pk, *(seat.user_id for seat in seats if seat.user_id is not None)])
    text = _(
        "You and %(name)s have played %(count)d rated matches with each other in the last 24 hours, which is "
        "the limit. You can continue with casual matches: open a casual table, or ask the host to make this "
        "one casual."
    )
    names = [seat.name for seat in seats if pair_of(user.pk, seat.user_id or 0) in enough]
    return text % {"name": names[0], "count": RATED.most} if names else ""


def check_rated_with(match: Match, people: Sequence[Any], by: Any) -> None:
    """Refuse to invite somebody to a rated match who could not sit down with the host: "rated-enough".

    Otherwise the host would wait in vain. By the time a planned table opens it may be possible again.
    """
    if not match.rated or match.is_planned:
        return
    enough = played_enough([by.pk, *(person.pk for person in people)])
    for person in people:
        if pair_of(by.pk, person.pk) in enough:
            text = _(
                "You and %(name)s have played %(count)d rated matches with each other in the last 24 hours, which is "
                "the limit. Invite them to a casual match."
            )
            raise RuleViolation("rated-enough", text % {"name": person.shown_name, "count": RATED.most})


def pair_of(one: int, other: int) -> tuple[int, int]:
    """Return two people as `played_enough` has them."""
    return (min(one, other), max(one, other))


def have_played_enough(people: Iterable[Any]) -> bool:
    """Return whether two of these people have reached the limit of rated matches with each other."""
    return bool(played_enough(person.pk for person in people))


def played_enough(people: Iterable[int]) -> set[tuple[int, int]]:
    """Return those of these people, as pairs of keys, who have reached the limit of rated matches with each other."""
    tables: dict[int, list[int]] = {}
    for table, person in _rated_seats(set(people)).values_list("match", "user"):
        tables.setdefault(table, []).append(person)
    counts = Counter(pair for there in tables.values() for pair in combinations(sorted(there), 2))
    return {pair for pair, count in counts.items() if count >= RATED.most}


def _rated_seats(people: set[int]) -> QuerySet[Seat]:
    """Return the seats of people in rated matches that count: begun recently and not aborted, or about to begin."""
    since = timezone.now() - RATED.within
    begun = Q(match__started_at__gt=since, match__status__in=[Match.Status.RUNNING, Match.Status.OVER])
    latest = Q(ended_at=None) | Q(ended_at__gt=since)
    seats = Seat.objects.filter(latest, begun | Q(match__status=Match.Status.OPEN), user__in=people, match__rated=True)
    return seats.order_by()


def count_invitations(match: Match, people: Sequence[Any], by: Any) -> None:
    """Count invitations, inside the transaction, or refuse them all.

    Args:
        match: saved.
        people: those who have no invitation to this table that they could accept.
        by: the person who invites them.

    Raises:
        RuleViolation: "too-many-invited" at one table, "too-many-invitations" within an hour, "unanswered" for
            another invitation to a player who did not answer the latest ones, or as `check_rated_with`.
    """
    lock_people([by.pk])
    check_rated_with(match, people, by)
    if match.invitations.count() + len(people) > INVITED:
        raise RuleViolation("too-many-invited", _("Please invite at most %(most)d players.") % {"most": INVITED})
    for person in people:
        if _unanswered(by, person).count() >= UNANSWERED.most:
            text = _(
                "%(name)s has not answered your last %(count)d invitations. Please wait a day before sending another."
            )
            raise RuleViolation("unanswered", text % {"name": person.shown_name, "count": UNANSWERED.most})
    count(Use.What.INVITATION, by, len(people))


def _unanswered(by: Any, person: Any) -> QuerySet[Invitation]:
    seated = Seat.objects.filter(match=OuterRef("match"), user=person)
    since = timezone.now() - UNANSWERED.within
    return Invitation.objects.filter(~Exists(seated), by=by, user=person, created_at__gt=since)
