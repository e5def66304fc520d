"""Decides when and through which channels a notice is told, and creates the deliveries; likewise what comes once a day.

All notices of a person are planned under one lock, so that nobody gets two emails where one would do, however many
workers there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.moments import zone
from games.notifications import validity
from games.notifications.channels import Transport
from games.notifications.channels.mail import Mail
from games.notifications.channels.push import Push
from games.notifications.channels.webhooks import Webhooks
from games.notifications.messages import Message, digest_for, digest_lines
from games.notifications.models import DAILY, Channel, DailyHour, Delivery, Kind, Notice, Preferences
from games.notifications.services import AT_ONCE, AWAY_AFTER, LAST_STEP, notices_changed
from games.play.store import writing

UNREAD_AFTER = timedelta(minutes=10)
"""Messages unread for this long are worth a push."""

MAIL_EVERY = timedelta(hours=1)
"""The shortest time between two emails about turns to one person."""

INVITED_EVERY = timedelta(hours=1)
"""The shortest time between two emails in which one person invites the same other person."""

MOST_DROPPED = 5_000
"""Outdated notices removed in one transaction."""

LAST_WARNING = 5
"""The percentage left at the second warning of a deadline, which is not mailed."""


TRANSPORTS: dict[str, Transport] = {Channel.MAIL: Mail(), Channel.PUSH: Push(), Channel.WEBHOOK: Webhooks()}


@dataclass(frozen=True, slots=True)
class Step:
    """The channels through which a notice goes, and how long after it was written."""

    after: timedelta
    channels: tuple[Channel, ...]


_EVERYWHERE = (Step(AT_ONCE, (Channel.PUSH, Channel.MAIL, Channel.WEBHOOK)),)
_WHEN_AWAY = Step(AWAY_AFTER, (Channel.PUSH, Channel.WEBHOOK))

STEPS: dict[Kind, tuple[Step, ...]] = {
    Kind.TURN: (_WHEN_AWAY, Step(validity.MAIL_AFTER, (Channel.MAIL,))),
    Kind.DEADLINE: _EVERYWHERE,
    Kind.INVITATION: (Step(AT_ONCE, (Channel.PUSH, Channel.WEBHOOK)), Step(AT_ONCE, (Channel.MAIL,))),
    Kind.STARTED: _EVERYWHERE,
    Kind.PAIRED: _EVERYWHERE,
    Kind.AWAY: (_WHEN_AWAY,),
    Kind.DECLINED: (_WHEN_AWAY,),
    Kind.SERIES: (Step(AWAY_AFTER, (Channel.PUSH, Channel.MAIL, Channel.WEBHOOK)),),
    Kind.PLANNED: _EVERYWHERE,
    Kind.FRIEND_ASKED: _EVERYWHERE,
    Kind.BEFRIENDED: _EVERYWHERE,
    Kind.TABLE: _EVERYWHERE,
    Kind.CHAT: (Step(UNREAD_AFTER, (Channel.PUSH, Channel.WEBHOOK)),),  # and in the digest: `messages.digest_for`
    Kind.CONFIRM: _EVERYWHERE,
    Kind.PAUSED: _EVERYWHERE,
    Kind.SEASON: _EVERYWHERE,
    Kind.CLUB: _EVERYWHERE,
    Kind.CLUB_TABLE: _EVERYWHERE,
    Kind.REPORT: _EVERYWHERE,
    Kind.MODERATION: _EVERYWHERE,
    Kind.OVER: (_WHEN_AWAY,),  # and in the next email about anything: `channels.mail.results_for`
}


def due_notices(now: datetime) -> QuerySet[Notice]:
    """Return the notices whose next step may be due; `_plan` decides."""
    return Notice.objects.filter(due_at__isnull=False, due_at__lte=now)


def drop_outdated(now: datetime) -> None:
    """Drop the due notices of turns that were taken: in live play nearly all.

    A notice that was never told is deleted; others take no further step. Rows locked by another worker or a page are
    skipped: this never waits for a lock, and so cannot deadlock.
    """
    gone = due_notices(now).filter(validity.outdated(), kind__in=LAST_STEP).select_for_update(skip_locked=True)
    with writing():
        found = list(gone.values_list("pk", "step")[:MOST_DROPPED])
        Notice.objects.filter(pk__in=[key for key, step in found if not step]).delete()
        if told := [key for key, step in found if step]:
            Notice.objects.filter(pk__in=told).update(due_at=None)


def plan_for(user_id: int) -> bool:
    """Plan everything that is due for a person; return whether there was anything."""
    with writing():
        # Somebody who is locked by another worker will be due again soon.
        user = User.objects.filter(pk=user_id).select_for_update(skip_locked=True, no_key=True).first()
        if user is None:
            return False
        now, preferences = timezone.now(), Preferences.of(user)
        found = list(due_notices(now).filter(user=user).order_by("due_at", "pk").values_list("pk", flat=True))
        for key in found:
            # It may be locked, or an earlier one may have covered it.
            due = due_notices(now).filter(pk=key).select_related("user", "match")
            notice = due.select_for_update(skip_locked=True, no_key=True, of=("self",)).first()
            if notice is not None:
                _plan(notice, preferences, now)
        return bool(found)


def _plan(notice: Notice, preferences: Preferences, now: datetime) -> None:
    """Take the next step of a notice if its time has come, or store when to look again."""
    steps = STEPS[Kind(notice.kind)]
    verdict = validity.judge(notice, preferences, now)
    if notice.step >= len(steps) or not (verdict.tell or verdict.later):
        notice.due_at = None
    elif now < (moment := _moment(notice, steps[notice.step])):
        notice.due_at = moment
    elif verdict.later:
        notice.due_at = verdict.later
    else:
        _take_step(notice, steps, preferences, now)
        if notice.kind in {Kind.DEADLINE, Kind.PLANNED}:
            notices_changed([notice.user_id])  # they were written ahead; now the page shows them
    notice.save(update_fields=["step", "due_at"])


def _moment(notice: Notice, step: Step) -> datetime:
    if notice.kind == Kind.TURN and Channel.MAIL in step.channels:
        return validity.mail_from(notice)
    return notice.created_at + step.after


def _take_step(notice: Notice, steps: tuple[Step, ...], preferences: Preferences, now: datetime) -> None:
    """Create the deliveries of a step, or put it off until another email may be sent."""
    through = steps[notice.step].channels
    if Channel.MAIL in through:
        mail_at = _next_mail(notice, now)
        if mail_at is None:
            through = tuple(channel for channel in through if channel != Channel.MAIL)
        elif mail_at > now:
            notice.due_at = mail_at
            return
    if notice.kind == Kind.DEADLINE and notice.part == LAST_WARNING:
        through = (Channel.PUSH, Channel.WEBHOOK)
    elif notice.kind == Kind.DEADLINE:  # if the second warning is due as well, one is enough
        warnings = due_notices(now).filter(user=notice.user, match=notice.match, kind=Kind.DEADLINE, turn=notice.turn)
        warnings.filter(part=LAST_WARNING).update(due_at=None, step=1)
    for channel in through:
        if preferences.wants(notice.kind, channel):
            create_deliveries(notice.user, channel, f"{notice.pk}", now, notice=notice)
    notice.step += 1
    notice.due_at = notice.created_at + steps[notice.step].after if notice.step < len(steps) else None


def _next_mail(notice: Notice, now: datetime) -> datetime | None:
    """Return when a notice may be mailed; None if another email, sent or not, already lists its match."""
    if notice.kind == Kind.INVITATION:
        mails = Delivery.objects.filter(user=notice.user, channel=Channel.MAIL, notice__kind=Kind.INVITATION)
        counted = mails.filter(notice__by=notice.by_id).exclude(notice__by=None).exclude(state=Delivery.State.DROPPED)
        invited: datetime | None = counted.aggregate(last=Max("due_at"))["last"]
        return invited + INVITED_EVERY if invited else now
    if notice.kind != Kind.TURN:
        return now
    mails = listing_mails(notice.user)
    if mails.filter(state=Delivery.State.WAITING).exists():
        return None
    last = mails.filter(state=Delivery.State.SENT).order_by("-sent_at").values_list("sent_at", flat=True).first()
    if last is None:
        return now
    return last + MAIL_EVERY if last < notice.created_at else None


def create_deliveries(user: User, channel: str, key: str, now: datetime, **fields: Any) -> None:
    """Create a delivery, due now, to each target at which a channel can reach a person; each only once.

    Args:
        key: names what is told; with the channel and the target it is told once.
        fields: of the deliveries.
    """
    made = [
        Delivery(user=user, channel=channel, key=f"{key}.{channel}.{it.key}", due_at=now, **fields, **it.fields)
        for it in TRANSPORTS[channel].targets(user)
    ]
    Delivery.objects.bulk_create(made, ignore_conflicts=True)


def listing_mails(user: User) -> QuerySet[Delivery]:
    """Return the emails to a person, sent or not, that list all matches that wait: about turns, and digests."""
    about_turns = Q(notice__kind=Kind.TURN) | Q(notice__isnull=True, kind=Kind.DIGEST)
    return Delivery.objects.filter(about_turns, user=user, channel=Channel.MAIL)


# --- what comes once a day --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Daily:
    """A kind of message that comes once a day.

    Args:
        kind: one of `models.DAILY`.
        at: the time of day that somebody has chosen for it.
        is_due: whether there is anything to tell somebody now; asked again when it is sent.
        message: what it says.
    """

    kind: Kind
    at: Callable[[Preferences], time]
    is_due: Callable[[User], bool]
    message: Callable[[User], Message]

    def wanted(self, preferences: Preferences) -> list[Channel]:
        """Return the channels through which somebody wants it."""
        return [channel for channel in DAILY[self.kind] if preferences.wants(self.kind, channel)]


_daily_kinds: dict[str, Daily] = {}


def register_daily(daily: Daily) -> None:
    """Add a kind."""
    _daily_kinds[daily.kind] = daily


def daily_kinds() -> dict[str, Daily]:
    """Return all registered kinds."""
    return _daily_kinds


register_daily(
    Daily(
        kind=Kind.DIGEST,
        at=lambda preferences: preferences.digest_at,
        is_due=lambda user: validity.waiting(user).exists() or bool(digest_lines(user)),
        message=digest_for,
    )
)


def schedule_daily(preferences: Preferences) -> None:
    """Store when a person is next told each daily kind they want; delete the rows of the others."""
    now = timezone.now()
    for daily in _daily_kinds.values():
        if daily.wanted(preferences):
            due = validity.next_time(daily.at(preferences), preferences.user, now)
            DailyHour.objects.update_or_create(user=preferences.user, kind=daily.kind, defaults={"due_at": due})
        else:
            DailyHour.objects.filter(user=preferences.user, kind=daily.kind).delete()


def plan_daily(key: int) -> bool:
    """Move a `DailyHour` that is due to the next day, and create deliveries if there is anything to tell.

    Returns:
        False if it was not due, or another worker was faster.
    """
    with writing():
        now = timezone.now()
        hour = DailyHour.objects.filter(pk=key, due_at__lte=now).select_related("user").first()
        if hour is None:
            return False
        daily, preferences = _daily_kinds[hour.kind], Preferences.of(hour.user)
        following = validity.next_time(daily.at(preferences), hour.user, now)
        if not DailyHour.objects.filter(pk=key, due_at=hour.due_at).update(due_at=following):
            return False
        through = daily.wanted(preferences)
        if through and daily.is_due(hour.user):
            today = f"{now.astimezone(zone(hour.user.time_zone)):%Y-%m-%d}"
            for channel in through:
                create_deliveries(hour.user, channel, f"{daily.kind}.{hour.user.pk}.{today}", now, kind=daily.kind)
        return True
