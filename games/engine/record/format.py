"""The parts of a record and what each of them may hold."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from games.engine.protocol import Outcome

FORMAT: Final = "tessera-record-1"

Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""32 bytes in lower-case hex."""

Salt = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
"""16 bytes in lower-case hex."""

Hex = Annotated[str, Meta(pattern=r"^([0-9a-f]{2})*\Z")]
"""Any number of bytes in lower-case hex."""

_DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?"
Time = Annotated[str, Meta(pattern=rf"^{_DATE}T{_CLOCK}Z\Z")]
"""A moment in universal time, e.g. "2026-11-20T10:00:00Z"."""

Index = Annotated[int, Meta(ge=0)]
"""The number of a seat, of an action already taken, or of a place in an order: counted from 0."""


class RecordError(ValueError):
    """The file is not a record; the text says where and why."""


class UncheckableError(RecordError):
    """The record is well formed, but its match is still running and its seed secret, so nothing can be checked."""


class SeatEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sat in a seat.

    `joined` says when they sat down, from 0; only where the order of seats was drawn. Otherwise it is the seat.
    `bot` is the level of a bot to which the seat belonged from the start.
    """

    name: str
    joined: Index | None = None
    bot: str | None = None


class ActionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One action.

    `by` is "bot" when no person chose it. `seal` and `salt` belong to actions asked for in secret (see
    `games.engine.seals`). While the match is running, an action that is still secret has an empty text and a seal
    without a salt.
    """

    n: Annotated[int, Meta(ge=1)]
    seat: Index
    text: str
    at: Time
    by: Literal["bot"] | None = None
    seal: Hash | None = None
    salt: Salt | None = None


class WithdrawnSeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seal of an action asked for in secret and taken back. What it sealed remains its player's secret.

    `turn` is the number inside the seal: that of the action which ended the turn before.
    """

    turn: Index
    seat: Index
    seal: Hash


class OutcomeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the match ended, as `games.engine.protocol.Outcome`."""

    places: tuple[Annotated[int, Meta(ge=1)], ...]
    scores: tuple[int, ...]
    reason: str

    @classmethod
    def of(cls, outcome: Outcome) -> OutcomeEntry:
        return cls(outcome.places, outcome.scores, outcome.reason)


class RatingEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the match changed the rating of a seat, in thousandths."""

    seat: Index
    before: int
    after: int


class RulingEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What moderators decided about a match that was over: other places, or None, that it does not count.

    `outcome` remains what comes of the actions; ratings follow the decision.
    """

    places: tuple[Annotated[int, Meta(ge=1)], ...] | None


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole match.

    Args:
        format: always `FORMAT`.
        game: the slug of the game.
        rules_version: the version of the rules the match was played under.
        options: the chosen options; one that is missing has its default.
        seats: who played, in the order of seats.
        speed: the pool of the clock, "live" or "days".
        rated: whether the match counted.
        commit: the commitment shown before the match.
        server_seed: in hex, None while the match is running.
        nonces: one per player in the order of sitting down, in hex, empty where none was sent.
        actions: in order, numbered from 1 without gaps.
        outcome: None while the match is running, and when it was aborted.
        ratings: the changes of ratings, empty when there are none.
        seat_order: "random" when seats were drawn from the final seed; every seat then says when its player joined.
        withdrawn_seals: of secret actions that were taken back, in the order of time.
        practice: decisions in a match against bots were taken back, with knowledge of what followed.
        hints: a player was shown what to do.
        ruling: what moderators decided, None if they left the result alone.
    """

    format: Literal["tessera-record-1"]
    game: str
    rules_version: int
    options: dict[str, str | bool]
    seats: Annotated[tuple[SeatEntry, ...], Meta(min_length=1)]
    speed: Literal["live", "days"]
    rated: bool
    commit: Hash
    server_seed: Hash | None
    nonces: tuple[Hex, ...]
    actions: tuple[ActionEntry, ...]
    outcome: OutcomeEntry | None
    ratings: tuple[RatingEntry, ...] = ()
    seat_order: Literal["random"] | None = None
    withdrawn_seals: tuple[WithdrawnSeal, ...] = ()
    practice: bool = False
    hints: bool = False
    ruling: RulingEntry | None = None

    @property
    def is_running(self) -> bool:
        return self.server_seed is None

    @property
    def is_aborted(self) -> bool:
        return self.server_seed is not None and self.outcome is None
