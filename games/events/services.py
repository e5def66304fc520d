"""Take part in events: enter, confirm, pause, leave. The event itself goes on in `games.events.rounds`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import F, Max, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from games.clubs.models import Club, Member
from games.engine.elo import START
from games.engine.protocol import RuleViolation
from games.events import formats, notices
from games.events.models import Entry, Event
from games.events.rounds import heats_of, plan_of, players_of
from games.events.signals import event_changed
from games.matchmaking.seats import check_may_play
from games.play import jobs
from games.play.store import writing
from games.ratings.models import Rating, RatingChange, points

AT_A_TIME: Final = range(1, 5)
"""How many heats of theirs somebody may want to have running at the same time, where there can be several."""

_SEVERAL_AT_A_TIME: Final = {formats.Format.LEAGUE, formats.Format.LADDER, formats.Format.ROBIN}

RATED_WITHIN: Final = timedelta(days=90)
"""Somebody's highest rating of this time counts, so that nobody gains by losing before they enter."""

_FIRST_BAR: Final = timedelta(hours=24)
_LONGEST_BAR: Final = timedelta(days=30)
_DOUBLINGS: Final = 5


def suggested_at_a_time(event: Event) -> int:
    """Return how many matches at a time suit most people: two in a league, so that it ends in time, else one."""
    return 2 if event.format == formats.Format.LEAGUE and not event.is_live else 1


def at_a_time_of(event: Event) -> range:
    """Return how many matches at a time somebody can choose from: over days up to four, except in rounds; else one."""
    return AT_A_TIME if event.format in _SEVERAL_AT_A_TIME and not event.is_live else range(1, 2)


def enter(user: Any, slug: str, at_a_time: int = 1, nonce: bytes = b"") -> Entry:
    """Take part in an event, from its next round if it has begun. Whoever had left or paused comes back with this.

    Args:
        user: who.
        slug: of the event.
        at_a_time: how many heats of theirs may run at the same time; it stays as it is once something is drawn.
        nonce: what their browser adds to the seed; it counts the first time.

    Raises:
        RuleViolation: "event-guest", "event-bot", "event-at-a-time", "not-member" of its club, "event-full",
            "entries-closed" when nobody new is let in any more, "event-barred" after heats they did not come to; as
            `seats.check_may_play`.
        Event.DoesNotExist: there is no such event.
    """
    if user.guest:
        raise RuleViolation("event-guest", _("Events are for registered players. Register, and you can enter."))
    check_may_play(user)
    if user.is_bot:
        raise RuleViolation("event-bot", _("Events are for people."))
    now = timezone.now()
    _check_not_barred(user, now)
    with writing():
        _check_member(user, slug)
        event = _locked(slug)
        _check_at_a_time(event, at_a_time)
        entries = list(event.entries.all())
        mine = next((entry for entry in entries if entry.user_id == user.pk), None)
        heats = heats_of(event)
        stays = mine is not None and not mine.is_out
        plan = plan_of(event, entries)
        may_enter = stays or formats.may_join(plan, players_of(entries), heats, now)
        if not may_enter and event.is_open:
            text = _("This event is full: at most %(most)d people can take part.")
            raise RuleViolation("event-full", text % {"most": formats.most(plan)})
        if event.has_ended or not may_enter:
            raise RuleViolation("entries-closed", _("Entries for this event are closed."))
        if mine is not None:
            mine.state, mine.confirmed_at = Entry.State.IN, now
            mine.at_a_time = mine.at_a_time if heats else at_a_time
        else:
            mine = Entry(event=event, user=user, number=len(entries), nonce=nonce, at_a_time=at_a_time)
            mine.rating, mine.joined_round = rating_of(user, event, now), formats.next_round(heats)
        # What becomes of their heats is written meanwhile, without the event being locked.
        mine.save(update_fields=["state", "at_a_time", "confirmed_at"] if mine.pk else None)
        notices.settle(user, event)
        _go_on(event, now)
    return mine


def confirm(user: Any, slug: str) -> None:
    """Say that one still wants to play an event that starts soon; later it does nothing. Idempotent.

    Raises:
        RuleViolation: "not-entered".
    """
    with writing():
        event = _locked(slug)
        mine = _own(user, event)
        if event.is_open:
            mine.confirmed_at = timezone.now()
            mine.save(update_fields=["confirmed_at"])
            notices.settle(user, event)


def pause(user: Any, slug: str) -> None:
    """Be left out of the next rounds, until one comes back (`enter`). Idempotent.

    Raises:
        RuleViolation: "not-entered", also for whoever has left.
    """
    _change(user, slug, Entry.State.PAUSED)


def leave(user: Any, slug: str) -> None:
    """Take part no more; matches that have begun go on. Idempotent.

    Raises:
        RuleViolation: "not-entered".
    """
    _change(user, slug, Entry.State.OUT)


def leave_those_of_club(instance: Member, **_: Any) -> None:
    """Leave the events of a club to which somebody does not belong any more (`post_delete` of their membership)."""
    _leave_each(instance.user, Entry.objects.filter(event__club=instance.club_id))


def leave_all(user: Any, **_: Any) -> None:
    """Leave all events that are not over, before an account ends or becomes a bot (`accounts.signals.becomes_bot`)."""
    _leave_each(user, Entry.objects.all())


def _leave_each(user: Any, entries: QuerySet[Entry]) -> None:
    theirs = entries.filter(user=user).exclude(state=Entry.State.OUT)
    going_on = theirs.filter(event__state__in=[Event.State.OPEN, Event.State.RUNNING])
    for slug in list(going_on.values_list("event__slug", flat=True)):
        leave(user, slug)


def _change(user: Any, slug: str, state: Entry.State) -> None:
    with writing():
        event = _locked(slug)
        mine = _own(user, event)
        if mine.state == state or event.has_ended:
            return
        if mine.is_out:
            raise _not_entered()
        mine.state = state
        mine.save(update_fields=["state"])
        notices.settle(user, event)
        _go_on(event, timezone.now())


def rating_of(user: Any, event: Event, now: datetime) -> int:
    """Return the rating with which somebody enters an event, in points: the highest of `RATED_WITHIN`."""
    theirs = {"user": user, "game": event.game, "speed": event.speed}
    lately = RatingChange.objects.filter(**theirs, at__gt=now - RATED_WITHIN).aggregate(best=Max("after"))["best"]
    current = Rating.objects.filter(**theirs).values_list("rating", flat=True).first()
    return points(max(lately or 0, current or START))


def barred_until(user: Any, now: datetime) -> datetime | None:
    """Return until when somebody cannot enter events, as they did not come to their heats; None if they can.

    The first time it is a day, and each time twice as long as before, at most 30 days.
    """
    theirs = Entry.objects.filter(user=user, barred_at__isnull=False)
    found = theirs.aggregate(last=Max("barred_at"), times=Sum(F("no_shows") - 1))
    if found["last"] is None:
        return None
    until: datetime = found["last"] + min(_FIRST_BAR * 2 ** min(found["times"] - 1, _DOUBLINGS), _LONGEST_BAR)
    return until if until > now else None


def _check_member(user: Any, slug: str) -> None:
    """Lock the membership without which nobody enters an event of a club, before the event, as whatever ends it."""
    club = Club.objects.filter(events__slug=slug).first()
    if club is None or Member.objects.select_for_update().filter(club=club, user=user).first() is not None:
        return
    if club.private:
        raise Event.DoesNotExist
    raise RuleViolation("not-member", _("Only members of the club can enter this event."))


def _check_at_a_time(event: Event, at_a_time: int) -> None:
    if at_a_time in at_a_time_of(event):
        return
    if at_a_time in AT_A_TIME:
        raise RuleViolation("event-at-a-time", _("In this event you play one match at a time."))
    raise RuleViolation("event-at-a-time", _("Choose from one to four matches at a time."))


def _check_not_barred(user: Any, now: datetime) -> None:
    if barred_until(user, now) is not None:
        text = _("You did not come to your matches of an event twice. Events are closed to you for a while.")
        raise RuleViolation("event-barred", text)


def _locked(slug: str) -> Event:
    events = Event.objects.select_for_update(no_key=True).defer("drawn")
    return events.get(~Q(state=Event.State.CANCELLED), slug=slug)


def _own(user: Any, event: Event) -> Entry:
    mine = event.entries.filter(user=user).first()
    if mine is None:
        raise _not_entered()
    return mine


def _not_entered() -> RuleViolation:
    return RuleViolation("not-entered", _("You do not take part in this event."))


def _go_on(event: Event, now: datetime) -> None:
    """Let open pages, and the job, look at a locked event: who takes part has changed."""
    event_changed(event)
    if event.is_running:
        event.next_at = now
        event.save(update_fields=["next_at"])
        jobs.wake_for(now)
