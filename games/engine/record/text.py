"""Records as the text of a file. Everything written can be read, and everything read is consistent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import msgspec

from games.engine import fair
from games.engine.record.format import Record, RecordError

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
    fields = {name: value for name, value in msgspec.to_builtins(record).items() if _belongs(name, value)}
    text = "{\n" + ",\n".join(f"  {_dump(name)}: {_lay_out(value)}" for name, value in fields.items()) + "\n}\n"
    read(text)
    return text


def read(text: str | bytes) -> Record:
    """Return the record a file holds.

    Raises:
        RecordError: the text is not a record, or far too long for one; says where in the file and why.

    >>> read('{"format": "tessera-record-1", "game": 7}')
    Traceback (most recent call last):
    games.engine.record.format.RecordError: Expected `str`, got `int` - at `$.game`
    """
    if len(text) > LARGEST:
        raise RecordError(f"No match is longer than {LARGEST:,} bytes")
    try:
        record = msgspec.json.decode(text, type=Record)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(str(error)) from error
    for problem in _problems(record):
        raise RecordError(problem)
    return record


def _belongs(name: str, value: object) -> bool:
    return bool(value) or name not in _LEFT_OUT_WHEN_EMPTY


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lay_out(value: object) -> str:
    if not (isinstance(value, (list, tuple)) and value and isinstance(value[0], dict)):
        return _dump(value)
    return "[\n" + ",\n".join(f"    {_dump(item)}" for item in value) + "\n  ]"


def _problems(record: Record) -> Iterator[str]:
    """Yield contradictions between parts that are each well formed."""
    yield from _problems_of_seats(record)
    yield from _problems_of_actions(record)
    yield from _problems_of_seals(record)
    yield from _problems_of_end(record)


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
