"""A page of a match as far as its socket is concerned: what it shows, and what it asks for."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from websockets.sync.client import ClientConnection

from accounts.models import User
from games.play.boards.fragments import match_fragment
from games.play.models import Match
from tests.pages import Board
from tests.people import client_of
from tests.serving import Site, dialled


class Tab:
    """A page of a match with its socket and what it shows."""

    def __init__(self, site: Site, match: Match, user: User | None, language: str = "en", page: str = "") -> None:
        client = client_of(user) if user else None
        path = f"match/{match.slug}/?language={language}&page={page}"
        self.match, self.opening = match, dialled(site, path, client)
        self.board = Board()

    def __enter__(self) -> Tab:
        self.socket = self.opening.__enter__()
        self.board.take(self.next("content"))
        return self

    def __exit__(self, *error: Any) -> None:
        self.opening.__exit__(*error)

    def next(self, name: str) -> dict[str, Any]:
        return following(self.socket, name)

    def send(self, kind: str, client_id: str = "request-one", **fields: str) -> None:
        form = {"version": str(self.match.version), "client_id": client_id} | fields
        self.socket.send(json.dumps({"kind": kind, "form": urlencode(form)}))

    def ask(self, kind: str, client_id: str = "request-one", **fields: str) -> dict[str, Any]:
        """Ask for something; show and return the answer."""
        self.send(kind, client_id, **fields)
        answer = self.next("answer")
        assert answer["answer"] == client_id
        if "content" in answer:
            self.board.take(answer)
        self.match.refresh_from_db()
        return answer

    def shows(self, viewed: Any, notice: str = "") -> bool:
        return self.board.shows(match_fragment(viewed, notice=notice))


def following(socket: ClientConnection, name: str) -> dict[str, Any]:
    """Return the next message that says something under a name."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if name in message:
            return message
