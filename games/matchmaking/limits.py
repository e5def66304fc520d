"""What one person, one network and two people together may do: the limits, what counts towards them, the checks.

All ways of sitting down and inviting end in `seats.sit_down` and `invitations.invite`, which check the limits: it
makes no difference whether somebody opens a table, plays alone, accepts an invitation or asks for a rematch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from accounts.limits import LIMITS, Limit, asked_from, asking_network, from_network_in_words, in_words
from accounts.relations import lock_people
from games.engine.protocol import RuleViolation
from games.matchmaking.models import Invitation, Promise, Use
from games.play.models import Match, MatchQuerySet, Seat, Speed
from games.play.refusals import TooOften
from games.play.reliability import no_shows

_DAY = timedelta(days=1)

TABLE_LIFETIME = {Speed.LIVE: timedelta(hours=24), Speed.DAYS: timedelta(days=14)}
"""How long an open table waits. Lists leave out expired tables; a job closes them, or the next attempt to sit down."""

OPEN_TABLES = 10
"""Open tables that one person can host at the same time."""

PERSON = {what: LIMITS[what.value].person[0] for what in Use.What}
"""What one person can do. All tables count, even tables for one, rematches and those that were closed."""

GUEST = {what: LIMITS[what.value].guest[0] for what in Use.What}
"""What a guest can do."""

ADDRESS = {what: LIMITS[what.value].address[0] for what in Use.What}
"""What everybody at one network address can do together: enough for a club that meets in one room."""

PLANNED_TABLES = 5
"""Planned tables that one person can host at the same time."""

PROMISES = 15
"""Seats at planned tables that one person can have reserved at the same time."""

AHEAD = (timedelta(minutes=15), timedelta(days=60))
"""How long before its time a table can be planned, at least and at most."""

GRACE = timedelta(minutes=10)
"""How long a planned table, once open, reserves seats for those who said they would come."""

INVITED = 20
"""Invitations to one table, at most."""

UNANSWERED = Limit(5, _DAY)
"""Invitations from one person to another that were not accepted."""

INVITATION_LIFETIME = {Speed.LIVE: timedelta(hours=12), Speed.DAYS: timedelta(days=7)}
"""How long an invitation can be accepted, unless its table is closed before."""

RATED = Limit(5, _DAY)
"""Rated matches between the same two people."""

FORGOTTEN = timedelta(days=7)
"""No-shows older than this no longer count."""

WAITS = (timedelta(0), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6), timedelta(hours=24))
"""How long a player has to wait after the first no-show, the second and so on before sitting down again."""

RETENTION = _DAY
"""No limit looks further back at uses, or at invitations that can no longer be accepted."""


# --- how long tables wait ---------------------------------------------------------------------------------------------


def is_expired(match: Match) -> bool:
    """Return whether an open table has waited too long."""
    return match.is_open and table_expires_at(match) < timezone.now()


def table_expires_at(match: Match) -> datetime:
    """Return until when an open table waits for people; of a planned one, how long it will wait once it is open."""
    begin = match.opens_at if match.is_planned and match.opens_at else match.created_at
    return begin + TABLE_LIFETIME[Speed(match.speed)]


def expired_tables() -> MatchQuerySet:
    """Return the open tables that have waited too long."""
    return Match.objects.filter(_has_expired(), status=Match.Status.OPEN)


def fresh_tables() -> MatchQuerySet:
    """Return the open tables that have not waited too long."""
    return Match.objects.filter(~_has_expired(), status=Match.Status.OPEN)


def _has_expired() -> Q:
    now = timezone.now()
    condition = Q(pk__in=[])
    for speed, life in TABLE_LIFETIME.items():
        condition |= Q(speed=speed, created_at__lt=now - life)
    return condition


# --- what is counted --------------------------------------------------------------------------------------------------


def count_use(what: Use.What, user: Any, times: int = 1) -> None:
    """Count what a person does, for them and for their network address, or refuse it as `check_use` does."""
    check_use(what, user, times)
    Use.objects.bulk_create([Use(what=what, user=user, address=asking_network()) for _time in range(times)])


def check_use(what: Use.What, user: Any, times: int = 1) -> None:
    """Refuse what this person, or everybody at their network address, has done too often: "too-many-" and what."""
    limit = (GUEST if user.guest else PERSON)[what]
    if until := _full_until(Use.objects.filter(what=what, user=user), limit, times):
        texts = {
            Use.What.TABLE: _("You have opened %(count)d tables in the last hour. You can open another in %(wait)s."),
            Use.What.SEAT: _("You have sat down %(count)d times in the last hour. You can sit down again in %(wait)s."),
            Use.What.INVITATION: _("You can send %(count)d invitations an hour. You can send more in %(wait)s."),
        }
        wait = until - timezone.now()
        raise TooOften(f"too-many-{what}s", texts[what] % {"count": limit.most, "wait": in_words(wait)}, wait)
    network = asking_network()
    if network and (until := _full_until(Use.objects.filter(what=what, address=network), ADDRESS[what], times)):
        wait = until - timezone.now()
        raise TooOften(f"too-many-{what}s", from_network_in_words(wait), wait)


def _full_until(uses: QuerySet[Use], limit: Limit, times: int) -> datetime | None:
    """Return when so many more will be possible, None if they are possible now."""
    since = timezone.now() - limit.within
    latest = list(uses.filter(at__gt=since).order_by("-at").values_list("at", flat=True)[: limit.most])
    too_many = len(latest) + times - limit.most
    return None if too_many <= 0 else latest[-min(too_many, len(latest))] + limit.within


def count_seat(match: Match, seats: Sequence[Seat], user: Any, expected: bool = False) -> None:
    """Count that a player sits down at a table, inside the transaction, or refuse it.

    Args:
        match: saved and, unless it is new, locked.
        seats: those taken; none if the person has just opened the table.
        user: the player about to sit down.
        expected: whether a seat is reserved for them at a planned table; it was counted when they said they would come.

    Raises:
        RuleViolation: "must-wait" after no-shows (not alone, or against bots alone), "too-many-open",
            "too-many-tables", "too-many-seats", or "rated-enough" for another rated match between the same two people.
    """
    lock_people([user.pk, *(seat.user_id for seat in seats)])
    against_bots = match.has_bots and not seats
    if match.seat_count > 1 and not against_bots and not expected:
        check_wait(user)
    if not seats and match.opens_at is None:
        if fresh_tables().filter(host=user).exclude(pk=match.pk).count() >= OPEN_TABLES:
            text = _("You already have %(count)d open tables. Close one of them first.")
            raise RuleViolation("too-many-open", text % {"count": OPEN_TABLES})
        count_use(Use.What.TABLE, user)
    if not expected:
        count_use(Use.What.SEAT, user)
    _check_rated(match, seats, user)


def check_wait(user: Any) -> None:
    """Refuse somebody who has to wait, after no-shows, before sitting down with others: "must-wait"."""
    if words := no_show_wait_in_words(user):
        raise TooOften("must-wait", words, _no_show_wait(user)[1])


# --- planned tables ---------------------------------------------------------------------------------------------------


def check_moment(opens_at: datetime) -> None:
    """Refuse a time for a planned table that is too near or too far away: "moment"."""
    soonest, latest = AHEAD
    if not soonest <= opens_at - timezone.now() <= latest:
        text = _("Choose a time that is at least %(minutes)d minutes and at most %(days)d days from now.")
        raise RuleViolation("moment", text % {"minutes": soonest // timedelta(minutes=1), "days": latest.days})


def count_plan(user: Any, *, comes: bool = True) -> None:
    """Count that somebody plans a table, and that they will come to it if so, inside the transaction, or refuse it.

    Raises:
        RuleViolation: "too-many-planned", "too-many-tables", and as `count_promise`.
    """
    lock_people([user.pk])
    if Match.objects.filter(status=Match.Status.PLANNED, host=user).count() >= PLANNED_TABLES:
        text = _("You already have %(count)d planned tables. Call one of them off first.")
        raise RuleViolation("too-many-planned", text % {"count": PLANNED_TABLES})
    count_use(Use.What.TABLE, user)
    if comes:
        count_promise(user)


def count_promise(user: Any) -> None:
    """Count that somebody says they will come to a planned table, inside the transaction, or refuse it.

    Raises:
        RuleViolation: "must-wait" after no-shows, "too-many-promises", or "too-many-seats".
    """
    lock_people([user.pk])
    check_wait(user)
    if Promise.objects.filter(user=user, match__status=Match.Status.PLANNED).count() >= PROMISES:
        text = _("You already have seats at %(count)d planned tables. Give one back first.")
        raise RuleViolation("too-many-promises", text % {"count": PROMISES})
    count_use(Use.What.SEAT, user)


def count_paired(match: Match, seats: Sequence[Seat], user: Any) -> None:
    """Count that quick pairing seats a player beside others, who are locked already, or refuse it. It opens no table.

    Raises:
        RuleViolation: "must-wait", "too-many-seats", "rated-enough", as `count_seat`.
    """
    check_wait(user)
    with asked_from(""):  # the request comes from one of them; each was counted when they began to wait
        count_use(Use.What.SEAT, user)
    _check_rated(match, seats, user)


# --- after no-shows ---------------------------------------------------------------------------------------------------


def no_show_wait_in_words(user: Any) -> str:
    """Return why and how long a player must wait before sitting down with others, empty if they need not."""
    missed, wait = _no_show_wait(user)
    if wait <= timedelta(0):
        return ""
    text = ngettext(
        "In the last week you left %(count)d match before everyone had moved, or did not come. "
        "You can sit down again in %(wait)s.",
        "In the last week you left %(count)d matches before everyone had moved, or did not come. "
        "You can sit down again in %(wait)s.",
        missed,
    )
    return text % {"count": missed, "wait": in_words(wait)}


def _no_show_wait(user: Any) -> tuple[int, timedelta]:
    """Return how often somebody has let others down in the last week, and how long they must wait from now on."""
    now = timezone.now()
    missed = no_shows(user, now - FORGOTTEN)
    until = max(missed) + WAITS[min(len(missed), len(WAITS)) - 1] if missed else now
    return len(missed), until - now


# --- pairs of people --------------------------------------------------------------------------------------------------


def _check_rated(match: Match, seats: Sequence[Seat], user: Any) -> None:
    if match.rated and (words := enough_in_words(seats, user)):
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


def pair_of(one: int, other: int) -> tuple[int, int]:
    """Return the keys of two people, the smaller one first."""
    return (min(one, other), max(one, other))


def have_played_enough(people: Iterable[Any]) -> bool:
    """Return whether two of these people have reached the limit of rated matches with each other."""
    return bool(played_enough(person.pk for person in people))


def played_enough(people: Iterable[int]) -> set[tuple[int, int]]:
    """Return the pairs (`pair_of`) of these people who have reached the limit of rated matches with each other."""
    since = timezone.now() - RATED.within
    begun = Q(match__started_at__gt=since, match__status__in=[Match.Status.RUNNING, Match.Status.OVER])
    about_to_begin = Q(match__status=Match.Status.OPEN)
    latest = Q(ended_at=None) | Q(ended_at__gt=since)
    seats = Seat.objects.filter(latest, begun | about_to_begin, user__in=set(people), match__rated=True).order_by()
    tables: dict[int, list[int]] = {}
    for table, person in seats.values_list("match", "user"):
        tables.setdefault(table, []).append(person)
    counts = Counter(pair for there in tables.values() for pair in combinations(sorted(there), 2))
    return {pair for pair, count in counts.items() if count >= RATED.most}


def count_invitations(match: Match, people: Sequence[Any], by: Any) -> None:
    """Count invitations, inside the transaction, or refuse them all.

    Args:
        match: saved.
        people: those who have no invitation to this table that they could accept.
        by: the person who invites them.

    Raises:
        RuleViolation: "too-many-invited" at one table, "too-many-invitations" within an hour, "unanswered" for
            another invitation to a player who did not answer the latest ones, or "rated-enough" for a player who could
            not sit down with the host: by the time a planned table opens it may be possible again.
    """
    lock_people([by.pk])
    enough = played_enough([by.pk, *(person.pk for person in people)]) if match.rated and not match.is_planned else ()
    for person in people:
        if pair_of(by.pk, person.pk) in enough:
            text = _(
                "You and %(name)s have played %(count)d rated matches with each other in the last 24 hours, which is "
                "the limit. Invite them to a casual match."
            )
            raise RuleViolation("rated-enough", text % {"name": person.shown_name, "count": RATED.most})
    if match.invitations.count() + len(people) > INVITED:
        raise RuleViolation("too-many-invited", _("Please invite at most %(most)d players.") % {"most": INVITED})
    since = timezone.now() - UNANSWERED.within
    for person in people:
        seated = Seat.objects.filter(match=OuterRef("match"), user=person)
        sent = Invitation.objects.filter(~Exists(seated), by=by, user=person, created_at__gt=since)
        if sent.count() >= UNANSWERED.most:
            text = _(
                "%(name)s has not answered your last %(count)d invitations. Please wait a day before sending another."
            )
            words = text % {"name": person.shown_name, "count": UNANSWERED.most}
            raise TooOften("unanswered", words, UNANSWERED.within)
    count_use(Use.What.INVITATION, by, len(people))
