"""Simulated seasons that measure how often the rules of fair play find honest people, and how many cheats.

usage: python -m tests.unit.fairplay.seasons [--seasons 20] [--people 300] [--first 1]

Everybody plays in one pool for `DAYS` days; every night `games.fairplay.patterns` looks at the last `WINDOW`, as on the
site. The honest people are as awkward as real ones: half are new, so that their ratings say little; some play only with
one person of another strength; some resign in a temper; some pairs begin again when they dislike the deal; many come,
lose a few matches, give up and are never seen again; and some people have four pupils who play with nobody else.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from games.engine.elo import START, Rated, changes, expectation
from games.fairplay import patterns
from games.fairplay.patterns import (
    LEAST_DODGED,
    LEAST_FED,
    LEAST_LOST,
    LEAST_MEETINGS,
    STRONGER,
    Aborts,
    Meeting,
    Pair,
    Source,
)

DAYS: Final = 90
SKILLS: Final = 300
"""Standard deviation of strength, in rating points."""

CHEATS: Final = 3
"""Of each sort in each season."""

_FORGONE = 0.02
"""How often a match is aborted by one person before it begins, and by agreement later on."""


@dataclass(slots=True)
class Person:
    """Somebody who plays."""

    number: int
    skill: float
    activity: float
    temper: float
    rating: int = START
    games: int = 0
    friend: Person | None = None
    devotion: float = 0.0
    restarts: float = 0.0
    cheat: str = ""
    partner: Person | None = None
    joined: int = -1000
    until: int = DAYS

    def is_there(self, day: int) -> bool:
        return self.joined <= day < self.until


@dataclass(frozen=True, slots=True)
class Played:
    """A match that ended, as one person saw it."""

    day: int
    against: int
    seen: Meeting
    gap: int


@dataclass(frozen=True, slots=True)
class Aborted:
    """A match that was aborted: by this person alone, or with agreement while they were behind (None: level)."""

    day: int
    alone: bool
    gap: int
    behind: bool | None


@dataclass(slots=True)
class Season:
    """What happened in a season, and who is found in it."""

    random: Random
    people: list[Person]
    played: dict[int, list[Played]] = field(default_factory=lambda: defaultdict(list))
    aborted: dict[int, list[Aborted]] = field(default_factory=lambda: defaultdict(list))
    found: dict[str, set[tuple[int, ...]]] = field(default_factory=lambda: defaultdict(set))
    met: set[tuple[int, int]] = field(default_factory=set)

    # --- what happens -----------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play all days, and look every night."""
        for day in range(DAYS):
            there = [person for person in self.people if person.is_there(day) and person.cheat != FEEDER]
            for person in there:
                for _ in range(_poisson(self.random, person.activity)):
                    self._meet(person, self._opponent(person, there), day)
            self._feed(day, there)
            self._look(day)

    def _feed(self, day: int, there: Sequence[Person]) -> None:
        """Let accounts made for it lose to whom they belong, on the day on which they are made."""
        feeders = [person for person in self.people if person.cheat == FEEDER and person.joined == day]
        for one in feeders:
            star = one.partner
            assert star is not None  # tells mypy
            if star.cheat == "star with a ring":
                for _ in range(_IN_RING):
                    self._finish(one, self.random.choice([it for it in feeders if it is not one]), day, 0, 1, False)
            if star.cheat == "star among others":
                other = self.random.choice([it for it in there if it is not star])
                self._finish(one, other, day, self._result(one, other), 1, False)
            for _ in range(_FED):
                quick = star.cheat != "star, played on"
                length = self.random.uniform(0.05, 0.3) if quick else self.random.lognormvariate(0, 0.25)
                self._finish(one, star, day, 0, length, quick)

    def _opponent(self, person: Person, everybody: Sequence[Person]) -> Person:
        """Return a friend, or of some who happen to be there the one whose rating is nearest."""
        if person.partner is not None and self.random.random() < person.devotion:
            return person.partner
        if person.friend is not None and self.random.random() < person.devotion:
            return person.friend
        there = [other for other in self.random.sample(everybody, 5) if other is not person]
        return min(there, key=lambda other: abs(other.rating - person.rating))

    def _meet(self, one: Person, other: Person, day: int) -> None:
        if one.partner is other:
            self._conspire(one, other, day)
        elif not self._forgo(one, other, day):
            won = self._result(one, other)
            self._finish(one, other, day, won, *self._end(one, other, won))

    def _forgo(self, one: Person, other: Person, day: int) -> bool:
        """Abort a match now and then: honest people whoever sits there and whatever the score, cheats as it suits."""
        for person, against in ((one, other), (other, one)):
            gap = against.rating - person.rating
            dodging = person.cheat == "dodges the strong" and gap >= STRONGER
            if self.random.random() < (0.5 if dodging else _FORGONE / 2):
                self.aborted[person.number].append(Aborted(day, True, gap, None))
                return True
        return self._agree(one, other, day)

    def _agree(self, one: Person, other: Person, day: int) -> bool:
        ahead = self._result(one, other)
        wish = 0.6 if ahead == 0 and one.cheat == "dodges defeat" else _FORGONE / 2
        if self.random.random() >= wish:
            return False
        level = self.random.random() < 0.2  # early on nobody is ahead
        for person, against, behind in ((one, other, ahead == 0), (other, one, ahead == 1)):
            gap = against.rating - person.rating
            self.aborted[person.number].append(Aborted(day, False, gap, None if level else behind))
        return True

    def _result(self, one: Person, other: Person) -> float:
        chance = expectation(round(1000 * one.skill), round(1000 * other.skill))
        return 0.5 if self.random.random() < 0.02 else float(self.random.random() < chance)  # a draw

    def _end(self, one: Person, other: Person, won: float) -> tuple[float, bool]:
        """Return how long a match was, as a part of the usual length, and whether somebody left it."""
        if one.friend is other and self.random.random() < one.restarts:
            return self.random.uniform(0.02, 0.2), True
        temper = 0.0 if won == 0.5 else (one if won == 0 else other).temper  # half a win
        if self.random.random() < temper:
            return self.random.uniform(0.1, 1), True
        if self.random.random() < 0.02:  # time runs out at any time
            return self.random.uniform(0.05, 1), True
        return self.random.lognormvariate(0, 0.25), False

    def _conspire(self, one: Person, other: Person, day: int) -> None:
        if one.cheat == "agrees results":
            self._finish(one, other, day, float(self.random.random() < 0.5), 0.1, True)  # by turns
        elif one.cheat == "loses at once":
            self._finish(one, other, day, 0, self.random.uniform(0.05, 0.3), True)
        else:
            self._finish(one, other, day, 0, self.random.lognormvariate(0, 0.25), False)

    def _finish(  # noqa: PLR0917  # what a match was
        self, one: Person, other: Person, day: int, won: float, length: float, left: bool
    ) -> None:
        places = [1, 1] if won == 0.5 else [2 - int(won), 1 + int(won)]  # half a win
        gains = changes([Rated(one.rating, one.games), Rated(other.rating, other.games)], places)
        sides = ((one, other, won, gains[0]), (other, one, 1 - won, gains[1]))
        told = [(side, against, share, gain, side.rating, against.rating) for side, against, share, gain in sides]
        for side, against, share, gain, own, theirs in told:
            seen = Meeting(share, expectation(own, theirs), gain, length, left)
            self.played[side.number].append(Played(day, against.number, seen, theirs - own))
            side.rating, side.games = own + gain, side.games + 1

    # --- what a night sees ------------------------------------------------------------------------------------------

    def _look(self, day: int) -> None:
        since = day - patterns.WINDOW.days
        for person in self.people:
            recent = [each for each in self.played[person.number] if each.day > since]
            by_other: dict[int, list[Meeting]] = defaultdict(list)
            for each in recent:
                by_other[each.against].append(each.seen)
            for other, meetings in by_other.items():
                if len(meetings) >= LEAST_MEETINGS:
                    self._look_at_pair(person.number, other, meetings, recent, since)
            self._look_at_aborts(person.number, recent, since)
            if recent and recent[-1].day == day:  # only what is new can make one
                self._look_at_star(person.number, by_other, since)

    def _look_at_star(self, number: int, by_other: Mapping[int, Sequence[Meeting]], since: int) -> None:
        won = {other: meetings for other, meetings in by_other.items() if sum(each.gain for each in meetings) > 0}
        if sum(each.gain for meetings in won.values() for each in meetings) < LEAST_FED:
            return
        first: dict[int, int] = {}
        for each in self.played[number]:
            if each.day > since:
                first.setdefault(each.against, each.day)
        young = {other: first[other] - self.people[other].joined <= patterns.YOUNG.days for other in by_other}
        sources = {other: Source(meetings, 0, young[other]) for other, meetings in by_other.items()}
        losing = {other for other in won if sources[other].feeds}
        if sum(sources[other].gain for other in losing) < LEAST_FED:
            return
        for other in losing:
            sources[other] = replace(sources[other], elsewhere=self._elsewhere(other, {number, *losing}, since))
        if patterns.star(list(sources.values())):
            self.found["gain from throw-away accounts"].add((number,))

    def _elsewhere(self, number: int, known: Collection[int], since: int) -> int:
        return sum(each.day > since and each.against not in known for each in self.played[number])

    def _look_at_pair(  # what the site reads from its tables
        self, one: int, other: int, meetings: Sequence[Meeting], recent: Sequence[Played], since: int
    ) -> None:
        self.met.add((min(one, other), max(one, other)))
        if one < other and patterns.agreed(meetings):
            self.found["agreed results"].add((one, other))
        if sum(each.won == 0 for each in meetings) >= LEAST_LOST:
            elsewhere = tuple(each.seen for each in recent if each.against != other)
            gained = sum(max(0, each.seen.gain) for each in self.played[other] if each.day > since)
            if patterns.transfer(Pair(meetings, gained, elsewhere)):
                self.found["rating transfer"].add((one, other))

    def _look_at_aborts(self, number: int, recent: Iterable[Played], since: int) -> None:
        ended = [each for each in self.aborted[number] if each.day > since]
        if len(ended) < LEAST_DODGED:
            return
        alone = [each.gap >= STRONGER for each in ended if each.alone]
        told = [each.behind for each in ended if not each.alone and each.behind is not None]
        gaps = [each.gap >= STRONGER for each in recent]
        counted = Aborts(sum(alone), len(alone) - sum(alone), sum(gaps), len(gaps) - sum(gaps), sum(told), len(told))
        if patterns.dodges(counted):
            self.found["dodging by aborting"].add((number,))


def _poisson(random: Random, mean: float) -> int:
    limit, count, product = math.exp(-mean), 0, random.random()
    while product > limit:
        count, product = count + 1, product * random.random()
    return count


SORTS: Final = {
    "loses at once": "rating transfer",
    "loses in the end": "rating transfer",
    "agrees results": "agreed results",
    "dodges the strong": "dodging by aborting",
    "dodges defeat": "dodging by aborting",
    "star": "gain from throw-away accounts",
    "star, played on": "gain from throw-away accounts",
    "star among others": "gain from throw-away accounts",
    "star with a ring": "gain from throw-away accounts",
}
"""The cheats, and the rule that ought to find them."""


OF_PAIRS: Final = frozenset({"rating transfer", "agreed results"})
"""The rules that are about two people."""

FEEDER: Final = "feeds"
STARS: Final = {"star": 20, "star, played on": 10, "star among others": 8, "star with a ring": 10}
"""How many accounts belong to each sort of star: one of each sort in each season."""

_FED, _IN_RING = 5, 2
_PASSING: Final = 0.5
"""How many come and go within a few days, for each of the others."""

_HUBS, _PUPILS = 2, 4


def cheats_of(sort: str) -> int:
    """Return how many cheats of a sort are in each season."""
    return 1 if sort in STARS else CHEATS


def season_of(number: int, people: int) -> Season:
    """Return a season that has not been played yet; the same number is the same season."""
    random = Random(f"season {number}")  # no secret
    everybody = [_person(random, index) for index in range(people)]
    _befriend(random, everybody)
    _corrupt(random, everybody)
    _pass_by(random, everybody, round(_PASSING * people))
    _teach(random, everybody)
    _make_stars(random, everybody)
    return Season(random, everybody)


def _person(random: Random, number: int) -> Person:
    skill = random.gauss(1500, SKILLS)
    activity = min(4.0, random.lognormvariate(-1.2, 1))
    temper = 0.6 if random.random() < 0.03 else random.betavariate(1, 6)  # some in a hundred
    known = random.random() < 0.5  # half of them are new
    return Person(number, skill, activity, temper, *((round(1000 * skill), 40) if known else ()))


def _befriend(random: Random, everybody: Sequence[Person]) -> None:
    """Let three in ten play mostly with a friend, and one in ten with one person alone, as families do."""
    for index in range(0, len(everybody) * 4 // 10, 2):
        family = index < len(everybody) // 10
        restarts = 0.15 if random.random() < 0.1 else 0.0  # one in ten
        for one, other in ((index, index + 1), (index + 1, index)):
            person = everybody[one]
            person.friend, person.devotion, person.restarts = everybody[other], 1.0 if family else 0.5, restarts


def _corrupt(random: Random, everybody: Sequence[Person]) -> None:
    """Make cheats of some who have no friends."""
    sorts = [sort for sort in SORTS if sort not in STARS]
    lonely = iter(random.sample(everybody[len(everybody) * 4 // 10 :], 2 * CHEATS * len(sorts)))
    for sort in sorts:
        for _ in range(CHEATS):
            cheat, partner = next(lonely), next(lonely)
            cheat.cheat = sort
            cheat.activity = partner.activity = 1.0
            if SORTS[sort] != "dodging by aborting":
                cheat.partner, cheat.devotion = partner, {"loses at once": 1.0}.get(sort, 0.5)
                partner.activity = 0.2


def _pass_by(random: Random, everybody: list[Person], people: int) -> None:
    """Add people who try it for a day or a few, rather weak ones, of whom many give up early."""
    for _ in range(people):
        person = _person(random, len(everybody))
        person.rating, person.games, person.skill = START, 0, random.gauss(1350, 200)
        person.activity, person.temper = random.uniform(1, 4), random.betavariate(2, 3)
        person.joined = random.randrange(DAYS)
        person.until = person.joined + random.randint(1, 4)
        everybody.append(person)


def _teach(random: Random, everybody: list[Person]) -> None:
    """Give some people pupils: new, weaker, and playing with nobody else."""
    for _ in range(_HUBS):
        teacher = _person(random, len(everybody))
        teacher.skill, teacher.activity = random.gauss(1700, 150), 0.3
        everybody.append(teacher)
        for _pupil in range(_PUPILS):
            pupil = _person(random, len(everybody))
            pupil.skill, pupil.rating, pupil.games = teacher.skill - random.uniform(100, 400), START, 0
            pupil.joined, pupil.activity = random.randrange(DAYS), random.uniform(0.1, 0.5)
            pupil.friend, pupil.devotion = teacher, 1.0
            everybody.append(pupil)


def _make_stars(random: Random, everybody: list[Person]) -> None:
    """Add people who feed themselves from accounts made for it, all within a few days."""
    for sort, accounts in STARS.items():
        star = _person(random, len(everybody))
        star.cheat, star.activity = sort, 1.0 if sort == "star among others" else 0.3
        everybody.append(star)
        begins = random.randrange(DAYS - 10)
        for number in range(accounts):
            feeder = _person(random, len(everybody))
            feeder.rating, feeder.games, feeder.activity = START, 0, 0.0
            feeder.cheat, feeder.partner = FEEDER, star
            feeder.joined = begins + (0 if sort == "star with a ring" else number % 4)
            everybody.append(feeder)


@dataclass(slots=True)
class Counted:
    """What was found in all seasons: by rule, how many of the honest and of how many; by sort, how many cheats."""

    honest: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    pairs: int = 0
    people: int = 0
    caught: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    seasons: int = 0

    def count(self, season: Season) -> None:
        """Add a season that has been played."""
        cheats = [person for person in season.people if person.cheat and person.cheat != FEEDER]
        guilty = {tuple(sorted(_names(person))): person.cheat for person in cheats}
        gaining = {(person.partner.number,) for person in cheats if person.partner}
        feeding = {person.number for person in season.people if person.cheat == FEEDER}
        for rule, found in season.found.items():
            for names in {tuple(sorted(each)) for each in found}:
                sort = guilty.get(names, "")
                if sort and SORTS[sort] == rule:
                    self.caught[sort] += 1
                elif not feeding & set(names) and names not in gaining:
                    self.honest[rule] += 1
        self.pairs += len(season.met - set(guilty))
        self.people += sum(not person.cheat for person in season.people)
        self.seasons += 1


def _names(person: Person) -> Iterator[int]:
    yield person.number
    if person.partner is not None:
        yield person.partner.number


def counted(seasons: int, people: int, first: int = 1) -> Counted:
    """Play so many seasons and count who is found."""
    result = Counted()
    for number in range(first, first + seasons):
        season = season_of(number, people)
        season.run()
        result.count(season)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Print how many honest people and cheats the rules of fair play find.")
    parser.add_argument("--seasons", type=int, default=20, help="how many (20)")
    parser.add_argument("--people", type=int, default=300, help="in each season (300)")
    parser.add_argument("--first", type=int, default=1, help="the number of the first season; the same is the same")
    options = parser.parse_args()
    result = counted(options.seasons, options.people, options.first)
    print(f"{result.seasons} seasons of {DAYS} days with {options.people} people each.\n\nHonest:")
    for rule in dict.fromkeys(SORTS.values()):
        among, unit = (result.people, "people") if rule not in OF_PAIRS else (result.pairs, "pairs who met often")
        found = result.honest[rule]
        print(f"  {rule}: {found} of {among} {unit} ({100 * found / max(1, among):.3f} %)")
    print("\nCheats found:")
    for sort in SORTS:
        print(f"  {sort}: {result.caught[sort]} of {cheats_of(sort) * result.seasons}")


if __name__ == "__main__":
    main()
