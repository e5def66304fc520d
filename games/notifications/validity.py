"""Decides whether a notice is still worth telling: when it is planned, and again when it is sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts import relations
from accounts.models import User
from accounts.moments import zone
from games.matchmaking.models import Invitation, Promise, SeriesPlayer
from games.matchmaking.seats import has_room_for
from games.notifications.models import Kind, Mute, Notice, Preferences
from games.play.models import Match, Presence, Seat

PRESENT = timedelta(seconds=60)
"""How long somebody counts as present after they were last seen looking at the match (`games.play.live.presence`)."""

NEEDS_ABSENCE = {Kind.TURN, Kind.STARTED, Kind.PAIRED, Kind.OVER, Kind.AWAY, Kind.DECLINED, Kind.SERIES}
"""Kinds that wait while their reader looks at the match. A deadline does not wait."""

UNTIL_ANSWERED = {Kind.TURN, Kind.DEADLINE, Kind.INVITATION, Kind.FRIEND_ASKED, Kind.CONFIRM}
"""Kinds that ask for something: valid until that is done, seen or not. All others are told only while unseen."""

MAIL_AFTER = timedelta(minutes=10)
"""A turn not taken for this long is worth an email."""

MAIL_AFTER_SEEN = timedelta(minutes=60)
"""The same if its player has seen the turn."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do with something that is due: tell it now, look at it again later, or drop it."""

    tell: bool = False
    later: datetime | None = None


TELL, NEVER = Verdict(tell=True), Verdict()


def judge(notice: Notice, preferences: Preferences, now: datetime) -> Verdict:
    """Decide whether to tell a notice now: it must still be true, not muted, and the hour not a quiet one.

    What only informs must also be unseen. What asks for something waits while its reader looks at the match, and is
    dropped only when they have done it.
    """
    if not notice.user.is_active or not _IS_TRUE[Kind(notice.kind)](notice, now):
        return NEVER
    if Mute.objects.filter(match=notice.match_id, user=notice.user_id).exists():
        return NEVER
    if notice.kind not in UNTIL_ANSWERED and was_seen(notice):
        return NEVER
    until = _present_until(notice, now) or quiet_until(preferences, notice.user, now)
    return Verdict(later=until) if until else TELL


def was_seen(notice: Notice) -> bool:
    """Return whether the reader has seen this notice, or looked at its match, since it was written."""
    if notice.seen_at is not None or notice.kind == Kind.CHAT:  # messages are read or not
        return notice.seen_at is not None
    return _presence(notice).filter(at__gte=notice.created_at).exists()


def mail_from(notice: Notice) -> datetime:
    """Return when a turn that is not taken is worth an email; later if its player has seen it."""
    return notice.created_at + (MAIL_AFTER_SEEN if was_seen(notice) else MAIL_AFTER)


def _present_until(notice: Notice, now: datetime) -> datetime | None:
    """Return when a reader who has just looked at the match will count as absent, None if they do already."""
    if notice.kind not in NEEDS_ABSENCE:
        return None
    at = _presence(notice).filter(at__gt=now - PRESENT, at__lt=now + PRESENT).values_list("at", flat=True).first()
    return at + PRESENT if at else None


def _presence(notice: Notice) -> QuerySet[Presence]:
    return Presence.objects.filter(match=notice.match_id, user=notice.user_id)


def quiet_until(preferences: Preferences, user: User, now: datetime) -> datetime | None:
    """Return when the current quiet hours end, None outside of them."""
    begin, end = preferences.quiet_from, preferences.quiet_until
    if begin is None or end is None or begin == end:
        return None
    local = now.astimezone(zone(user.time_zone))
    if not _within(local.time(), begin, end):
        return None
    until = next_time(end, user, now)
    return until if until > now else None


def _within(moment: time, begin: time, end: time) -> bool:
    """Return whether a time of day is in a span that may cross midnight.

    >>> _within(time(23), time(22), time(7)), _within(time(7), time(22), time(7)), _within(time(12), time(9), time(17))
    (True, False, True)
    """
    return begin <= moment < end if begin < end else moment >= begin or moment < end


def next_time(at: time, user: User, after: datetime) -> datetime:
    """Return the next moment, after another one, when this person's wall clock shows a given time."""
    local = after.astimezone(zone(user.time_zone))
    today = datetime.combine(local.date(), at, tzinfo=local.tzinfo)
    moment = today.astimezone(timezone.get_default_timezone())
    if moment > after:
        return moment
    tomorrow = datetime.combine(local.date() + timedelta(days=1), at, tzinfo=local.tzinfo)
    return tomorrow.astimezone(timezone.get_default_timezone())


# --- of many at once --------------------------------------------------------------------------------------------------

_MAY_MOVE = Q(to_move=True, left__isnull=True, match__status=Match.Status.RUNNING)
_OF_NOTICE = Q(match=OuterRef("match"), user=OuterRef("user"))


def outdated() -> Q:
    """Return the condition on notices of turns that are over."""
    return ~Q(Exists(Seat.objects.filter(_OF_NOTICE, _MAY_MOVE, turn=OuterRef("turn"))))


def looked_at() -> Q:
    """Return the condition on notices whose reader has seen them, or their match, since they were written."""
    seen = Presence.objects.filter(_OF_NOTICE, at__gte=OuterRef("created_at"))
    return Q(seen_at__isnull=False) | Q(Exists(seen))


def waiting(user: User) -> QuerySet[Seat]:
    """Return the seats of a person that others wait for, without muted matches, those with the least time first."""
    muted = Mute.objects.filter(user=user).values("match")
    seats = Seat.objects.filter(_MAY_MOVE, user=user, match__seat_count__gt=1).exclude(match__in=muted)
    return seats.select_related("match").order_by(F("deadline").asc(nulls_last=True), "match__moved_at", "pk")


# --- what makes each kind true ----------------------------------------------------------------------------------------


def _own(notice: Notice) -> QuerySet[Seat]:
    return Seat.objects.filter(match=notice.match_id, user=notice.user_id)


def _promises(notice: Notice) -> QuerySet[Promise]:
    return Promise.objects.filter(match=notice.match_id, user=notice.user_id)


def _is_running(notice: Notice, now: datetime) -> bool:
    return _own(notice).filter(left__isnull=True, match__status=Match.Status.RUNNING).exists()


def _is_over(notice: Notice, now: datetime) -> bool:
    return _own(notice).filter(match__status__in=[Match.Status.OVER, Match.Status.ABORTED]).exists()


def _can_be_answered(notice: Notice, now: datetime) -> bool:
    invitation = Invitation.objects.answerable().filter(match=notice.match_id, user=notice.user_id)
    return invitation.exists() and not _own(notice).exists() and not _promises(notice).exists()


def _waits_for_vacation(notice: Notice, now: datetime) -> bool:
    away = Seat.objects.filter(_MAY_MOVE, match=notice.match_id, number=notice.part, turn=notice.turn)
    return away.filter(away_until__gt=now).exists()


def _plays_series(notice: Notice, now: datetime) -> bool:
    return SeriesPlayer.objects.filter(series__matches__match=notice.match_id, user=notice.user_id).exists()


def _will_open(notice: Notice, now: datetime) -> bool:
    """Return whether the table will open with the reader; a notice that it does not open stays true."""
    if not notice.part:
        return True
    return _promises(notice).filter(match__status=Match.Status.PLANNED, match__opens_at__gt=now).exists()


def _asks_reader(notice: Notice, now: datetime) -> bool:
    return notice.by is not None and relations.relation_between(notice.user, notice.by) == relations.Relation.ASKS_ME


def _could_join(notice: Notice, now: datetime) -> bool:
    if notice.by is None or not relations.hears_of(notice.user, notice.by):
        return False
    return has_room_for(notice.about, notice.user)


_IS_TRUE: dict[Kind, Callable[[Notice, datetime], bool]] = {
    Kind.TURN: lambda notice, _now: _own(notice).filter(_MAY_MOVE, turn=notice.turn).exists(),
    Kind.DEADLINE: lambda notice, now: _own(notice).filter(_MAY_MOVE, turn=notice.turn, deadline__gt=now).exists(),
    Kind.INVITATION: _can_be_answered,
    Kind.STARTED: _is_running,
    Kind.PAIRED: _is_running,
    Kind.OVER: _is_over,
    Kind.AWAY: _waits_for_vacation,
    Kind.DECLINED: lambda notice, _now: _own(notice).filter(declined_by__isnull=False).exists(),
    Kind.SERIES: _plays_series,
    Kind.PLANNED: _will_open,
    Kind.FRIEND_ASKED: _asks_reader,
    Kind.BEFRIENDED: lambda notice, _now: relations.are_friends(notice.user, notice.by),
    Kind.TABLE: _could_join,
    Kind.REPORT: lambda _notice, _now: True,
    Kind.MODERATION: lambda _notice, _now: True,
}


def register(kind: Kind, is_true: Callable[[Notice, datetime], bool]) -> None:
    """Let another app say whether a notice of its kind is still true."""
    _IS_TRUE[kind] = is_true
