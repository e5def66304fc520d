"""The seats of a locked table: who takes one, who frees one, and the beginning of the match when all are taken."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from games.engine import fair
from games.matchmaking import promises, series
from games.matchmaking.admission import check_kept_apart, check_may_still_play
from games.matchmaking.counting import count_seat, wait_in_words
from games.play.course import positions
from games.play.matches import announce
from games.play.matches.services import begin
from games.play.models import Level, Match, Seat, in_company


def give_first_nonce(match: Match, seat: Seat, nonce: bytes) -> None:
    """Keep the nonce of whoever sits here, unless they have given one, or the match has begun."""
    if match.is_open and nonce and not seat.nonce:
        seat.nonce = nonce
        seat.save(update_fields=["nonce"])


def sit_down(match: Match, seats: list[Seat], user: Any, nonce: bytes = b"") -> None:
    """Give a person the next seat of a locked table that has one free; begin when several sit there and none is left.

    A table for one waits for `start`: its player sees the commitment first.

    Raises:
        RuleViolation: as `counting.count_seat` and `admission.check_kept_apart`, or "suspended".
    """
    expected = promises.is_coming(match, user)
    count_seat(match, seats, user, expected)
    check_may_still_play(user)
    check_kept_apart(match, seats, user)  # asked after people have been locked: nobody blocks anybody meanwhile
    if expected:
        promises.end(match, [user])
    if match.opens_at is not None and not _is_hosted(match, seats):
        match.host, match.kept = user, 0
    seats.append(Seat.objects.create(match=match, number=len(seats), user=user, nonce=nonce))
    begin_if_full(match, seats)


def _is_hosted(match: Match, seats: list[Seat]) -> bool:
    """Return whether the host of a table that was planned sits there, or is still to come."""
    return any(seat.user_id == match.host_id for seat in seats) or promises.is_coming(match, match.host)


def seat_bot(match: Match, seats: list[Seat], level: Level) -> None:
    """Give a bot the next seat of a locked table; from then on the match is casual.

    Raises:
        RuleViolation: "series": bots do not play one.
    """
    if series.in_series(match) is not None:
        raise series.only_people()
    match.rated, match.has_bots = False, True
    match.save(update_fields=["rated", "has_bots"])
    taken = {seat.namesake for seat in seats if seat.bot == level}
    namesake = next(number for number in range(len(seats) + 1) if number not in taken)
    seats.append(Seat.objects.create(match=match, number=len(seats), bot=level, namesake=namesake))


def begin_if_full(match: Match, seats: list[Seat]) -> None:
    """Begin a locked table if several people sit there and no seat is free; otherwise tell of the change.

    One person alone begins by `start`, after seeing the commitment.
    """
    if len(seats) == match.seat_count and in_company(seats) and not sent_away(match, seats):
        begin_now(match, seats)
    else:
        changed(match)


def sent_away(match: Match, seats: list[Seat]) -> bool:
    """Free the seats of those who have to wait after no-shows since they sat down; return whether there were any.

    Nobody lets others down at several tables by sitting down everywhere first. A seat kept at a planned table stays
    theirs, as it was counted when they said they come.

    Args:
        match: locked.
        seats: those taken; whoever is about to begin the match need not wait.
    """
    people = [seat for seat in seats if not seat.is_bot]
    waiting = [seat for seat in people if wait_in_words(seat.user)]
    if not waiting or len(people) == 1 or match.opens_at is not None:
        return False
    for seat in waiting:
        vacate(seat, seats)
    left = [seat for seat in people if seat not in waiting]
    if all(seat.user_id != match.host_id for seat in left):
        match.host, match.kept = left[0].user, 0
    return True


def changed(match: Match) -> None:
    """Raise the version of a locked table, save it, and tell open pages once committed."""
    match.version += 1
    match.save(update_fields=["version", "status", "host", "kept", "previous"])
    announce.match_changed(match.slug, match.version)
    announce.lobby_changed()


def begin_now(match: Match, seats: list[Seat]) -> None:
    """Begin a locked table with those who sit there; alone, without a clock and casually."""
    if not in_company(seats):
        match.rated, match.clock = False, ""
        match.save(update_fields=["rated", "clock"])
    ordered = _order_of_play(match, seats)
    Seat.objects.filter(match=match).update(number=F("number") + 1000)  # numbers are unique: make room first
    _number(ordered)
    begin(match, ordered)
    announce.lobby_changed()


def _order_of_play(match: Match, seats: list[Seat]) -> list[Seat]:
    """Return the seats in the order of play: as joined, drawn, or for a rematch the former order moved by one."""
    if match.previous is not None:
        former = {_sitter(seat): seat.number for seat in match.previous.seats.all()}
        moved = 0 if series.is_played_again(match) else 1
        return sorted(seats, key=lambda seat: (former.get(_sitter(seat), 0) - moved) % len(former))
    if match.seat_order == Match.SeatOrder.RANDOM and len(seats) > 1:
        return _drawn(match, seats)
    return seats


def _sitter(seat: Seat) -> tuple[Any, ...]:
    return seat.user_id, seat.bot, seat.namesake


def _drawn(match: Match, seats: list[Seat]) -> list[Seat]:
    """Return the seats in the order given by the final seed, so that nobody, not even the site, chose it."""
    for order, seat in enumerate(seats):
        seat.joined = order
    return [seats[k] for k in fair.order_of_seats(positions.seed_of(match, seats), len(seats))]


def vacate(leaving: Seat, seats: list[Seat]) -> None:
    """Free a seat and move up those behind it, so that numbers have no gaps."""
    seats.remove(leaving)
    leaving.delete()
    _number(seats)


def _number(seats: list[Seat]) -> None:
    for number, seat in enumerate(seats):
        seat.number = number
        seat.save(update_fields=["number", "joined"])
