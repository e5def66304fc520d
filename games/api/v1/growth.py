"""Whether a document of version 1 keeps what programs rely on: only what has been `leaving` for its time may go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import date, timedelta
from typing import Any, Final

import msgspec

from games.api.v1.leaving import places_of

REVIEW: Final = timedelta(days=31)
"""How long what is announced may take from its day to the released document."""

_MARKS: Final = {"deprecated", "x-sunset", "x-leaving"}
"""What may come, and go again if something stays after all."""

_FREE: Final = {"description", "summary", "title"} | _MARKS
"""What may change: words for people, and marks."""


def broken(released: Mapping[str, Any], new: Mapping[str, Any], today: date) -> list[str]:
    """Return, as sentences, what programs written for a released document cannot rely on in a new one.

    What the released one says has been leaving for twelve months is theirs no more.
    """
    return [*_backdated(released, new, today), *_lost(relied_on(released, today), new, _sent_by(released))]


def _backdated(released: Mapping[str, Any], new: Mapping[str, Any], today: date) -> Iterator[str]:
    known = {(each["what"], each["since"]) for each in released.get("x-leaving", [])}
    for each in new.get("x-leaving", []):
        if (each["what"], each["since"]) not in known and date.fromisoformat(each["since"]) < today - REVIEW:
            yield f"{each['what'] or 'the version'} was not announced on {each['since']}"


def relied_on(released: Mapping[str, Any], today: date) -> dict[str, Any]:
    """Return a released document without what has had its time, and without what only that needed."""
    rest = deepcopy(dict(released))
    for each in rest.pop("x-leaving", []):
        if date.fromisoformat(each["until"]) > today:
            continue
        if not each["what"]:
            return {}
        for holder, key in places_of(rest, each["what"]):
            del holder[key]
    if "paths" in rest:
        rest["paths"] = {path: operations for path, operations in rest["paths"].items() if operations}
        needed, schemas = _needed(rest), rest["components"]["schemas"]
        rest["components"]["schemas"] = {name: _tidied(schema) for name, schema in schemas.items() if name in needed}
    return rest


def _tidied(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a schema that requires only fields which it still has."""
    if "required" not in schema:
        return schema
    return {**schema, "required": [field for field in schema["required"] if field in schema["properties"]]}


def _needed(document: Mapping[str, Any]) -> set[str]:
    """Return the names of the schemas that operations and problems use, directly or not."""
    schemas, needed = document["components"]["schemas"], set[str]()
    found = _named([document["paths"], document["components"]["responses"]])
    while found - needed:
        needed |= found
        found = _named([schemas[name] for name in needed])
    return needed


def _named(part: Any) -> set[str]:
    return set(re.findall(r'"#/components/schemas/(\w+)"', msgspec.json.encode(part).decode()))


def _sent_by(document: Mapping[str, Any]) -> set[str]:
    """Return the names of what programs send: a field of these that becomes required breaks them."""
    operations = [operation for each in document["paths"].values() for operation in each.values()]
    return _named([operation.get("requestBody") for operation in operations])


def _lost(old: Any, new: Any, sent: set[str], where: str = "") -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        kept = [name for name in old if name in new and (isinstance(old[name], Mapping) or name not in _FREE)]
        yield from (f"{where}/{name} is gone" for name in old if name not in new and name not in _MARKS)
        for name in kept:
            yield from _lost(old[name], new[name], sent, f"{where}/{name}")
        if where.rpartition("/")[2] in sent:
            more = set(new.get("required", [])) - set(old.get("required", []))
            yield from (f"{where}/{field} is required" for field in sorted(more))
    elif isinstance(old, list) and isinstance(new, list):
        yield from (f"{where}: {each} is gone" for each in old if each not in new)
    elif old != new:
        yield f"{where} was {old!r} and is {new!r}"
