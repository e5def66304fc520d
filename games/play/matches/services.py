"""The one way to change a match.

Each service locks the match, checks that what the person saw is still current, asks the runner, and saves state,
action, result and everything that listens (ratings) in one transaction; what changed is announced on commit.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.engine import fair, runner
from games.engine.protocol import Options, RuleViolation, complete_options
from games.engine.protocol import Seat as SeatNumber
from games.play.matches import clockwork, positions, recent, statements, timeouts
from games.play.matches.aborting import lone_abort
from games.play.matches.locking import Locked, lock
from games.play.matches.recording import abort, act, changed, leave, save_position
from games.play.matches.transactions import writing
from games.play.matches.undoing import check_patience, forget, withdraw
from games.play.matches.viewed import ViewedMatch
from games.play.models import AbortReason, Action, Match, Seat
from games.play.signals import match_started

log = logging.getLogger(__name__)

CLIENT_ID_LENGTHS = range(8, 41)


class Stale(Exception):
    """The page that sent this no longer showed the current position; nothing was done."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a request: the match as it was committed, and whether this had been done before."""

    viewed: ViewedMatch
    repeated: bool = False

    @property
    def version(self) -> int:
        return self.viewed.match.version


def prepare_match(game: str, options: Options, seats: int, **settings: object) -> Match:
    """Return a match not yet saved, with its secret seed and the commitment to it.

    Raises:
        OptionError: the game does not offer this.
    """
    match = Match(game=game, seat_count=seats, **settings)
    match.options = complete_options(match.rules, seats, options)
    match.rules_version = match.rules.version
    match.server_seed = secrets.token_bytes(32)
    match.commit = fair.commitment(match.server_seed)
    return match


def begin(match: Match, seats: list[Seat]) -> None:
    """Deal and start a match whose seats are final, inside the caller's transaction.

    Args:
        match: locked, open.
        seats: saved, numbered from 0 in the order of play.
    """
    play = runner.begin(match.rules, match.seat_count, match.options, positions.seed_of(match, seats))
    locked = Locked(match, seats)
    match.status = Match.Status.RUNNING
    match.started_at = locked.now
    clockwork.wind_up(match, seats)
    for seat in seats:
        statements.update(seat, "bank")
    save_position(locked, play)
    match_started.send(Match, match=match, seats=seats)


def submit(  # noqa: PLR0917  # what a request says, in the order it is checked
    match_id: int, seat: int, text: str, version: int, client_id: str, seen: ViewedMatch | None = None
) -> Receipt:
    """Take an action.

    Args:
        match_id: the match.
        seat: who acts.
        text: the action in the game's notation.
        version: of the match the player saw.
        client_id: chosen by the page, the same when it sends the same request again.
        seen: as in `lock`.

    Raises:
        RuleViolation: the rules, or the state of the match, refuse it, and nothing has changed; or "out-of-time".
        Stale: the player saw an older version.
    """
    check_client_id(client_id)

    def change(locked: Locked) -> Receipt:
        if locked.match.version != version and _is_done(match_id, client_id):
            return _receipt(locked, repeated=True)
        _check_current(locked.match, version)
        _check_seated(locked.seats[seat])
        _keep_when_committed(locked)
        act(locked, SeatNumber(seat), text, client_id)
        return _receipt(locked)

    try:
        return _in_time(match_id, seat, change, seen)
    except IntegrityError:
        if not _is_done(match_id, client_id):
            raise
        with writing():  # an old request, sent again with the current version
            return _receipt(lock(match_id), repeated=True)


def _in_time(
    match_id: int,
    seat: int,
    write: Callable[[Locked], Receipt],
    seen: ViewedMatch | None = None,
    *,
    leaving: bool = False,
) -> Receipt:
    """Lock a match and write to it, unless somebody's time is up: then only the timeout is handled.

    Args:
        leaving: the seat wants to leave, which it may even if the timeout of the match fails.

    Raises:
        RuleViolation: "out-of-time": the time of the seat that asks is up.
        Stale: the time of another one.
    """
    try:
        with writing():
            locked = lock(match_id, seen)
            late = timeouts.attempt(locked)
            if not late:
                return write(locked)
    except timeouts.TimeoutFailedError:
        return _despite_timeout(match_id, seat, write, leaving)
    if seat in late:
        raise _out_of_time()
    raise Stale


def _despite_timeout(match_id: int, seat: int, write: Callable[[Locked], Receipt], leaving: bool) -> Receipt:
    """Write to a match whose timeout fails: nobody may be locked into it.

    Raises:
        RuleViolation: "out-of-time": the seat that asks is late itself, and does not want to leave.
    """
    with writing():
        locked = lock(match_id)
        if not leaving and clockwork.overdue(locked.seats[seat], locked.now):
            raise _out_of_time()
        return write(locked)


def _out_of_time() -> RuleViolation:
    return RuleViolation("out-of-time", _("Your time was up before this arrived."))


def _receipt(locked: Locked, repeated: bool = False) -> Receipt:
    return Receipt(ViewedMatch(locked.match, tuple(locked.seats), None, locked.tail), repeated)


def _keep_when_committed(locked: Locked) -> None:
    """Let the pushes that follow find the match as it will be committed (before they are announced)."""
    if locked.tail is None:
        locked.tail = positions.tail(locked.match)
    transaction.on_commit(lambda: recent.remember(_receipt(locked).viewed))


def _is_done(match_id: int, client_id: str) -> bool:
    return Action.objects.filter(match=match_id, client_id=client_id).exists()


def undo(match_id: int, seat: int, version: int) -> Receipt:
    """Take back the seat's latest action, as long as nothing was revealed and no chance was used since.

    Time goes on as if the action had not been taken: none is given back, and what it earned is lost.

    Raises:
        RuleViolation: "nothing-to-undo", "undo-limit", "no-time-left", "out-of-time".
        Stale: the player saw an older version.
    """
    return _take_back(match_id, seat, version, most=1)


def restart_turn(match_id: int, seat: int, version: int) -> Receipt:
    """Take back everything in this turn that can be taken back; raises as `undo`."""
    return _take_back(match_id, seat, version, most=None)


def _take_back(match_id: int, seat: int, version: int, most: int | None) -> Receipt:
    def change(locked: Locked) -> Receipt:
        _check_current(locked.match, version)
        actions = positions.standing_actions(locked.match).order_by("-number")
        undone = list(positions.undoable(locked.match, seat, actions.iterator(chunk_size=20)))[:most]
        if not undone:
            raise RuleViolation("nothing-to-undo", _("There is nothing you can take back."))
        check_patience(locked.match, seat)
        clockwork.take_back(locked.seats[seat], undone, locked.now)
        statements.update(locked.seats[seat], *clockwork.FIELDS)
        withdraw(locked.match, undone)
        forget(locked.match)
        locked.tail = None
        length = locked.match.length - len(undone)
        save_position(locked, positions.replay(locked.match, locked.seats, length))
        return _receipt(locked)

    return _in_time(match_id, seat, change)


def resign(match_id: int, seat: int, client_id: str) -> Receipt:
    """Leave a running match for good: last place; with three or more players the others go on.

    Raises:
        RuleViolation: "match-over", "has-left", "out-of-time".
    """
    check_client_id(client_id)

    def change(locked: Locked) -> Receipt:
        if _is_done(match_id, client_id):
            return _receipt(locked, repeated=True)
        _check_running(locked.match)
        _resign(locked, SeatNumber(seat), client_id)
        return _receipt(locked)

    return _in_time(match_id, seat, change, leaving=True)


def _resign(locked: Locked, seat: SeatNumber, client_id: str) -> None:
    """Take a seat out of a match; if the rules fail at that, abort the match rather than keep the player."""
    try:
        play = runner.leave(locked.match.rules, locked.position, seat, runner.RESIGN)
    except RuleViolation:
        raise
    except Exception:
        log.exception("match %s is broken: aborted, as a player wants to leave it", locked.match.slug)
        abort(locked, AbortReason.FAULT)
    else:
        leave(locked, play, client_id)


def offer_abort(match_id: int, seat: int, offered: bool = True) -> Receipt:
    """Offer to end the match without a result, or take the offer back; when all who play agree it ends.

    A single offer is enough while nobody has acted, and then counts against whoever made it, or when somebody
    has kept the others waiting too long (see `aborting`).

    Raises:
        RuleViolation: "match-over", "out-of-time".
    """

    def change(locked: Locked) -> Receipt:
        _check_running(locked.match)
        mine = locked.seats[seat]
        mine.offers_abort = offered
        mine.save(update_fields=["offers_abort"])
        alone = lone_abort(locked.match, locked.seats, seat, locked.now) if offered else None
        if alone is not None:
            abort(locked, alone.reason, alone.blamed)
        elif offered and _all_agree(locked.seats):
            abort(locked, AbortReason.AGREED)
        else:
            changed(locked.match)
        return _receipt(locked)

    return _in_time(match_id, seat, change, leaving=True)


def _all_agree(seats: list[Seat]) -> bool:
    return all(seat.offers_abort for seat in seats if not seat.has_left)


def check_client_id(client_id: str) -> None:
    """Refuse a request that does not name itself; "client-id"."""
    if not (len(client_id) in CLIENT_ID_LENGTHS and client_id.isascii() and client_id.isprintable()):
        raise RuleViolation("client-id", _("The page sent an incomplete request. Please reload it."))


def _check_running(match: Match) -> None:
    if not match.is_running:
        raise RuleViolation("match-over", _("This match is over."))


def _check_seated(seat: Seat) -> None:
    if seat.has_left:
        raise RuleViolation("has-left", _("You have left this match."))


def _check_current(match: Match, version: int) -> None:
    """Refuse what was asked for without knowing the turn; what others did in secret since makes no difference."""
    _check_running(match)
    if not match.turn_version <= version <= match.version:
        raise Stale
