"""What a seat can ask of a match, and what comes of it: a position, clocks that run, and whose turn it is."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from games.engine import runner
from games.engine.codec import encode, encode_events
from games.engine.fair import SALT_BYTES, seal
from games.engine.protocol import RuleViolation, Seat as SeatNumber
from games.play.models import AbortReason, Action, Match, Seat, in_company
from games.play.reducer import clockwork, positions
from games.play.reducer.draft import Draft, Snapshot
from games.play.reducer.results import abort, finish, lets_down, lone_abort
from games.play.signals import abort_declined, action_committed, deadlines_moved, turns_began


class Stale(Exception):
    """The page that sent this no longer showed the current position; nothing was done."""


@dataclass(frozen=True, slots=True)
class Request:
    """Something that a seat asks for.

    Args:
        seat: who asks.

    Attributes:
        leaves: the seat wants to leave, which it may even when nothing else works.
    """

    leaves: ClassVar[bool] = False

    seat: int

    def needs_all_actions(self, before: Snapshot) -> bool:
        """Return whether this can be done only if `before.actions` are known."""
        return False

    def change(self, draft: Draft) -> None:
        """Change the match as asked.

        Raises:
            RuleViolation: the rules, or the state of the match, refuse it.
            Stale: the player saw an older version.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Act(Request):
    """An action.

    Args:
        text: the action in the game's notation.
        version: of the match the player saw.
        client_id: chosen by the page, the same when it sends the same request again.
        by_bot: a bot chose it, for a seat of its own or of a player who has left. It holds for exactly the version that
            was thought about; in a secret turn, for any of that turn.
        salt: random bytes, for the seal of a secret action.
    """

    text: str
    version: int
    client_id: str
    by_bot: bool = False
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(SALT_BYTES), repr=False)

    def change(self, draft: Draft) -> None:
        match, seat = draft.match, draft.seats[self.seat]
        if self.by_bot and not match.is_running:
            raise Stale
        _check_current(match, self.version)
        if self.by_bot:
            self._check_bot(draft)
        elif seat.has_left:
            raise _has_left()
        before, seed = draft.position, positions.seed_of(match, draft.seats)
        play = runner.play(match.rules, before, SeatNumber(self.seat), self.text, seed)
        _record(draft, before, play, self.client_id, self.salt, self.by_bot)

    def _check_bot(self, draft: Draft) -> None:
        seat, sealed = draft.seats[self.seat], draft.match.rules.is_sealed(draft.position.state)
        if not seat.to_move or (not sealed and self.version != draft.match.version):
            raise Stale
        if not (seat.is_bot or seat.has_left):
            raise RuleViolation("not-a-bot", _("A person plays for this seat."))


MOST_SEALS_TAKEN_BACK = 20
"""Secret actions that one seat may take back in one turn: their seals are kept for ever."""


@dataclass(frozen=True, slots=True)
class TakeBack(Request):
    """Take back the seat's latest actions, as long as nothing was revealed and no chance was used since.

    Time goes on as if they had not been taken: none is given back, and what they earned is lost.

    Args:
        most: how many; None for all of this turn.
        name: what `Seat.asked` keeps of the request.
    """

    version: int
    most: int | None
    name: str = ""

    def needs_all_actions(self, before: Snapshot) -> bool:
        """Return whether the newest actions do not tell what is taken back, or the position before it is not known."""
        if before.newest is None:
            return True
        older = iter(before.newest)
        undone = list(islice(positions.undoable(before.match, self.seat, older), self.most))
        is_all = len(undone) == self.most or len(before.newest) == before.match.length or next(older, None) is not None
        return not is_all or (bool(undone) and undone[-1].number <= before.match.length - len(before.past))

    def change(self, draft: Draft) -> None:
        """Take back actions.

        Raises:
            RuleViolation: "nothing-to-undo", "undo-limit", "no-time-left".
        """
        match, seat, before = draft.match, draft.seats[self.seat], draft.before
        _check_current(match, self.version)
        seat.asked = self.name
        newest, past = _whole_log(draft) if before.actions else (before.newest or (), before.past)
        undone = list(islice(positions.undoable(match, self.seat, newest), self.most))
        if not undone:
            raise _nothing_to_undo()
        if before.seals_taken_back >= MOST_SEALS_TAKEN_BACK:
            raise RuleViolation("undo-limit", _("You have taken back too many plays in this turn."))
        clockwork.take_back(seat, undone[-1], draft.now, before.vacations, before.outages)
        _withdraw(draft, undone)
        since = match.length - undone[-1].number  # past[since] is the position before all that is taken back
        play = runner.at(match.rules, past[since])
        draft.newest, draft.past = newest[since + 1 :], past[since + 1 :]
        for action in reversed(newest[:since]):  # in a sealed turn, what others have done since moves up
            if action not in undone:
                draft.past = (play.position, *draft.past)
                play = _follow(draft, play, action)
                moved = _changed(action, number=play.number)
                draft.newest = (moved, *draft.newest)
                draft.renumbered.append(moved)
        if len(draft.newest) < min(play.number, positions.TAIL):
            draft.newest = None
        set_position(draft, play)


@dataclass(frozen=True, slots=True)
class GoBack(Request):
    """Take everything back that followed a decision of a seat, and the decision itself; mark the match as practice.

    Args:
        number: the decision is the seat's first one after so many actions; None for the latest one.
        name: what `Seat.asked` keeps of the request.
    """

    version: int
    number: int | None
    name: str = ""

    def needs_all_actions(self, before: Snapshot) -> bool:
        """Return True: a decision may lie far back."""
        return True

    def change(self, draft: Draft) -> None:
        """Go back.

        Raises:
            RuleViolation: "no-practice" in a match with other people, "nothing-to-undo" when there is no such decision.
        """
        match = draft.match
        _check_current(match, self.version)
        draft.seats[self.seat].asked = self.name
        if not match.has_bots or in_company(draft.seats):
            raise RuleViolation("no-practice", _("You can go back only in a match against bots alone."))
        actions = draft.before.actions
        own = [action.number for action in actions if action.seat == self.seat]
        later = own[-1:] if self.number is None else [number for number in own if number > self.number]
        if not later:
            raise _nothing_to_undo()
        _withdraw(draft, [action for action in actions if action.number >= later[0]])
        match.practice = True
        match.opened, draft.newest, draft.past = 0, None, ()
        for play in _replay(draft, actions[: later[0] - 1]):
            match.opened = play.number if play.opens else match.opened
            reached = play
        set_position(draft, reached)
        match.turn_version = match.version  # a page that shows the turn as it was is stale


@dataclass(frozen=True, slots=True)
class Resign(Request):
    """Leave for good."""

    leaves: ClassVar[bool] = True

    client_id: str

    def change(self, draft: Draft) -> None:
        _check_running(draft.match)
        leave(draft, self.seat, runner.RESIGN, self.client_id)
        bots_follow(draft)


@dataclass(frozen=True, slots=True)
class OfferAbort(Request):
    """Offer to end the match without a result, or (not `offered`) take the offer back."""

    leaves: ClassVar[bool] = True

    offered: bool
    name: str = ""

    def change(self, draft: Draft) -> None:
        """End the match when all agree, or when this seat may do so alone; or go on without those who never came."""
        match, seat = draft.match, draft.seats[self.seat]
        _check_running(match)
        if seat.has_left:
            raise _has_left()
        seat.asked = self.name
        seat.offers_abort, seat.declined_by = self.offered, None
        alone = lone_abort(match, draft.seats, self.seat, draft.now) if self.offered else None
        if alone is not None and alone.goes_on:
            seat.offers_abort = False
            for missing in alone.blamed:
                leave(draft, missing.number, runner.TIMEOUT)
        elif alone is not None:
            abort(draft, alone.reason, alone.blamed)
        elif self.offered and all(each.offers_abort or each.is_bot for each in draft.seats if not each.has_left):
            abort(draft, AbortReason.AGREED)
        else:
            match.version += 1


@dataclass(frozen=True, slots=True)
class DeclineAbort(Request):
    """Decline to end the match without a result: whoever has offered that is told so, and offers it no more."""

    name: str = ""

    def change(self, draft: Draft) -> None:
        _check_running(draft.match)
        seat = draft.seats[self.seat]
        if seat.has_left:
            raise _has_left()
        seat.asked = self.name
        offering = [each for each in draft.seats if each.offers_abort]
        for each in offering:
            each.offers_abort, each.declined_by = False, seat.number
        if offering:
            draft.tell(abort_declined, by=seat, offering=offering)
        draft.match.version += 1


@dataclass(frozen=True, slots=True)
class ReadDeclined(Request):
    """Put away what the seat was told: that somebody declined its offer to abort the match."""

    name: str = ""

    def change(self, draft: Draft) -> None:
        _check_running(draft.match)
        seat = draft.seats[self.seat]
        seat.asked, seat.declined_by = self.name, None
        draft.match.version += 1


def _check_running(match: Match) -> None:
    if not match.is_running:
        raise RuleViolation("match-over", _("This match is over."))


def _check_current(match: Match, version: int) -> None:
    """Refuse what was asked for without knowing the turn; what others did in secret since makes no difference."""
    _check_running(match)
    if not match.turn_version <= version <= match.version:
        raise Stale


def _has_left() -> RuleViolation:
    return RuleViolation("has-left", _("You have left this match."))


def _nothing_to_undo() -> RuleViolation:
    return RuleViolation("nothing-to-undo", _("There is nothing you can take back."))


def _withdraw(draft: Draft, undone: Iterable[Action]) -> None:
    draft.taken_back.extend(_changed(action, withdrawn=True) for action in undone)


def _changed(action: Action, **fields: Any) -> Action:
    """Return a copy of an action with other values in some fields."""
    changed = copy(action)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _whole_log(draft: Draft) -> tuple[tuple[Action, ...], positions.Past]:
    """Return all actions of a match, the latest first, and the positions before them."""
    *before, _present = (play.position for play in _replay(draft, draft.before.actions))
    return draft.before.actions[::-1], tuple(reversed(before))


def _replay(draft: Draft, actions: Iterable[Action]) -> Iterator[positions.AnyPlay]:
    match = draft.match
    pairs = ((SeatNumber(action.seat), action.text) for action in actions)
    return runner.replay(match.rules, match.seat_count, match.options, positions.seed_of(match, draft.seats), pairs)


def _follow(draft: Draft, before: positions.AnyPlay, action: Action) -> positions.AnyPlay:
    match = draft.match
    seed = positions.seed_of(match, draft.seats)
    return runner.follow(match.rules, before, SeatNumber(action.seat), action.text, seed)


def leave(draft: Draft, number: int, how: str, client_id: str | None = None, by_bot: bool = False) -> None:
    """Take a seat out of the match.

    Args:
        draft: the match.
        number: of the seat.
        how: `runner.RESIGN` or `runner.TIMEOUT`.
        client_id: what the player's page calls the request; None for what the site does itself.
        by_bot: a bot leaves.

    Raises:
        RuleViolation: "has-left".
    """
    before = draft.position
    play = runner.leave(draft.match.rules, before, SeatNumber(number), how)
    leaver = draft.seats[number]
    leaver.left = len(play.position.leavers)
    leaver.timed_out = how == runner.TIMEOUT
    leaver.no_show = lets_down(draft.seats, leaver)
    _record(draft, before, play, client_id, by_bot=by_bot)


def bots_follow(draft: Draft) -> None:
    """Let every bot resign if no person is left, the lowest score first, so that the highest is placed best."""
    if any(not seat.is_bot and not seat.has_left for seat in draft.seats):
        return
    scores = draft.match.rules.standing(draft.position.state)
    bots = [seat.number for seat in draft.seats if not seat.has_left]
    for bot in sorted(bots, key=lambda number: scores[number]):
        if draft.match.is_running:
            leave(draft, bot, runner.RESIGN, by_bot=True)


def _record(  # noqa: PLR0917  # how a position was left, and by whom
    draft: Draft,
    before: runner.Position[Any],
    play: positions.AnyPlay,
    client_id: str | None,
    salt: bytes = b"",
    by_bot: bool = False,
) -> None:
    """Add an action that was played, and end the match if it ended the game."""
    match, seat = draft.match, draft.seats[play.seat or 0]
    salt = salt if play.sealed else b""
    action = Action(
        match=match,
        number=play.position.number,
        seat=seat.number,
        text=play.text,
        client_id=client_id,
        at=draft.now,
        clock=clockwork.left_of(seat, draft.now, draft.before.vacations),
        by_bot=by_bot,
        reveals=play.reveals or play.outcome is not None,
        events=encode_events(play.events),
        seal=seal(match.commit, match.turn or 0, seat.number, play.text, salt) if play.sealed else "",
        salt=salt,
    )
    draft.added.append(action)
    for each in draft.seats:
        each.declined_by = None
    draft.newest = None if draft.newest is None else (action, *draft.newest)
    set_position(draft, play, acting=play.seat)
    draft.past = () if positions.is_settled(match, action) else (before, *draft.past)
    draft.tell(action_committed, seats=draft.seats, action=action)
    if play.outcome is not None:
        finish(draft, play.outcome)


def set_position(draft: Draft, play: positions.AnyPlay, acting: SeatNumber | None = None) -> None:
    """Put a match into the position reached: whose turn begins, and which clocks run.

    Args:
        draft: the match.
        play: how the position came about.
        acting: whose action led to it; None at the start, and after something was taken back.
    """
    match = draft.match
    match.state = encode(play.position.state)
    match.length = play.position.number
    match.moved_at = draft.now
    match.version += 1
    if match.turn != play.position.turn:
        match.turn, match.turn_version = play.position.turn, match.version
    if play.opens:
        match.opened = play.number
    begun = [seat for seat in draft.seats if _update_seat(draft, seat, play, acting)]
    if begun:
        draft.tell(turns_began, seats=begun)


def _update_seat(draft: Draft, seat: Seat, play: positions.AnyPlay, acting: SeatNumber | None) -> bool:
    """Set who is to move now and has acted, start or stop their clock; return whether a turn of theirs began.

    A secret action is a whole turn: whoever is to move again after it has begun another one.
    """
    vacations = draft.before.vacations
    clockwork.turn(draft.match, seat, play.to_move, draft.now, vacations, acting=acting, sealed=play.sealed)
    to_move = seat.number in play.to_move
    begins = to_move and (not seat.to_move or (play.sealed and seat.number == acting))
    ends = seat.number == acting and not seat.has_left and (play.sealed or not to_move) and in_company(draft.seats)
    seat.acted = seat.acted or (seat.number == play.seat and not seat.has_left)
    seat.to_move = to_move
    seat.turn = play.position.turn if begins else seat.turn
    seat.turns = max(0, seat.turns + ends - (begins and acting is None))  # an undo begins the turn once more
    return begins


def move_deadlines(draft: Draft, seats: Sequence[Seat]) -> None:
    """Say that running clocks of these seats got another deadline without a turn."""
    draft.tell(deadlines_moved, seats=seats)
    draft.match.version += 1
