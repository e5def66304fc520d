"""A match as one file, in the format "tessera-record-1": write, read, verify.

The contents of a file show how far its match has come::

    server_seed  outcome
    null         null      running: for its own players, nothing can be checked yet
    hex          null      aborted: everything is shown, nobody has won, no rating changed
    hex          {...}     over

A match that moderators have decided has its outcome as it was played, and their decision as `ruling`.

Leaving (`resign`, `timeout`) is an action with a number of its own. Actions that were taken back are not in the file;
only the seals of those asked for in secret are. After a seat has left, its actions are marked `"by": "bot"`. A bot may
also play a seat from the start, so any action may carry the mark.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from games.engine import fair, runner
from games.engine.codec import decoder
from games.engine.protocol import AnyGame, Outcome, RuleViolation, Seat
from games.engine.runner import Play

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
    `games.engine.fair`). While the match is running, an action that is still secret has an empty text and a seal
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


# --- text -------------------------------------------------------------------------------------------------------------

LARGEST: Final = 8_000_000
"""Characters, or bytes, of a file; a long match has a hundredth of it."""

MOST_SEATS: Final = 100
"""More than any game has; seats are numbered in what chance is drawn from."""

_LEFT_OUT_WHEN_EMPTY: Final = frozenset({"seat_order", "withdrawn_seals", "practice", "hints", "ruling"})


def write(record: Record) -> str:
    """Return a record as the text of a file: one line for each action, the same text for equal records.

    Raises:
        RecordError: the parts contradict each other.
    """
    given = msgspec.to_builtins(record).items()
    fields = {name: value for name, value in given if value or name not in _LEFT_OUT_WHEN_EMPTY}
    text = "{\n" + ",\n".join(f"  {_dump(name)}: {_lay_out(value)}" for name, value in fields.items()) + "\n}\n"
    read(text)
    return text


def read(text: str | bytes) -> Record:
    """Return the record a file holds.

    Raises:
        RecordError: the text is not a record, or far too long for one; says where in the file and why.

    >>> read('{"format": "tessera-record-1", "game": 7}')
    Traceback (most recent call last):
    games.engine.record.RecordError: Expected `str`, got `int` - at `$.game`
    """
    if len(text) > LARGEST:
        raise RecordError(f"No match is longer than {LARGEST:,} bytes")
    try:
        record = decoder(Record).decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(str(error)) from error
    problems = chain(
        _problems_of_seats(record), _problems_of_actions(record), _problems_of_seals(record), _problems_of_end(record)
    )
    if problem := next(problems, None):
        raise RecordError(problem)
    return record


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lay_out(value: object) -> str:
    if not (isinstance(value, (list, tuple)) and value and isinstance(value[0], dict)):
        return _dump(value)
    return "[\n" + ",\n".join(f"    {_dump(item)}" for item in value) + "\n  ]"


def _problems_of_seats(record: Record) -> Iterator[str]:
    if len(record.seats) > MOST_SEATS:
        yield f"No game has {len(record.seats)} seats - at `$.seats`"
    if len(record.nonces) != len(record.seats):
        yield f"There are {len(record.seats)} seats and {len(record.nonces)} nonces - at `$.nonces`"
    for index, nonce in enumerate(record.nonces):
        if len(nonce) > 2 * fair.LONGEST_NONCE:
            yield f"The nonce is too long - at `$.nonces[{index}]`"
    joined = [seat.joined for seat in record.seats]
    if record.seat_order is None and joined != [None] * len(joined):
        yield "Seats say when their players joined only where seats were drawn - at `$.seats`"
    if record.seat_order is not None and set(joined) != set(range(len(joined))):
        yield f"Where seats were drawn, each has a `joined` of its own from 0 to {len(joined) - 1} - at `$.seats`"


def _problems_of_actions(record: Record) -> Iterator[str]:
    for index, action in enumerate(record.actions):
        if action.n != index + 1:
            yield f"Expected {index + 1}, got {action.n} - at `$.actions[{index}].n`"
        if action.seat >= len(record.seats):
            yield f"There is no seat {action.seat} - at `$.actions[{index}].seat`"
        if action.salt is not None and action.seal is None:
            yield f"A salt belongs to a seal - at `$.actions[{index}].salt`"
        is_secret = action.seal is not None and action.salt is None
        if is_secret != (not action.text) or (is_secret and not record.is_running):
            yield f"A text is missing only while it is sealed - at `$.actions[{index}].text`"


def _problems_of_seals(record: Record) -> Iterator[str]:
    for index, withdrawn in enumerate(record.withdrawn_seals):
        if withdrawn.seat >= len(record.seats):
            yield f"There is no seat {withdrawn.seat} - at `$.withdrawn_seals[{index}].seat`"
        if withdrawn.turn > len(record.actions):
            yield f"There is no action {withdrawn.turn} - at `$.withdrawn_seals[{index}].turn`"


def _problems_of_end(record: Record) -> Iterator[str]:
    seats = len(record.seats)
    if record.is_running and record.outcome is not None:
        yield "A match with an outcome has a seed - at `$.server_seed`"
    if record.outcome is not None and {len(record.outcome.places), len(record.outcome.scores)} != {seats}:
        yield f"There must be one place and one score for each of the {seats} seats - at `$.outcome`"
    if record.ratings and record.outcome is None:
        yield "Without an outcome no rating changes - at `$.ratings`"
    yield from _problems_of_ruling(record)
    rated = [entry.seat for entry in record.ratings]
    if len(set(rated)) != len(rated) or max(rated, default=0) >= seats:
        yield "Every seat has at most one change of rating - at `$.ratings`"


def _problems_of_ruling(record: Record) -> Iterator[str]:
    if record.ruling is None:
        return
    if record.outcome is None:
        yield "Only a match with an outcome can be decided differently - at `$.ruling`"
    if record.ruling.places is not None and len(record.ruling.places) != len(record.seats):
        yield f"There must be one place for each of the {len(record.seats)} seats - at `$.ruling`"
    if record.ruling.places is None and record.ratings:
        yield "Of a match that does not count no rating changes - at `$.ratings`"


# --- verification -----------------------------------------------------------------------------------------------------

UNPROVABLE: Final = (
    "when anything happened (only that no time runs backwards)",
    "who the players were, when they sat down, and who was a bot",
    "the ratings before the match (only that the changes add up)",
    "that the commitment was shown first and the nonces are those the browsers sent: compare what your browser kept",
)
"""What no file can prove, for people."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between a record and its replay.

    Args:
        number: the number of the action, None for what does not belong to an action.
        what: the field of the record.
        recorded: what the record says.
        replayed: what the replay says.
    """

    number: int | None
    what: str
    recorded: str
    replayed: str

    def __str__(self) -> str:
        """Return it in one line.

        >>> print(Difference(17, "text", "seat 0 “score 12”", "Card 12 is not in your hand."))
        action 17, text: the record says seat 0 “score 12”, the replay: Card 12 is not in your hand.
        """
        where = self.what if self.number is None else f"action {self.number}, {self.what}"
        return f"{where}: the record says {self.recorded}, the replay: {self.replayed}"


@dataclass(slots=True)
class _Replay:
    """A replay in progress: its position, and who was asked to act in secret in which turn."""

    game: AnyGame
    play: Play[Any]
    asked: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        self._note_who_is_asked()

    @property
    def turn(self) -> int:
        """The number inside the seals of this turn: that of the action which ended the turn before."""
        return self.play.position.turn

    def follow(self, entry: ActionEntry, seed: bytes) -> None:
        """Go on by one action; raises what `runner.follow` raises."""
        self.play = runner.follow(self.game, self.play, Seat(entry.seat), entry.text, seed)
        self._note_who_is_asked()

    def _note_who_is_asked(self) -> None:
        if self.game.is_sealed(self.play.state):
            self.asked[self.turn] |= self.play.to_move


def verify(record: Record, game: AnyGame) -> Difference | None:
    """Replay a record and return the first difference, None when everything is as recorded.

    `checks_of` lists what is checked and `UNPROVABLE` what cannot be.

    Raises:
        UncheckableError: the match is still running, so its seed is secret.
    """
    if record.server_seed is None:
        raise UncheckableError("The match is not over: its seed is still secret, so nothing can be checked.")
    return next(_differences(record, game, bytes.fromhex(record.server_seed)), None)


def checks_of(record: Record) -> tuple[str, ...]:
    """Return in words what `verify` checks in this record."""
    seals = sum(action.seal is not None for action in record.actions)
    return (
        "the seed belongs to the commitment",
        "the order of seats comes out of the seed" if record.seat_order else "the order of seats was not drawn",
        "options and number of seats are those of the game",
        f"all {len(record.actions)} actions were possible, with the chance drawn for each; no time runs backwards",
        f"{seals} seals fit, none is missing; {len(record.withdrawn_seals)} more were taken back",
        "nobody has won and no rating changed" if record.is_aborted else "the outcome follows, rating changes add up",
    )


def _differences(record: Record, game: AnyGame, server_seed: bytes) -> Iterator[Difference]:
    """Yield differences; only the first counts."""
    if record.game != game.slug:
        yield Difference(None, "game", record.game, game.slug)
    if record.rules_version != game.version:
        yield Difference(None, "rules_version", str(record.rules_version), f"only {game.version} is known")
    commit = fair.commitment(server_seed)
    if record.commit != commit:
        yield Difference(None, "commit", record.commit, commit)
    seed = fair.final_seed(server_seed, [bytes.fromhex(nonce) for nonce in record.nonces])
    try:
        start = runner.begin(game, len(record.seats), record.options, seed)
    except RuleViolation as refusal:
        yield Difference(None, "options", f"{_dump(record.options)} for {len(record.seats)} seats", refusal.text)
        return
    yield from _differences_of_order(record, seed)
    yield from _differences_of_actions(record, _Replay(game, start), seed)
    yield from _differences_of_ratings(record)


def _differences_of_order(record: Record, seed: bytes) -> Iterator[Difference]:
    if record.seat_order is None:
        return
    joined = [seat.joined for seat in record.seats]
    drawn = list(fair.order_of_seats(seed, len(joined)))
    if joined != drawn:
        yield Difference(None, "seat_order", f"the order of joining {_dump(joined)}", _dump(drawn))


def _differences_of_actions(record: Record, replay: _Replay, seed: bytes) -> Iterator[Difference]:
    latest = ""
    for entry in record.actions:
        left, turn = entry.seat in replay.play.position.leavers, replay.turn
        try:
            replay.follow(entry, seed)
        except RuleViolation as refusal:
            yield Difference(entry.n, "text", f"seat {entry.seat} “{entry.text}”", refusal.text)
            return
        if left and entry.by != "bot":
            yield Difference(entry.n, "by", "that the player acted", f"seat {entry.seat} has left, so a bot did")
        if entry.by == "bot" and not left and record.seats[entry.seat].bot is None:
            yield Difference(entry.n, "by", "that a bot acted", f"seat {entry.seat} is a player's, who had not left")
        if (moment := _sortable(entry.at)) < latest:
            yield Difference(entry.n, "at", entry.at, "not before the action before it")
        latest = moment
        yield from _differences_of_seal(record.commit, entry, replay.play, turn)
    yield from _differences_of_withdrawn_seals(record, replay)
    yield from _differences_of_outcome(record, replay.play.outcome)


def _sortable(at: str) -> str:
    """Return a moment in a form that sorts by time.

    >>> _sortable("2026-11-20T10:00:00Z") < _sortable("2026-11-20T10:00:00.5Z") < _sortable("2026-11-20T10:00:01Z")
    True
    """
    seconds, _, fraction = at.removesuffix("Z").partition(".")
    return f"{seconds}.{fraction:0<6}"


def _differences_of_seal(commit: str, entry: ActionEntry, reached: Play[Any], turn: int) -> Iterator[Difference]:
    """Compare a seal; everything the rules seal must have one, with its salt."""
    if not reached.sealed:
        if entry.seal is not None:
            yield Difference(entry.n, "seal", entry.seal, "none: this was never secret")
        return
    if entry.seal is None or entry.salt is None:
        yield Difference(entry.n, "seal", "none", "the rules ask for this in secret, so there is a seal and a salt")
        return
    sealed = fair.seal(commit, turn, entry.seat, reached.text, bytes.fromhex(entry.salt))
    if entry.seal != sealed:
        yield Difference(entry.n, "seal", entry.seal, sealed)


def _differences_of_withdrawn_seals(record: Record, replay: _Replay) -> Iterator[Difference]:
    for withdrawn in record.withdrawn_seals:
        if withdrawn.seat not in replay.asked[withdrawn.turn]:
            what = f"a seal of seat {withdrawn.seat} in the turn after action {withdrawn.turn}"
            yield Difference(None, "withdrawn_seals", what, "this seat was not asked for anything secret then")


def _differences_of_outcome(record: Record, outcome: Outcome | None) -> Iterator[Difference]:
    recorded, replayed = record.outcome, None if outcome is None else OutcomeEntry.of(outcome)
    if recorded is None or replayed is None:
        if recorded is not replayed:
            yield Difference(None, "outcome", _tell(recorded), _tell(replayed))
        return
    for name in OutcomeEntry.__struct_fields__:
        ours, theirs = getattr(replayed, name), getattr(recorded, name)
        if ours != theirs:
            yield Difference(None, f"outcome.{name}", _dump(theirs), _dump(ours))


def _differences_of_ratings(record: Record) -> Iterator[Difference]:
    change = sum(entry.after - entry.before for entry in record.ratings)
    if record.rated and len(record.seats) == 1:
        yield Difference(None, "rated", "that the match is rated", "a match of one seat never is")
    if record.rated and any(seat.bot is not None for seat in record.seats):
        yield Difference(None, "rated", "that the match is rated", "a match with bots never is")
    if record.ratings and not record.rated:
        yield Difference(None, "ratings", "that ratings changed", "the match is not rated")
    if change != 0 and len(record.ratings) == len(record.seats):
        yield Difference(None, "ratings", f"changes that add up to {change}", "they add up to 0")


def _tell(outcome: OutcomeEntry | None) -> str:
    return "none" if outcome is None else _dump(msgspec.to_builtins(outcome))
