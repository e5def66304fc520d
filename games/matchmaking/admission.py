"""Checks of who may sit down at an open table and who may change it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from accounts import relations
from accounts.sanctions import refusal_to_play
from games.engine.protocol import RuleViolation
from games.matchmaking import promises
from games.matchmaking.kept import check_open_seat
from games.matchmaking.requirements import check_meets
from games.play.models import Match, Seat


def check_may_sit(match: Match, taken: int, user: Any) -> None:
    """Check that a player may sit down; who said they come to a planned table always may.

    Args:
        match: locked.
        taken: how many seats.
        user: the player who wants to sit down.

    Raises:
        RuleViolation: "table-begun", "table-closed", "table-planned" before it opens, "suspended", "removed",
            "invited-only", "invitation-expired", "table-full", "seats-kept" for others, "guest-rated" for a guest at a
            rated table, or as `kept.check_open_seat` and `requirements.check_meets` for somebody who is not invited.
    """
    check_open(match)
    check_may_play(user)
    if promises.is_coming(match, user):
        return
    _check_admitted(match, taken, user)
    if taken + promises.count(match) >= match.seat_count:
        raise RuleViolation("seats-kept", _("The free seats are kept for players who said they come."))


def check_may_come(match: Match, user: Any) -> None:
    """Check that a player may have a seat at a planned table kept for them.

    Raises:
        RuleViolation: "guest-plans", and as `check_may_sit` and `check_kept_apart`.
    """
    check_registered(user)
    check_may_play(user)
    _check_admitted(match, promises.count(match), user)
    check_kept_apart(match, (), user)


def has_room_for(match: Match, user: Any) -> bool:
    """Return whether somebody who does not sit at a table could do so, or have a seat kept there."""
    seats = list(match.seats.all())
    if seat_of(user, seats) is not None or promises.is_coming(match, user) or is_kept_apart(match, seats, user):
        return False
    try:
        if match.is_planned:
            check_may_come(match, user)
        else:
            check_may_sit(match, len(seats), user)
    except RuleViolation:
        return False
    return True


def check_may_play(user: Any) -> None:
    """Refuse somebody whose account is suspended: "suspended"."""
    if user.held:
        check_may_still_play(user)


def check_may_still_play(user: Any) -> None:
    """Refuse, inside the transaction, somebody who is locked and was suspended a moment ago: "suspended".

    Their request began before, with what was stored of them then.
    """
    if refusal := refusal_to_play(user):
        raise RuleViolation("suspended", refusal)


def check_registered(user: Any) -> None:
    """Refuse guests at planned tables, "guest-plans": nobody could remind them."""
    if user.guest:
        raise RuleViolation("guest-plans", _("Planned tables are for registered players."))


def _check_admitted(match: Match, taken: int, user: Any) -> None:
    if match.rated and user.guest:
        raise RuleViolation("guest-rated", guest_rated_in_words())
    if match.removals.filter(user=user).exists():
        raise RuleViolation("removed", removed_in_words())
    invitation = match.invitations.filter(user=user, withheld=False).first()
    invited = invitation is not None and not invitation.has_expired
    if not invited and not is_open_to(match, user):
        raise RuleViolation("invitation-expired", expired_in_words()) if invitation else invited_only()
    if taken >= match.seat_count:
        raise RuleViolation("table-full", _("All seats at this table are taken."))
    if not invited:
        check_open_seat(match, user)
        check_meets(match, user)


def expired_in_words() -> str:
    """Return the message for a player whose invitation has expired."""
    return _("Your invitation has expired. Ask the host for a new one.")


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
    return match.visibility != Match.Visibility.FRIENDS or relations.are_friends(match.host, user)


def is_kept_apart(match: Match, seats: Iterable[Seat], user: Any) -> bool:
    """Return whether somebody and one of those at a table are to be kept apart."""
    return relations.is_blocked_with_any(user, _others(match, seats, user))


def check_kept_apart(match: Match, seats: Iterable[Seat], user: Any) -> None:
    """Refuse somebody who is to be kept apart from one of those at a table.

    Raises:
        RuleViolation: "blocked" for whoever has blocked them, by name; "invited-only", as strangers are told of a table
            for others, for whoever was blocked.
    """
    there = list(seats)
    if words := own_block_in_words(match, there, user):
        raise RuleViolation("blocked", words)
    if is_kept_apart(match, there, user):
        raise invited_only()


def own_block_in_words(match: Match, seats: Iterable[Seat], user: Any) -> str:
    """Return what somebody is told who has blocked one of those at a table, empty if they have not."""
    person = relations.blocked_among(user, _others(match, seats, user))
    text = _("You have blocked %(name)s, who is at this table. Unblock them if you want to play with them.")
    return text % {"name": person.shown_name} if person else ""


def _others(match: Match, seats: Iterable[Seat], user: Any) -> set[int | None]:
    return {match.host_id, *(seat.user_id for seat in seats), *promises.people(match)} - {user.pk}


def invited_only() -> RuleViolation:
    """Return the refusal of a table for others; whoever has been blocked is told the same."""
    return RuleViolation("invited-only", _("Only invited players can sit down at this table."))


def check_open(match: Match) -> None:
    """Refuse anything that is only possible at an open table: "table-closed", "table-begun" or "table-planned"."""
    if match.status == Match.Status.CLOSED:
        raise closed()
    if match.is_planned:
        raise RuleViolation("table-planned", _("This table is not open yet."))
    if not match.is_open:
        raise RuleViolation("table-begun", _("This match has already begun."))


def check_planned(match: Match) -> None:
    """Refuse anything that is only possible before a planned table opens: "table-open", and as `check_open`."""
    if match.is_planned:
        return
    check_open(match)
    raise RuleViolation("table-open", _("This table is open."))


def closed() -> RuleViolation:
    """Return the refusal of a closed table."""
    return RuleViolation("table-closed", _("This table has been closed."))


def check_host(match: Match, user: Any, also_planned: bool = False) -> None:
    """Refuse anything that only the host of an open table may do: as `check_open`, or "not-host".

    Args:
        match: locked.
        user: who asks.
        also_planned: whether the host of a planned table may do it too.
    """
    if not (also_planned and match.is_planned):
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
            "guest-invites", _("Guests can’t invite players by name. Share the link to your table, or register.")
        )
