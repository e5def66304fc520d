"""Shared by tests of several processes: the stack on the test's database, its pages, and players."""

from __future__ import annotations

import http.client
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.test import Client
from pytest_django import DjangoDbBlocker
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from config.ops import stack
from config.ops.stack import Service, free_port
from games.play.models import Action, Match
from tests.site.config.lines import Line, Unanswered
from tests.site.config.processes import collect_names, database_url, headers_of
from tests.unit.config.environment import bare

HEALED = 15
"""Seconds within which every page is right again, whatever was lost."""

STACKED = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "SITE_URL", "TRUSTED_PROXIES")
"""The variables the processes are given; everything else has its default."""


@contextmanager
def shared_database(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Let the tests of a file share the database with a site that runs throughout; empty it at the end.

    Emptying it after each test, as Django does, truncates every table at once, and that and the running site wait for
    each other's locks until PostgreSQL ends one of the two. So the site must have ended when this block does.
    """
    with blocker.unblock():
        yield
        connections.close_all()
        call_command("flush", interactive=False, verbosity=0)


def seconds_of(name: str, by_day: float) -> float:
    """Return how long something lasts: as long as the variable says, or by default a short time."""
    return float(os.environ.get(name, by_day))


def wait_until(true: Callable[[], bool], seconds: float = HEALED) -> bool:
    """Return whether something becomes true within some seconds."""
    deadline = time.monotonic() + seconds
    while not (found := true()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    headers: http.client.HTTPMessage
    body: str


@dataclass(frozen=True)
class Front:
    """The front of the whole site: nginx on a port, what is behind it, and replacements for parts of that."""

    port: int
    environment: dict[str, str]
    parts: list[Service]
    running: ExitStack = field(default_factory=ExitStack)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, client: Client | None = None, **options: Any) -> Answer:
        """Send a request as htmx would.

        Args:
            method: of the request.
            path: of the address.
            client: whose session.
            options: `form`, a dictionary, and `headers`.

        Raises:
            OSError, http.client.HTTPException: there was no whole answer.
        """
        visit = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {**headers_of(client), **options.get("headers", {})}
        try:
            visit.request(method, path, urlencode(options.get("form", {})), headers)
            answer = visit.getresponse()
            return Answer(answer.status, answer.headers, answer.read().decode(errors="replace"))
        finally:
            visit.close()

    def dial(self, path: str, client: Client | None = None, **headers: str) -> ClientConnection:
        """Open a socket as a page of the site would."""
        session = "" if client is None else client.cookies[settings.SESSION_COOKIE_NAME].value
        sent = {"Origin": self.origin, "Cookie": f"{settings.SESSION_COOKIE_NAME}={session}", **headers}
        address = f"ws://127.0.0.1:{self.port}{path}"
        return connect(
            address, additional_headers=sent, compression=None, max_size=None, open_timeout=60, close_timeout=1
        )


def name_who_answers(folder: Path) -> None:
    """Let the nginx of a stack with this folder say which process has answered."""
    more = folder / "nginx" / "more"
    more.mkdir(parents=True)
    (more / "served-by.conf").write_text("add_header X-Served-By $upstream_addr always;")


@contextmanager
def stacked(folder: Path, layer: str) -> Iterator[Front]:
    """Run the stack on the test's database until the end of the block, with the names of its static files alone.

    Args:
        folder: for its files.
        layer: the address of its Redis.
    """
    port = free_port()
    site = stack.environment(folder, port, database_url(), layer) | {"SECRET_KEY": settings.SECRET_KEY}
    environment = bare(folder, **{name: site[name] for name in STACKED})
    name_who_answers(folder)
    collect_names(folder / "static")
    with stack.running(folder, port, environment) as parts, ExitStack() as renewed:
        yield Front(port, environment, parts, renewed)


def dial_both(front: Front, path: str, client: Client | None = None) -> dict[str, ClientConnection]:
    """Open a socket to each web process, one after the other; return them by the address of the process."""
    found: dict[str, ClientConnection] = {}
    for _ in range(20):
        socket = front.dial(path, client)
        assert socket.response is not None
        if found.setdefault(socket.response.headers["X-Served-By"], socket) is not socket:
            socket.close()
        if len(found) == stack.WEB_PROCESSES:
            return found
    raise AssertionError(f"all sockets went to {list(found)}")


class Page:
    """An open page of a match: its socket reconnects whenever it is lost, as the page's script does."""

    def __init__(self, front: Front, match: Match) -> None:
        self.version = 0
        self._front, self._path = front, f"/ws/match/{match.slug}/"
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Page:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join(60)

    def _run(self) -> None:
        while not self._ended.is_set():
            with suppress(OSError, ConnectionClosed, InvalidHandshake), self._front.dial(self._path) as socket:
                while not self._ended.is_set():
                    self._read(socket)
            self._ended.wait(0.5)

    def _read(self, socket: ClientConnection) -> None:
        with suppress(TimeoutError):
            message = json.loads(socket.recv(timeout=0.5))
            if "content" in message:
                self.version = message["version"]


@dataclass
class Player:
    """Both players of a match, who act in turn and repeat what was not done."""

    front: Front
    match: Match
    clients: tuple[Client, Client]
    pause: float
    acknowledged: set[str] = field(default_factory=set)
    answers: set[str] = field(default_factory=set)
    slowest: float = 0
    turns: int = 0

    def play(self, until: Callable[[], bool]) -> None:
        """End turns until told to stop."""
        while not until():
            self._act(secrets.token_hex(10))
            time.sleep(self.pause)

    def _act(self, client_id: str) -> None:
        """Send one action again and again until it is acknowledged."""
        form = {"action": "end", "version": str(self.match.version), "client_id": client_id}
        while (version := self._send(form)) is None:
            time.sleep(0.2)
        self.acknowledged.add(client_id)
        self.match.version = version
        self.turns += 1

    def _send(self, form: dict[str, str]) -> int | None:
        started = time.monotonic()
        answer, version = self.ask(self.turns % len(self.clients), form)
        self.slowest = max(self.slowest, time.monotonic() - started)
        self.answers.add(answer)
        return version

    def ask(self, seat: int, form: dict[str, str]) -> tuple[str, int | None]:
        """Send a player's form; return the answer, and the match's version if it was done."""
        raise NotImplementedError


class ByPost(Player):
    """They post their forms, as pages without a socket do."""

    def ask(self, seat: int, form: dict[str, str]) -> tuple[str, int | None]:
        answer = self.front.ask("POST", f"{self.match.get_absolute_url()}act/", self.clients[seat], form=form)
        return str(answer.status), int(
            answer.headers["X-Match-Version"]
        ) if answer.status == http.HTTPStatus.OK else None


class OverSocket(Player):
    """They send their forms over the sockets of their pages, and over new ones where those were lost."""

    def play(self, until: Callable[[], bool]) -> None:
        with ExitStack() as opened:
            self._lines = [opened.enter_context(self._line(client)) for client in self.clients]
            super().play(until)

    def _line(self, client: Client) -> Line:
        return Line(partial(self.front.dial, f"/ws/match/{self.match.slug}/", client))

    def ask(self, seat: int, form: dict[str, str]) -> tuple[str, int | None]:
        try:
            answer = self._lines[seat].ask("act", form)
        except Unanswered:
            return "unanswered", None
        return answer["status"], answer["version"] if answer["status"] == "done" else None


def lost(players: list[Player]) -> set[str]:
    """Return what was acknowledged but not stored."""
    stored = set(Action.objects.values_list("client_id", flat=True))
    return {client_id for player in players for client_id in player.acknowledged} - stored


def repeated(players: list[Player]) -> list[Match]:
    """Return the matches in which something else was stored than each action that was acknowledged, once."""
    return [player.match for player in players if Action.objects.filter(match=player.match).count() != player.turns]
