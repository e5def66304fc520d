"""“Every Thursday at 20:00”: a week ahead a job makes the table, or the tournament, of each evening of a club.

Whoever set an evening up hosts its tables, or an owner where they no longer can; no seat is kept for the host, who need
not play. What is made is made once, however many workers there are: each day of an evening has one row (`EveningDay`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.mail import in_words_of
from accounts.models import User
from accounts.moments import zone
from games.clubs import notices
from games.clubs.membership import LEADERS, lock_club
from games.clubs.models import Club, Evening, EveningDay
from games.clubs.services import check_may_lead
from games.engine.protocol import OptionValue, RuleViolation
from games.events import organising
from games.events.formats import Format
from games.matchmaking import limits, planned
from games.matchmaking.tables import TableSetup
from games.play import jobs
from games.play.models import Match, Speed
from games.play.store import writing
from games.titles import titles

MOST: Final = 5
"""How many evenings a club can have."""

AHEAD: Final = timedelta(weeks=1)
"""How long before its time the next one is made."""

_WEEK: Final = timedelta(weeks=1)
_SOONEST: Final = limits.AHEAD[0]
_REFUSAL: Final = 200

What = Evening.What


@dataclass(frozen=True, slots=True)
class Plan:
    """What a club wants to play every week.

    Args:
        weekday: from 0 for Monday.
        at: the time on the wall clock of `zone`, an IANA name.
        game: slug of the title.
        seats: how many players sit at a table.
        clock: text of a `clocks.Control`.
        options: as of `tables.TableSetup`.
        speed: a `Speed`.
        rated: whether ratings change.
        what: an `Evening.What`.
        rounds: of a tournament; None for a table.
        round_length: of a tournament; None for a table.
    """

    weekday: int
    at: time
    zone: str
    game: str
    seats: int
    clock: str
    options: dict[str, OptionValue] = field(default_factory=dict)
    speed: str = Speed.LIVE
    rated: bool = False
    what: str = What.TABLE
    rounds: int | None = None
    round_length: timedelta | None = None


# --- setting up -------------------------------------------------------------------------------------------------------


def add(by: User, club: Club, plan: Plan) -> Evening:
    """Let a club play every week; owners and helpers can. The first one is made at once if it is less than a week away.

    Raises:
        RuleViolation: "many-evenings" beyond `MOST`; as `services.check_may_lead` and `check`.
    """
    check_may_lead(by, club)
    check(plan)
    with writing():
        lock_club(pk=club.pk)
        if club.evenings.count() >= MOST:
            raise RuleViolation("many-evenings", _("A club can have at most %(most)d evenings.") % {"most": MOST})
        evening = Evening(club=club, by=by, **{name: getattr(plan, name) for name in Plan.__slots__})
        _look_ahead(evening, timezone.now())
        evening.save()
    return evening


def check(plan: Plan) -> None:
    """Refuse a tournament that cannot be played, or might not end: "evening-days", as `organising.check_setup`."""
    if plan.what == What.SWISS and plan.speed != Speed.LIVE:
        raise RuleViolation("evening-days", _("The tournament of an evening is played live."))
    if plan.what == What.SWISS:
        organising.check_setup(organising.Setup(**_tournament(plan, timezone.now() + AHEAD)))


def change(by: User, evening: Evening, plan: Plan) -> None:
    """Let an evening be another from the next one on that is not made yet; what is made stays. Owners and helpers can.

    In a week in which it has been made already it is not made again.

    Raises:
        RuleViolation: "evening-gone"; as `services.check_may_lead` and `check`.
    """
    check_may_lead(by, evening.club)
    check(plan)
    with writing():
        locked = _locked(evening)
        if locked is None:
            raise RuleViolation("evening-gone", _("This evening has been removed."))
        for name in Plan.__slots__:
            setattr(locked, name, getattr(plan, name))
        _look_ahead(locked, timezone.now())
        locked.save()


def pause(by: User, evening: Evening) -> None:
    """Make no more of an evening until it goes on; what is made stays. Owners and helpers can. Idempotent."""
    check_may_lead(by, evening.club)
    Evening.objects.filter(pk=evening.pk).update(paused=True)


def go_on(by: User, evening: Evening) -> None:
    """Go on with a paused evening; what it has missed is not made up for. Owners and helpers can. Idempotent."""
    check_may_lead(by, evening.club)
    with writing():
        locked = _locked(evening)
        if locked is not None and locked.paused:
            locked.paused = False
            _look_ahead(locked, timezone.now())
            locked.save(update_fields=["paused", "next_day", "due_at"])


def remove(by: User, evening: Evening) -> None:
    """Remove an evening; what is made stays. Owners and helpers can."""
    check_may_lead(by, evening.club)
    with writing():
        locked = _locked(evening)  # nothing is made of it meanwhile
        if locked is not None:
            locked.delete()


def _locked(evening: Evening) -> Evening | None:
    return Evening.objects.select_for_update().filter(pk=evening.pk).first()


# --- when -------------------------------------------------------------------------------------------------------------


def moment_of(evening: Evening, day: date) -> datetime:
    """Return when an evening begins on a day: when the wall clock of its zone shows its time."""
    return datetime.combine(day, evening.at, zone(evening.zone)).astimezone(UTC)


def _look_ahead(evening: Evening, now: datetime) -> None:
    """Let the next day of an evening be the first that is not too near, in a week in which it is not made yet."""
    today = now.astimezone(zone(evening.zone)).date()
    day = today + timedelta(days=(evening.weekday - today.weekday()) % 7)
    made = {_monday(it.day) for it in evening.days.filter(day__gte=_monday(today))} if evening.pk else set()
    while _monday(day) in made or moment_of(evening, day) < now + _SOONEST:
        day += _WEEK
    evening.next_day, evening.due_at = day, moment_of(evening, day) - AHEAD


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


# --- making the next --------------------------------------------------------------------------------------------------


def make(key: int) -> bool:
    """Make what an evening has next and tell the members; return whether there was anything to do."""
    with writing():
        now = timezone.now()
        due = Evening.objects.filter(pk=key, paused=False, due_at__lte=now)
        Club.objects.select_for_update(no_key=True, of=("self",)).filter(evenings__pk=key).first()  # stays open
        evening = due.select_for_update(of=("self",)).select_related("club").first()
        if evening is None:
            return False  # another worker was quicker
        moment = moment_of(evening, evening.next_day)
        if moment >= now + _SOONEST:
            made = EveningDay(evening=evening, day=evening.next_day, begins_at=moment, made_at=now)
            _make(evening, moment, made)
            made.save()
            if not made.refusal:
                members = evening.club.members.values_list("user", flat=True)
                notices.tell(evening.club, list(members), notices.What.EVENING)
        _look_ahead(evening, now)
        evening.save(update_fields=["next_day", "due_at"])
    return True


def _tournament(plan: Plan | Evening, starts_at: datetime) -> dict[str, Any]:
    """Return the fields of `organising.Setup`."""
    return {
        "game": plan.game,
        "format": Format.SWISS,
        "starts_at": starts_at,
        "clock": plan.clock,
        "length": plan.round_length,
        "want": plan.seats,
        "least": min(count for count in titles()[plan.game].game.seats if count > 1),
        "options": plan.options,
        "rounds": plan.rounds,
        "rated": plan.rated,
    }


def _make(evening: Evening, moment: datetime, made: EveningDay) -> None:
    """Make the table or the tournament with the first who may host it, or keep why nobody can."""
    made.refusal = _("Nobody who leads the club can host it.")
    for host in _hosts(evening):
        with in_words_of(host):
            try:
                if evening.what == What.SWISS:
                    made.event = organising.make_event(evening.club, host, told=True, **_tournament(evening, moment))
                else:
                    made.match = planned.plan_table(host, _table(evening), moment, comes=False)
            except RuleViolation as violation:
                made.refusal = str(violation.text)[:_REFUSAL]
            else:
                made.refusal = ""
                return


def _hosts(evening: Evening) -> Iterable[User]:
    """Return who can host: whoever set it up, if they still lead the club, then its owners and helpers."""
    leading = evening.club.members.filter(role__in=LEADERS).select_related("user")
    people = [member.user for member in sorted(leading, key=lambda it: not it.is_owner) if member.user.is_active]
    return sorted(people, key=lambda person: person.pk != evening.by_id)


def _table(evening: Evening) -> TableSetup:
    return TableSetup(
        game=evening.game,
        seats=evening.seats,
        options=evening.options,
        speed=evening.speed,
        clock=evening.clock,
        rated=evening.rated,
        visibility=Match.Visibility.CLUB,
        club=evening.club,
    )


class Evenings:
    """Makes what the evenings of clubs have next."""

    name = "evenings"

    def run_due(self, now: datetime) -> int:
        due = Evening.objects.filter(paused=False, due_at__lte=now, game__in=titles())
        keys = due.exclude(pk__in=jobs.waiting(self.name, now)).values_list("pk", flat=True)
        return jobs.attempt_each(self.name, list(keys), make)

    def next_due(self) -> datetime | None:
        free = Evening.objects.filter(paused=False, game__in=titles())
        first: datetime | None = free.exclude(pk__in=jobs.waiting(self.name, timezone.now())).aggregate(
            first=Min("due_at")
        )["first"]
        return first


jobs.register(Evenings())
