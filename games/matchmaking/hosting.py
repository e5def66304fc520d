"""What the host of an open table can do besides starting and closing it: remove and invite players, make it casual."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.utils.translation import gettext as _

from accounts.names import name_key
from games.engine.protocol import RuleViolation
from games.matchmaking import promises, seating
from games.matchmaking.admission import check_host, check_may_invite
from games.matchmaking.invitations import invite as invite_to
from games.matchmaking.models import Removal
from games.play.matches.locking import lock
from games.play.matches.transactions import writing
from games.play.models import Match, Seat


def remove(match_id: int, host: Any, name: str) -> None:
    """Remove another player from the table and keep them away until the host invites them.

    From a planned table somebody is removed who said they come.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", or "not-there" if nobody else of that name is.
    """

    def take_seat(match: Match, seats: list[Seat]) -> bool:
        if not _turn_away(match, host, name):
            removed = _other(seats, host, name)
            Removal.objects.get_or_create(match=match, user=removed.user)
            seating.vacate(removed, seats)
        return True

    _as_host(match_id, host, take_seat)


def _turn_away(match: Match, host: Any, name: str) -> bool:
    """Keep no seat for somebody who said they come to a planned table; return whether there was anybody."""
    others = match.promises.exclude(user=host).select_related("user")
    found = others.filter(user__name_key=name_key(name)).first()
    if found is not None:
        Removal.objects.get_or_create(match=match, user=found.user)
        promises.end(match, [found.user])
    return found is not None


def _other(seats: list[Seat], host: Any, name: str) -> Seat:
    for seat in seats:
        if seat.user is not None and seat.user_id != host.pk and seat.user.name_key == name_key(name):
            return seat
    raise RuleViolation("not-there", _("This player is not sitting at the table."))


def invite(match_id: int, host: Any, people: Iterable[Any]) -> None:
    """Invite more players to a table; those who were removed from it may sit down again.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", "guest-invites", or as `invitations.invite`.
    """
    asked = list(people)
    check_may_invite(host, asked)

    def ask(match: Match, _seats: list[Seat]) -> bool:
        admitted, _rows = Removal.objects.filter(match=match, user__in=asked).delete()
        return invite_to(match, asked, by=host) or bool(admitted)

    _as_host(match_id, host, ask)


def make_casual(match_id: int, host: Any) -> None:
    """Make the match of an open table casual.

    Raises:
        RuleViolation: "table-begun", "table-closed" or "not-host".
    """

    def unrate(match: Match, _seats: list[Seat]) -> bool:
        was, match.rated = match.rated, False
        match.save(update_fields=["rated"])
        return was

    _as_host(match_id, host, unrate)


def open_kept(match_id: int, host: Any) -> None:
    """Let everybody take the seats that were kept for friends.

    Raises:
        RuleViolation: "table-begun", "table-closed" or "not-host".
    """

    def release(match: Match, _seats: list[Seat]) -> bool:
        were, match.kept = match.kept, 0  # stored with the rest of the table
        return bool(were)

    _as_host(match_id, host, release)


def _as_host(match_id: int, host: Any, change: Callable[[Match, list[Seat]], bool]) -> None:
    """Lock a table, change it if this user may, and announce it if `change` says that anything is different."""
    with writing():
        locked = lock(match_id)
        check_host(locked.match, host, also_planned=True)
        if change(locked.match, locked.seats):
            seating.changed(locked.match)
