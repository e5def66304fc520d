"""A match as one file, in the format "tessera-record-1": write, read, verify.

Which parts a file has says how far the match is::

    server_seed  outcome
    null         null      it runs: for its own players, nothing can be checked yet
    hex          null      it was aborted: everything is shown, nobody has won, no rating changed
    hex          {...}     it is over

Leaving (`resign`, `timeout`) stands among the actions with a number of its own; withdrawn actions do not. After a seat
left, its actions are marked `"by": "bot"`. A seat may be played by a bot from the start, so the mark is allowed on any
action.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from games.engine import fair, runner
from games.engine.protocol import AnyGame, Outcome, RuleViolation, Seat
from games.engine.seals import seal

FORMAT: Final = "tessera-record-1"

Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""32 bytes in lower-case hex."""

Salt = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
"""16 bytes in lower-case hex."""

Hex = Annotated[str, Meta(pattern=r"^([0-9a-f]{2})*\Z")]
Time = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z\Z")]
"""A moment in universal time, e.g. "2026-11-20T10:00:00Z"."""


class RecordError(ValueError):
    """A file that is no record; the text says where and why, for people."""


class UncheckableError(RecordError):
    """A record that is in order but cannot be checked, because the match still runs and its seed is secret."""


class SeatEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat on a seat."""

    name: str


class ActionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One action.

    `by` is "bot" when no person chose it. `seal` and `salt` belong to actions asked for in secret (see
    `games.engine.seals`). While a match runs what is still secret has a seal alone: its text is empty.
    """

    n: Annotated[int, Meta(ge=1)]
    seat: Annotated[int, Meta(ge=0)]
    text: str
    at: Time
    by: Literal["bot"] | None = None
    seal: Hash | None = None
    salt: Salt | None = None


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

    seat: Annotated[int, Meta(ge=0)]
    before: int
    after: int


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole match.

    Args:
        format: always `FORMAT`.
        game: the slug of the game.
        rules_version: the version of its rules the match was played with.
        options: what was chosen; a missing one means the default.
        seats: who played, in the order of seats.
        speed: the pool of the clock, "live" or "days".
        rated: whether the match counted.
        commit: the commitment shown before the match.
        server_seed: in hex, None while the match runs.
        nonces: one per seat, in hex, empty where none was given.
        actions: in order, numbered from 1 without gaps.
        outcome: None while the match runs and when it was aborted.
        ratings: the changes of ratings, empty when there are none.
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

    @property
    def is_running(self) -> bool:
        return self.server_seed is None

    @property
    def is_aborted(self) -> bool:
        return self.server_seed is not None and self.outcome is None


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record and its replay part.

    Args:
        number: the number of the action, None for what belongs to no action.
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


def write(record: Record) -> str:
    """Return a record as the text of a file: one line for each action, the same text for equal records.

    Raises:
        RecordError: the parts do not fit together; what is written can always be read.
    """
    fields = msgspec.to_builtins(record)
    text = "{\n" + ",\n".join(f"  {_dump(name)}: {_lay_out(value)}" for name, value in fields.items()) + "\n}\n"
    read(text)
    return text


def read(text: str | bytes) -> Record:
    """Return the record a file holds.

    Raises:
        RecordError: the text is no record; says where in the file and why.

    >>> read('{"format": "tessera-record-1", "game": 7}')
    Traceback (most recent call last):
    games.engine.record.RecordError: Expected `str`, got `int` - at `$.game`
    """
    try:
        record = msgspec.json.decode(text, type=Record)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(str(error)) from error
    for problem in _problems(record):
        raise RecordError(problem)
    return record


def verify(record: Record, game: AnyGame) -> Difference | None:
    """Replay a record and return the first difference, None when everything is as recorded.

    Checked are the game and the version of its rules, the commitment against the seed, options and number of seats,
    every draw and the legality of every action (by replaying it from the seed), leaving and who acted afterwards, the
    outcome or, in an aborted match, that there is none, the seals, and that the changes of ratings balance. Times,
    names and the ratings themselves cannot be checked from a record.

    Raises:
        UncheckableError: the match still runs, so its seed is secret.
    """
    if record.server_seed is None:
        raise UncheckableError("The match is not over: its seed is still secret, so nothing can be checked.")
    return next(_differences(record, game, bytes.fromhex(record.server_seed)), None)


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lay_out(value: object) -> str:
    if not (isinstance(value, (list, tuple)) and value and isinstance(value[0], dict)):
        return _dump(value)
    return "[\n" + ",\n".join(f"    {_dump(item)}" for item in value) + "\n  ]"


def _problems(record: Record) -> Iterator[str]:
    """Yield what does not fit together although every part is well formed."""
    if len(record.nonces) != len(record.seats):
        yield f"There are {len(record.seats)} seats and {len(record.nonces)} nonces - at `$.nonces`"
    for index, nonce in enumerate(record.nonces):
        if len(nonce) > 2 * fair.LONGEST_NONCE:
            yield f"The nonce is too long - at `$.nonces[{index}]`"
    yield from _problems_of_actions(record)
    yield from _problems_of_end(record)


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


def _problems_of_end(record: Record) -> Iterator[str]:
    seats = len(record.seats)
    if record.is_running and record.outcome is not None:
        yield "A match with an outcome has a seed - at `$.server_seed`"
    if record.outcome is not None and {len(record.outcome.places), len(record.outcome.scores)} != {seats}:
        yield f"There is one place and one score for each of the {seats} seats - at `$.outcome`"
    if record.ratings and record.outcome is None:
        yield "Without an outcome no rating changes - at `$.ratings`"
    rated = [entry.seat for entry in record.ratings]
    if len(set(rated)) != len(rated) or max(rated, default=0) >= seats:
        yield "Every seat has at most one change of rating - at `$.ratings`"


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
    yield from _differences_of_actions(record, game, start, seed)
    yield from _differences_of_ratings(record)


def _differences_of_actions(
    record: Record, game: AnyGame, position: runner.Play[Any], seed: bytes
) -> Iterator[Difference]:
    for entry in record.actions:
        left, turn = entry.seat in position.position.leavers, position.position.turn
        try:
            position = runner.follow(game, position, Seat(entry.seat), entry.text, seed)
        except RuleViolation as refusal:
            yield Difference(entry.n, "text", f"seat {entry.seat} “{entry.text}”", refusal.text)
            return
        if left and entry.by != "bot":
            yield Difference(entry.n, "by", "that the player acted", f"seat {entry.seat} has left, so a bot did")
        yield from _differences_of_seal(record.commit, entry, position, turn)
    yield from _differences_of_outcome(record, position.outcome)


def _differences_of_seal(commit: str, entry: ActionEntry, reached: runner.Play[Any], turn: int) -> Iterator[Difference]:
    """Compare a seal; who plays a match without a site (`manage.py simulate`) may leave all of them out."""
    if entry.seal is None or entry.salt is None:
        return
    sealed = seal(commit, turn, entry.seat, reached.text, bytes.fromhex(entry.salt)) if reached.sealed else "none"
    if entry.seal != sealed:
        yield Difference(entry.n, "seal", entry.seal, sealed)


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


def _tell(outcome: OutcomeEntry | None) -> str:
    return "none" if outcome is None else _dump(msgspec.to_builtins(outcome))


def _differences_of_ratings(record: Record) -> Iterator[Difference]:
    change = sum(entry.after - entry.before for entry in record.ratings)
    if record.ratings and not record.rated:
        yield Difference(None, "ratings", "that ratings changed", "the match is not rated")
    if change != 0 and len(record.ratings) == len(record.seats):
        yield Difference(None, "ratings", f"changes that add up to {change}", "they add up to 0")
