"""A user's matches, those waiting for them first: loaded, and as the page shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from games.matchmaking.entries import Entry, Listing, entry
from games.matchmaking.lobby import seated_and_invited, with_people
from games.matchmaking.models import Invitation
from games.play.boards.faces import Face, face_of
from games.play.boards.thumbnails import thumbnails
from games.play.models import Match, Seat
from games.ratings.services import ratings_beside

RECENT = 10


@dataclass(frozen=True, slots=True)
class Mine:
    """The lists of the page "My matches".

    Args:
        waiting: it is the user's turn; the longest waiting first.
        running: it is somebody else's turn, the latest action first.
        seated, invited: open tables at which they sit, and to which they are invited.
        recent: ended, the latest first, at most `RECENT`.
    """

    waiting: list[Match]
    running: list[Match]
    seated: list[Match]
    invited: list[Match]
    recent: list[Match]


def matches_of(user: Any) -> Mine:
    """Return a user's matches."""
    own = with_people(Match.objects.of(user))
    waiting = list(with_people(Match.objects.waiting_for(user)))
    running = own.filter(status=Match.Status.RUNNING).exclude(pk__in=[match.pk for match in waiting])
    ended = own.filter(status__in=[Match.Status.OVER, Match.Status.ABORTED])
    seated, invited = seated_and_invited(user)
    return Mine(
        waiting=waiting,
        running=list(running.order_by("-moved_at", "-pk")),
        seated=seated,
        invited=invited,
        recent=list(ended.order_by("-ended_at", "-pk")[:RECENT]),
    )


def listings_of(user: Any, mine: Mine) -> Mapping[str, Listing]:
    """Return the lists as the page shows them, by the name of the list."""
    lists = {field.name: getattr(mine, field.name) for field in fields(mine)}
    everything = [match for matches in lists.values() for match in matches]
    shared = {"user": user, "ratings": ratings_beside(everything), "pictures": thumbnails(everything)}
    return {
        name: Listing([_entry(match, {**shared, "list": name}) for match in matches]) for name, matches in lists.items()
    }


def _entry(match: Match, shared: Mapping[str, Any]) -> Entry:
    user, waiting = shared["user"], shared["list"] == "waiting"
    picture = shared["pictures"].get(match.pk, "")
    context = {**shared, "match": match, "picture": picture, "face": _face(match, user)}
    name = f"my-{shared['list']}-{match.slug}"
    return entry(name, "matchmaking/mine_row.jinja", 0, context, f"card match-row{' accent' * waiting}")


def _face(match: Match, user: Any) -> Face | None:
    """Return what the user's own clock shows, if it is running."""
    own: Seat | None = next((seat for seat in match.seats.all() if seat.user_id == user.pk), None)
    return face_of(match, own) if own is not None and own.to_move else None


def versions_of(user: Any) -> dict[int, int]:
    """Return what tells whether anything may have changed in these lists, in one query."""
    begun = [Match.Status.OPEN, Match.Status.RUNNING]
    seats = Seat.objects.filter(user=user).values("match")
    invited = Match.objects.filter(pk__in=Invitation.objects.answerable().filter(user=user).values("match"))
    own = Match.objects.filter(pk__in=seats, status__in=begun)
    return dict(own.values_list("pk", "version").union(invited.values_list("pk", "version")))
