"""A large archive made at once, for plans and measurements: rows as matches leave them, without playing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from accounts.models import User
from games.play.models import Match, Seat, Speed

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
BATCH = 5_000


def many_matches(number: int, people: int = 500, busy: int = 0, game: str = "shifting-stones") -> list[User]:
    """Store finished matches of two to four people; returns the people.

    Args:
        number: how many matches, one every ten minutes or so, some in the same moment.
        people: how many play them.
        busy: how many of them the first person plays.
        game: the slug.
    """
    chance = random.Random(7)  # test data
    users = _people(people)
    for start in range(0, number, BATCH):
        matches = [_match(index, chance, game) for index in range(start, min(start + BATCH, number))]
        Match.objects.bulk_create(matches)
        every = number // busy if busy else number + 1
        seats = [
            seat
            for index, match in enumerate(matches, start)
            for seat in _seats(match, chance, users, users[0] if index % every == every - 1 else None)
        ]
        Seat.objects.bulk_create(seats, batch_size=BATCH)
    return users


def _people(number: int) -> list[User]:
    names = [f"player{index}" for index in range(number)]
    return User.objects.bulk_create([User(username=name, name_key=name, skeleton=name, password="!") for name in names])


def _match(index: int, chance: random.Random, game: str) -> Match:
    ended = BEGIN + timedelta(minutes=10 * (index // 2))
    return Match(
        game=game,
        rules_version=1,
        seat_count=chance.choice((2, 2, 2, 3, 4)),
        speed=Speed.LIVE if chance.random() < 0.8 else Speed.DAYS,
        rated=chance.random() < 0.7,
        visibility=Match.Visibility.PUBLIC if chance.random() < 0.9 else Match.Visibility.PRIVATE,
        status=Match.Status.OVER,
        server_seed=bytes(32),
        commit="0" * 64,
        length=40,
        started_at=ended - timedelta(minutes=9),
        ended_at=ended,
    )


def _seats(match: Match, chance: random.Random, users: Sequence[User], first: User | None) -> list[Seat]:
    sitting = chance.sample(users[1:], match.seat_count)
    if first is not None:
        sitting[0] = first
    shared = chance.random() < 0.05
    places = [1, 1, *range(3, match.seat_count + 1)] if shared else list(range(1, match.seat_count + 1))
    chance.shuffle(places)
    return [
        Seat(match=match, number=number, user=user, place=place, score=20 - place, ended_at=match.ended_at)
        for number, (user, place) in enumerate(zip(sitting, places, strict=True))
    ]
