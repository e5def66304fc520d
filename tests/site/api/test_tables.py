"""Tables over the API: what pages can do, refused for the same reasons."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from accounts import relations
from accounts.models import User
from games.matchmaking import limits as of_tables, tables
from games.matchmaking.tables import TableSetup
from games.play.models import Match
from tests.people import person
from tests.site.api.programs import Program, refusal

pytestmark = pytest.mark.django_db

CASUAL = {"game": "shifting-stones", "rated": False}


def told(answer: Any) -> Any:
    assert answer.status_code == 200, answer.content
    return msgspec.json.decode(answer.content)


def test_two_programs_meet_at_a_table(ann: User, bob: User) -> None:
    host, guest = Program.of(ann), Program.of(bob)
    clock = {"start": 300, "increment": 10, "cap": 600}
    table = told(host.post("tables", {"game": "shifting-stones", "clock": clock, "note": "Beginners welcome."}))
    assert (table["status"], table["clock"], table["rated"], table["viewer"]) == ("open", clock, True, 0)
    assert table["state"]["view"] is None
    path = f"tables/{table['slug']}"
    assert told(host.post(f"{path}/nonce", {"nonce": "0a"}))["slug"] == table["slug"]
    (listed,) = guest.get("tables?joinable=true&speed=live&seats=2&rated=true")["items"]
    assert (listed["slug"], listed["host"], listed["note"]) == (table["slug"], "ann", "Beginners welcome.")
    assert refusal(guest.post(f"{path}/sit", {"nonce": "x"})) == (422, "nonce")
    begun = told(guest.ask("POST", f"{path}/sit"))
    assert (begun["status"], len(begun["seats"])) == ("running", 2)
    assert begun["state"]["view"] is not None
    mine = [it["slug"] for it in host.get("me/matches")["items"]]
    waiting = [it["slug"] for program in (host, guest) for it in program.get("me/matches?waiting=1")["items"]]
    assert mine == [table["slug"]] == waiting


def test_a_table_is_left_closed_and_filled_with_bots(ann: User, bob: User) -> None:
    host, guest = Program.of(ann), Program.of(bob)
    slug = told(host.post("tables", {**CASUAL, "seats": 3}))["slug"]
    assert told(guest.post(f"tables/{slug}/sit", {}))["viewer"] == 1
    assert guest.post(f"tables/{slug}/leave").status_code == 204
    with_bot = told(host.post(f"tables/{slug}/bots", {"level": "novice"}))
    assert [seat["bot"] for seat in with_bot["seats"]] == [None, "novice"]
    assert told(host.post(f"tables/{slug}/start", {"nonce": ""}))["status"] == "running"
    alone = told(host.post("tables", {**CASUAL, "bots": "novice"}))
    assert told(host.post(f"tables/{alone['slug']}/start", {}))["status"] == "running"
    slug = told(host.post("tables", CASUAL))["slug"]
    assert host.post(f"tables/{slug}/close").status_code == 204
    assert Match.objects.get(slug=slug).status == "closed"


def test_people_are_invited_and_challenged(ann: User, bob: User) -> None:
    host, guest = Program.of(ann), Program.of(bob)
    slug = told(host.post("tables", {**CASUAL, "visibility": "private", "invited": ["bob"]}))["slug"]
    (invitation,) = guest.get("me/invitations")["items"]
    assert (invitation["table"]["slug"], invitation["by"]) == (slug, "ann")
    assert guest.post(f"tables/{slug}/decline").status_code == 204
    assert guest.get("me/invitations")["items"] == []
    challenge = told(host.post("people/Bob/challenge", {**CASUAL, "speed": "days"}))
    assert (challenge["visibility"], challenge["seat_count"], challenge["speed"]) == ("private", 2, "days")
    assert told(guest.post(f"tables/{challenge['slug']}/accept", {}))["status"] == "running"
    slug = told(host.post("tables", CASUAL))["slug"]
    assert told(host.post(f"tables/{slug}/invite", {"names": ["bob"]}))["slug"] == slug
    assert len(guest.get("me/invitations")["items"]) == 1


# A line is: who | where and with what | the refusal.
REFUSED = """
ann | tables {"game": "chess"}                                                             | 422 game
ann | tables {"game": "shifting-stones", "seats": 9}                                       | 422 option
ann | tables {"game": "shifting-stones", "options": {"x": true}}                           | 422 option
ann | tables {"game": "shifting-stones", "clock": null}                                    | 422 clock-needed
ann | tables {"game": "shifting-stones", "clock": {"start": 1, "increment": 0, "cap": 1}}  | 422 clock
ann | tables {"game": "shifting-stones", "clock": {"start": 9, "increment": 0, "cap": 1}}  | 422 clock
ann | tables {"game": "shifting-stones", "clock": "none"}                                  | 422 invalid
ann | tables {"game": "shifting-stones", "speed": "slow"}                                  | 422 invalid
ann | tables {"game": "shifting-stones", "reliability": 50}                                | 422 invalid
ann | tables {"game": "shifting-stones", "visibility": "private"}                          | 422 nobody-invited
ann | tables {"game": "shifting-stones", "bots": "novice", "invited": ["bob"]}             | 422 bots
ann | tables {"game": "shifting-stones", "invited": ["nobody-here"]}                       | 422 unknown-name
ann | tables {"game": "shifting-stones", "rating_from": 1500, "rating_to": 1400}           | 422 rating-window
ann | tables {"game": "shifting-stones", "kept": 1}                                        | 422 kept
ann | tables {"game": "shifting-stones", "first_to": 9}                                    | 422 series
ann | people/ann/challenge {"game": "shifting-stones"}                                     | 422 self
ann | people/nobody-here/challenge {"game": "shifting-stones"}                             | 404 not-found
ann | people/eve/challenge {"game": "shifting-stones"}                                     | 422 blocked
ann | tables/OPEN/sit {"nonce": "x"}                                                       | 422 nonce
ann | tables/OPEN/start {}                                                                 | 422 not-host
ann | tables/OPEN/close {}                                                                 | 422 not-host
ann | tables/OPEN/leave {}                                                                 | 422 not-seated
ann | tables/OPEN/decline {}                                                               | 422 not-invited
ann | tables/OPEN/bots {"level": "novice"}                                                 | 422 not-host
ann | tables/OPEN/invite {"names": ["eve"]}                                                | 422 not-host
bob | tables/OPEN/invite {"names": ["bob"]}                                                | 422 nobody-invited
bob | tables/OPEN/bots {"level": "wizard"}                                                 | 422 invalid
ann | tables/SECRET/sit {}                                                                 | 404 not-found
ann | tables/nothere222/sit {}                                                             | 404 not-found
eve | tables/MINE/sit {}                                                                   | 422 invited-only
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_what_is_refused(row: str, ann: User, bob: User) -> None:
    who, asked, wanted = (cell.strip() for cell in row.split("|"))
    where, body = asked.split(" ", 1)
    eve = person("eve")
    relations.block(ann, eve)
    wish = TableSetup("shifting-stones", 2, rated=False)
    if "OPEN" in where:
        where = where.replace("OPEN", tables.open_table(bob, wish).slug)
    if "SECRET" in where:
        secret = TableSetup("shifting-stones", 2, rated=False, visibility=Match.Visibility.PRIVATE)
        where = where.replace("SECRET", tables.open_table(bob, secret).slug)
    if "MINE" in where:
        where = where.replace("MINE", tables.open_table(ann, wish).slug)
    before = Match.objects.count()
    status, code = refusal(Program.of({"ann": ann, "bob": bob, "eve": eve}[who]).post(where, json.loads(body)))
    assert f"{status} {code}" == wanted
    assert Match.objects.count() == before


def test_a_limit_of_tables_says_how_long_it_lasts(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    few = {what: limit._replace(most=1) for what, limit in of_tables.PERSON.items()}
    monkeypatch.setattr(of_tables, "PERSON", few)
    program = Program.of(ann)
    assert program.post("tables", CASUAL).status_code == 200
    answer = program.post("tables", CASUAL)
    assert refusal(answer) == (429, "too-many-tables")
    limit = msgspec.json.decode(answer.content)["limit"]
    assert limit == {"name": "too-many-tables", "seconds": int(answer["Retry-After"])}
    assert 3500 < limit["seconds"] <= 3600


def test_tables_of_people_one_is_kept_apart_from_are_not_listed(ann: User, bob: User) -> None:
    tables.open_table(ann, TableSetup("shifting-stones", 2, rated=False))
    program = Program.of(bob)
    assert len(program.get("tables")["items"]) == 1
    relations.block(ann, bob)
    assert program.get("tables")["items"] == []
    assert refusal(program.ask("GET", "tables?after=7")) == (422, "cursor")
