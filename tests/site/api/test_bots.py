"""Bot accounts through the API: becoming one, conditions, who is listed, and who is here."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from django.http import HttpResponse

from accounts.models import User
from accounts.services import bots_here
from games.api.models import Scope
from games.bots.accounts import become_bot
from tests.people import person, running_match
from tests.site.api.programs import Program, refusal

pytestmark = pytest.mark.django_db

OPEN = {"games": [], "seats": [], "speeds": [], "clocks": [], "people": True, "bots": True, "at_once": 8}
STRICT = {**OPEN, "games": ["shifting-stones"], "seats": [2], "speeds": ["live"], "clocks": ["300+10/600", ""]}


def told(answer: HttpResponse) -> Any:
    assert answer.status_code == 200, answer.content
    return msgspec.json.decode(answer.content)


def test_an_account_becomes_a_bot_says_what_it_plays_and_is_listed() -> None:
    robo = person("robo")
    program = Program.of(robo, Scope.BOT)
    assert refusal(program.ask("GET", "me/bot")) == (422, "not-bot")
    assert told(program.post("me/bot"))["conditions"] == OPEN
    assert program.get("me/bot/conditions") == OPEN
    assert told(program.post("me/bot/conditions", STRICT)) == program.get("me/bot/conditions") == STRICT
    (listed,) = Program().get("bots")["items"]
    assert listed == {**program.get("me/bot"), "playing": 0}
    assert listed["name"] == "robo"
    assert listed["url"].endswith("/@robo/")
    assert told(program.post("me/bot/conditions", {})) == OPEN, "what is left out is open"


def test_a_bot_is_here_while_it_asks_and_a_person_is_not() -> None:
    robo, ann = person("robo"), person("ann")
    become_bot(robo)
    assert not bots_here()
    Program.of(ann).get("me")
    assert not User.objects.filter(sighting__isnull=False).exists()
    Program.of(robo, Scope.READ).get("me")
    assert list(bots_here()) == [robo]


def test_bots_are_marked_in_answers() -> None:
    robo, ann = person("robo"), person("ann")
    become_bot(robo)
    match = running_match([ann, robo])
    reader = Program.of(ann)
    seats = reader.get(f"matches/{match.slug}")["seats"]
    assert [seat["bot_account"] for seat in seats] == [False, True]
    assert [reader.get(f"people/{name}")["bot_account"] for name in ("ann", "robo")] == [False, True]


def test_what_a_bot_does_not_play_is_refused_by_the_site_and_not_by_its_program() -> None:
    robo, ann, casual = person("robo"), person("ann"), {"game": "shifting-stones", "rated": False}
    become_bot(robo)
    told(Program.of(robo, Scope.BOT).post("me/bot/conditions", {"games": ["shifting-stones"], "speeds": ["live"]}))
    reader, bot = Program.of(ann), Program.of(robo)
    for asked, code in [
        ({**casual, "game": "card-chess"}, "bot-game"),
        ({**casual, "speed": "days"}, "bot-speed"),
        ({**casual, "rated": True}, "bot-rated"),
    ]:
        assert refusal(reader.post("people/robo/challenge", asked)) == (422, code)
    slug = told(reader.post("tables", {**casual, "seats": 3, "speed": "days"}))["slug"]
    assert refusal(bot.post(f"tables/{slug}/sit")) == (422, "bot-speed")
    slug = told(reader.post("people/robo/challenge", casual))["slug"]
    assert told(bot.post(f"tables/{slug}/accept"))["status"] == "running"


def test_what_is_refused(subtests: pytest.Subtests) -> None:
    robo, begun = person(), person()
    become_bot(robo)
    running_match([begun, robo])
    nobody = Program()
    cases: list[tuple[tuple[int, str], Program, str, str, Any]] = [
        ((401, "token"), nobody, "POST", "me/bot", {}),
        ((403, "scope"), Program.of(begun, Scope.PLAY), "POST", "me/bot", {}),
        ((403, "scope"), Program.of(robo, Scope.PLAY), "GET", "me/bot/conditions", None),
        ((403, "scope"), Program.of(robo, Scope.PLAY), "POST", "me/bot/conditions", {}),
        ((422, "has-begun"), Program.of(begun), "POST", "me/bot", {}),
        ((422, "staff-bot"), Program.of(person(is_staff=True)), "POST", "me/bot", {}),
        ((422, "already-bot"), Program.of(robo), "POST", "me/bot", {}),
        ((422, "not-bot"), Program.of(begun), "POST", "me/bot/conditions", {}),
        ((422, "not-bot"), Program.of(begun), "GET", "me/bot/conditions", None),
        ((422, "conditions"), Program.of(robo), "POST", "me/bot/conditions", {"games": ["chess"]}),
        ((422, "conditions"), Program.of(robo), "POST", "me/bot/conditions", {"people": False, "bots": False}),
        ((422, "invalid"), Program.of(robo), "POST", "me/bot/conditions", {"at_once": 9}),
        ((422, "invalid"), Program.of(robo), "POST", "me/bot/conditions", {"colour": "red"}),
    ]
    for wanted, program, method, path, body in cases:
        with subtests.test(f"{method} {path} {wanted}"):
            assert refusal(program.ask(method, path, body)) == wanted
