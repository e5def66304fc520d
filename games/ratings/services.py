"""Applies each finished match to the ratings, inside the transaction that ends it, and recomputes all from scratch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

from django.conf import settings
from django.db import connection
from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from games.engine import elo
from games.engine.elo import START
from games.play.models import Match, Seat, enough_acted
from games.play.store import writing
from games.ratings.models import RATED, Basis, Rating, RatingChange, SoloBest


def on_match_over(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Apply a finished match to ratings and best solo results (`games.play.signals.match_over`)."""
    if is_rated(match, seats):
        rate(match, seats)
    if len(seats) == 1:
        keep_best(match, seats[0])


def is_rated(match: Match, seats: Sequence[Seat]) -> bool:
    """Return whether a match counts: finished, rated, a person on each of its seats, and enough of them acted."""
    people = all(seat.user_id is not None for seat in seats)
    return match.is_over and match.rated and len(seats) > 1 and people and enough_acted(seats)


def rate(match: Match, seats: Sequence[Seat]) -> tuple[RatingChange, ...]:
    """Apply a match that counts to the ratings of its players, inside a transaction.

    Returns the changes in the order of seats, or nothing if they have been applied before.
    """
    pool = {"game": match.game, "speed": match.speed}
    people = sorted(seat.user_id for seat in seats if seat.user_id is not None)
    # Somebody who had met only one person may now become an opponent that counts for that person.
    met_one = Rating.objects.filter(user__in=people, met=OTHERS - 1, **pool).values_list("user", flat=True)
    known_to_one = {row["user"] for user in met_one for row in _others(user, **pool)}
    Rating.objects.bulk_create([Rating(user_id=user, **pool) for user in people], ignore_conflicts=True)
    # Locked in the order of ids, so that two matches of the same people cannot wait for each other.
    locked = Rating.objects.select_for_update().filter(user__in={*people, *known_to_one}, **pool).order_by("user_id")
    ratings = {row.user_id: row for row in locked}
    if RatingChange.objects.filter(match=match).exists():
        return ()
    rows = [ratings[seat.user_id] for seat in seats if seat.user_id is not None]
    changes = compute(match, seats, [(row.rating, row.games) for row in rows])
    for row, change in zip(rows, changes, strict=True):
        row.rating, row.games, row.updated = change.after, row.games + 1, change.at
    RatingChange.objects.bulk_create(changes)
    for row in rows:
        row.met = _met(row)
    Rating.objects.bulk_update(rows, ["rating", "games", "updated", "met"])
    for row in ratings.values():
        row.opponents = _opponents(row)
    Rating.objects.bulk_update(ratings.values(), ["opponents"])
    return tuple(changes)


OTHERS = 2
"""How many different people somebody must have met in a pool to count as an opponent there."""


def _met(rating: Rating) -> int:
    """Return how many different people somebody has met in a pool; beyond what is asked for they are not counted."""
    if rating.met >= max(settings.LEADERBOARD_OPPONENTS, OTHERS):
        return rating.met
    return int(_others(rating.user_id, rating.game, rating.speed).distinct().count())


def _opponents(rating: Rating) -> int:
    """Return how many of them count as opponents, up to the number that the leaderboards ask for.

    Accounts made to lose to one person therefore do not bring that person onto a leaderboard.
    """
    if rating.opponents >= settings.LEADERBOARD_OPPONENTS:
        return rating.opponents
    others = _others(rating.user_id, rating.game, rating.speed)
    return Rating.objects.filter(user__in=others, game=rating.game, speed=rating.speed, met__gte=OTHERS).count()


def _others(user_id: int, game: str, speed: str) -> Any:
    mine = RatingChange.objects.filter(user=user_id, game=game, speed=speed)
    others = RatingChange.objects.filter(match__in=mine.values("match")).exclude(user=user_id)
    return others.exclude(user=None).order_by().values("user")


def compute(match: Match, seats: Sequence[Seat], before: Sequence[tuple[int, int]]) -> list[RatingChange]:
    """Return the changes that a match makes, unsaved and in the order of seats.

    Args:
        match: over, with places on its seats.
        seats: in the order of numbers.
        before: rating in thousandths and number of rated matches of each seat, before the match.
    """
    players = [elo.Rated(*each) for each in before]
    gains = elo.changes(players, [seat.place or 0 for seat in seats])
    return [
        RatingChange(
            match=match,
            user_id=seat.user_id,
            seat=seat.number,
            game=match.game,
            speed=match.speed,
            before=player.rating,
            after=player.rating + gain,
            games_before=player.games,
            place=seat.place or 0,
            at=match.ended_at or timezone.now(),
        )
        for seat, player, gain in zip(seats, players, gains, strict=True)
    ]


def keep_best(match: Match, seat: Seat) -> None:
    """Store the result of a public solo match if it is better than the player's best so far."""
    if seat.user_id is None or seat.solo_rank is None or match.visibility != Match.Visibility.PUBLIC:
        return
    at = match.ended_at or timezone.now()
    best, made = SoloBest.objects.select_for_update().get_or_create(
        user_id=seat.user_id, game=match.game, defaults={"match": match, "rank": seat.solo_rank, "at": at}
    )
    if not made and seat.solo_rank > best.rank:
        best.match, best.rank, best.at = match, seat.solo_rank, at
        best.save(update_fields=["match", "rank", "at"])


def merge_bests(guest: Any, user: Any, **_: Any) -> None:
    """Let the account that claims a guest keep the better solo result in each game, its own of equals."""
    for best in SoloBest.objects.filter(user=guest):
        SoloBest.objects.filter(user=user, game=best.game, rank__lt=best.rank).delete()


RatingKey: TypeAlias = tuple[int | None, str, str]
"""A user's id, a game and a speed."""


def ratings_beside(matches: Collection[Match]) -> Mapping[RatingKey, str]:
    """Return the ratings, as shown, of everybody in these matches who has one, in one query.

    Args:
        matches: with their seats prefetched.
    """
    people = {seat.user_id for match in matches for seat in match.seats.all() if seat.user_id is not None}
    if not people:
        return {}
    pools = {(match.game, match.speed) for match in matches}
    games, speeds = ({pool[part] for pool in pools} for part in (0, 1))
    rows = Rating.objects.filter(user__in=people, game__in=games, speed__in=speeds, games__gt=0)
    return {(row.user_id, row.game, row.speed): row.shown for row in rows}


# --- recomputed from all finished matches -----------------------------------------------------------------------------

Key: TypeAlias = tuple[int, str, str]
"""User, game, speed."""

FIELDS = ("user_id", "game", "speed", "before", "after", "games_before", "place")
CHUNK = 500


@dataclass(slots=True)
class Ledger:
    """All ratings (in thousandths, with numbers of rated matches) while the history is replayed."""

    ratings: dict[Key, tuple[int, int]] = field(default_factory=dict)
    opponents: dict[Key, set[int]] = field(default_factory=lambda: defaultdict(set))
    latest: dict[Key, datetime] = field(default_factory=dict)

    def before(self, match: Match, user: int) -> tuple[int, int]:
        return self.ratings.get((user, match.game, match.speed), (START, 0))

    def apply(self, change: RatingChange) -> None:
        if change.user_id is not None:
            key = (change.user_id, change.game, change.speed)
            self.ratings[key] = (change.after, change.games_before + 1)
            self.latest[key] = change.at

    def counting_opponents(self, key: Key) -> int:
        """Return how many people somebody has met who have met somebody else, too."""
        _user, game, speed = key
        return sum(len(self.opponents[other, game, speed]) >= OTHERS for other in self.opponents[key])

    def meet(self, changes: Iterable[RatingChange]) -> None:
        """Store who met whom in a match."""
        people = {change.user_id: change for change in changes if change.user_id is not None}
        for user, change in people.items():
            self.opponents[user, change.game, change.speed] |= people.keys() - {user}


def rated_matches() -> QuerySet[Match]:
    """Return the finished matches that count, in the order in which they were applied, the others last by their end.

    That order is settled under the lock of the ratings, while two matches of one person may end in the same moment.
    A match for three or more to which somebody did not come, and one with a deleted account, counts only if it was
    applied, even if moderators have annulled it meanwhile.
    """
    applied_first = F("first_change").asc(nulls_last=True)
    return _counting().annotate(first_change=Min("rating_changes__id")).order_by(applied_first, "ended_at", "pk")


def _counting() -> QuerySet[Match]:
    strangers = Seat.objects.filter(match=OuterRef("pk"), user=None)
    idle = Seat.objects.filter(match=OuterRef("pk"), acted=False)
    applied = RatingChange.objects.filter(match=OuterRef("pk"))
    annulled = Basis.objects.filter(match=OuterRef("pk"))
    was_rated = Exists(applied) | Exists(annulled)
    came = ~Exists(idle) | (Q(seat_count__gt=2) & was_rated)
    return Match.objects.filter(RATED).filter(came, was_rated | ~Exists(strangers))


@contextmanager
def holding_still() -> Iterator[None]:
    """Make matches that end wait, so that matches and ratings are read at one moment."""
    with writing():
        if connection.vendor == "postgresql":  # SQLite has only one writer anyway
            with connection.cursor() as cursor:
                cursor.execute("LOCK TABLE ratings_rating, ratings_ratingchange IN SHARE ROW EXCLUSIVE MODE")
        yield


def first_difference() -> str | None:
    """Return the first difference between the stored ratings and the recomputed ones, None if there is none."""
    with holding_still():
        ledger = Ledger()
        return _first_wrong_change(ledger) or _unexplained() or _first_wrong_rating(ledger)


def _first_wrong_change(ledger: Ledger) -> str | None:
    """Replay all matches, leaving the final ratings in the ledger."""
    matches = rated_matches().prefetch_related("seats", "rating_changes")
    for match in matches.iterator(chunk_size=CHUNK):
        stored = {change.seat: change for change in match.rating_changes.all()}
        for change in _computed(match, ledger, stored):
            if (difference := _compare(match, change, stored.pop(change.seat, None))) is not None:
                return difference
            ledger.apply(change)
        if stored:
            return f"match {match.slug}: a change for seat {min(stored)}, which is not rated"
    return None


def recompute(**pool: str) -> int:
    """Rewrite changes and ratings from the matches in the order of ending; return how many matches count.

    Args:
        pool: `game` and `speed`; without them all pools are rewritten.
    """
    with holding_still():
        ledger, changes, matches = Ledger(), [], 0
        by_end = rated_matches().order_by("ended_at", "pk").prefetch_related("seats", "rating_changes")
        for match in by_end.filter(**pool).iterator(chunk_size=CHUNK):
            stored = {change.seat: change for change in match.rating_changes.all()}
            computed = _computed(match, ledger, stored)
            for change in computed:
                ledger.apply(change)
            ledger.meet(computed)
            changes += computed
            matches += 1
        RatingChange.objects.filter(**pool).delete()
        RatingChange.objects.bulk_create(changes, batch_size=CHUNK)
        _rewrite(ledger, Rating.objects.filter(**pool))
    return matches


def _computed(match: Match, ledger: Ledger, stored: dict[int, RatingChange]) -> list[RatingChange]:
    """Return the changes that a match makes; for deleted accounts, from what is stored of their ratings before it."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    before = []
    for seat in seats:
        if seat.user_id is not None:
            before.append(ledger.before(match, seat.user_id))
        else:
            kept = stored.get(seat.number) or Basis.objects.filter(match=match, seat=seat.number).first()
            before.append((kept.before, kept.games_before) if kept else (START, 0))
    return compute(match, seats, before)


def _compare(match: Match, computed: RatingChange, stored: RatingChange | None) -> str | None:
    where = f"match {match.slug}, seat {computed.seat}"
    if stored is None:
        return f"{where}: no change is stored, {computed.before} -> {computed.after} is right"
    for name in FIELDS:
        ours, theirs = getattr(computed, name), getattr(stored, name)
        if ours != theirs:
            return f"{where}, {name}: {theirs} is stored, {ours} is right"
    return None


def _unexplained() -> str | None:
    """Return which match has a stored change though it does not count, None if there is none."""
    stray = RatingChange.objects.exclude(match__in=_counting()).select_related("match").first()
    return None if stray is None else f"match {stray.match.slug}: a change is stored, but the match is not rated"


def _first_wrong_rating(ledger: Ledger) -> str | None:
    stored = {(row.user_id, row.game, row.speed): (row.rating, row.games) for row in Rating.objects.all()}
    for key in sorted(stored.keys() | ledger.ratings.keys()):
        ours, theirs = ledger.ratings.get(key, (START, 0)), stored.get(key, (START, 0))
        if ours != theirs:
            user, game, speed = key
            return f"rating of user {user} in {game} {speed}: {theirs} is stored, {ours} is right (rating, matches)"
    return None


def _rewrite(ledger: Ledger, ratings: QuerySet[Rating]) -> None:
    """Set these ratings to those in the ledger; ratings without a match go back to the start."""
    have = {(row.user_id, row.game, row.speed): row for row in ratings.select_for_update().order_by("user_id")}
    missing = ledger.ratings.keys() - have.keys()
    have |= {key: Rating(user_id=key[0], game=key[1], speed=key[2]) for key in missing}
    for key, row in have.items():
        row.rating, row.games = ledger.ratings.get(key, (START, 0))
        row.met, row.opponents = len(ledger.opponents[key]), ledger.counting_opponents(key)
        row.updated = ledger.latest.get(key, row.updated)
    fields = ["rating", "games", "met", "opponents", "updated"]
    Rating.objects.bulk_update([row for row in have.values() if row.pk], fields, batch_size=CHUNK)
    Rating.objects.bulk_create([row for row in have.values() if not row.pk], batch_size=CHUNK)


def count_changes() -> tuple[int, int]:
    """Return how many rated matches and changes are stored."""
    numbers = RatingChange.objects.aggregate(matches=Count("match", distinct=True), changes=Count("id"))
    return numbers["matches"], numbers["changes"]


def on_match_ruled(match: Match, **_: Any) -> None:
    """Recompute the pool of a match that moderators have decided (`games.play.signals.match_ruled`)."""
    if not match.rated:
        return
    if not match.is_over:  # what it was rated from is kept, as its changes go
        for change in match.rating_changes.all():
            known = {"before": change.before, "games_before": change.games_before}
            Basis.objects.update_or_create(match=match, seat=change.seat, defaults=known)
    recompute(game=match.game, speed=match.speed)
