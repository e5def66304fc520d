"""A season of 60 people in the database, at simulated speed: `python -m tests.benchmarks season`.

A Swiss of seven rounds, a league, and 60 nights of a ladder of Shifting Stones (`--people N`, `--nights N`). The clock
is moved by an hour at a time; a match ends after an hour to a day, as somebody resigns who has come. One in twenty
leaves early, one in ten takes a break. Printed are rounds, heats, how many meetings were repeats, who was twice in a
round, and how much processor time `rounds.go_on` took.
"""

from __future__ import annotations

import argparse
import heapq
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import time_machine

from tests.benchmarks import site

START = datetime(2027, 1, 4, 18, tzinfo=UTC)
HOUR = timedelta(hours=1)
LONGEST = timedelta(hours=20)
"""Shorter than the clock, which nobody watches here."""
CLOCK = "86400+14400/259200"
HEAD = (
    "format | people | days | rounds | heats | byes | meetings | repeats | twice in a round | calls of go_on | "
    "median | 99 % | slowest"
)


@dataclass
class Season:
    """One event, and what is measured in it."""

    format: str
    people: int
    chance: random.Random
    rounds: int | None = None
    days: int | None = None
    ends: list[tuple[datetime, int]] = field(default_factory=list)
    known: set[int] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)

    def run(self) -> str:
        """Play the event to its end and return its row of the table."""
        from games.events.models import Entry, Event

        event = self._opened()
        longest = START + timedelta(days=self.days or 100)
        with time_machine.travel(START, tick=False) as clock:
            now = START
            while Event.objects.filter(pk=event.pk, state__in=["open", "running"]).exists() and now < longest:
                clock.move_to(now)
                self._end_matches(now)
                if self.chance.random() < 1 / 24:
                    away = self.chance.randrange(20 * self.people)
                    state = "out" if away < self.people // 20 else "paused"
                    back = Entry.objects.filter(event=event, state="paused")
                    back.update(state="in")
                    Entry.objects.filter(event=event, number=away, state="in").update(state=state)
                self._go_on(event.pk, now)
                now += HOUR
        return self._row(event, (now - START).days)

    def _opened(self) -> Any:
        from accounts.models import User
        from games.events.models import Entry, committed_event

        names = [f"{self.format}{number}" for number in range(self.people)]
        users = User.objects.bulk_create(User(username=it, name_key=it, skeleton=it, password="!") for it in names)
        event = committed_event(
            format=self.format,
            game="shifting-stones",
            clock=CLOCK,
            want=2,
            least=2,
            rounds=self.rounds,
            starts_at=START,
            next_at=START,
            ends_at=START + timedelta(days=self.days) if self.days else None,
        )
        event.save()
        Entry.objects.bulk_create(
            Entry(
                event=event,
                user=user,
                number=number,
                rating=round(self.chance.gauss(1500, 280)),
                at_a_time=2 if self.format == "league" else 1,
                confirmed_at=START,
            )
            for number, user in enumerate(users)
        )
        return event

    def _end_matches(self, now: datetime) -> None:
        """End the matches whose time has come: one of the two resigns."""
        from games.play import commands
        from games.play.models import Match, Seat

        while self.ends and self.ends[0][0] <= now:
            _, key = heapq.heappop(self.ends)
            Seat.objects.filter(match=key).update(acted=True)  # they have come, so it is no no-show
            if Match.objects.get(pk=key).is_running:
                people = Seat.objects.filter(match=key, bot=None).values_list("number", flat=True)
                commands.resign(key, self.chance.choice(list(people)), f"resigns-{key}")

    def _go_on(self, key: int, now: datetime) -> None:
        from games.events import rounds
        from games.play.models import Match

        for _ in range(50):
            if not rounds.due(now).filter(pk=key).exists():
                break
            began = time.process_time()
            rounds.go_on(key)
            self.seconds.append(time.process_time() - began)
        else:
            raise AssertionError("the event never comes to rest")
        for match in (
            Match.objects.filter(status=Match.Status.RUNNING).exclude(pk__in=self.known).values_list("pk", flat=True)
        ):
            self.known.add(match)
            heapq.heappush(self.ends, (now + HOUR + self.chance.random() * (LONGEST - HOUR), match))

    def _row(self, event: Any, days: int) -> str:
        heats = list(event.heats.all())
        met = Counter(frozenset(pair) for heat in heats if heat.match_id for pair in combinations(heat.people, 2))
        league = self.format == "league"  # draws all of its rounds at once, each with a number of its own
        in_round = Counter((heat.round, who) for heat in heats for who in heat.people)
        times = sorted(self.seconds)
        cells: Sequence[object] = (
            self.format,
            self.people,
            days,
            len({heat.round for heat in heats}),
            len(heats),
            sum(heat.is_bye for heat in heats),
            met.total(),
            sum(count - 1 for count in met.values()),
            "—" if league else sum(count > 1 for count in in_round.values()),
            len(times),
            *(f"{1000 * seconds:.1f} ms" for seconds in (times[len(times) // 2], times[len(times) * 99 // 100])),
            f"{1000 * times[-1]:.1f} ms",
        )
        return " | ".join(map(str, cells))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--nights", type=int, default=60)
    given = parser.parse_args()
    site.prepare()
    print(HEAD)
    for format_, rounds, days in (("swiss", 7, None), ("league", None, 63), ("ladder", None, given.nights)):
        print(Season(format_, given.people, random.Random(format_), rounds, days).run(), flush=True)


if __name__ == "__main__":
    main()
