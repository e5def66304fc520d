"""What comes of events of every format, and how long a round takes to draw: `python -m tests.benchmarks events`.

Simulates 100 events of 2 to 200 people for each format (robins of 2 to 48: no more can enter), with heats of two to
five seats; another number with `--events 10000`, some formats only with `--formats swiss,arena`. One in ten leaves, one
in ten takes a break, as many as one in ten enter late, and one pair for each hundred people must not meet. Robins and
leagues are left when nothing can be drawn any more.

Each draw is looked at: who is in it twice, who meets somebody they must not meet, who rests a second time while
somebody has not rested, and how many meet again more than have to. They have to if no matching of these people is
better; for more seats, if none is that a search finds which knows nothing of standings. In a knockout only people with
as many lives can meet, in a league those of a division; in a robin it is certain that somebody meets again who has more
meetings than there are others. Every tenth draw is made again with players and heats in another order.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import combinations, groupby
from math import inf

import networkx as nx

from games.engine.fair import FairChance
from games.events import formats
from games.events.formats import Format, Heat, Pair, Plan, Player, State, knockout, league, robin
from games.events.formats.meetings import Company, cut, exchanged

EVENTS = 100
PEOPLE = (2, 200)
START = datetime(2027, 1, 1, 19, tzinfo=UTC)
HEAD = (
    "format | events | draws | heats | in one round twice | must not meet | second bye too early | drawn otherwise | "
    "meet again | more than have to, points: mean | worst event | events above 8 | median draw | 99 % | slowest"
)
SEARCHES = 8
"""How often a search begins anew to find how few must meet again."""
SEARCHED = 60
"""With more people than this, robins apart, nobody has to meet again: there is always somebody new."""

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
LENGTHS = {
    Format.LEAGUE: (_DAY, league.VACANT),
    Format.LADDER: (_DAY / 2, 10 * _DAY),
    Format.SWISS: (_HOUR / 4, 30 * _DAY),
    Format.ROBIN: (_HOUR / 4, 0 * _HOUR),
    Format.KNOCKOUT: (_HOUR / 4, 30 * _DAY),
    Format.ARENA: (_HOUR / 6, _HOUR),
}
"""How long a heat takes at least (three times as long at most), and how long an event is looked at."""


@dataclass
class Figures:
    """What was measured in some events."""

    events: int = 0
    draws: int = 0
    heats: int = 0
    twice: int = 0
    quarrels: int = 0
    early_byes: int = 0
    otherwise: int = 0
    meetings: int = 0
    again: int = 0
    excess: list[float] = field(default_factory=list)
    """For each event by how many points of its meetings more people met again than had to."""
    seconds: list[float] = field(default_factory=list)

    def row(self, name: str) -> str:
        times, excess = sorted(self.seconds), self.excess
        return (
            f"{name} | {self.events} | {self.draws} | {self.heats} | {self.twice} | {self.quarrels} | "
            f"{self.early_byes} | {self.otherwise} | {100 * self.again / max(self.meetings, 1):.1f} % | "
            f"{sum(excess) / len(excess):.2f} | {max(excess):.1f} | {sum(it > 8 for it in excess)} | "
            f"{1000 * times[len(times) // 2]:.1f} ms | {1000 * times[len(times) * 99 // 100]:.1f} ms | "
            f"{1000 * times[-1]:.1f} ms"
        )


@dataclass
class Event:
    """One simulated event."""

    plan: Plan
    chance: random.Random
    figures: Figures
    again_every: int = 10
    players: dict[int, Player] = field(default_factory=dict)
    heats: dict[tuple[int, int], Heat] = field(default_factory=dict)
    now: datetime = START
    ends: dict[tuple[int, int], datetime] = field(default_factory=dict)
    happenings: list[datetime] = field(default_factory=list)
    met: Counter[Pair] = field(default_factory=Counter)
    excess: int = 0
    meetings: int = 0

    def run(self) -> None:
        horizon = START + LENGTHS[self.plan.format][1]
        happenings = sorted(self.happenings, reverse=True)
        while True:
            self._ask()
            known = (list(self.players.values()), list(self.heats.values()))
            if formats.is_over(self.plan, *known, self.now):
                break
            next_at = formats.next_at(self.plan, *known, self.now)
            times = [*self.ends.values(), *happenings[-1:], *([next_at] if next_at else [])]
            if not times or min(times) > horizon:
                break
            self.now = max(min(times), self.now)
            while happenings and happenings[-1] <= self.now:
                happenings.pop()
                self._happen()
            for key in [key for key, end in self.ends.items() if end <= self.now]:
                self._end(key)
        self.figures.events += 1
        if self.meetings:
            self.figures.excess.append(100 * self.excess / self.meetings)

    def enter(self) -> None:
        n = len(self.players)
        round_ = formats.next_round(list(self.heats.values()))
        rating, at_a_time = round(self.chance.gauss(1500, 280)), self._at_a_time()
        self.players[n] = Player(n, n, rating, joined_round=round_, at_a_time=at_a_time)

    def _at_a_time(self) -> int:
        return 2 if self.plan.format in (Format.LEAGUE, Format.LADDER) else 1

    def _ask(self) -> None:
        players, heats = list(self.players.values()), list(self.heats.values())
        started = time.process_time()
        drawn = formats.pair(self.plan, players, heats, self.now, self._drawn_from(heats))
        if drawn:
            self.figures.seconds.append(time.process_time() - started)
            self._look_at(drawn, heats)
            if len(self.figures.seconds) % self.again_every == 0:
                self._draw_again(drawn)
            if self.plan.format is Format.LEAGUE and not heats:
                for person, division in formats.divisions(self.plan, players).items():
                    self.players[person] = replace(self.players[person], division=division)
        self._store(drawn)
        self._store(formats.forfeits(self.plan, list(self.players.values()), list(self.heats.values()), self.now))
        due = formats.due(self.plan, list(self.players.values()), list(self.heats.values()), self.now)
        self._store([replace(heat, begun_at=self.now) for heat in due])
        shortest = LENGTHS[self.plan.format][0]
        for heat in due:
            self.ends[heat.round, heat.number] = self.now + shortest * self.chance.uniform(1, 3)

    def _drawn_from(self, heats: Sequence[Heat]) -> FairChance:
        return FairChance(bytes(32), formats.next_round(heats))

    def _store(self, heats: Sequence[Heat]) -> None:
        self.heats.update({(heat.round, heat.number): heat for heat in heats})

    def _end(self, key: tuple[int, int]) -> None:
        heat = self.heats[key]
        marks = [self.players[who].rating / 400 + self.chance.gauss(0, 1) for who in heat.people]
        order = sorted(marks, reverse=True)
        places = [order.index(mark) + 1 for mark in marks]
        if self.chance.random() < 0.05:
            places = [1] * len(places)
        self._store([replace(heat, over_at=self.now, places=tuple(places))])
        del self.ends[key]

    def _happen(self) -> None:
        if self.chance.random() < 1 / 3:
            known = (list(self.players.values()), list(self.heats.values()))
            if len(self.players) < PEOPLE[1] and formats.may_join(self.plan, *known, self.now):
                self.enter()
            return
        person = self.chance.choice(list(self.players))
        player = self.players[person]
        turns = {State.PAUSED: State.IN, State.OUT: State.OUT}
        state = turns.get(player.state) or self.chance.choice([State.PAUSED, State.OUT])
        self.players[person] = replace(player, state=state)

    # --- what is looked at --------------------------------------------------------------------------------------------

    def _look_at(self, drawn: Sequence[Heat], before: Sequence[Heat]) -> None:
        figures = self.figures
        figures.draws += 1
        figures.heats += len(drawn)
        in_round = Counter((heat.round, person) for heat in drawn for person in heat.people)
        if self.plan.format is not Format.LEAGUE or not before:  # heats of others are taken over together
            figures.twice += sum(in_round.values()) - len(in_round)
        figures.twice += sum(len(heat.people) != len(set(heat.people)) for heat in drawn)
        pairs = [frozenset(two) for heat in drawn for two in combinations(heat.people, 2)]
        figures.quarrels += sum(pair in self.plan.apart for pair in pairs)
        self._look_at_byes(drawn, before)
        among = self._among(before)

        def known(heat: Heat) -> tuple[int, int]:
            return heat.round, min(among.get(person, 0) for person in heat.people)

        for _, heats in groupby(sorted((heat for heat in drawn if not heat.is_bye), key=known), key=known):
            self._look_at_meetings(list(heats))
        if self.plan.format is Format.ROBIN:
            self.excess = min(self.excess, max(sum(self.met.values()) - len(self.met) - self._are_certain(), 0))

    def _among(self, before: Sequence[Heat]) -> dict[int, int]:
        """Return by person a number which those have in common who can meet, if not all can."""
        players = list(self.players.values())
        if self.plan.format is Format.LEAGUE:
            return formats.divisions(self.plan, players)
        return knockout.lives_left(self.plan, players, before) if self.plan.format is Format.KNOCKOUT else {}

    def _are_certain(self) -> int:
        """Return how many meet again in any case, as they have more meetings than there are others."""
        meetings = Counter(person for pair in self.met.elements() for person in pair)
        return sum(max(often - (len(meetings) - 1), 0) for often in meetings.values()) // 2

    def _look_at_byes(self, drawn: Sequence[Heat], before: Sequence[Heat]) -> None:
        if self.plan.format is Format.ROBIN:  # which has no byes: whoever is over in a round rests
            self._look_at_rests(drawn)
        had = Counter(heat.people[0] for heat in before if heat.is_bye)
        here = {person for heat in drawn for person in heat.people}
        resting = {heat.people[0] for heat in drawn if heat.is_bye}
        fewest = min((had[person] for person in here - resting), default=0)
        self.figures.early_byes += sum(had[person] > fewest for person in resting)

    def _look_at_rests(self, drawn: Sequence[Heat]) -> None:
        here, had = {it.person for it in self.players.values() if it.state is State.IN}, Counter[int]()
        for _, heats in groupby(drawn, key=lambda heat: heat.round):
            seated = {person for heat in heats for person in heat.people}
            fewest = min((had[person] for person in seated), default=0)
            if not self.plan.apart:  # where rather somebody rests than meets somebody they must not meet
                self.figures.early_byes += sum(had[person] > fewest for person in here - seated)
            had.update(here - seated)

    def _look_at_meetings(self, heats: Sequence[Heat]) -> None:
        again = sum(self.met[frozenset(two)] > 0 for heat in heats for two in combinations(heat.people, 2))
        pairs = [frozenset(two) for heat in heats for two in combinations(heat.people, 2)]
        self.meetings += len(pairs)
        self.figures.meetings += len(pairs)
        self.figures.again += again
        if again:
            self.excess += max(again - self._have_to(heats), 0)
        if self.plan.format is Format.LADDER:  # where only the last opponents are not met again
            self._forget({person for heat in heats for person in heat.people})
        self.met.update(pairs)

    def _forget(self, people: Collection[int]) -> None:
        self.met = Counter({pair: often for pair, often in self.met.items() if not pair.intersection(people)})

    def _have_to(self, heats: Sequence[Heat]) -> int:
        """Return how many of these people have to meet again in heats of these sizes, as far as a search finds out."""
        people = [person for heat in heats for person in heat.people]
        if len(people) > SEARCHED:
            return 0
        if all(len(heat.people) == 2 for heat in heats):
            return self._matched(people)
        numbers = dict.fromkeys(people, 0)
        best: tuple[float, int] = (inf, 0)
        for _ in range(SEARCHES):
            order = self.chance.sample(people, len(people))
            company = Company(numbers, met=self.met)
            found = exchanged(cut(order, [len(heat.people) for heat in heats]), company, 2)
            again = sum(frozenset(two) in self.met for group in found for two in combinations(group, 2))
            best = min(best, (sum(map(company.cost, found)), again))
            if not again:
                break
        return best[1]

    def _matched(self, people: Sequence[int]) -> int:
        graph = nx.Graph()
        for one, other in combinations(people, 2):
            if frozenset((one, other)) not in self.plan.apart:
                graph.add_edge(one, other, weight=-(self.met[frozenset((one, other))] ** 3))
        return sum(frozenset(two) in self.met for two in nx.max_weight_matching(graph, maxcardinality=True))

    def _draw_again(self, drawn: Sequence[Heat]) -> None:
        players, heats = list(self.players.values()), list(self.heats.values())
        self.chance.shuffle(players)
        self.chance.shuffle(heats)
        self.figures.otherwise += drawn != formats.pair(self.plan, players, heats, self.now, self._drawn_from(heats))


def event(format_: Format, chance: random.Random, figures: Figures, most: int = PEOPLE[1]) -> Event:
    """Return an event that has not begun, with people, what will happen, and who must not meet."""
    most = min(most, robin.MOST) if format_ is Format.ROBIN else most
    people = round(PEOPLE[0] * (most / PEOPLE[0]) ** chance.random())  # small ones are as frequent as large ones
    want = chance.choice([2, 2, 3, 4, 5])
    length = LENGTHS[format_][1]
    plan = Plan(
        format=format_,
        starts_at=START,
        want=want,
        least=chance.randint(2, want),
        rounds=chance.randint(3, 9) if format_ is Format.SWISS else None,
        ends_at=START + length if format_ in (Format.ARENA, Format.LADDER) else None,
        lives=chance.choice([1, 2]) if format_ is Format.KNOCKOUT else 1,
        apart=frozenset(frozenset(chance.sample(range(people), 2)) for _ in range(people // 100)),
    )
    shortest = LENGTHS[format_][0]
    times = [START + shortest * chance.uniform(0, 12) for _ in range(people * 3 // 10)]
    found = Event(plan, chance, figures, happenings=times)
    for _ in range(people):
        found.enter()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--events", type=int, default=EVENTS, help="for each format")
    parser.add_argument("--formats", default=",".join(Format))
    given = parser.parse_args()
    print(HEAD)
    for format_ in map(Format, given.formats.split(",")):
        figures = Figures()
        for number in range(given.events):
            event(format_, random.Random(number), figures).run()
        print(figures.row(format_.value), flush=True)


if __name__ == "__main__":
    main()
