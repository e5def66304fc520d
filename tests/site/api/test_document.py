"""The document of version 1: committed, served, and only growing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from ninja import Schema

from games.api.models import Scope
from games.api.v1.api import document
from tests.site.api.programs import Program

COMMITTED = Path("docs/api/v1.json")
RELEASED: dict[str, Any] = msgspec.json.decode(COMMITTED.read_bytes())
HOW = "write it with `make api`"


@pytest.fixture(scope="module")
def served() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(document())
    return found


def test_the_committed_document_is_the_served_one(tmp_path: Path, db: None) -> None:
    call_command("api_document", tmp_path / "v1.json")
    assert (tmp_path / "v1.json").read_bytes() == COMMITTED.read_bytes(), HOW
    assert Program().get("openapi.json") == RELEASED


def broken(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """Yield what programs written for the old document cannot rely on any more."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for name in old:
            if name not in new:
                yield f"{where}/{name} is gone"
            elif name not in WORDS or isinstance(old[name], Mapping):
                yield from broken(old[name], new[name], f"{where}/{name}")
        if where.rpartition("/")[2] in SENT:
            more = set(new.get("required", [])) - set(old.get("required", []))
            yield from (f"{where}/{field} is required" for field in more)
    elif isinstance(old, list) and isinstance(new, list):
        yield from (f"{where}: {each} is gone" for each in old if each not in new)
    elif old != new:
        yield f"{where} was {old!r} and is {new!r}"


WORDS = {"description", "summary", "title"}
"""What people read."""

SENT = {
    part.rpartition("/")[2]
    for operations in RELEASED["paths"].values()
    for operation in operations.values()
    for part in str(operation.get("requestBody", "")).split("'")
    if part.startswith("#/components/schemas/")
}
"""The names of what programs send: a field of these that becomes required breaks them."""


def test_nothing_that_programs_rely_on_is_gone(served: dict[str, Any]) -> None:
    assert list(broken(RELEASED, served)) == []


def _without(path: str) -> Any:
    *way, last = path.split("|")
    changed = deepcopy(RELEASED)
    at: Any = changed
    for name in way:
        at = at[name]
    del at[last]
    return changed


@pytest.mark.parametrize(
    "path",
    [
        "paths|/api/v1/me",
        "paths|/api/v1/matches/{slug}/actions|post|responses|409",
        "components|schemas|State|properties|version",
        "components|schemas|Move|properties|client_id",
        "components|schemas|Level|enum",
    ],
)
def test_what_disappears_is_noticed(path: str) -> None:
    assert list(broken(RELEASED, _without(path)))


def test_what_becomes_required_is_noticed() -> None:
    changed = deepcopy(RELEASED)
    changed["components"]["schemas"]["Say"]["required"] = ["text"]
    assert list(broken(RELEASED, changed)) == ["/components/schemas/Say/text is required"]
    changed = deepcopy(RELEASED)
    changed["components"]["schemas"]["State"]["required"].remove("view")
    assert list(broken(RELEASED, changed)) == ["/components/schemas/State/required: view is gone"]


def test_more_is_welcome() -> None:
    changed = deepcopy(RELEASED)
    changed["components"]["schemas"]["State"]["properties"]["more"] = {"type": "string"}
    changed["paths"]["/api/v1/more"] = {}
    changed["components"]["schemas"]["Level"]["enum"].append("wizard")
    assert list(broken(RELEASED, changed)) == []


def test_no_two_schemas_share_a_name() -> None:
    found = [each.__name__ for each in _descendants(Schema) if each.__module__.startswith("games.api")]
    assert len(found) == len(set(found))


def _descendants(kind: type[Schema]) -> Iterator[type[Schema]]:
    each: type[Schema]
    for each in kind.__subclasses__():
        yield each
        yield from _descendants(each)


def test_every_scope_but_that_of_bots_opens_something() -> None:
    asked = {operation.get("x-scope") for each in RELEASED["paths"].values() for operation in each.values()}
    assert asked - {None} <= set(Scope)
    assert set(Scope) - asked <= {Scope.BOT}
