"""Frozen dataclasses as JSON and back, for states, views and events.

One value has one text: fields in the order of declaration, sets sorted, no white space, the same under any
`PYTHONHASHSEED`. Reading is as strict as writing: a text that `encode` would not have written is refused, so a field
that a new release has added or removed is noticed instead of being filled with a default or dropped.

What a dataclass may hold: None, truth values, whole numbers, texts, enums, NewTypes, nested dataclasses, tuples,
frozensets whose members can be sorted (not frozensets of frozensets: "smaller" means "subset" there), and
dictionaries with texts as keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from threading import Lock
from typing import Any, Final, TypeVar

import msgspec

from games.engine.protocol import Event

T = TypeVar("T")

_ENCODER = msgspec.json.Encoder(order="deterministic")
_BUILDING: Final = Lock()
_FAILURES = (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError)


class CodecError(ValueError):
    """A value that cannot be written, or a text that `encode` would not write for the type asked for."""


def encode(value: object) -> str:
    """Return the canonical text of a value.

    Raises:
        CodecError: something in it is of a kind that cannot be written.

    >>> from dataclasses import make_dataclass
    >>> Point = make_dataclass("Point", [("x", int), ("seen_by", frozenset[int])], frozen=True)
    >>> encode(Point(3, frozenset({2, 1})))
    '{"x":3,"seen_by":[1,2]}'
    """
    return _encode(value).decode()


def decode(text: str | bytes, kind: type[T]) -> T:
    """Return the value of a type that `encode` wrote.

    Raises:
        CodecError: the text is anything else.

    >>> decode("[1,2]", tuple[int, int])
    (1, 2)
    >>> decode("[1, 2]", tuple[int, int])
    Traceback (most recent call last):
    games.engine.codec.CodecError: The text is not in its canonical form.
    """
    data = _bytes(text)
    value: T = _read(decoder(kind), data)
    if _encode(value) != data:
        raise CodecError("The text is not in its canonical form.")
    return value


def decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """Return what reads JSON as a type; also other texts than those in canonical form.

    Whatever threads may read for the first time at once is read with this: msgspec describes a class on the class
    itself, and a process crashes in which a second thread reads that before it is complete.

    Raises:
        CodecError: the type cannot be read.

    >>> decoder(tuple[int, int]).decode("[1, 2]")
    (1, 2)
    """
    hashable: Any = kind  # as mypy does not take every type to be
    built: msgspec.json.Decoder[T] = _built_decoder(hashable)
    return built


@cache
def _built_decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    try:
        with _BUILDING:
            return msgspec.json.Decoder(kind)
    except _FAILURES as error:
        raise CodecError(f"{kind} cannot be read: {error}") from error


def encode_events(events: Iterable[Event]) -> str:
    """Return the text of some events, each as a pair of its kind and its fields.

    Raises:
        CodecError: as for `encode`.

    >>> from games.engine.protocol import Event
    >>> class Passed(Event):
    ...     kind = "passed"
    >>> encode_events([Passed(seen_by=None)])
    '[["passed",{"seen_by":null}]]'
    """
    return _encode([(event.kind, event) for event in events]).decode()


def decode_events(text: str | bytes, event_types: Sequence[type[Event]]) -> tuple[Event, ...]:
    """Return the events that `encode_events` wrote.

    Args:
        text: what `encode_events` returned.
        event_types: every type of event of the title (`Game.event_types`).

    Raises:
        CodecError: the text is anything else, or names a kind that is not among the types.
    """
    types = {event_type.kind: event_type for event_type in event_types}
    data = _bytes(text)
    pairs = _read(decoder(tuple[tuple[str, msgspec.Raw], ...]), data)
    events = list[Event]()
    for kind, raw in pairs:
        if kind not in types:
            raise CodecError(f"There is no event of the kind “{kind}”.")
        events.append(_read(decoder(types[kind]), bytes(raw)))
    if encode_events(events).encode() != data:
        raise CodecError("The text is not in its canonical form.")
    return tuple(events)


def _bytes(text: str | bytes) -> bytes:
    try:
        return text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise CodecError(f"The text cannot be read: {error}") from error


def _encode(value: object) -> bytes:
    try:
        return _ENCODER.encode(value)
    except _FAILURES as error:
        raise CodecError(f"{type(value).__name__} cannot be written: {error}") from error


def _read(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    try:
        return decoder.decode(data)
    except _FAILURES as error:
        raise CodecError(f"The text cannot be read: {error}") from error
