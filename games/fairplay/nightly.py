"""Every night: what looks unfair is found, a little at a time, and what is old is deleted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any, Final, TypeAlias

from django.db.models import Max, Q
from django.utils import timezone

from games.fairplay import patterns, searching
from games.fairplay.models import Abort, Finding, Night, Use
from games.fairplay.searching import Couple, Lengths
from games.play import duties
from games.play.matches.transactions import writing

HOUR: Final = 3
"""Of the day (UTC) from which on a night is looked through."""

MARKS_KEPT: Final = timedelta(days=90)
"""How long the site knows from which devices matches were played, and who aborted rated ones."""

FINDINGS_KEPT: Final = timedelta(days=365)

_AT_A_TIME: Final = 0.25
"""Seconds after which a run ends, with the step it is in: clocks are waiting."""

Step: TypeAlias = tuple[int, Callable[[], bool]]
"""Somebody's id, and what is to be looked at."""


def steps(now: datetime) -> list[Step]:
    """Return everything a night looks at."""
    since, lengths = now - patterns.WINDOW, Lengths()
    met = [(couple.one, partial(look_at_couple, couple, since, lengths)) for couple in searching.couples(since)]
    gained = [(user, partial(look_at_star, user, since, lengths)) for user in searching.gainers(since)]
    return [*met, *gained, *((user, partial(look_at_aborts, user, since)) for user in searching.aborters(since))]


def look_at_couple(couple: Couple, since: datetime, lengths: Lengths) -> bool:
    """Look for rating transfer and agreed results; return whether there was something."""
    told = searching.matches_of(couple, since, lengths.usual(couple.game, couple.speed))
    pool = {"game": couple.game, "speed": couple.speed}
    found = False
    for kind, look in ((Finding.Kind.TRANSFER, _transfer), (Finding.Kind.AGREED, _agreed)):
        settled = _settled(kind, couple.one, couple.other, since, **pool)
        loser, winner, pair = searching.pair_of(couple, told, settled)
        if (facts := look(pair)) is not None:
            report(kind, loser, winner, facts, game=couple.game, speed=couple.speed)
            found = True
    return found


def _transfer(pair: patterns.Pair) -> dict[str, Any] | None:
    found = patterns.transfer(pair)
    return None if found is None else asdict(found) | {"points": found.points}


def _agreed(pair: patterns.Pair) -> dict[str, Any] | None:
    found = patterns.agreed(pair.meetings)
    return None if found is None else asdict(found)


def look_at_star(user: int, since: datetime, lengths: Lengths) -> bool:
    """Look for a gain from accounts that are there to lose; return whether there was something."""
    sources = searching.sources_of(user, _settled(Finding.Kind.STAR, user, None, since), lengths)
    found = patterns.star(list(sources.values()))
    if found is None:
        return False
    feeding = [other for other, source in sources.items() if other > 0 and source.feeds]
    report(Finding.Kind.STAR, user, None, asdict(found) | {"points": found.points}, others=feeding)
    return True


def look_at_aborts(user: int, since: datetime) -> bool:
    """Look for matches ended because of the opponent or the score; return whether there was something."""
    found = searching.aborts_of(user, _settled(Finding.Kind.DODGING, user, None, since))
    if patterns.dodges(found):
        report(Finding.Kind.DODGING, user, None, asdict(found))
        return True
    return False


def _settled(kind: Finding.Kind, one: int, other: int | None, since: datetime, **pool: str) -> datetime:
    """Return from when on matches count: those that a moderator has settled are not held against anybody again."""
    about = Q(first=one, second=other) | Q(first=other, second=one) if other else Q(first=one, second=None)
    latest = Finding.objects.filter(about, kind=kind, **pool).aggregate(at=Max("settled_at"))["at"]
    return max(since, latest or since)


def report(  # what was found, and about whom
    kind: Finding.Kind,
    first: int,
    second: int | None,
    facts: dict[str, Any],
    *,
    others: Collection[int] = (),
    game: str = "",
    speed: str = "",
) -> None:
    """Store a finding, or what is new about one that waits for a moderator."""
    pool = {"game": game, "speed": speed}
    about = Q(first=first, second=second) | Q(first=second, second=first) if second else Q(first=first, second=None)
    seen = {"first_id": first, "second_id": second, "facts": facts, "found_at": timezone.now()}
    with writing():
        if not Finding.objects.filter(about, kind=kind, settled_at=None, **pool).update(**seen):
            Finding.objects.create(kind=kind, **seen, **pool)
        for finding in Finding.objects.filter(about, kind=kind, settled_at=None, **pool) if others else ():
            finding.others.set(others)


def look(now: datetime) -> tuple[int, int]:
    """Look at everything at once; return how many steps that were, and in how many something was found."""
    waiting = steps(now)
    return len(waiting), sum(job() for _user, job in waiting)


def prune(now: datetime) -> int:
    """Delete what has been kept long enough; return how many rows."""
    old = (
        Use.objects.filter(at__lt=now - MARKS_KEPT),
        Abort.objects.filter(at__lt=now - MARKS_KEPT),
        Finding.objects.filter(found_at__lt=now - FINDINGS_KEPT),
        Night.objects.filter(ended_at__lt=now - FINDINGS_KEPT),
    )
    with writing():
        return sum(rows.delete()[0] for rows in old)


class Nightly:
    """The duty of looking through everything once a day. A process that ends in between begins the night again."""

    name = "fair-play"

    def __init__(self) -> None:
        self._steps: list[Step] | None = None
        self._found = 0
        self._done: date | None = None

    def run_due(self, now: datetime) -> int:
        if not self._is_due(now):
            return 0
        if self._steps is None:
            self._steps, self._found = steps(now), 0
        began, done = monotonic(), 0
        while self._steps and monotonic() - began < _AT_A_TIME:
            user, job = self._steps.pop()
            self._found += duties.attempt(self.name, user, job)
            done += 1
        if not self._steps:
            self._end(now)
        return done

    def _is_due(self, now: datetime) -> bool:
        today = now.astimezone(UTC).date()
        if self._done == today or now < _beginning(today):
            return False
        if Night.objects.filter(day=today).exists():
            self._done, self._steps = today, None
            return False
        return True

    def _end(self, now: datetime) -> None:
        prune(now)
        today = now.astimezone(UTC).date()
        Night.objects.get_or_create(day=today, defaults={"found": self._found})
        self._done, self._steps = today, None

    def next_due(self) -> datetime | None:
        now = timezone.now()
        today = now.astimezone(UTC).date()
        begins = _beginning(today)
        return begins + timedelta(days=1) if self._done == today else max(now, begins)


def _beginning(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, HOUR, tzinfo=UTC)


def join() -> None:
    """Let the worker do it."""
    duties.register(Nightly())
