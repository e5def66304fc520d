"""The one way in for every write of a match.

Each service locks the match, checks that what the person saw is still current, asks the runner, and saves state,
action, result and everything that listens (ratings) in one transaction; what changed is announced on commit.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.engine import fair, runner
from games.engine.codec import encode, encode_events
from games.engine.protocol import Options, RuleViolation, complete_options
from games.engine.protocol import Seat as SeatNumber
from games.engine.seals import SALT_BYTES, seal
from games.play import announce, placeholder, positions, recent, statements
from games.play.access import Table
from games.play.finish import abort_match, finish_match
from games.play.models import Action, Match, Seat
from games.play.signals import action_committed, match_started
from games.play.transactions import writing

CLIENT_ID_LENGTHS = range(8, 41)
_POSITION = ("state", "length", "moved_at", "version", "status", "started_at", "turn", "turn_version", "opened")


class Stale(Exception):
    """The page from which this was sent no longer shows the current position; nothing was done."""


@dataclass(slots=True)
class Locked:
    """A match whose row is locked, with its seats by number."""

    match: Match
    seats: list[Seat]
    tail: tuple[Action, ...] | None = None

    @property
    def position(self) -> runner.Position[Any]:
        return positions.position_of(self.match, self.seats)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What came of a request: the match as it was committed, and whether this had been done before."""

    table: Table
    repeated: bool = False

    @property
    def version(self) -> int:
        return self.table.match.version


def lock(match_id: int, seen: Table | None = None) -> Locked:
    """Lock a match for writing (inside `writing()`).

    Args:
        match_id: the match.
        seen: the match as it was loaded just before. Whatever changes a match raises its version, so when that is
            still the same nothing has to be loaded again.
    """
    version = statements.locked_version(match_id)
    if seen is not None and seen.match.version == version:
        return Locked(copy(seen.match), [copy(seat) for seat in seen.seats], seen.tail)
    match = Match.objects.get(pk=match_id)
    return Locked(match, list(Seat.objects.filter(match=match).select_related("user").order_by("number")))


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
    match.status = Match.Status.RUNNING
    match.started_at = match.moved_at = timezone.now()
    locked = Locked(match, seats)
    _save_position(locked, play)
    match_started.send(Match, match=match, seats=seats)


def submit(  # noqa: PLR0917  # what a request says, in the order it is checked
    match_id: int, seat: int, text: str, version: int, client_id: str, seen: Table | None = None
) -> Receipt:
    """Carry out an action.

    Args:
        match_id: the match.
        seat: who acts.
        text: the action in the game's notation.
        version: of the match the player saw.
        client_id: chosen by the page, the same when it sends the same request again.
        seen: as in `lock`.

    Raises:
        RuleViolation: the rules, or the state of the match, refuse it; nothing has changed.
        Stale: the player saw an older version.
    """
    check_client_id(client_id)
    try:
        with writing():
            locked = lock(match_id, seen)
            if locked.match.version != version and _is_done(match_id, client_id):
                return _receipt(locked, repeated=True)
            _check_current(locked.match, version)
            _keep_when_committed(locked)
            _act(locked, SeatNumber(seat), text, client_id)
            placeholder.act_for_leavers(locked, _act)
            return _receipt(locked)
    except IntegrityError:
        if not _is_done(match_id, client_id):
            raise
        with writing():  # an old request, sent again with the current version
            return _receipt(lock(match_id), repeated=True)


def _receipt(locked: Locked, repeated: bool = False) -> Receipt:
    return Receipt(Table(locked.match, tuple(locked.seats), None, locked.tail), repeated)


def _keep_when_committed(locked: Locked) -> None:
    """Let the pushes that follow find the match as it will be committed (before they are announced)."""
    if locked.tail is None:
        locked.tail = positions.tail(locked.match)
    transaction.on_commit(lambda: recent.remember(_receipt(locked).table))


def _is_done(match_id: int, client_id: str) -> bool:
    return Action.objects.filter(match=match_id, client_id=client_id).exists()


def _act(locked: Locked, seat: SeatNumber, text: str, client_id: str, by_bot: bool = False) -> None:
    seed = positions.seed_of(locked.match, locked.seats)
    play = runner.play(locked.match.rules, locked.position, seat, text, seed)
    _record(locked, play, client_id, by_bot)


def _record(locked: Locked, play: positions.AnyPlay, client_id: str, by_bot: bool = False) -> None:
    match = locked.match
    salt = secrets.token_bytes(SALT_BYTES) if play.sealed else b""
    action = Action(
        match=match,
        number=play.position.number,
        seat=play.seat or 0,
        text=play.text,
        client_id=client_id,
        by_bot=by_bot,
        reveals=play.reveals or play.outcome is not None,
        events=encode_events(play.events),
        seal=seal(match.commit, match.turn or 0, play.seat or 0, play.text, salt) if play.sealed else "",
        salt=salt,
    )
    statements.insert(action)
    if locked.tail is not None:
        locked.tail = (action, *locked.tail)[: positions.TAIL]
    _save_position(locked, play)
    action_committed.send(Match, match=match, seats=locked.seats, action=action)
    if play.outcome is not None:
        finish_match(match, locked.seats, play.outcome)


def _save_position(locked: Locked, play: positions.AnyPlay) -> None:
    """Store the position after an action, tell who is to move, and announce it."""
    match = locked.match
    match.state = encode(play.position.state)
    match.length = play.position.number
    match.moved_at = timezone.now()
    match.version += 1
    if match.turn != play.position.turn:
        match.turn, match.turn_version = play.position.turn, match.version
    if play.opens:
        match.opened = play.number
    statements.update(match, *_POSITION)
    _update_seats(locked.seats, play)
    announce.match_changed(match.pk, match.version)


def _update_seats(seats: list[Seat], play: positions.AnyPlay) -> None:
    """Note who is to move now and who has acted; tell those for whom the number of waiting matches changed."""
    turned = [seat for seat in seats if seat.to_move != (seat.number in play.to_move)]
    for seat in seats:
        acted = seat.acted or seat.number == play.seat
        to_move = seat.number in play.to_move
        if (seat.acted, seat.to_move) != (acted, to_move):
            seat.acted, seat.to_move = acted, to_move
            statements.update(seat, "acted", "to_move")
    announce.waiting_changed(seat.user_id for seat in turned)


def undo(match_id: int, seat: int, version: int) -> Receipt:
    """Take back one's own latest action, as long as nothing was revealed and no chance was used since.

    Raises:
        RuleViolation: "nothing-to-undo".
        Stale: the player saw an older version.
    """
    return _take_back(match_id, seat, version, most=1)


def restart_turn(match_id: int, seat: int, version: int) -> Receipt:
    """Take back everything of one's turn that can be taken back; raises as `undo`."""
    return _take_back(match_id, seat, version, most=None)


def _take_back(match_id: int, seat: int, version: int, most: int | None) -> Receipt:
    with writing():
        locked = lock(match_id)
        _check_running(locked.match)
        _check_current(locked.match, version)
        actions = positions.standing_actions(locked.match).order_by("-number")
        undone = list(positions.undoable(locked.match, seat, actions.iterator(chunk_size=20)))[:most]
        if not undone:
            raise RuleViolation("nothing-to-undo", _("There is nothing you can take back."))
        _withdraw(locked.match, undone)
        locked.tail = None
        length = locked.match.length - len(undone)
        _save_position(locked, positions.replay(locked.match, locked.seats, length))
        return _receipt(locked)


def _withdraw(match: Match, undone: Sequence[Action]) -> None:
    """Mark actions as withdrawn, the latest first, and close the gaps they leave in a sealed turn."""
    for action in undone:
        action.withdrawn = True
        action.save(update_fields=["withdrawn"])
        for later in positions.standing_actions(match).filter(number__gt=action.number):
            later.number -= 1
            later.save(update_fields=["number"])


def resign(match_id: int, seat: int, client_id: str) -> Receipt:
    """Leave a running match for good: last place; with three or more players the others go on.

    Raises:
        RuleViolation: "match-over", "has-left".
    """
    check_client_id(client_id)
    with writing():
        locked = lock(match_id)
        if _is_done(match_id, client_id):
            return _receipt(locked, repeated=True)
        _check_running(locked.match)
        _leave(locked, SeatNumber(seat), runner.RESIGN, client_id)
        placeholder.act_for_leavers(locked, _act)
        return _receipt(locked)


def _leave(locked: Locked, seat: SeatNumber, text: str, client_id: str) -> None:
    play = runner.leave(locked.match.rules, locked.position, seat, text)
    leaver = locked.seats[seat]
    leaver.left = len(play.position.leavers)
    leaver.save(update_fields=["left"])
    _record(locked, play, client_id)


def offer_abort(match_id: int, seat: int, offered: bool = True) -> Receipt:
    """Offer to end the match without a result, or take the offer back; when all who play agree it ends.

    Before everybody has acted once a single wish is enough.

    Raises:
        RuleViolation: "match-over".
    """
    with writing():
        locked = lock(match_id)
        _check_running(locked.match)
        mine = locked.seats[seat]
        mine.offers_abort = offered
        mine.save(update_fields=["offers_abort"])
        match = locked.match
        match.version += 1
        match.save(update_fields=["version"])
        if offered and (may_abort_alone(match, locked.seats) or _all_agree(locked.seats)):
            abort_match(match, locked.seats)
        announce.match_changed(match.pk, match.version)
        return _receipt(locked)


def may_abort_alone(match: Match, seats: Sequence[Seat]) -> bool:
    """Say whether one player's wish ends the match: not everybody has acted yet."""
    return match.is_running and not all(seat.acted for seat in seats)


def _all_agree(seats: list[Seat]) -> bool:
    return all(seat.offers_abort for seat in seats if not seat.has_left)


def check_client_id(client_id: str) -> None:
    """Refuse a request that does not name itself; "client-id"."""
    if not (len(client_id) in CLIENT_ID_LENGTHS and client_id.isascii() and client_id.isprintable()):
        raise RuleViolation("client-id", _("The page sent an incomplete request. Please reload it."))


def _check_running(match: Match) -> None:
    if not match.is_running:
        raise RuleViolation("match-over", _("This match is over."))


def _check_current(match: Match, version: int) -> None:
    """Refuse what was asked for without knowing the turn; what others did in secret since makes no difference."""
    _check_running(match)
    if not match.turn_version <= version <= match.version:
        raise Stale
