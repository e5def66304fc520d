"""Programs that ask, with a token or without one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from games.api import tokens
from games.api.models import Scope

EVERYTHING = tuple(Scope)


def token_of(person: User, *scopes: Scope) -> str:
    """Return a new token of somebody, for everything unless scopes are named."""
    return tokens.make(person, "a program", scopes or EVERYTHING, 30)[1]


@dataclass(frozen=True)
class Program:
    """A program with a token; without one it is a visitor's."""

    token: str = ""

    @classmethod
    def of(cls, person: User | None, *scopes: Scope) -> Program:
        return cls("" if person is None else token_of(person, *scopes))

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """Send a request to an address below /api/v1/, with a body as JSON."""
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        data = b"" if body is None else msgspec.json.encode(body)
        sent = {} if method == "GET" else {"data": data, "content_type": "application/json"}
        call = getattr(Client(), method.lower())
        answer: HttpResponse = call(f"/api/v1/{path}", headers={**own, **headers}, **sent)
        return answer

    def get(self, path: str, **headers: str) -> Any:
        """Return what is read at an address, decoded; the answer has to be a good one."""
        answer = self.ask("GET", path, **headers)
        assert answer.status_code == 200, answer.content
        return msgspec.json.decode(answer.content)

    def post(self, path: str, body: Any = None) -> HttpResponse:
        return self.ask("POST", path, {} if body is None else body)


def refusal(answer: Any) -> tuple[int, str]:
    """Return status and code of a refusal, which has to be a problem as described."""
    assert answer["Content-Type"] == "application/problem+json", answer.content
    told = msgspec.json.decode(answer.content)
    assert {"type", "title", "status", "code", "detail"} <= set(told)
    assert told["status"] == answer.status_code
    return answer.status_code, told["code"]
