"""The guide for authors of programs: its commands, run as they stand there, against the served site."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.core.cache import cache

from accounts.models import User
from tests.people import client_of, person
from tests.serving import Site
from tests.site.accounts.programs import answered, program_of, sent_back
from tests.unit.config.environment import ROOT

GUIDE = (ROOT / "docs" / "oauth.md").read_text()
BACK = "http://127.0.0.1/back"

Reader = Callable[..., str]


@pytest.fixture
def author(live_site: Site) -> User:
    return person("author")


@pytest.fixture
def ann(live_site: Site) -> User:
    return person("ann")


@pytest.fixture
def follow(live_site: Site, author: User) -> Reader:
    """Run the command of the guide that has this in it, with what its reader knows by then; return what it prints."""
    client = program_of(author, back=BACK).id
    commands = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)

    def run(part: str, after: str = "", **known: str) -> str:
        (command,) = [each for each in commands if part in each]
        variables = {"SITE": live_site.url, "CLIENT": client, "PATH": "/usr/bin:/bin", **known}
        done = subprocess.run(
            ["sh", "-c", command + after], env=variables, capture_output=True, text=True, timeout=60, check=True
        )
        return done.stdout.strip()

    return run


def test_through_the_browser(follow: Reader, ann: User) -> None:
    address, verifier = follow("openssl", after='echo "$VERIFIER"').splitlines()
    fields = dict(parse_qsl(urlsplit(address).query))
    page = client_of(ann).get("/oauth/authorize", fields)
    back = sent_back(answered(page, ann))
    assert back["state"] == "1234"
    given = json.loads(follow("authorization_code", CODE=back["code"], VERIFIER=verifier))
    assert given["scope"] == "read play"
    assert json.loads(follow("/api/v1/me", ACCESS=given["access_token"]))["name"] == "ann"
    anew = json.loads(follow("grant_type=refresh_token", REFRESH=given["refresh_token"]))
    assert anew["scope"] == "read play"
    assert follow("oauth/revoke", REFRESH=anew["refresh_token"]) == ""
    assert json.loads(follow("/api/v1/me", ACCESS=anew["access_token"]))["code"] == "token"


def test_on_a_device(follow: Reader, ann: User) -> None:
    given = json.loads(follow("oauth/device/code"))
    assert json.loads(_asked_again(follow, given))["error"] == "authorization_pending"
    client_of(ann).post(f"{given['verification_uri']}?code={given['user_code']}", {"action": "confirm"})
    tokens = json.loads(_asked_again(follow, given))
    assert json.loads(follow("/api/v1/me", ACCESS=tokens["access_token"]))["name"] == "ann"


def _asked_again(follow: Reader, given: dict[str, Any]) -> str:
    key = f"allauth.idp.oidc.device_code[{given['device_code']}]"
    cache.set(key, {**cache.get(key), "last_poll_at": 0})  # as if it had waited
    return follow("device_code=", DEVICE=given["device_code"])
