"""The one way to change a table: open, sit down, get up, start, close; see also `hosting`, `planning` and `seating`.

A table is a match that has not begun. Each service locks it: however many people sit down at once, exactly as many
succeed as there are seats, and unique constraints make sure of it. While a table is open its seats are numbered from 0
without gaps, in the order in which people sat down.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.engine.protocol import AnyGame, OptionValue, RuleViolation, complete_options
from games.matchmaking import promises, series, stale
from games.matchmaking.admission import (
    check_host,
    check_may_play,
    check_may_sit,
    check_open,
    closed,
    own_seat,
    seat_of,
)
from games.matchmaking.closing import call_off, close
from games.matchmaking.counting import check_wait
from games.matchmaking.invitations import accept, invite
from games.matchmaking.seating import begin_now, changed, give_first_nonce, seat_bot, sent_away, sit_down, vacate
from games.matchmaking.signals import offered
from games.matchmaking.wishes import Wish, prepared
from games.play.matches.locking import lock
from games.play.matches.transactions import writing
from games.play.models import Level, Match, Seat, in_company


def open_table(host: Any, wish: Wish) -> Match:
    """Open a table and sit its host down.

    Nobody has seen the commitment yet, so the host's nonce comes later: by `add_nonce`, or at a table for one, alone or
    with bots, by `start`, which is also what begins it.

    Raises:
        RuleViolation: as `sit_down` and `invitations.invite`; "guest-invites"; "clock-needed" for a rated match,
            "clock" when there is no such clock, "series" for one alone or with bots, or "option" when the game does
            not offer this; as `requirements.check_window`, `kept.check_kept` and `notes.check_may_note`.
    """
    check_may_play(host)
    match = prepared(host, wish)
    with writing():
        match.save()
        if wish.first_to:
            series.begin(match, wish.first_to)
        invite(match, wish.invited, by=host)
        seats: list[Seat] = []
        sit_down(match, seats, host)
        while wish.bots and len(seats) < match.seat_count:
            seat_bot(match, seats, Level(wish.bots))
        if len(seats) < match.seat_count:
            offered.send(Match, match=match, host=host)
    return match


def join(match_id: int, user: Any, nonce: bytes = b"") -> Match:
    """Sit down at a table; the match begins when the last seat is taken.

    Whoever sits there already stays, with the nonce they gave first.

    Raises:
        RuleViolation: as `admission.check_may_sit` and `counting.count_seat`.
    """
    try:
        match, expired = _join(match_id, user, nonce)
    except RuleViolation as violation:
        if violation.code in {"rated-enough", "invited-only", "blocked"}:
            _excuse(match_id, user)
        raise
    if expired:
        raise closed()
    return match


def _join(match_id: int, user: Any, nonce: bytes) -> tuple[Match, bool]:
    """Sit down; return the table, and whether it was closed instead because it has waited too long."""
    with writing():
        match, seats = _lock(match_id)
        mine = seat_of(user, seats)
        if expired := stale.is_stale(match):
            close(match)
        elif mine is not None:
            give_first_nonce(match, mine, nonce)
        else:
            check_may_sit(match, len(seats), user)
            sit_down(match, seats, user, nonce)
            accept(match, user)
    return match, expired


def _excuse(match_id: int, user: Any) -> None:
    """Stop keeping a seat for somebody who came to a planned table but may not play there: that is not a no-show."""
    with writing():
        match, seats = _lock(match_id)
        if match.is_open and promises.is_coming(match, user):
            promises.end(match, [user])
            _hand_over(match, user, seats)


def _lock(match_id: int) -> tuple[Match, list[Seat]]:
    locked = lock(match_id)
    return locked.match, locked.seats


def add_nonce(match_id: int, user: Any, nonce: bytes) -> None:
    """Keep the nonce of somebody who sat down before seeing the commitment: the host. Idempotent.

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-seated", or "nonce-given" when there is another one already,
            for instance from another device.
    """
    with writing():
        match, seats = _lock(match_id)
        check_open(match)
        mine = own_seat(user, seats)
        give_first_nonce(match, mine, nonce)
        if bytes(mine.nonce) != nonce:
            raise RuleViolation("nonce-given", _("You have already sent a random number from another browser."))


def leave(match_id: int, user: Any) -> None:
    """Get up from an open table. If the host leaves, the player who joined first becomes host; the last one closes it.

    Raises:
        RuleViolation: "table-begun", "table-closed" or "not-seated".
    """
    with writing():
        match, seats = _lock(match_id)
        check_open(match)
        get_up(match, user, seats)


def get_up(match: Match, user: Any, seats: list[Seat]) -> None:
    """Free somebody's seat at a locked open table; see `leave`."""
    vacate(own_seat(user, seats), seats)
    _hand_over(match, user, seats)


def _hand_over(match: Match, leaving: Any, seats: list[Seat]) -> None:
    people = [seat for seat in seats if not seat.is_bot]
    if not people and not promises.count(match):
        close(match)
        return
    if people and match.host_id == leaving.pk:
        match.host, match.kept = people[0].user, 0
    changed(match)


def start(match_id: int, user: Any, nonce: bytes = b"") -> Match:
    """Begin with the people who sit there; the match becomes one for that many.

    The nonce is the host's, unless they have given one already. The table stays open if somebody has to get up first
    (`seating.sent_away`).

    Raises:
        RuleViolation: "table-begun", "table-closed", "not-host", "still-coming" while seats are kept for others,
            "too-few" when the game is not made for so few, "must-wait" with others after no-shows, "series" when
            somebody of a series is missing, or "option" when an option would have to be chosen anew for so many.
    """
    with writing():
        match, seats = _lock(match_id)
        check_host(match, user)
        if promises.count(match):
            raise RuleViolation("still-coming", _("Please wait for the players who said they come."))
        if len(seats) not in match.rules.seats:
            raise RuleViolation("too-few", _("There are not enough players for this game."))
        series.check_complete(match, len(seats))
        if in_company(seats):
            check_wait(user)
        if sent_away(match, seats):
            changed(match)
            return match
        give_first_nonce(match, next(seat for seat in seats if seat.user_id == user.pk), nonce)
        match.options = options_for(match.rules, len(seats), match.options)
        match.seat_count = len(seats)
        match.save(update_fields=["options", "seat_count"])
        begin_now(match, seats)
    return match


def options_for(game: AnyGame, seats: int, chosen: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return the options for another number of seats, without those that do not apply to it.

    Raises:
        OptionError: a required option was not chosen.
    """
    kept = {option.name for option in game.options if option.exists_for(seats)}
    return complete_options(game, seats, {name: value for name, value in chosen.items() if name in kept})


def close_table(match_id: int, user: Any) -> None:
    """Close a table that has not begun; a planned one is called off, and who wanted to come is told.

    Raises:
        RuleViolation: "table-begun", "table-closed" or "not-host".
    """
    with writing():
        match, _seats = _lock(match_id)
        check_host(match, user, also_planned=True)
        if match.is_planned:
            call_off(match, user)
        else:
            close(match)


def shut(match_id: int) -> set[int]:
    """Close a table for moderators; return the keys of its host and of all who sit there, are coming or are invited.

    Raises:
        RuleViolation: "table-begun" or "table-closed".
    """
    with writing():
        match, seats = _lock(match_id)
        if not match.is_planned:
            check_open(match)
        invited = match.invitations.answerable().values_list("user", flat=True)
        people = {match.host_id, *promises.people(match), *invited, *(seat.user_id for seat in seats)}
        close(match)
    return {key for key in people if key is not None}
