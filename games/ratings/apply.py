"""Apply a finished match to ratings and best solo results, inside the transaction that ends it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone

from games.engine import elo
from games.play.models import Match, Seat, enough_acted
from games.ratings.models import Rating, RatingChange, SoloBest


def on_match_over(match: Match, seats: Sequence[Seat], **_: Any) -> None:
    """Receive a finished match (`games.play.signals.match_over`)."""
    if is_rated(match, seats):
        rate(match, seats)
    if len(seats) == 1:
        keep_best(match, seats[0])


def is_rated(match: Match, seats: Sequence[Seat]) -> bool:
    """Return whether a match counts: finished, rated, two or more seats, on each a person, and enough of them acted."""
    people = all(seat.user_id is not None for seat in seats)
    return match.is_over and match.rated and len(seats) > 1 and people and enough_acted(seats)


def rate(match: Match, seats: Sequence[Seat]) -> tuple[RatingChange, ...]:
    """Change the ratings of all players of a match that counts, once.

    Called inside a transaction. Returns the changes in the order of seats; nothing when they were applied before.
    """
    people = [seat.user_id for seat in seats if seat.user_id is not None]
    ratings = _locked(match, people, _known_to_one(match, people))
    if RatingChange.objects.filter(match=match).exists():
        return ()
    rows = [ratings[seat.user_id] for seat in seats]
    changes = compute(match, seats, [(row.rating, row.games) for row in rows])
    for row, change in zip(rows, changes, strict=True):
        row.rating, row.games, row.updated = change.after, row.games + 1, change.at
    RatingChange.objects.bulk_create(changes)
    for row in rows:
        row.met = _met(row)
    Rating.objects.bulk_update(rows, ["rating", "games", "updated", "met"])
    for row in ratings.values():  # for those who had met one of these people, that one may count only now
        row.opponents = _opponents(row)
    Rating.objects.bulk_update(ratings.values(), ["opponents"])
    return tuple(changes)


OTHERS = 2
"""Different people whom somebody has met in a pool when they count as an opponent there: one, and somebody else."""


def _met(rating: Rating) -> int:
    """Return how many different people somebody has met in a pool, counting no further than anybody asks."""
    if rating.met >= max(settings.LEADERBOARD_OPPONENTS, OTHERS):
        return rating.met
    return int(_others(rating.user_id, rating.game, rating.speed).distinct().count())


def _opponents(rating: Rating) -> int:
    """Return how many of them have met others, too, counting no further than the leaderboards want.

    Accounts made to lose to one person make nobody's rating worth listing.
    """
    if rating.opponents >= settings.LEADERBOARD_OPPONENTS:
        return rating.opponents
    others = _others(rating.user_id, rating.game, rating.speed)
    return Rating.objects.filter(user__in=others, game=rating.game, speed=rating.speed, met__gte=OTHERS).count()


def _others(user_id: int, game: str, speed: str) -> Any:
    mine = RatingChange.objects.filter(user=user_id, game=game, speed=speed)
    others = RatingChange.objects.filter(match__in=mine.values("match")).exclude(user=user_id)
    return others.exclude(user=None).order_by().values("user")


def _known_to_one(match: Match, people: Collection[int]) -> set[int]:
    """Return whom those of these people have met who had met one person only, and now meet somebody else."""
    pool = {"game": match.game, "speed": match.speed}
    once = Rating.objects.filter(user__in=people, met=OTHERS - 1, **pool).values_list("user", flat=True)
    return {row["user"] for user in once for row in _others(user, **pool)}


def compute(match: Match, seats: Sequence[Seat], before: Sequence[tuple[int, int]]) -> list[RatingChange]:
    """Return the changes a match makes, unsaved and in the order of seats.

    Args:
        match: over, with places on its seats.
        seats: in the order of numbers.
        before: rating in thousandths and number of rated matches of each seat, before the match.
    """
    players = [elo.Rated(*standing) for standing in before]
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


def _locked(match: Match, users: Iterable[int], beside: Collection[int]) -> dict[int | None, Rating]:
    """Return the people's ratings in the match's pool, made where missing and locked in the order of user ids.

    So are those of others `beside` them who have one.

    The fixed order keeps two matches with the same people, ending at once, from waiting for each other.
    """
    pool = {"game": match.game, "speed": match.speed}
    order = sorted(users)
    Rating.objects.bulk_create([Rating(user_id=user, **pool) for user in order], ignore_conflicts=True)
    rows = Rating.objects.select_for_update().filter(user__in={*order, *beside}, **pool).order_by("user_id")
    return {row.user_id: row for row in rows}


def keep_best(match: Match, seat: Seat) -> None:
    """Keep the result of a public solo match if it is the player's best; the first of equals stays."""
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
    """Let the account keep the better of two solo results in each game (`guest_claimed`); its own of equals."""
    for best in SoloBest.objects.filter(user=guest):
        SoloBest.objects.filter(user=user, game=best.game, rank__lt=best.rank).delete()
