"""However many announcements are lost, doubled or late, every page is right within one heartbeat."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.utils import translation
from websockets.sync.client import ClientConnection

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.play import commands
from games.play.boards.fragments import _page, match_fragment
from games.play.live import heartbeat as live_heartbeat, pubsub
from games.play.models import Match
from games.play.reducer import positions
from tests.pages import Board
from tests.people import Kinds, act, client_of
from tests.serving import STARTING, Site, dialled

HEARTBEAT = 0.4
STEPS = 25
SLACK = 1.5
"""Seconds for rendering and delivering on a busy machine, on top of the heartbeat."""


@dataclass
class Lossy:
    """Announces some messages, loses some, doubles some, and delays some."""

    luck: random.Random
    deliver: Any
    late: list[threading.Timer] = field(default_factory=list)
    lost: int = 0

    def __call__(self, group: str, message: dict[str, Any]) -> None:
        fate = self.luck.random()
        if fate < 0.4:
            self.lost += 1
        elif fate < 0.6:
            self.late.append(threading.Timer(self.luck.uniform(0, 0.3), self.deliver, (group, message)))
            self.late[-1].start()
        else:
            for _ in range(2 if fate < 0.8 else 1):
                self.deliver(group, message)


@dataclass
class Page:
    """What an open page shows: the latest of each kind of message its socket has received."""

    user: User | None
    language: str
    socket: ClientConnection
    board: Board = field(default_factory=Board)
    waiting: int | None = None

    def read(self) -> None:
        """Take in everything that has arrived."""
        while True:
            try:
                message = json.loads(self.socket.recv(timeout=0))
            except TimeoutError:
                return
            if "content" in message and self.board.take(message):
                self.socket.send('{"kind": "hello"}')
            self.waiting = message.get("waiting", self.waiting)

    def is_right(self, kinds: Kinds) -> bool:
        """Return whether it shows what a page loaded now would."""
        self.read()
        _page.cache_clear()
        table = kinds.table(self.user)
        with translation.override(self.language):
            fresh = match_fragment(table, self.user)
        waiting = 0 if self.user is None else Match.objects.waiting_for(self.user).count()
        is_current = self.board.version == table.match.version and self.board.shows(fresh)
        return is_current and (self.user is None or self.waiting == waiting)


@pytest.fixture
def heartbeat() -> float:
    """Seconds between two heartbeats."""
    return HEARTBEAT


@pytest.fixture
def pages(live_site: Site, kinds: Kinds, monkeypatch: pytest.MonkeyPatch, heartbeat: float) -> Iterator[list[Page]]:
    """The match, open in everybody's browser, in two languages."""
    monkeypatch.setattr(live_heartbeat, "EVERY", heartbeat)
    readers = [(kinds.seated, "en"), (kinds.mate, "de"), (kinds.stranger, "de"), (None, "en")]
    with ExitStack() as stack:
        sockets = [stack.enter_context(_socket(live_site, kinds, *reader)) for reader in readers]
        yield [Page(*reader, socket) for reader, socket in zip(readers, sockets, strict=True)]


def _socket(site: Site, kinds: Kinds, user: User | None, language: str) -> ClientConnection:
    return dialled(site, f"match/{kinds.match.slug}/?language={language}", client_of(user) if user else None)


def step(match: Match, luck: random.Random) -> None:
    """Do one of the things players do."""
    match.refresh_from_db()
    kind = luck.random()
    try:
        if kind < 0.2:
            commands.undo(match.pk, luck.choice([0, 1]), match.version)
        elif kind < 0.3:
            commands.restart_turn(match.pk, luck.choice([0, 1]), match.version)
        elif kind < 0.4 and all(seat.acted for seat in match.seats.all()):
            commands.offer_abort(match.pk, 0, offered=not match.seats.get(number=0).offers_abort)
        else:
            seat = match.seats.get(to_move=True).number
            act(match, luck.choice(positions.legal_texts(match, seat)), seat)
    except RuleViolation:
        return  # nothing to undo just now


def all_right(pages: list[Page], kinds: Kinds, seconds: float) -> bool:
    """Return whether every page is right within some seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if all(page.is_right(kinds) for page in pages):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("seed", range(3))
def test_every_page_shows_what_is_so_within_one_heartbeat(
    pages: list[Page], kinds: Kinds, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    luck = random.Random(seed)
    lossy = Lossy(luck, pubsub._send)
    monkeypatch.setattr(pubsub, "_send", lossy)
    steps = 0
    while steps < STEPS or lossy.lost < STEPS / 4:  # what changes nothing announces nothing that could be lost
        step(kinds.match, luck)
        steps += 1
    assert all_right(pages, kinds, HEARTBEAT + SLACK)
    for late in lossy.late:
        late.join()
    assert all_right(pages, kinds, HEARTBEAT + SLACK)


def test_the_end_of_a_match_arrives_without_any_announcement(
    pages: list[Page], kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub, "_send", lambda *_: None)
    act(kinds.match, "end")
    commands.resign(kinds.match.pk, 1, "resignation")
    assert all_right(pages, kinds, HEARTBEAT + SLACK)
    assert {page.waiting for page in pages if page.user} == {0}


@pytest.mark.parametrize("heartbeat", [3600.0])
def test_without_a_heartbeat_a_lost_announcement_is_noticed(
    pages: list[Page], kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sabotaged variant."""
    monkeypatch.setattr(pubsub, "_send", lambda *_: None)
    assert all_right(pages, kinds, STARTING)  # what is on its way when a page opens has arrived
    act(kinds.match, "end")
    assert not all_right(pages, kinds, HEARTBEAT + SLACK)
