"""Matches over the API: seen from each seat, played in the notation, and refused with stable codes."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from django.test import Client

from accounts.models import User
from games.api import authentication
from games.api.authentication import Caller
from games.api.models import Scope
from games.engine.record import read
from games.moderation import people as moderators
from games.play import commands
from games.play.models import Match
from games.titles import titles
from tests.people import act, person, play_on, play_out, running_match
from tests.site.api.programs import Program, refusal

pytestmark = pytest.mark.django_db


def lines(answer: Any) -> list[Any]:
    """Return the values of a stream of lines, each of which has to be whole."""
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/x-ndjson"
    text = b"".join(answer.streaming_content)
    assert text.endswith(b"\n") or not text
    return [msgspec.json.decode(line) for line in text.splitlines()]


def legal(program: Program, slug: str) -> list[str]:
    first, *actions, last = lines(program.ask("GET", f"matches/{slug}/legal"))
    assert set(first) == {"version", "seat"}
    assert last == {"count": len(actions)}
    return [it["action"] for it in actions]


def told(answer: Any) -> Any:
    assert answer.status_code == 200, answer.content
    return msgspec.json.decode(answer.content)


@pytest.mark.parametrize("game", titles())
def test_two_programs_play_and_a_third_watches(game: str, ann: User, bob: User) -> None:
    match = running_match([ann, bob], game=game, clock="300+10/600")
    programs, spectator = [Program.of(ann), Program.of(bob)], Program()
    seen = 0
    for number in range(6):
        full = spectator.get(f"matches/{match.slug}?after={seen}")
        state = full["state"]
        assert (full["viewer"], state["status"], state["result"]) == (None, "running", None)
        seen = state["length"]
        mover = state["to_move"][0]
        assert state["clocks"][mover]["deadline"]
        mine = programs[mover].get(f"matches/{match.slug}")
        assert mine["viewer"] == mover
        body = {
            "action": legal(programs[mover], match.slug)[0],
            "version": mine["state"]["version"],
            "client_id": f"program-{number}",
        }
        done = told(programs[mover].post(f"matches/{match.slug}/actions", body))
        assert done["state"]["version"] > state["version"]
        assert not done["repeated"]
        assert done["state"]["view"] == programs[mover].get(f"matches/{match.slug}")["state"]["view"]
        again = told(programs[mover].post(f"matches/{match.slug}/actions", {**body, "version": 0}))
        assert again["repeated"]
    others = [it["seat"] for it in spectator.get(f"matches/{match.slug}?after=0")["events"]]
    assert len(others) <= 6
    assert b"seen_by" not in spectator.ask("GET", f"matches/{match.slug}?after=0").content
    assert b"legal" not in spectator.ask("GET", f"matches/{match.slug}").content
    schema = spectator.get(f"games/{game}")
    assert schema["view"]["$defs"]
    assert set(schema["view"]["$defs"][schema["view"]["$ref"].rpartition("/")[2]]["properties"]) == set(
        mine["state"]["view"]
    )


def test_a_stale_version_is_answered_with_the_match_as_it_is(ann: User, bob: User) -> None:
    match = play_on(running_match([ann, bob]), 1)
    seat = match.seats.get(to_move=True)
    program = Program.of(seat.user)
    answer = program.post(f"matches/{match.slug}/actions", {"action": "skip", "version": 0, "client_id": "program-1"})
    assert refusal(answer) == (409, "stale")
    full = told_of(answer)["full"]
    assert {**full, "events": None} == program.get(f"matches/{match.slug}")
    assert full["state"]["version"] == match.version


def told_of(answer: Any) -> Any:
    return msgspec.json.decode(answer.content)


# A line is: who | where and with what | the refusal. `V` is the current version.
REFUSED = """
ann      | actions {"action": "nonsense", "version": V, "client_id": "program-1"} | 422 notation
other    | actions {"action": "skip", "version": V, "client_id": "program-1"}     | 422 not-your-turn
ann      | actions {"action": "skip", "version": V, "client_id": "short"}         | 422 invalid
ann      | actions {"action": "skip", "version": "V"}                             | 422 invalid
ann      | undo {"version": V, "client_id": "program-1"}                          | 422 nothing-to-undo
ann      | restart {"version": V, "client_id": "program-1"}                       | 422 nothing-to-undo
ann      | abort {"do": "dance", "client_id": "program-1"}                        | 422 invalid
stranger | actions {"action": "skip", "version": V, "client_id": "program-1"}     | 403 not-seated
stranger | resign {"client_id": "program-1"}                                      | 403 not-seated
visitor  | resign {"client_id": "program-1"}                                      | 401 token
"""


@pytest.fixture
def running(ann: User, bob: User) -> Match:
    return running_match([ann, bob])


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_what_is_refused(running: Match, row: str) -> None:
    who, asked, wanted = (cell.strip() for cell in row.split("|"))
    where, body = asked.split(" ", 1)
    mover = running.seats.get(to_move=True).user
    people = {"ann": mover, "other": running.seats.get(to_move=False).user, "visitor": None}
    program = Program.of(people[who] if who in people else person())
    before = running.actions.count()
    status, code = refusal(
        program.post(f"matches/{running.slug}/{where}", json.loads(body.replace("V", str(running.version))))
    )
    assert f"{status} {code}" == wanted
    assert running.actions.count() == before


def test_programs_at_different_seats_may_name_their_requests_alike(ann: User, bob: User) -> None:
    match = running_match([ann, bob], game="card-chess")
    for user in (ann, bob):
        program = Program.of(user)
        version = program.get(f"matches/{match.slug}")["state"]["version"]
        asked = {"action": legal(program, match.slug)[0], "version": version, "client_id": "move-0001"}
        assert not told(program.post(f"matches/{match.slug}/actions", asked))["repeated"]
        assert told(program.post(f"matches/{match.slug}/actions", asked))["repeated"]


def test_taking_back_leaving_and_offers(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    mover = match.seats.get(to_move=True)
    mine, theirs = Program.of(mover.user), Program.of(match.seats.get(to_move=False).user)
    view = mine.get(f"matches/{match.slug}")["state"]["view"]
    shift = next(text for text in legal(mine, match.slug) if text.startswith("shift"))
    asked = {"action": shift, "version": match.version, "client_id": "program-1"}
    state = told(mine.post(f"matches/{match.slug}/actions", asked))["state"]
    assert state["undoable"] == 1
    assert theirs.get(f"matches/{match.slug}")["state"]["undoable"] == 0
    back = {"version": state["version"], "client_id": "program-2"}
    state = told(mine.post(f"matches/{match.slug}/undo", back))["state"]
    assert state["view"] == view
    assert told(mine.post(f"matches/{match.slug}/undo", back))["repeated"]
    match = play_on(running_match([ann, bob]), 6)
    offered = told(mine.post(f"matches/{match.slug}/abort", {"client_id": "program-3"}))["state"]
    assert len(offered["offers"]["abort"]) == 1
    declined = told(theirs.post(f"matches/{match.slug}/abort", {"client_id": "program-4", "do": "decline"}))["state"]
    assert declined["offers"] == {"abort": [], "declined_by": None}
    assert mine.get(f"matches/{match.slug}")["state"]["offers"]["declined_by"] is not None
    over = told(theirs.post(f"matches/{match.slug}/resign", {"client_id": "program-5"}))["state"]
    assert (over["status"], over["result"]["reason"], over["left"][0]["how"]) == ("over", "resign", "resign")
    assert sorted(over["result"]["places"]) == [1, 2]
    assert refusal(mine.post(f"matches/{match.slug}/resign", {"client_id": "program-6"})) == (422, "match-over")


def test_suspended_people_only_read_and_leave(running: Match, ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a token that outlives the suspension, as those of other programs may."""
    moderators.suspend(None, ann, None, "Because")
    ann.refresh_from_db()

    authentication._authenticators.append(
        lambda text: Caller(ann, frozenset(Scope.values), "x") if text == "x" else None
    )
    try:
        program = Program("x")
        asked = {"action": "skip", "version": running.version, "client_id": "program-1"}
        assert program.get(f"matches/{running.slug}")["viewer"] is not None
        assert refusal(program.post(f"matches/{running.slug}/actions", asked)) == (403, "suspended")
        assert program.post(f"matches/{running.slug}/resign", {"client_id": "program-1"}).status_code == 200
    finally:
        authentication._authenticators.pop()


def test_a_private_match_does_not_exist_for_others(ann: User, bob: User) -> None:
    match = running_match([ann, bob], visibility=Match.Visibility.PRIVATE)
    assert Program.of(ann).get(f"matches/{match.slug}")["viewer"] is not None
    for program in (Program(), Program.of(person()), Program.of(ann, Scope.CHAT)):
        for path in ("", "/record"):
            private = program.ask("GET", f"matches/{match.slug}{path}")
            missing = program.ask("GET", f"matches/nothere222{path}")
            assert refusal(private) == (404, "not-found")
            assert private.content == missing.content


def test_a_finished_match_is_sent_once_and_has_a_record(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    assert refusal(Program().ask("GET", f"matches/{match.slug}/record")) == (403, "not-over")
    match = play_out(match)
    for path in (f"matches/{match.slug}", f"matches/{match.slug}/record", "people/ann", "games"):
        first = Program().ask("GET", path)
        assert first["Cache-Control"] == "private, no-cache"
        again = Program().ask("GET", path, **{"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    found = read(Program().ask("GET", f"matches/{match.slug}/record").content)
    assert found.server_seed
    assert found.outcome is not None


def test_records_of_a_period_are_streamed_and_go_on_where_they_stopped(ann: User, bob: User) -> None:
    matches = [running_match([ann, bob], game="card-chess") for _number in range(3)]
    secluded = running_match([ann, bob], visibility=Match.Visibility.PRIVATE)
    for match in (*matches, secluded):
        commands.resign(match.pk, 0, "resignation")
    Match.objects.filter(pk=matches[0].pk).update(ended_at=datetime(2026, 1, 2, 23, tzinfo=UTC))
    answer = Program().ask("GET", "records?limit=2")
    first, second = lines(answer)
    (third,) = lines(Program().ask("GET", f"records?limit=2&after={answer['X-Next']}"))
    commits = [Match.objects.get(pk=match.pk).commit for match in matches]
    assert [first["commit"], second["commit"], third["commit"]] == commits
    read(msgspec.json.encode(first))
    assert len(lines(Program().ask("GET", "records?from=2026-01-02&to=2026-01-02"))) == 1
    assert lines(Program().ask("GET", "records?from=2026-01-03&to=2026-01-04")) == []
    assert lines(Program().ask("GET", "records?game=small-islands")) == []
    assert refusal(Program().ask("GET", "records?game=chess")) == (404, "not-found")
    assert refusal(Program().ask("GET", "records?after=nonsense")) == (422, "cursor")
    assert refusal(Program().ask("GET", "records?from=yesterday")) == (422, "invalid")
    assert refusal(Program().ask("GET", "records?limit=1001")) == (422, "invalid")
    assert len(lines(Program().ask("GET", "records?from=0001-01-01&to=9999-12-31"))) == 3
    assert refusal(Program().ask("GET", f"matches/{matches[0].slug}?after={10**30}")) == (422, "invalid")


def test_a_sealed_action_is_told_to_nobody_before_its_turn_is_over(ann: User, bob: User) -> None:
    match = running_match([ann, bob], game="card-chess")
    seats = list(match.seats.filter(to_move=True))
    assert len(seats) == 2
    programs = {seat.number: Program.of(seat.user) for seat in seats}
    text = legal(programs[0], match.slug)[-1]
    act(match, text, 0)
    for program in (programs[1], Program()):
        assert text not in program.ask("GET", f"matches/{match.slug}?after=0").content.decode()


def test_head_and_gzip_are_as_everywhere(ann: User, bob: User) -> None:
    match = running_match([ann, bob])
    answer = Client().head(f"/api/v1/matches/{match.slug}")
    assert (answer.status_code, answer.content) == (200, b"")
    packed = Client().get(f"/api/v1/matches/{match.slug}", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
