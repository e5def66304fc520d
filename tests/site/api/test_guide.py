"""The examples of the guide and the README do what they say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from string import Template
from typing import Any

import httpx
import msgspec
import pytest
from django.conf import settings
from django.test import Client

from games.play.commands import resign
from games.titles import verification
from tests.people import client_of, person, running_match
from tests.serving import Site
from tests.site.accounts.programs import agreed, answered, program_of, sent_back
from tests.site.api.programs import Program, token_of

pytestmark = pytest.mark.django_db


def _of_readme() -> str:
    return Path("README.md").read_text()


def _of_guide() -> str:
    page = Client().get("/api/")
    assert page.status_code == 200
    return unescape("\n".join(re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page.content.decode(), re.DOTALL)))


def examples(text: str) -> Iterator[str]:
    """Yield the commands, each on a line or on some that end with a backslash."""
    lines = text.replace("\\\n", "").splitlines()
    yield from (" ".join(line.split()) for line in lines if line.strip().startswith("curl "))


def asked_by(command: str, known: dict[str, str]) -> dict[str, Any]:
    """Return what curl would send, with these variables set: the method, the path, headers and the body."""
    unknown = set(re.findall(r"\$(\w+)", command)) - set(known)
    assert not unknown, command
    options, (address,) = _read(shlex.split(Template(command).substitute(known))[1:])
    headers = dict(each.split(": ", 1) for each in options.get("-H", []))
    asked = {"method": "GET", "path": address.removeprefix(settings.SITE_URL), "headers": headers, "body": ""}
    if "-d" in options:  # as curl sends it, as a form
        asked |= {"method": "POST", "body": "&".join(options["-d"])}
    return asked


def _read(words: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the options of curl, each with its values, and what else is there."""
    options, rest, left = dict[str, list[str]](), list[str](), iter(words)
    for word in left:
        if word in {"-H", "-d", "-o"}:
            options.setdefault(word, []).append(next(left))
        elif word not in {"-N", "-s"}:
            rest.append(word)
    return options, rest


def run(command: str, known: dict[str, str]) -> Any:
    """Do what a shell and curl would do."""
    asked = asked_by(command, known)
    if asked["method"] == "POST":
        kind = "application/x-www-form-urlencoded"
        return Client().post(asked["path"], asked["body"], content_type=kind, headers=asked["headers"])
    return Client().get(asked["path"], headers=asked["headers"])


def _is_about(command: str, *parts: str) -> bool:
    return any(part in command for part in parts)


def playing(text: str) -> Iterator[str]:
    """Yield the commands with which somebody plays."""
    apart = ("/oauth/", "/.well-known/", "/stream/", "BOT_TOKEN", "/v1/bots", "FINISHED")
    return (command for command in examples(text) if not _is_about(command, *apart))


@pytest.mark.parametrize("source", [_of_readme, _of_guide])
def test_the_examples_play_a_match(source: Any) -> None:
    known = {"TOKEN": token_of(person("ann")), "SITE": f"{settings.SITE_URL}/api/v1"}
    done = []
    for command in playing(source()):
        answer = run(command, known)
        assert answer.status_code == 200, (command, answer.content)
        if command.endswith("legal"):
            first, action, *_more = [
                msgspec.json.decode(line) for line in b"".join(answer.streaming_content).splitlines()
            ]
            known |= {"VERSION": str(first["version"]), "ACTION": action["action"]}
            continue
        done.append(told := msgspec.json.decode(answer.content))
        if "slug" in told:
            known["SLUG"] = told["slug"]
    assert done[-1]["state"]["length"] == 1
    assert len(done) == 5


def test_the_examples_make_a_bot() -> None:
    known = {"BOT_TOKEN": token_of(person("bot"))}
    made, conditions, online = [
        run(command, known).json() for command in examples(_of_guide()) if _is_about(command, "BOT_TOKEN", "/v1/bots")
    ]
    assert made["name"] == "bot"
    assert (conditions["games"], conditions["at_once"]) == (["small-islands"], 4)
    assert [bot["name"] for bot in online["items"]] == ["bot"]


def test_the_bot_of_the_guide_is_the_one_that_is_tried() -> None:
    assert Path("examples/bot.py").read_text() in _of_guide()


def test_what_the_guide_checks_without_this_site_is_as_recorded(tmp_path: Path) -> None:
    match = running_match([person("ann"), person("bob")])
    resign(match.pk, 0, "resignation")
    (command,) = (command for command in examples(_of_guide()) if "FINISHED" in command)
    (file := tmp_path / "match.json").write_bytes(run(command, {"FINISHED": match.slug}).content)
    assert verification.main([str(file)]) == 0


def test_the_examples_of_applications_let_one_in_and_out_again() -> None:
    ann, program = person("ann"), program_of(person("author"), back="http://127.0.0.1:8765/back")
    discovery, *asking = [
        command for command in examples(_of_guide()) if _is_about(command, "/.well-known/", "/oauth/")
    ]
    assert run(discovery, {}).json()["code_challenge_methods_supported"] == ["S256"]
    known = {"CLIENT": program.id, "VERIFIER": program.verifier, "CODE": agreed(program, ann)}
    of_code, refreshing, revoking, of_device, waiting = asking
    first = run(of_code, known).json()
    assert Program(first["access_token"]).get("me")["name"] == "ann"
    second = run(refreshing, known | {"REFRESH": first["refresh_token"]}).json()
    assert Program(second["access_token"]).get("me")["name"] == "ann"
    assert run(revoking, known | {"NEXT_REFRESH": second["refresh_token"]}).status_code == 200
    assert Program(second["access_token"]).ask("GET", "me").status_code == 401
    device = run(of_device, known).json()
    assert {"user_code", "verification_uri", "interval"} <= device.keys()
    assert run(waiting, known | {"DEVICE": device["device_code"]}).json()["error"] == "authorization_pending"


def test_the_address_that_the_guide_shows_is_that_of_the_page_that_asks() -> None:
    ann, program = person("ann"), program_of(person("author"), back="http://127.0.0.1:8765/back")
    (line,) = (line for line in _of_guide().splitlines() if line.startswith("echo "))
    known = {"CLIENT": program.id, "CHALLENGE": program.challenge}
    address = shlex.split(Template(line).substitute(known))[1].removeprefix(settings.SITE_URL)
    assert sent_back(answered(client_of(ann).get(address), ann))["code"]


@pytest.mark.django_db(transaction=True)
def test_the_examples_of_streams_begin_with_what_is_so(live_site: Site) -> None:
    ann = person("ann")
    match = running_match([ann, person("bob")])
    known = {"TOKEN": token_of(ann), "SLUG": match.slug}
    kinds = []
    for command in examples(_of_guide()):
        if _is_about(command, "/stream/"):
            asked = asked_by(command, known)
            with httpx.stream("GET", f"{live_site.url}{asked['path']}", headers=asked["headers"]) as answer:
                kinds.append(msgspec.json.decode(next(answer.iter_lines()))["type"])
    assert kinds == ["match_started", "full"]
