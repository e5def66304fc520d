"""The seats of a locked table: who may sit down, sitting down, getting up, and beginning when all are taken."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.db.models import F
from django.utils.translation import gettext as _

from accounts import relations
from accounts.models import User
from accounts.sanctions import refusal_to_play
from games.bots.conditions import check_bots_play
from games.clubs.membership import admits
from games.engine import fair
from games.engine.protocol import RuleViolation
from games.matchmaking import requirements
from games.matchmaking.limits import check_use, count_seat, is_expired, no_show_wait_in_words
from games.matchmaking.models import Use
from games.matchmaking.series import is_played_again, only_for_people, place_in_series
from games.play.commands import begin
from games.play.live import pubsub
from games.play.models import Level, Match, Seat, in_company
from games.play.reducer import positions


def check_open(match: Match) -> None:
    """Refuse anything that is only possible at an open table: "table-closed", "table-begun" or "table-planned"."""
    if match.status == Match.Status.CLOSED:
        raise table_is_closed()
    if match.is_planned:
        raise RuleViolation("table-planned", _("This table is not open yet."))
    if not match.is_open:
        raise RuleViolation("table-begun", _("This match has already begun."))


def check_planned(match: Match) -> None:
    """Refuse anything that is only possible before a planned table opens: "table-open", and as `check_open`."""
    if match.is_planned:
        return
    check_open(match)
    raise RuleViolation("table-open", _("This table is already open."))


def table_is_closed() -> RuleViolation:
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


# --- who may sit down -------------------------------------------------------------------------------------------------


def check_may_sit(match: Match, taken: int, user: Any) -> None:
    """Check that a player may sit down; those who said they would come to a planned table always may.

    Args:
        match: locked.
        taken: how many seats are taken.
        user: the player who wants to sit down.

    Raises:
        RuleViolation: "table-begun", "table-closed", "table-planned" before it opens, "suspended", "removed",
            "invited-only", "invitation-expired", "table-full", "seats-kept" for others, "guest-rated" for a guest at a
            rated table, or as `requirements.check_open_seat` and `check_meets` for somebody who is not invited.
    """
    check_open(match)
    check_may_play(user)
    if requirements.is_coming(match, user):
        return
    _check_admitted(match, taken, user)
    if taken + requirements.count_promises(match) >= match.seat_count:
        raise RuleViolation("seats-kept", _("The free seats are kept for players who said they would come."))


def check_may_come(match: Match, user: Any) -> None:
    """Check that a player may have a seat at a planned table kept for them.

    Raises:
        RuleViolation: "guest-plans", and as `check_may_sit`, `check_kept_apart` and `check_bots_play`.
    """
    check_registered(user)
    check_may_play(user)
    _check_admitted(match, requirements.count_promises(match), user)
    check_kept_apart(match, (), user)
    check_bots_play(match, [*User.objects.filter(pk__in=requirements.promised_to(match)), user])


def has_room_for(match: Match, user: Any) -> bool:
    """Return whether somebody who does not sit at a table could do so, or have a seat kept there."""
    seats = list(match.seats.select_related("user"))
    if seat_of(user, seats) is not None or requirements.is_coming(match, user) or is_kept_apart(match, seats, user):
        return False
    try:
        if match.is_planned:
            check_may_come(match, user)
        else:
            check_may_sit(match, len(seats), user)
            check_bots_play_with(match, seats, user)
    except RuleViolation:
        return False
    return True


def check_may_play(user: Any) -> None:
    """Refuse somebody whose account is suspended: "suspended"."""
    if user.held:
        check_may_still_play(user)


def check_may_still_play(user: Any) -> None:
    """Refuse, inside the transaction, somebody who was suspended since their request began: "suspended"."""
    if refusal := refusal_to_play(user):
        raise RuleViolation("suspended", refusal)


def check_registered(user: Any) -> None:
    """Refuse guests at planned tables, as nobody could remind them: "guest-plans"."""
    if user.guest:
        raise RuleViolation("guest-plans", _("Planned tables are for registered players."))


def _check_admitted(match: Match, taken: int, user: Any) -> None:
    if match.rated and user.guest:
        raise RuleViolation("guest-rated", guest_rated_in_words())
    if match.removals.filter(user=user).exists():
        text = _("The host removed you from this table. You can sit down again if the host invites you.")
        raise RuleViolation("removed", text)
    invitation = match.invitations.filter(user=user, withheld=False).first()
    invited = invitation is not None and not invitation.has_expired
    if not invited and not is_open_to(match, user):
        if invitation is None:
            raise invited_only()
        raise RuleViolation("invitation-expired", _("Your invitation has expired. Ask the host for a new one."))
    if taken >= match.seat_count:
        raise RuleViolation("table-full", _("All seats at this table are taken."))
    if not invited:
        requirements.check_open_seat(match, user)
        requirements.check_meets(match, user)


def guest_rated_in_words() -> str:
    """Return the message for a guest at a rated table."""
    return _("This match is rated, and guests play casual matches. Register to play it; you keep your matches.")


def is_open_to(match: Match, user: Any) -> bool:
    """Return whether somebody may sit down without an invitation, which a rematch always needs."""
    if match.visibility == Match.Visibility.PRIVATE or match.previous_id is not None:
        return False
    if match.visibility == Match.Visibility.CLUB:
        return admits(match, user)
    return match.visibility != Match.Visibility.FRIENDS or relations.are_friends(match.host, user)


def is_kept_apart(match: Match, seats: Iterable[Seat], user: Any) -> bool:
    """Return whether a block keeps somebody apart from one of those at a table."""
    return relations.is_blocked_with_any(user, _others(match, seats, user))


def check_kept_apart(match: Match, seats: Iterable[Seat], user: Any) -> None:
    """Refuse somebody whom a block keeps apart from one of those at a table.

    Raises:
        RuleViolation: "blocked", with the name, for the one who has blocked; "invited-only", as for any stranger, for
            the one who was blocked.
    """
    there = list(seats)
    if words := own_block_in_words(match, there, user):
        raise RuleViolation("blocked", words)
    if is_kept_apart(match, there, user):
        raise invited_only()


def own_block_in_words(match: Match, seats: Iterable[Seat], user: Any) -> str:
    """Return the message for somebody who has blocked one of those at a table, empty if they have not."""
    person = relations.blocked_among(user, _others(match, seats, user))
    text = _("You have blocked %(name)s, who is at this table. Unblock them if you want to play with them.")
    return text % {"name": person.shown_name} if person else ""


def _others(match: Match, seats: Iterable[Seat], user: Any) -> set[int | None]:
    return {match.host_id, *(seat.user_id for seat in seats), *requirements.promised_to(match)} - {user.pk}


def invited_only() -> RuleViolation:
    """Return the refusal of a table for others, which also hides a block from the one who was blocked."""
    return RuleViolation("invited-only", _("Only invited players can sit down at this table."))


def check_bots_play_with(match: Match, seats: Iterable[Seat], user: Any) -> None:
    """Refuse somebody beside whom a bot account at a table does not play, or a bot that does not play there.

    Raises:
        RuleViolation: as `check_bots_play`.
    """
    there = list(seats)
    check_bots_play(match, [*(seat.user for seat in there), user], programs=any(seat.is_bot for seat in there))


def check_may_invite(user: Any, people: Iterable[Any]) -> None:
    """Refuse invitations by name from guests: "guest-invites". They can share the link to their table, or ask a bot."""
    if user.guest and not all(person.is_bot for person in people):
        raise RuleViolation(
            "guest-invites", _("Guests can’t invite players by name. Share the link to your table, or register.")
        )


# --- visitors, who become guests by sitting down ----------------------------------------------------------------------


def new_guest() -> User:
    """Return the guest that a visitor would become, not stored."""
    return User(pk=0, guest=True)


def check_guest_may_sit(match: Match) -> None:
    """Refuse a visitor who could not sit down as a guest.

    Raises:
        RuleViolation: as `check_may_sit` and `check_bots_play`, and "table-closed" once expired.
    """
    if is_expired(match):
        raise table_is_closed()
    seats, guest = list(match.seats.select_related("user")), new_guest()
    check_may_sit(match, len(seats), guest)
    check_bots_play_with(match, seats, guest)


def may_sit_as_guest(match: Match) -> bool:
    """Return whether a visitor could sit down as a guest."""
    try:
        check_guest_may_sit(match)
    except RuleViolation:
        return False
    return True


def check_guest_use(*what: Use.What) -> None:
    """Refuse a visitor if too much has been done from their network address (`accounts.limits.asked_from`)."""
    for use in what:
        check_use(use, new_guest())


# --- random numbers that browsers add to the shuffle ------------------------------------------------------------------

NONCE_BYTES = 64
_NONCE = re.compile(rf"(?:[0-9a-f]{{2}}){{0,{NONCE_BYTES}}}")


def read_nonce(text: str) -> bytes:
    """Return the bytes a browser sent as lower-case hex; none at all are allowed.

    Raises:
        RuleViolation: "nonce": not hex, or more than 64 bytes.
    """
    if not _NONCE.fullmatch(text):
        raise RuleViolation("nonce", _("The page sent an incomplete request. Please reload it."))
    return bytes.fromhex(text)


def give_first_nonce(match: Match, seat: Seat, nonce: bytes) -> None:
    """Store the nonce of the person in a seat, unless they have given one or the match has begun."""
    if match.is_open and nonce and not seat.nonce:
        seat.nonce = nonce
        seat.save(update_fields=["nonce"])


# --- sitting down, getting up, beginning ------------------------------------------------------------------------------


def sit_down(match: Match, seats: list[Seat], user: Any, nonce: bytes = b"") -> None:
    """Give a person the next seat of a locked table that has one free; begin when several sit there and none is left.

    A table for one waits for `tables.start`: its player sees the commitment first.

    Raises:
        RuleViolation: as `limits.count_seat`, `check_kept_apart` and `check_bots_play`, or "suspended".
    """
    expected = requirements.is_coming(match, user)
    count_seat(match, seats, user, expected)
    check_may_still_play(user)
    check_kept_apart(match, seats, user)  # they are locked by now: nobody can block anybody any more
    check_bots_play_with(match, seats, user)
    if expected:
        requirements.end_promises(match, [user])
    host_is_there = any(seat.user_id == match.host_id for seat in seats)
    if match.opens_at is not None and not host_is_there and not requirements.is_coming(match, match.host):
        match.host, match.kept = user, 0
    seats.append(Seat.objects.create(match=match, number=len(seats), user=user, nonce=nonce))
    if len(seats) == match.seat_count and in_company(seats) and not sent_away(match, seats):
        begin_now(match, seats)
    else:
        table_changed(match)


def seat_bot(match: Match, seats: list[Seat], level: Level) -> None:
    """Give a bot the next seat of a locked table; from then on the match is casual.

    Raises:
        RuleViolation: "series": bots do not play one; as `check_bots_play` for bot accounts that sit there.
    """
    if place_in_series(match) is not None:
        raise only_for_people()
    check_bots_play(match, [seat.user for seat in seats], programs=True)
    match.rated, match.has_bots = False, True
    match.save(update_fields=["rated", "has_bots"])
    taken = {seat.namesake for seat in seats if seat.bot == level}
    namesake = next(number for number in range(len(seats) + 1) if number not in taken)
    seats.append(Seat.objects.create(match=match, number=len(seats), bot=level, namesake=namesake))


def sent_away(match: Match, seats: list[Seat]) -> bool:
    """Free the seats of those who, since they sat down, have to wait after no-shows; return whether there were any.

    So nobody can let others down at several tables by first sitting down at all of them. A planned table is left alone:
    its seats were counted when people said they would come.

    Args:
        match: locked.
        seats: those taken; whoever is about to begin the match need not wait.
    """
    people = [seat for seat in seats if not seat.is_bot]
    waiting = [seat for seat in people if no_show_wait_in_words(seat.user)]
    if not waiting or len(people) == 1 or match.opens_at is not None:
        return False
    for seat in waiting:
        vacate(seat, seats)
    left = [seat for seat in people if seat not in waiting]
    if all(seat.user_id != match.host_id for seat in left):
        match.host, match.kept = left[0].user, 0
    return True


def table_changed(match: Match) -> None:
    """Raise the version of a locked table, save it, and tell open pages once committed."""
    match.version += 1
    match.save(update_fields=["version", "status", "host", "kept", "previous"])
    pubsub.match_changed(match.slug, match.version)
    pubsub.lobby_changed()


def begin_now(match: Match, seats: list[Seat]) -> None:
    """Begin the match of a locked table with those who sit there; alone, it has no clock and is casual.

    So is one of people and bots, whatever was agreed: the last of them may have become a bot since they sat down.
    """
    if not in_company(seats):
        match.rated, match.clock = False, ""
        match.save(update_fields=["rated", "clock"])
    elif match.rated and len({seat.user.is_bot for seat in seats if seat.user}) > 1:
        match.rated = False
        match.save(update_fields=["rated"])
    ordered = _order_of_play(match, seats)
    Seat.objects.filter(match=match).update(number=F("number") + 1000)  # numbers are unique: make room first
    _number(ordered)
    begin(match, ordered)
    pubsub.lobby_changed()


def _order_of_play(match: Match, seats: list[Seat]) -> list[Seat]:
    """Return the seats in the order of play: as joined, drawn, or for a rematch the former order moved by one."""
    if match.previous is not None:
        former = {_sitter(seat): seat.number for seat in match.previous.seats.all()}
        moved = 0 if is_played_again(match) else 1
        return sorted(seats, key=lambda seat: (former.get(_sitter(seat), 0) - moved) % len(former))
    if match.seat_order != Match.SeatOrder.RANDOM or len(seats) == 1:
        return seats
    for order, seat in enumerate(seats):
        seat.joined = order
    # The final seed decides, so that nobody can choose the order, not even the site.
    return [seats[k] for k in fair.order_of_seats(positions.seed_of(match, seats), len(seats))]


def _sitter(seat: Seat) -> tuple[Any, ...]:
    return seat.user_id, seat.bot, seat.namesake


def vacate(leaving: Seat, seats: list[Seat]) -> None:
    """Free a seat and move up those behind it, so that numbers have no gaps."""
    seats.remove(leaving)
    leaving.delete()
    _number(seats)


def _number(seats: list[Seat]) -> None:
    for number, seat in enumerate(seats):
        seat.number = number
        seat.save(update_fields=["number", "joined"])
