"""Seats that a host keeps for friends at a table where everybody can sit down.

They are for friends of the host and for whoever is invited; everybody else takes one of the other seats. Friends take
those, too, once the kept ones are taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from accounts import relations
from accounts.models import Friendship
from games.engine.protocol import RuleViolation
from games.matchmaking import promises
from games.matchmaking.models import Invitation
from games.play.models import Match, Seat

OTHERS = 2
"""So many seats at least are not kept for friends: the host's, and one for somebody else."""


def check_kept(count: int, seats: int) -> None:
    """Refuse to keep so many of the seats of a table: "kept"."""
    if count < 0 or (count and count > seats - OTHERS):
        text = _("Leave at least one seat for others, or choose a table for friends alone.")
        raise RuleViolation("kept", text)


def check_open_seat(match: Match, user: Any) -> None:
    """Refuse whoever is not invited and no friend of the host when all free seats are kept: "seats-for-friends"."""
    if not has_open_seat(match) and not relations.are_friends(match.host, user):
        raise RuleViolation("seats-for-friends", _("The free seats are kept for friends of the host."))


def has_open_seat(match: Match) -> bool:
    """Return whether not all the seats are taken that are for everybody."""
    return not match.kept or _taken_by_others(match) < match.seat_count - match.kept


def still_kept(match: Match, taken: int) -> int:
    """Return how many of the free seats of a table are kept for friends.

    Args:
        match: open or planned.
        taken: how many seats are taken, or promised.
    """
    if not match.kept:
        return 0
    free = match.seat_count - taken
    return free - min(free, max(0, match.seat_count - match.kept - _taken_by_others(match)))


def _taken_by_others(match: Match) -> int:
    """Return how many seats are taken by the host, bots and people for whom none is kept."""
    there = [*match.seats.values_list("user", flat=True), *promises.people(match)]
    return len(there) - len(_close(match, [key for key in there if key is not None]))


def _close(match: Match, keys: Collection[int]) -> set[int]:
    """Return which of these people are friends of the host, or invited."""
    known = relations.friends_of(match.host).filter(pk__in=keys).values_list("pk", flat=True)
    invited = match.invitations.filter(user__in=keys).exclude(user=match.host_id).values_list("user", flat=True)
    return {*known, *invited}


def _is_close() -> Q:
    """Return the condition that who sits on a seat is a friend of the host, or invited."""
    one = Q(asker=OuterRef("match__host"), asked=OuterRef("user"))
    other = Q(asked=OuterRef("match__host"), asker=OuterRef("user"))
    known = Friendship.objects.filter(one | other, state=Friendship.State.FRIENDS)
    return Q(Exists(known)) | Q(Exists(Invitation.objects.filter(match=OuterRef("match"), user=OuterRef("user"))))


def closed_to_strangers(invited: Iterable[int], close: Iterable[int]) -> Q:
    """Return the condition on tables whose free seats are all kept for others than a reader.

    Args:
        invited: the tables to which the reader is invited.
        close: the reader's friends.
    """
    there = Seat.objects.filter(match=OuterRef("pk")).exclude(_is_close()).order_by().values("match")
    others = Coalesce(Subquery(there.annotate(count=Count("pk")).values("count")), 0)
    full = Q(kept__gt=0, seat_count__lte=others + F("kept"))
    return full & ~Q(pk__in=invited) & ~Q(host__in=close)
