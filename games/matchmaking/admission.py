"""Checks of who may sit down at an open table and who may change it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from accounts import blocks, friends
from games.engine.protocol import RuleViolation
from games.matchmaking.requirements import check_meets
from games.play.models import Match, Seat


def check_may_sit(match: Match, seats: list[Seat], user: Any) -> None:
    """Check that a player may sit down.

    Args:
        match: locked.
        seats: those taken.
        user: the player who wants to sit down.

    Raises:
        RuleViolation: "table-begun", "table-closed", "removed", "invited-only", "table-full", "guest-rated" for a guest
            at a rated table, or as `requirements.check_meets` for somebody who is not invited.
    """
    check_open(match)
    if match.rated and user.guest:
        raise RuleViolation("guest-rated", guest_rated_in_words())
    if match.removals.filter(user=user).exists():
        raise RuleViolation("removed", removed_in_words())
    invited = match.invitations.filter(user=user).exists()
    if not invited and not is_open_to(match, user):
        raise invited_only()
    if len(seats) >= match.seat_count:
        raise RuleViolation("table-full", _("All seats at this table are taken."))
    if not invited:
        check_meets(match, user)


def guest_rated_in_words() -> str:
    """Return the message for a guest at a rated table."""
    return _("This match is rated, and guests play casual matches. Register to play it; you keep your matches.")


def removed_in_words() -> str:
    """Return the message for a player whom the host has removed."""
    return _("The host removed you from this table. You can sit down again if the host invites you.")


def is_for_invited_only(match: Match) -> bool:
    """Return whether seats are kept for invited players: at private tables, and at a rematch for those who played."""
    return match.visibility == Match.Visibility.PRIVATE or match.previous_id is not None


def is_open_to(match: Match, user: Any) -> bool:
    """Return whether somebody may sit down without an invitation."""
    if is_for_invited_only(match):
        return False
    return match.visibility != Match.Visibility.FRIENDS or friends.are_friends(match.host, user)


def is_kept_apart(match: Match, seats: Iterable[Seat], user: Any) -> bool:
    """Return whether somebody and one of those at a table are to be kept apart."""
    return blocks.is_blocked_with_any(user, {match.host_id, *(seat.user_id for seat in seats)})


def invited_only() -> RuleViolation:
    """Return the refusal of a table for others; whoever is kept away by a block is told the same."""
    return RuleViolation("invited-only", _("Only invited players can sit down at this table."))


def check_open(match: Match) -> None:
    """Refuse anything that is only possible before the match begins: "table-closed" or "table-begun"."""
    if match.status == Match.Status.CLOSED:
        raise closed()
    if not match.is_open:
        raise RuleViolation("table-begun", _("This match has already begun."))


def closed() -> RuleViolation:
    """Return the refusal of a closed table."""
    return RuleViolation("table-closed", _("This table has been closed."))


def check_host(match: Match, user: Any) -> None:
    """Refuse anything that only the host of an open table may do: "table-closed", "table-begun" or "not-host"."""
    check_open(match)
    if match.host_id != user.pk:
        raise RuleViolation("not-host", _("Only the host of this table can do that."))


def seat_of(user: Any, seats: Iterable[Seat]) -> Seat | None:
    """Return this user's seat, None if they have none."""
    return next((seat for seat in seats if seat.user_id == user.pk), None)


def own_seat(user: Any, seats: Iterable[Seat]) -> Seat:
    """Return this user's seat.

    Raises:
        RuleViolation: "not-seated".
    """
    seat = seat_of(user, seats)
    if seat is None:
        raise RuleViolation("not-seated", _("You are not sitting at this table."))
    return seat


def check_may_invite(user: Any, people: Iterable[Any]) -> None:
    """Refuse invitations by name from guests: "guest-invites". They can share the link to their table."""
    if user.guest and any(True for _person in people):
        raise RuleViolation(
            "guest-invites", _("Guests can't invite players by name. Share the link to your table, or register.")
        )
