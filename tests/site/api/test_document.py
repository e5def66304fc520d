"""The document of version 1: committed, served, and only growing."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from ninja import Schema

from games.api.models import Scope
from games.api.v1 import growth, leaving
from games.api.v1.api import document
from games.api.v1.leaving import Leaving
from tests.people import person
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


TODAY = date(2026, 11, 27)


def broken(new: Any, released: Any = RELEASED, today: date = TODAY) -> list[str]:
    return growth.broken(released, new, today)


def test_nothing_that_programs_rely_on_is_gone(served: dict[str, Any]) -> None:
    assert broken(served) == []


def _without(path: str) -> Any:
    *way, last = path.split("|")
    changed = deepcopy(RELEASED)
    at: Any = changed
    for name in way:
        at = at[name]
    del at[int(last) if isinstance(at, list) else last]
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
    assert broken(_without(path))


def test_what_becomes_required_is_noticed() -> None:
    changed = deepcopy(RELEASED)
    changed["components"]["schemas"]["Say"]["required"] = ["text"]
    assert broken(changed) == ["/components/schemas/Say/text is required"]
    changed = deepcopy(RELEASED)
    changed["components"]["schemas"]["State"]["required"].remove("view")
    assert broken(changed) == ["/components/schemas/State/required: view is gone"]


def test_more_is_welcome() -> None:
    changed = deepcopy(RELEASED)
    changed["components"]["schemas"]["State"]["properties"]["more"] = {"type": "string"}
    changed["paths"]["/api/v1/more"] = {}
    changed["components"]["schemas"]["Level"]["enum"].append("wizard")
    assert broken(changed) == []


# --- what is leaving --------------------------------------------------------------------------------------------------

MARKS = (
    Leaving("GET /me/friends", TODAY, "There are none any more."),
    Leaving("Person.guest", TODAY, "Nobody asks.", told_by=("GET /people/{name}",)),
    Leaving("Level=novice", TODAY, "They have learnt."),
)
GONE = ("paths|/api/v1/me/friends", "components|schemas|Person|properties|guest", "components|schemas|Level|enum|0")


def _announced(*marks: Leaving) -> Any:
    document = deepcopy(RELEASED)
    leaving.mark(document, marks)
    return document


def test_what_is_leaving_is_marked_in_the_document() -> None:
    document = _announced(*MARKS)
    operation = document["paths"]["/api/v1/me/friends"]["get"]
    field = document["components"]["schemas"]["Person"]["properties"]["guest"]
    for part in (operation, field):
        assert (part["deprecated"], part["x-sunset"]) == (True, "2027-11-28")
    assert broken(document) == []
    assert broken(RELEASED, document) == [], "it may stay after all"
    whole = _announced(Leaving("", TODAY, "Version 2."))
    assert all(operations[method]["deprecated"] for operations, method in leaving.places_of(whole, ""))
    with pytest.raises(KeyError):
        _announced(Leaving("Level=wizard", TODAY, "There is none."))


@pytest.mark.parametrize(("mark", "path"), list(zip(MARKS, GONE, strict=True)))
def test_it_goes_after_twelve_months_and_nothing_else_does(mark: Leaving, path: str) -> None:
    document = _announced(mark)
    assert mark.until - TODAY >= timedelta(days=365)
    assert broken(_without(path), document, mark.until - timedelta(days=1))
    assert broken(_without("paths|/api/v1/me"), document, mark.until)
    gone = _without(path)
    if mark.what == "Person.guest":
        gone["components"]["schemas"]["Person"]["required"].remove("guest")
    if mark.what == "GET /me/friends":
        del gone["components"]["schemas"]["Friends"]
    assert broken(gone, document, mark.until) == []


def test_a_whole_version_goes_after_twelve_months() -> None:
    document = _announced(whole := Leaving("", TODAY, "Use version 2."))
    assert broken({"paths": {}}, document, whole.until - timedelta(days=1))
    assert broken({"paths": {}}, document, whole.until) == []


def test_nothing_is_announced_after_the_event() -> None:
    late = TODAY + timedelta(days=400)
    assert broken(_announced(*MARKS), today=late)
    assert broken(_announced(*MARKS), _announced(*MARKS), late) == []


def test_a_document_without_what_programs_rely_on_is_not_written(tmp_path: Path, db: None) -> None:
    more = deepcopy(RELEASED)
    more["components"]["schemas"]["Person"]["properties"]["height"] = {"type": "integer"}
    (file := tmp_path / "v1.json").write_bytes(msgspec.json.encode(more))
    with pytest.raises(CommandError, match="Person/properties/height is gone"):
        call_command("api_document", file)
    assert msgspec.json.decode(file.read_bytes()) == more


def test_answers_say_that_something_is_leaving_and_when_it_goes(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "LEAVING", MARKS)
    person("ann")
    answer = Program().ask("GET", "people/ann")
    assert answer["Deprecation"] == "@1795737600"
    assert answer["Sunset"] == "Sun, 28 Nov 2027 00:00:00 GMT"
    assert answer["Link"].endswith('/api/#versions>; rel="deprecation"; type="text/html"')
    assert "Sunset" in Program().ask("GET", "me/friends"), "refusals too"
    assert "Sunset" not in Program().ask("GET", "people/ann/ratings")
    assert "Person.guest" in Client().get("/api/").content.decode()
    monkeypatch.setattr(leaving, "LEAVING", (Leaving("", TODAY, "Use version 2."),))
    assert "Sunset" in Program().ask("GET", "people/ann/ratings")


# --- names ------------------------------------------------------------------------------------------------------------


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
