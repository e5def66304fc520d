"""Rematches: the same people and settings, with the first seat passed on by one."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games.engine.protocol import RuleViolation
from games.matchmaking import seating, series, services, stale
from games.matchmaking.admission import check_open
from games.matchmaking.closing import close
from games.matchmaking.counting import have_played_enough
from games.matchmaking.invitations import invite
from games.play.matches.locking import lock
from games.play.matches.services import prepare_match
from games.play.matches.transactions import writing
from games.play.models import Level, Match, Seat


def rematch(match_id: int, user: Any, *, sits: bool = True) -> Match:
    """Return the one table that follows a finished match, or the match that it has become.

    Whoever asks first opens it, sits there and becomes its host, and the others are invited. Everybody else who asks
    sits down: the match begins when the last of them has. Only people who played may do so. The player who sat in seat
    1 begins this time, whatever the order of sitting down. A rematch alone waits for `services.start`.
    In a series it is the next match of it, and one that follows an aborted match has the same seats.
    When two of them have reached the limit of rated matches with each other, it is casual.

    Args:
        match_id: of the finished match.
        user: who asks.
        sits: whether they sit down at a table that is open already; a page that adds a number to the shuffle shows the
            commitment first, and then sits down by itself (`services.join`).

    Raises:
        RuleViolation: "not-over", "not-a-player", "table-begun" when it has begun without this person, "option"
            when today's rules no longer offer the old options, or as `services.join`.
    """
    with writing():
        locked = lock(match_id)
        _check(locked.match, locked.seats, user)
        following = _following(locked.match)
        if following is None:
            return _open(locked.match, locked.seats, user)
    if all(seat.user_id != user.pk for seat in following.seats.all()):
        check_open(following)
        if sits:
            return services.join(following.pk, user)
    return following


def _following(former: Match) -> Match | None:
    """Return the table that follows; one that has waited too long is closed, so that there can be another."""
    following = Match.objects.filter(previous=former).select_for_update().first()
    if following is not None and stale.is_stale(following):
        close(following)
        return None
    return following


def _check(match: Match, seats: list[Seat], user: Any) -> None:
    if all(seat.user_id != user.pk for seat in seats):
        raise RuleViolation("not-a-player", _("Only the players of this match can ask for a rematch."))
    if not match.has_ended:
        raise RuleViolation("not-over", _("This match is not over yet."))


def _open(former: Match, seats: list[Seat], user: Any) -> Match:
    people = [seat.user for seat in seats if seat.user]
    match = prepare_match(
        former.game,
        former.options,
        len(seats),
        host=user,
        previous=former,
        speed=former.speed,
        clock=former.clock,
        excludes_vacations=former.excludes_vacations,
        rated=former.rated and not have_played_enough(people),
        visibility=former.visibility,
        seat_order=Match.SeatOrder.AS_SAT,
        has_bots=former.has_bots,
    )
    match.save()
    series.carry_on(former, match)
    invite(match, people, by=user)
    seated: list[Seat] = []
    seating.sit_down(match, seated, user)
    for bot in sorted((seat for seat in seats if seat.is_bot), key=lambda seat: seat.namesake):
        seating.seat_bot(match, seated, Level(str(bot.bot)))
    return match
