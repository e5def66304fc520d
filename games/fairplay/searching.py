"""Whom a night looks at, and what they did, as `patterns` takes it: first those who met or aborted often, then each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from statistics import median
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Subquery, Sum

from accounts.models import User
from games.engine.elo import expectation
from games.engine.runner import LEAVING
from games.fairplay.models import Abort
from games.fairplay.patterns import (
    LEAST_DODGED,
    LEAST_FED,
    LEAST_MEETINGS,
    STRONGER,
    YOUNG,
    Aborts,
    Meeting,
    Pair,
    Source,
)
from games.play.models import Match, Seat
from games.ratings.models import RatingChange

_TWO: Final = 2
"""Players of a match for which a pool has a usual length."""

_MEASURED: Final = 200
"""How many of the latest matches of a pool tell how long its matches usually are."""


@dataclass(frozen=True, slots=True)
class Couple:
    """Two people who met often in one pool."""

    game: str
    speed: str
    one: int
    other: int


def couples(since: datetime) -> list[Couple]:
    """Return everybody who has met somebody else often in rated matches for two."""
    changes = RatingChange.objects.filter(at__gte=since, match__seat_count=2)
    met = changes.annotate(other=F("match__rating_changes__user")).filter(other__gt=F("user"))
    often = met.values("game", "speed", "user", "other").annotate(times=Count("pk")).filter(times__gte=LEAST_MEETINGS)
    return [Couple(row["game"], row["speed"], row["user"], row["other"]) for row in often.order_by("user", "other")]


def aborters(since: datetime) -> list[int]:
    """Return everybody who has aborted often."""
    often = Abort.objects.filter(at__gte=since).values("user").annotate(times=Count("pk"))
    return list(often.filter(times__gte=LEAST_DODGED).order_by("user").values_list("user", flat=True))


def gainers(since: datetime) -> list[int]:
    """Return everybody whose ratings gained so much, in all pools, that it may have come from accounts made for it."""
    won = RatingChange.objects.filter(at__gte=since, user__isnull=False, after__gt=F("before"))
    much = won.values("user").annotate(points=Sum(F("after") - F("before"))).filter(points__gte=LEAST_FED)
    return list(much.order_by("user").values_list("user", flat=True))


@dataclass(slots=True)
class Lengths:
    """How many actions the matches for two of a pool usually have, asked once for each pool."""

    known: dict[tuple[str, str], float] = field(default_factory=dict)

    def usual(self, game: str, speed: str) -> float:
        if (game, speed) not in self.known:
            over = Match.objects.filter(game=game, speed=speed, seat_count=2, rated=True, status=Match.Status.OVER)
            played = over.exclude(reason__in=LEAVING).order_by("-pk").values_list("length", flat=True)[:_MEASURED]
            self.known[game, speed] = float(median(played)) if played else 0.0
        return self.known[game, speed]


@dataclass(frozen=True, slots=True)
class Told:
    """A rated match of somebody: against whom (None: an account that is gone, or several people), and when."""

    against: int | None
    at: datetime
    seen: Meeting


def matches_of(couple: Couple, since: datetime, usual: float) -> Mapping[int, Sequence[Told]]:
    """Return the rated matches of both in their pool, each as that person saw it."""
    own = {"game": couple.game, "speed": couple.speed, "at__gte": since}
    theirs = RatingChange.objects.filter(user__in=(couple.one, couple.other), **own)
    told: dict[int, list[Told]] = defaultdict(list)
    for rows in _by_match(theirs.values("match")):
        for row in rows:
            if row["user"] in {couple.one, couple.other}:
                told[row["user"]].append(_told(row, rows, usual))
    return told


def _by_match(matches: Any) -> Iterable[list[dict[str, Any]]]:
    of_match = ("match", "game", "speed", "at", "match__length", "match__reason")
    fields = (*of_match, "pk", "user", "before", "after", "place")
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    seat = Seat.objects.filter(match=OuterRef("match"), number=OuterRef("seat")).values("left")
    rows = RatingChange.objects.filter(match__in=matches).annotate(seat_left=Subquery(seat))
    for row in rows.order_by("pk").values(*fields, "seat_left"):
        found[row["match"]].append(row)
    return found.values()


def _told(row: dict[str, Any], rows: Sequence[dict[str, Any]], usual: float) -> Told:
    others = [other for other in rows if other is not row]
    best = min(others, key=lambda other: other["place"])
    won = 0.5 if row["place"] == best["place"] else float(row["place"] < best["place"])
    seen = Meeting(
        won=won,
        expected=expectation(row["before"], best["before"]),
        gain=row["after"] - row["before"],
        length=row["match__length"] / usual if usual else 1.0,
        left=row["match__reason"] in LEAVING,
    )
    return Told(best["user"] if len(others) == 1 else None, row["at"], seen)


def pair_of(couple: Couple, told: Mapping[int, Sequence[Told]], since: datetime) -> tuple[int, int, Pair]:
    """Return who lost more of the meetings since then, who won more, and what both did."""
    one = [each for each in told[couple.one] if each.at > since]
    balance = sum(each.seen.won - 0.5 for each in one if each.against == couple.other)
    loser, winner = (couple.one, couple.other) if balance <= 0 else (couple.other, couple.one)
    lost = [each for each in told[loser] if each.at > since]
    gained = sum(max(0, each.seen.gain) for each in told[winner] if each.at > since)
    meetings = tuple(each.seen for each in lost if each.against == winner)
    elsewhere = tuple(each.seen for each in lost if each.against != winner)
    return loser, winner, Pair(meetings, gained, elsewhere)


def sources_of(user: int, since: datetime, lengths: Lengths) -> Mapping[int, Source]:
    """Return what somebody had from each opponent since then, in all pools; a match with several from each a part.

    Accounts that are gone are sources of their own, by numbers below 0: nobody knows any more what else they did.
    """
    own = RatingChange.objects.filter(user=user, at__gt=since)
    met: dict[int, list[Meeting]] = defaultdict(list)
    began: dict[int, datetime] = {}
    for rows in _by_match(own.values("match")):
        mine = next(row for row in rows if row["user"] == user)
        usual = lengths.usual(mine["game"], mine["speed"]) if len(rows) == _TWO else 0.0
        for row in rows:
            if row is not mine:
                other = row["user"] if row["user"] is not None else -row["pk"]
                met[other].append(_met(mine, row, len(rows) - 1, usual))
                began.setdefault(other, row["at"])
    joined = dict(User.objects.filter(pk__in=met).values_list("pk", "date_joined"))
    young = {other: other not in joined or began[other] - joined[other] <= YOUNG for other in met}
    found = {other: Source(meetings, 0, young[other]) for other, meetings in met.items()}
    losing = {other for other, source in found.items() if other > 0 and source.feeds}
    elsewhere = _elsewhere(losing, user, since)
    return {
        other: replace(source, elsewhere=elsewhere[other]) if other in losing else source
        for other, source in found.items()
    }


def _met(mine: dict[str, Any], theirs: dict[str, Any], opponents: int, usual: float) -> Meeting:
    """Return a match of somebody as they saw it against one opponent; of several, whoever left did so early."""
    left = theirs["seat_left"] is not None
    return Meeting(
        won=0.5 if mine["place"] == theirs["place"] else float(mine["place"] < theirs["place"]),
        expected=expectation(mine["before"], theirs["before"]),
        gain=round((mine["after"] - mine["before"]) / opponents),
        length=mine["match__length"] / usual if usual else float(not left),
        left=left or (opponents == 1 and mine["match__reason"] in LEAVING),
    )


def _elsewhere(people: Collection[int], user: int, since: datetime) -> Counter[int]:
    """Return how many rated matches these people played with anybody but each other and a certain person."""
    theirs = RatingChange.objects.filter(user__in=people, at__gt=since)
    others = RatingChange.objects.filter(match=OuterRef("match")).exclude(user__in=[*people, user])
    return Counter(theirs.filter(Exists(others)).values_list("user", flat=True))


def aborts_of(user: int, since: datetime) -> Aborts:
    """Return how somebody's rated matches ended before they were over, and how many did not."""
    ended = list(Abort.objects.filter(user=user, at__gt=since).values_list("alone", "above", "behind"))
    stronger = sum(alone and above >= STRONGER for alone, above, _ in ended)
    told = [behind for alone, _, behind in ended if not alone and behind is not None]
    gaps = _gaps(user, since)
    return Aborts(
        dodged_stronger=stronger,
        dodged_others=sum(alone for alone, _, _ in ended) - stronger,
        played_stronger=sum(gap >= STRONGER for gap in gaps),
        played_others=sum(gap < STRONGER for gap in gaps),
        behind=sum(told),
        unequal=len(told),
    )


def _gaps(user: int, since: datetime) -> list[int]:
    """Return how far the strongest opponent was rated above somebody, in each rated match that ended."""
    own = RatingChange.objects.filter(user=user, at__gt=since)
    gaps = []
    for rows in _by_match(own.values("match")):
        mine = next(row["before"] for row in rows if row["user"] == user)
        gaps.append(max(row["before"] for row in rows if row["user"] != user) - mine)
    return gaps
