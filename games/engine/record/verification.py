"""Replay a record and say where it differs from the replay."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from games.engine import fair, runner
from games.engine.protocol import AnyGame, Outcome, RuleViolation, Seat
from games.engine.record.format import ActionEntry, OutcomeEntry, Record, UncheckableError
from games.engine.runner import Play
from games.engine.seals import seal

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
    sealed = seal(commit, turn, entry.seat, reached.text, bytes.fromhex(entry.salt))
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


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
