"""The examples of the guide and the README do what they say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from string import Template
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.test import Client

from tests.people import person
from tests.site.api.programs import token_of

pytestmark = pytest.mark.django_db


def _of_readme() -> str:
    return Path("README.md").read_text()


def _of_guide() -> str:
    page = Client().get("/api/")
    assert page.status_code == 200
    return unescape("\n".join(re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page.content.decode(), re.DOTALL)))


def examples(text: str) -> Iterator[str]:
    """Yield the commands, each on a line."""
    yield from (line.strip() for line in text.splitlines() if line.strip().startswith("curl "))


def run(command: str, known: dict[str, str]) -> Any:
    """Do what a shell and curl would do, with these variables set."""
    unknown = set(re.findall(r"\$(\w+)", command)) - set(known)
    assert not unknown, command
    words = shlex.split(Template(command).substitute(known))[1:]
    header = dict([words[words.index("-H") + 1].split(": ", 1)]) if "-H" in words else {}
    path = words[-1].removeprefix(settings.SITE_URL)
    if "-d" in words:  # as curl sends it, as a form
        body, kind = words[words.index("-d") + 1], "application/x-www-form-urlencoded"
        return Client().post(path, body, content_type=kind, headers=header)
    return Client().get(path, headers=header)


@pytest.mark.parametrize("source", [_of_readme, _of_guide])
def test_the_examples_play_a_match(source: Any) -> None:
    known = {"TOKEN": token_of(person("ann")), "SITE": f"{settings.SITE_URL}/api/v1"}
    done = []
    for command in examples(source()):
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
