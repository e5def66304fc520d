"""The duty that looks at notices when they are due, and decides who is told what, when, and through which channel.

All notices of a person are planned under one lock, so that nobody gets two emails where one would do, however many
workers there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from games.notifications import channels, validity
from games.notifications.models import Channel, Delivery, Kind, Notice, Preferences
from games.notifications.services import AWAY_AFTER, TOLD, notices_changed
from games.play import jobs
from games.play.store import writing

UNREAD_AFTER = timedelta(minutes=10)
"""Messages unread for this long are worth a push."""

MAIL_EVERY = timedelta(hours=1)
"""The shortest time between two emails about turns to one person."""

GATHERING = timedelta(seconds=0.5)
"""The shortest time between two looks: in live play nearly every notice is outdated when it is due."""

INVITED_EVERY = timedelta(hours=1)
"""The shortest time between two emails in which one person invites the same other person."""

MOST = 200
"""How many people are planned for in one go."""

MOST_DROPPED = 5_000
"""Outdated notices removed in one transaction."""


@dataclass(frozen=True, slots=True)
class Step:
    """How long after a notice was written it goes through which channels."""

    after: timedelta
    ways: tuple[Channel, ...]


_AT_ONCE = timedelta()
_EVERYWHERE = (Step(_AT_ONCE, (Channel.PUSH, Channel.MAIL, Channel.WEBHOOK)),)
_WHEN_AWAY = Step(AWAY_AFTER, (Channel.PUSH, Channel.WEBHOOK))

STEPS: dict[Kind, tuple[Step, ...]] = {
    Kind.TURN: (_WHEN_AWAY, Step(validity.MAIL_AFTER, (Channel.MAIL,))),
    Kind.DEADLINE: _EVERYWHERE,
    Kind.INVITATION: (Step(_AT_ONCE, (Channel.PUSH, Channel.WEBHOOK)), Step(_AT_ONCE, (Channel.MAIL,))),
    Kind.STARTED: _EVERYWHERE,
    Kind.PAIRED: _EVERYWHERE,
    Kind.AWAY: (_WHEN_AWAY,),
    Kind.SERIES: (Step(AWAY_AFTER, (Channel.PUSH, Channel.MAIL, Channel.WEBHOOK)),),
    Kind.PLANNED: _EVERYWHERE,
    Kind.FRIEND_ASKED: _EVERYWHERE,
    Kind.BEFRIENDED: _EVERYWHERE,
    Kind.TABLE: _EVERYWHERE,
    Kind.CHAT: (Step(UNREAD_AFTER, (Channel.PUSH, Channel.WEBHOOK)),),  # and in the digest: see digests.py
    Kind.REPORT: _EVERYWHERE,
    Kind.MODERATION: _EVERYWHERE,
    Kind.OVER: (_WHEN_AWAY,),  # and in the next email about anything: see mail.py
}
LAST_WARNING = 5
"""The second warning of a deadline sends no email."""


class Planning:
    """The duty of looking at notices that are due."""

    name = "notices"

    def __init__(self) -> None:
        self._looked: datetime | None = None

    def run_due(self, now: datetime) -> int:
        if (self._looked is not None and self._looked <= now < self._looked + GATHERING) or not _due(now).exists():
            return 0
        self._looked = now
        drop_outdated(now)
        people = _due(now).exclude(user__in=jobs.waiting(self.name, now)).order_by("user").values_list("user")
        found = [user_id for (user_id,) in people.distinct()[:MOST]]
        return jobs.attempt_each(self.name, found, plan_for)

    def next_due(self) -> datetime | None:
        waiting = jobs.waiting(self.name, timezone.now())
        notices = Notice.objects.filter(due_at__isnull=False).exclude(user__in=waiting)
        first = notices.order_by("due_at").values_list("due_at", flat=True).first()
        return first if first is None or self._looked is None else max(first, self._looked + GATHERING)


def _due(now: datetime) -> QuerySet[Notice]:
    return Notice.objects.filter(due_at__isnull=False, due_at__lte=now)


def drop_outdated(now: datetime) -> None:
    """Drop what is due about turns that were taken: in live play nearly all.

    A notice that was never told is removed; one that was told is not told again. Rows that another worker is
    planning, or a page is changing, are left to them: this never waits for a lock, and so cannot deadlock.
    """
    gone = _due(now).filter(validity.outdated(), kind__in=TOLD).select_for_update(skip_locked=True)
    with writing():
        found = list(gone.values_list("pk", "step")[:MOST_DROPPED])
        untold = Notice.objects.filter(pk__in=[key for key, step in found if not step])
        untold._raw_delete(connection.alias)  # noqa: SLF001  # nothing refers to what was not told
        if told := [key for key, step in found if step]:
            Notice.objects.filter(pk__in=told).update(due_at=None)


def plan_for(user_id: int) -> bool:
    """Look at everything that is due for a person; return whether there was anything."""
    with writing():
        user = _lock(user_id)
        if user is None:
            return False
        now, preferences = timezone.now(), Preferences.of(user)
        found = list(_due(now).filter(user=user).order_by("due_at", "pk").values_list("pk", flat=True))
        for key in found:
            notice = _locked(key, now)
            if notice is not None:
                _plan(notice, preferences, now)
        return bool(found)


def _lock(user_id: int) -> User | None:
    """Lock a person, unless another worker has: they will be due again soon."""
    return User.objects.filter(pk=user_id).select_for_update(skip_locked=True, no_key=True).first()


def _locked(key: int, now: datetime) -> Notice | None:
    """Return a notice that is still due, locked; None when somebody is changing it or an earlier one covered it."""
    notices = _due(now).filter(pk=key).select_related("user", "match")
    return notices.select_for_update(skip_locked=True, no_key=True, of=("self",)).first()


def _plan(notice: Notice, preferences: Preferences, now: datetime) -> None:
    """Take the step of a notice whose moment has come, or say when to look again."""
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
        if notice.kind == Kind.PLANNED:
            notices_changed([notice.user_id])  # reminders are written ahead, and the page shows them now
    notice.save(update_fields=["step", "due_at"])


def _moment(notice: Notice, step: Step) -> datetime:
    """Return when a notice goes its next way."""
    if notice.kind == Kind.TURN and Channel.MAIL in step.ways:
        return validity.mail_from(notice)
    return notice.created_at + step.after


def _take_step(notice: Notice, steps: tuple[Step, ...], preferences: Preferences, now: datetime) -> None:
    ways = steps[notice.step].ways
    if notice.kind == Kind.TURN and Channel.MAIL in ways:
        again = _next_mail(notice, now)
        if again is not None and again > now:
            notice.due_at = again
            return
        ways = ways if again is not None else ()
    if notice.kind == Kind.INVITATION and Channel.MAIL in ways:
        again = _next_invitation_mail(notice, now)
        if again > now:
            notice.due_at = again
            return
    if notice.kind == Kind.DEADLINE:
        ways = _of_warning(notice, now)
    for way in ways:
        if preferences.wants(notice.kind, way):
            _deliver(notice, way, now)
    notice.step += 1
    notice.due_at = notice.created_at + steps[notice.step].after if notice.step < len(steps) else None


def _next_mail(notice: Notice, now: datetime) -> datetime | None:
    """Return when this person may get an email about turns, None if one, sent or not, already lists this match.

    An email lists all matches that wait when it goes.
    """
    mails = listing_mails(notice.user)
    if mails.filter(state=Delivery.State.WAITING).exists():
        return None
    last = mails.filter(state=Delivery.State.SENT).order_by("-sent_at").values_list("sent_at", flat=True).first()
    if last is None or last < notice.created_at:
        return now if last is None else last + MAIL_EVERY
    return None


def _next_invitation_mail(notice: Notice, now: datetime) -> datetime:
    """Return when an email may mention this invitation: `INVITED_EVERY` after the last one by the same person."""
    mails = Delivery.objects.filter(user=notice.user, channel=Channel.MAIL, notice__kind=Kind.INVITATION)
    counted = mails.filter(notice__by=notice.by_id).exclude(notice__by=None).exclude(state=Delivery.State.DROPPED)
    last: datetime | None = counted.aggregate(last=Max("due_at"))["last"]
    return now if last is None else last + INVITED_EVERY


def listing_mails(user: User) -> QuerySet[Delivery]:
    """Return the emails to a person, sent or not, that list all waiting matches: about turns, and digests."""
    about_turns = Q(notice__kind=Kind.TURN) | Q(notice__isnull=True, kind=Kind.DIGEST)
    return Delivery.objects.filter(about_turns, user=user, channel=Channel.MAIL)


def _of_warning(notice: Notice, now: datetime) -> tuple[Channel, ...]:
    """Return the channels of a warning, which the page shows too; if the second one is due already, drop that one."""
    notices_changed([notice.user_id])
    if notice.part == LAST_WARNING:
        return Channel.PUSH, Channel.WEBHOOK
    second = _due(now).filter(user=notice.user, match=notice.match, kind=Kind.DEADLINE, turn=notice.turn)
    second.filter(part=LAST_WARNING).update(due_at=None, step=1)
    return Channel.PUSH, Channel.MAIL, Channel.WEBHOOK


def _deliver(notice: Notice, channel: Channel, now: datetime) -> None:
    """Make one delivery to each place where a channel can reach the person."""
    way = channels.transports().get(channel)
    targets = way.targets(notice.user) if way else ()
    made = [
        Delivery(
            user=notice.user,
            notice=notice,
            channel=channel,
            key=f"{notice.pk}.{channel}.{target.key}",
            due_at=now,
            **target.fields,
        )
        for target in targets
    ]
    Delivery.objects.bulk_create(made, ignore_conflicts=True)


jobs.register(Planning())
