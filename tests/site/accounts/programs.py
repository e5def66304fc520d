"""Programs of others that ask people to let them in, as their authors would write them."""

from __future__ import annotations

import re
import secrets
from base64 import b64encode, urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

from allauth.idp.oidc.models import Client as Application
from django.test import Client

from accounts.applications import clients
from accounts.models import User
from tests.people import client_of

BACK = "https://program.example/back"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"


@dataclass
class Program:
    """A program and what it keeps to itself.

    Args:
        id: its client id.
        secret: empty of a public one.
        back: where it wants people sent back to.
    """

    id: str
    secret: str = ""
    back: str = BACK
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    http: Client = field(default_factory=Client)

    @property
    def challenge(self) -> str:
        return urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()

    def question(self, **changes: Any) -> dict[str, Any]:
        """Return what it asks in a browser; a change to None leaves a field out."""
        fields = {
            "client_id": self.id,
            "redirect_uri": self.back,
            "response_type": "code",
            "scope": "read play",
            "state": "s-1",
            "code_challenge": self.challenge,
            "code_challenge_method": "S256",
            **changes,
        }
        return {name: value for name, value in fields.items() if value is not None}

    def token(self, code: str, **changes: Any) -> Any:
        """Ask for a token with a code."""
        fields = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.back, **changes}
        fields.setdefault("code_verifier", self.verifier)
        return self.post("token", **fields)

    def post(self, endpoint: str, **fields: Any) -> Any:
        """Send a form to an endpoint, with what proves who it is."""
        known = {"client_id": self.id, **fields}
        data = "&".join(f"{name}={_quoted(value)}" for name, value in known.items() if value is not None)
        headers = {}
        if self.secret:
            headers["Authorization"] = f"Basic {b64encode(f'{self.id}:{self.secret}'.encode()).decode()}"
        return self.http.post(
            f"/oauth/{endpoint}", data, content_type="application/x-www-form-urlencoded", headers=headers
        )

    def whoami(self, token: str) -> Any:
        """Ask who stands behind a token."""
        return self.http.get("/oauth/userinfo", headers={"Authorization": f"Bearer {token}"})


def _quoted(value: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.~-]", lambda found: f"%{ord(found[0]):02X}", value)


def program_of(owner: User, kind: str = Application.Type.PUBLIC, back: str = BACK) -> Program:
    """Register a program."""
    application, secret = clients.register(owner, "Chess Clock", kind, [back])
    return Program(application.pk, secret, back)


def asked(program: Program, person: User, **changes: Any) -> Any:
    """Return the page that asks somebody."""
    return client_of(person).get("/oauth/authorize", program.question(**changes))


def answered(page: Any, person: User, action: str = "grant", scopes: list[str] | None = None) -> Any:
    """Send the form of that page; by default with everything ticked."""
    text = page.content.decode()
    signed = re.search(r'name="request" value="([^"]+)"', text)
    assert signed is not None, text
    ticked = re.findall(r'name="scopes" value="(\w+)"', text) if scopes is None else scopes
    fields = {"request": unescape(signed[1]), "scopes": ticked, "action": action}
    return client_of(person).post("/oauth/authorize", fields)


def agreed(program: Program, person: User, **changes: Any) -> str:
    """Let a program in; return the code it gets."""
    return sent_back(answered(asked(program, person, **changes), person))["code"]


def sent_back(answer: Any) -> dict[str, str]:
    """Return what a redirect carries to the program."""
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    return {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}


def let_in(program: Program, person: User, **changes: Any) -> dict[str, Any]:
    """Let a program in; return its tokens."""
    answer = program.token(agreed(program, person, **changes))
    assert answer.status_code == 200, answer.content
    tokens: dict[str, Any] = answer.json()
    return tokens
