"""Somebody's people: friends, requests, whom they follow and whom they blocked; who is here, and what they play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from accounts import presence, relations
from accounts.models import User
from games.matchmaking import stale
from games.matchmaking.lobby import with_people
from games.matchmaking.requirements import could_sit, reader_of
from games.play.models import Match, MatchQuerySet, Seat, Speed
from games.titles import Title, titles


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody as another sees them.

    Args:
        person: who it is.
        online: is here and shows it.
        looking: looks for a game; only friends see it.
        match: a live match of theirs that can be watched now.
        table: an open table of theirs with a free seat that the reader could join.
    """

    person: User
    online: bool = False
    looking: bool = False
    match: Match | None = None
    table: Match | None = None


@dataclass(frozen=True, slots=True)
class Company:
    """All people of one person; each list as the page shows it."""

    friends: Sequence[Companion]
    asking: Sequence[User]
    asked: Sequence[User]
    followed: Sequence[Companion]
    blocked: Sequence[User]


def company_of(reader: Any) -> Company:
    """Return the people of somebody, those who are here first."""
    close, followed = list(relations.friends_of(reader)), list(relations.followed_by(reader))
    apart = relations.blocked_with(reader)
    seen = seen_by(reader, [person for person in (*close, *followed) if person.pk not in apart])
    known = {person.pk for person in close}
    return Company(
        friends=_in_order(seen[person.pk] for person in close),
        asking=list(relations.requests_to(reader)),
        asked=list(relations.requests_by(reader)),
        followed=_in_order(seen.get(person.pk, Companion(person)) for person in followed if person.pk not in known),
        blocked=list(relations.blocked_by(reader)),
    )


def _in_order(people: Iterable[Companion]) -> list[Companion]:
    return sorted(people, key=lambda it: (not it.online, it.person.name_key))


def seen_by(reader: Any, people: Collection[User]) -> Mapping[int, Companion]:
    """Return people as the reader sees them, by key."""
    keys = {person.pk for person in people}
    close = set(relations.friends_of(reader).values_list("pk", flat=True))
    here = presence.here_for(reader, keys)
    tables = _by_person(open_to(reader, keys), keys)
    watched = _by_person(with_people(_live().filter(_visible(reader), seats__user__in=here).distinct()), here)
    return {
        person.pk: Companion(
            person,
            online=person.pk in here,
            looking=person.pk in close and presence.is_looking(person),
            match=watched.get(person.pk),
            table=tables.get(person.pk),
        )
        for person in people
    }


def _by_person(matches: Iterable[Match], keys: Collection[int]) -> dict[int, Match]:
    """Return the newest of the matches for each of these people."""
    found: dict[int, Match] = {}
    for match in sorted(matches, key=lambda it: it.pk):
        found.update({key: match for seat in match.seats.all() if (key := seat.user_id) is not None and key in keys})
    return found


def _live() -> MatchQuerySet:
    """Return the live matches of several that run."""
    return Match.objects.filter(status=Match.Status.RUNNING, speed=Speed.LIVE, seat_count__gt=1)


def _visible(reader: Any) -> Q:
    """Return the condition on matches that are listed for somebody: public ones, and those of friends for friends."""
    own_friends = relations.friends_of(reader).order_by().values("pk")
    return Q(visibility=Match.Visibility.PUBLIC) | Q(visibility=Match.Visibility.FRIENDS, host__in=own_friends)


def open_to(reader: Any, hosts_or_guests: Iterable[int]) -> list[Match]:
    """Return the open tables where these people sit and the reader could sit down, the newest first."""
    tables = stale.fresh_tables().filter(_visible(reader), previous=None, seats__user__in=set(hosts_or_guests))
    found = list(with_people(tables.distinct()).prefetch_related("promises").order_by("-created_at", "-pk"))
    if not found:
        return []
    seeker = reader_of(reader)
    return [match for match in found if could_sit(match, seeker)]


def tables_of_friends(reader: Any) -> list[Match]:
    """Return the open tables where friends sit, or people whom the reader follows."""
    close = relations.friends_of(reader).order_by().values_list("pk", flat=True)
    followed = relations.followed_by(reader).order_by().values_list("pk", flat=True)
    return open_to(reader, {*close, *followed})


# --- how many are here ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many people are here and show it.

    Args:
        online: with a page open within the last minute, guests included.
        by_game: of these, how many sit in live matches with others that run.
    """

    online: int
    by_game: Mapping[str, int]

    @property
    def playing(self) -> list[tuple[Title, int]]:
        """Return how many play each game that somebody plays."""
        return [(title, self.by_game[slug]) for slug, title in titles().items() if slug in self.by_game]


def crowd() -> Crowd:
    """Return how many people are here now and show it."""
    here = presence.counted()
    seats = Seat.objects.filter(user__in=here.values("user"), left=None, match__in=_live())
    people = seats.order_by().values_list("match__game", "user").distinct()
    return Crowd(here.count(), Counter(game for game, _user in people))
