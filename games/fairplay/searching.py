"""Whom a night looks at, and what they did, as `patterns` takes it: first those who met or aborted often, then each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import Any, Final

from django.db.models import Count, F

from games.engine.elo import expectation
from games.engine.runner import LEAVING
from games.fairplay.models import Abort
from games.fairplay.patterns import LEAST_DODGED, LEAST_MEETINGS, STRONGER, Aborts, Meeting, Pair
from games.play.models import Match
from games.ratings.models import RatingChange

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
    fields = ("match", "user", "before", "after", "place", "at", "match__length", "match__reason")
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in RatingChange.objects.filter(match__in=matches).order_by("pk").values(*fields):
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
