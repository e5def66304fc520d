"""What people ask of a match, and what comes of each request."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from django.utils.translation import gettext as _

from games.engine import runner
from games.engine.fair import SALT_BYTES
from games.engine.protocol import RuleViolation
from games.engine.protocol import Seat as SeatNumber
from games.play.course import leaving, practice, recording, undoing
from games.play.course.aborting import lone_abort
from games.play.course.draft import Draft
from games.play.models import AbortReason, Match, Seat


class Stale(Exception):
    """The page that sent this no longer showed the current position; nothing was done."""


class Request(Protocol):
    """Something that a seat asks for.

    Attributes:
        seat: who asks.
        leaves: the seat wants to leave, which it may even when nothing else works.
    """

    leaves: ClassVar[bool]

    @property
    def seat(self) -> int: ...

    def change(self, draft: Draft) -> None:
        """Change the match as asked.

        Raises:
            RuleViolation: the rules, or the state of the match, refuse it.
            Stale: the player saw an older version.
        """


@dataclass(frozen=True, slots=True)
class Act:
    """An action.

    Args:
        seat: who acts.
        text: the action in the game's notation.
        version: of the match the player saw.
        client_id: chosen by the page, the same when it sends the same request again.
        salt: random bytes, for the seal of a secret action.
    """

    leaves: ClassVar[bool] = False

    seat: int
    text: str
    version: int
    client_id: str
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(SALT_BYTES), repr=False)

    def change(self, draft: Draft) -> None:
        _check_current(draft.match, self.version)
        _check_seated(draft.seats[self.seat])
        recording.act(draft, SeatNumber(self.seat), self.text, self.salt, self.client_id)


@dataclass(frozen=True, slots=True)
class BotAct:
    """An action that a bot chose, for a seat of its own or of a player who has left; otherwise as `Act`.

    It holds for exactly the version that was thought about; in a secret turn, for any of that turn.
    """

    leaves: ClassVar[bool] = False

    seat: int
    text: str
    version: int
    client_id: str
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(SALT_BYTES), repr=False)

    def change(self, draft: Draft) -> None:
        if not draft.match.is_running:
            raise Stale
        _check_current(draft.match, self.version)
        seat, sealed = draft.seats[self.seat], draft.match.rules.is_sealed(draft.position.state)
        if not seat.to_move or (not sealed and self.version != draft.match.version):
            raise Stale
        if not (seat.is_bot or seat.has_left):
            raise RuleViolation("not-a-bot", _("A person plays for this seat."))
        recording.act(draft, SeatNumber(self.seat), self.text, self.salt, self.client_id, by_bot=True)


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The wish to take back the latest action (`most` is 1) or everything in this turn (None)."""

    leaves: ClassVar[bool] = False

    seat: int
    version: int
    most: int | None
    name: str = ""

    def change(self, draft: Draft) -> None:
        _check_current(draft.match, self.version)
        draft.seats[self.seat].asked = self.name
        undoing.take_back(draft, self.seat, self.most)


@dataclass(frozen=True, slots=True)
class GoBack:
    """The wish to go back to an earlier decision against bots, for practice; see `practice.go_back`."""

    leaves: ClassVar[bool] = False

    seat: int
    version: int
    number: int | None
    name: str = ""

    def change(self, draft: Draft) -> None:
        _check_current(draft.match, self.version)
        draft.seats[self.seat].asked = self.name
        practice.go_back(draft, self.seat, self.number)


@dataclass(frozen=True, slots=True)
class Resign:
    """The wish to leave for good."""

    leaves: ClassVar[bool] = True

    seat: int
    client_id: str

    def change(self, draft: Draft) -> None:
        _check_running(draft.match)
        play = runner.leave(draft.match.rules, draft.position, SeatNumber(self.seat), runner.RESIGN)
        recording.leave(draft, play, self.client_id)
        leaving.bots_follow(draft)


@dataclass(frozen=True, slots=True)
class OfferAbort:
    """An offer to end the match without a result, or (not `offered`) the wish to take it back."""

    leaves: ClassVar[bool] = True

    seat: int
    offered: bool
    name: str = ""

    def change(self, draft: Draft) -> None:
        """End the match when all agree, or when this seat may do so alone; or go on without those who never came."""
        _check_running(draft.match)
        _check_seated(draft.seats[self.seat])
        draft.seats[self.seat].asked = self.name
        draft.seats[self.seat].offers_abort = self.offered
        alone = lone_abort(draft.match, draft.seats, self.seat, draft.now) if self.offered else None
        if alone is not None and alone.goes_on:
            draft.seats[self.seat].offers_abort = False
            for missing in alone.blamed:
                play = runner.leave(draft.match.rules, draft.position, SeatNumber(missing.number), runner.TIMEOUT)
                recording.leave(draft, play)
        elif alone is not None:
            recording.abort(draft, alone.reason, alone.blamed)
        elif self.offered and all(seat.offers_abort or seat.is_bot for seat in draft.seats if not seat.has_left):
            recording.abort(draft, AbortReason.AGREED)
        else:
            draft.match.version += 1


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
