"""The nightly job: searches for what looks unfair, in small steps, and deletes what is old."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from statistics import median
from time import monotonic
from typing import Any, Final, TypeAlias

from django.db.models import Count, Exists, F, Max, OuterRef, Q, Subquery, Sum
from django.utils import timezone

from accounts.models import User
from games.engine.elo import expectation
from games.engine.runner import LEAVING
from games.fairplay import patterns
from games.fairplay.models import Abort, Finding, Night, Use
from games.fairplay.patterns import Aborts, Meeting, Pair, Source
from games.play import jobs
from games.play.models import Match, Seat
from games.play.store import writing
from games.ratings.models import RatingChange

HOUR: Final = 3
"""The hour (UTC) at which the search begins."""

MARKS_KEPT: Final = timedelta(days=90)
"""How long it is kept who played from which device (`Use`), and who aborted rated matches (`Abort`)."""

FINDINGS_KEPT: Final = timedelta(days=365)

_AT_A_TIME: Final = 0.25
"""Seconds after which a run takes no more steps, because other jobs wait."""

_MEASURED: Final = 200
"""The usual length of matches of a pool is the median of so many of its latest ones."""

UsualLength: TypeAlias = Callable[[str, str], float]
"""Returns the usual number of actions of matches in a pool, by game and speed."""

Step: TypeAlias = tuple[int, Callable[[], bool]]
"""A user's key, and a function that looks at this user and returns whether it found something."""


def steps(now: datetime) -> list[Step]:
    """Return the steps of a night."""
    since, usual = now - patterns.WINDOW, cache(usual_length)  # the same for the whole night
    met = [(couple.one, partial(look_at_couple, couple, since, usual)) for couple in couples(since)]
    gained = [(user, partial(look_at_star, user, since, usual)) for user in gainers(since)]
    return [*met, *gained, *((user, partial(look_at_aborts, user, since)) for user in aborters(since))]


def look_at_couple(couple: Couple, since: datetime, usual: UsualLength) -> bool:
    """Look for rating transfer and agreed results between two people; return whether either was found."""
    matches = matches_of(couple, since, usual(couple.game, couple.speed))
    pool = {"game": couple.game, "speed": couple.speed}
    since_transfer = _settled(Finding.Kind.TRANSFER, couple.one, couple.other, since, **pool)
    loser, winner, pair = pair_of(couple, matches, since_transfer)
    if (transfer := patterns.transfer(pair)) is not None:
        facts = asdict(transfer) | {"points": transfer.points}
        store_finding(Finding.Kind.TRANSFER, loser, winner, facts, game=couple.game, speed=couple.speed)
    since_agreed = _settled(Finding.Kind.AGREED, couple.one, couple.other, since, **pool)
    loser, winner, pair = pair_of(couple, matches, since_agreed)
    if (agreed := patterns.agreed(pair.meetings)) is not None:
        facts = asdict(agreed)
        store_finding(Finding.Kind.AGREED, loser, winner, facts, game=couple.game, speed=couple.speed)
    return transfer is not None or agreed is not None


def look_at_star(user: int, since: datetime, usual: UsualLength) -> bool:
    """Look for a gain from accounts that exist to lose; return whether there is one."""
    sources = sources_of(user, _settled(Finding.Kind.STAR, user, None, since), usual)
    found = patterns.star(list(sources.values()))
    if found is None:
        return False
    feeding = [other for other, source in sources.items() if other > 0 and source.feeds]
    store_finding(Finding.Kind.STAR, user, None, asdict(found) | {"points": found.points}, others=feeding)
    return True


def look_at_aborts(user: int, since: datetime) -> bool:
    """Look for matches aborted because of the opponent or the score; return whether somebody does that."""
    aborts = aborts_of(user, _settled(Finding.Kind.DODGING, user, None, since))
    if found := patterns.dodges(aborts):
        store_finding(Finding.Kind.DODGING, user, None, asdict(aborts))
    return found


def _settled(kind: Finding.Kind, one: int, other: int | None, since: datetime, **pool: str) -> datetime:
    """Return the time from which matches count: when a finding of this kind was last settled, if after `since`."""
    same = Finding.objects.filter(_about(one, other), kind=kind, **pool)
    latest = same.aggregate(at=Max("settled_at"))["at"]
    return max(since, latest or since)


def store_finding(
    kind: Finding.Kind,
    first: int,
    second: int | None,
    facts: dict[str, Any],
    *,
    others: Collection[int] = (),
    game: str = "",
    speed: str = "",
) -> None:
    """Store a finding, or update the open one of this kind about the same people."""
    pool = {"game": game, "speed": speed}
    seen = {"first_id": first, "second_id": second, "facts": facts, "found_at": timezone.now()}
    with writing():
        opened = Finding.objects.filter(_about(first, second), kind=kind, settled_at=None, **pool)
        if not opened.update(**seen):
            Finding.objects.create(kind=kind, **seen, **pool)
        for finding in opened if others else ():
            finding.others.set(others)


def _about(one: int, other: int | None) -> Q:
    """Return the condition that findings are about these people, in either order."""
    return Q(first=one, second=other) | Q(first=other, second=one) if other else Q(first=one, second=None)


def search_now(now: datetime) -> tuple[int, int]:
    """Take all steps at once; return how many there were, and how many found something."""
    waiting = steps(now)
    return len(waiting), sum(look() for _user, look in waiting)


def prune(now: datetime) -> int:
    """Delete rows that are too old; return how many."""
    old = (
        Use.objects.filter(at__lt=now - MARKS_KEPT),
        Abort.objects.filter(at__lt=now - MARKS_KEPT),
        Finding.objects.filter(found_at__lt=now - FINDINGS_KEPT),
        Night.objects.filter(ended_at__lt=now - FINDINGS_KEPT),
    )
    with writing():
        return sum(rows.delete()[0] for rows in old)


class Nightly:
    """Searches once a day. The remaining steps are in memory only: after a restart the search begins again."""

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
            user, look = self._steps.pop()
            self._found += jobs.attempt(self.name, user, look)
            done += 1
        if not self._steps:
            prune(now)
            today = now.astimezone(UTC).date()
            Night.objects.get_or_create(day=today, defaults={"found": self._found})
            self._done, self._steps = today, None
        return done

    def _is_due(self, now: datetime) -> bool:
        today = now.astimezone(UTC).date()
        if self._done == today or now < _beginning(today):
            return False
        if Night.objects.filter(day=today).exists():
            self._done, self._steps = today, None
            return False
        return True

    def next_due(self) -> datetime | None:
        now = timezone.now()
        today = now.astimezone(UTC).date()
        begins = _beginning(today)
        return begins + timedelta(days=1) if self._done == today else max(now, begins)


def _beginning(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, HOUR, tzinfo=UTC)


def register() -> None:
    """Let the worker run the job."""
    jobs.register(Nightly())


# --- who is looked at, and their matches in the form that `patterns` takes --------------------------------------------


@dataclass(frozen=True, slots=True)
class Couple:
    """Two people who have met often in one pool."""

    game: str
    speed: str
    one: int
    other: int


def couples(since: datetime) -> list[Couple]:
    """Return all pairs of people who have met often in rated matches for two; bots are rated among themselves."""
    changes = RatingChange.objects.filter(at__gte=since, match__seat_count=2, user__bot_since=None)
    met = changes.annotate(other=F("match__rating_changes__user")).filter(other__gt=F("user"))
    counted = met.values("game", "speed", "user", "other").annotate(times=Count("pk"))
    often = counted.filter(times__gte=patterns.LEAST_MEETINGS)
    return [Couple(row["game"], row["speed"], row["user"], row["other"]) for row in often.order_by("user", "other")]


def aborters(since: datetime) -> list[int]:
    """Return all people who have aborted often."""
    often = Abort.objects.filter(at__gte=since, user__bot_since=None).values("user").annotate(times=Count("pk"))
    return list(often.filter(times__gte=patterns.LEAST_DODGED).order_by("user").values_list("user", flat=True))


def gainers(since: datetime) -> list[int]:
    """Return all people whose ratings, over all pools, have gained enough to look at them."""
    people = {"user__isnull": False, "user__bot_since": None}
    won = RatingChange.objects.filter(at__gte=since, after__gt=F("before"), **people)
    much = won.values("user").annotate(points=Sum(F("after") - F("before"))).filter(points__gte=patterns.LEAST_FED)
    return list(much.order_by("user").values_list("user", flat=True))


def usual_length(game: str, speed: str) -> float:
    """Return the usual number of actions of matches for two in a pool; 0 if none was played."""
    over = Match.objects.filter(game=game, speed=speed, seat_count=2, rated=True, status=Match.Status.OVER)
    played = over.exclude(reason__in=LEAVING).order_by("-pk").values_list("length", flat=True)[:_MEASURED]
    return float(median(played)) if played else 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """A rated match from one player's side; `against` is None for a deleted account or several opponents."""

    against: int | None
    at: datetime
    meeting: Meeting


def matches_of(couple: Couple, since: datetime, usual: float) -> Mapping[int, Sequence[Seen]]:
    """Return the rated matches of both in their pool, by person, each from their own side."""
    own = {"game": couple.game, "speed": couple.speed, "at__gte": since}
    theirs = RatingChange.objects.filter(user__in=(couple.one, couple.other), **own)
    seen: dict[int, list[Seen]] = defaultdict(list)
    for rows in _by_match(theirs.values("match")):
        for row in rows:
            if row["user"] in {couple.one, couple.other}:
                seen[row["user"]].append(_seen(row, rows, usual))
    return seen


def _by_match(matches: Any) -> Iterable[list[dict[str, Any]]]:
    """Return the rating changes of some matches, a list for each match."""
    of_match = ("match", "game", "speed", "at", "match__length", "match__reason")
    fields = (*of_match, "pk", "user", "before", "after", "place")
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    seat = Seat.objects.filter(match=OuterRef("match"), number=OuterRef("seat")).values("left")
    rows = RatingChange.objects.filter(match__in=matches).annotate(seat_left=Subquery(seat))
    for row in rows.order_by("pk").values(*fields, "seat_left"):
        found[row["match"]].append(row)
    return found.values()


def _seen(row: dict[str, Any], rows: Sequence[dict[str, Any]], usual: float) -> Seen:
    others = [other for other in rows if other is not row]
    best = min(others, key=lambda other: other["place"])
    length = row["match__length"] / usual if usual else 1.0
    meeting = _meeting(row, best, row["after"] - row["before"], length, row["match__reason"] in LEAVING)
    return Seen(best["user"] if len(others) == 1 else None, row["at"], meeting)


def _meeting(mine: dict[str, Any], theirs: dict[str, Any], gain: int, length: float, left: bool) -> Meeting:
    won = 0.5 if mine["place"] == theirs["place"] else float(mine["place"] < theirs["place"])
    return Meeting(won, expectation(mine["before"], theirs["before"]), gain, length, left)


def pair_of(couple: Couple, seen: Mapping[int, Sequence[Seen]], since: datetime) -> tuple[int, int, Pair]:
    """Return who lost more of the meetings since then, who won more, and their matches."""
    one = [each for each in seen[couple.one] if each.at > since]
    balance = sum(each.meeting.won - 0.5 for each in one if each.against == couple.other)
    loser, winner = (couple.one, couple.other) if balance <= 0 else (couple.other, couple.one)
    lost = [each for each in seen[loser] if each.at > since]
    gained = sum(max(0, each.meeting.gain) for each in seen[winner] if each.at > since)
    meetings = tuple(each.meeting for each in lost if each.against == winner)
    elsewhere = tuple(each.meeting for each in lost if each.against != winner)
    return loser, winner, Pair(meetings, gained, elsewhere)


def sources_of(user: int, since: datetime, usual: UsualLength) -> Mapping[int, Source]:
    """Return what somebody gained from each opponent since then, in all pools, by key of the opponent.

    The gain from a match with several opponents is divided equally. Each seat of a deleted account counts as an
    opponent of its own, with a negative key.
    """
    own = RatingChange.objects.filter(user=user, at__gt=since)
    met: dict[int, list[Meeting]] = defaultdict(list)
    began: dict[int, datetime] = {}
    for rows in _by_match(own.values("match")):
        mine = next(row for row in rows if row["user"] == user)
        is_duel = len(rows) == 2  # noqa: PLR2004  # only such matches have a usual length
        length = usual(mine["game"], mine["speed"]) if is_duel else 0.0
        for row in rows:
            if row is not mine:
                other = row["user"] if row["user"] is not None else -row["pk"]
                met[other].append(_met(mine, row, len(rows) - 1, length))
                began.setdefault(other, row["at"])
    joined = dict(User.objects.filter(pk__in=met).values_list("pk", "date_joined"))
    young = {other: other not in joined or began[other] - joined[other] <= patterns.YOUNG for other in met}
    found = {other: Source(meetings, 0, young[other]) for other, meetings in met.items()}
    losing = {other for other, source in found.items() if other > 0 and source.feeds}
    elsewhere = _elsewhere(losing, user, since)
    return {
        other: replace(source, elsewhere=elsewhere[other]) if other in losing else source
        for other, source in found.items()
    }


def _met(mine: dict[str, Any], theirs: dict[str, Any], opponents: int, usual: float) -> Meeting:
    """Return a match from somebody's side against one opponent; leaving a match of several always counts as early."""
    gain = round((mine["after"] - mine["before"]) / opponents)
    left = theirs["seat_left"] is not None
    length = mine["match__length"] / usual if usual else float(not left)
    return _meeting(mine, theirs, gain, length, left or (opponents == 1 and mine["match__reason"] in LEAVING))


def _elsewhere(people: Collection[int], user: int, since: datetime) -> Counter[int]:
    """Count the rated matches of each of these people in which somebody else played who is not the user."""
    theirs = RatingChange.objects.filter(user__in=people, at__gt=since)
    others = RatingChange.objects.filter(match=OuterRef("match")).exclude(user__in=[*people, user])
    return Counter(theirs.filter(Exists(others)).values_list("user", flat=True))


def aborts_of(user: int, since: datetime) -> Aborts:
    """Return how often somebody aborted rated matches, and how often they did not."""
    ended = list(Abort.objects.filter(user=user, at__gt=since).values_list("alone", "above", "behind"))
    stronger = sum(alone and above >= patterns.STRONGER for alone, above, _ in ended)
    agreed = [behind for alone, _, behind in ended if not alone and behind is not None]
    gaps = _gaps(user, since)
    return Aborts(
        dodged_stronger=stronger,
        dodged_others=sum(alone for alone, _, _ in ended) - stronger,
        played_stronger=sum(gap >= patterns.STRONGER for gap in gaps),
        played_others=sum(gap < patterns.STRONGER for gap in gaps),
        behind=sum(agreed),
        unequal=len(agreed),
    )


def _gaps(user: int, since: datetime) -> list[int]:
    """Return the rating of the strongest opponent less that of the user, for each of their rated matches."""
    own = RatingChange.objects.filter(user=user, at__gt=since)
    gaps = []
    for rows in _by_match(own.values("match")):
        mine = next(row["before"] for row in rows if row["user"] == user)
        gaps.append(max(row["before"] for row in rows if row["user"] != user) - mine)
    return gaps
