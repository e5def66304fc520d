"""What the socket of the lobby pushes: what has changed, at most once a second, to each what they may see."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from websockets.sync.client import ClientConnection

from accounts.models import User
from games.matchmaking import consumers, tables
from games.matchmaking.lobby import PAGE
from games.play.live import heartbeat, pubsub
from games.play.models import Match
from games.play.reducer import positions
from tests.people import act, client_of, person, running_match
from tests.serving import Site, dialled
from tests.waiting import wait_until

Opened = Callable[..., Match]
Opener = Callable[..., AbstractContextManager[ClientConnection]]


@pytest.fixture
def opener(live_site: Site, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Open the lobby's socket as a user (None: a visitor); pushes wait for a shorter time than usual."""
    monkeypatch.setattr(consumers, "PAUSE", 0.1)

    def open_socket(user: User | None, client: Client | None = None, **asked: object) -> ClientConnection:
        query = urlencode({"language": "en", **asked})
        return dialled(live_site, f"lobby/?{query}", (client or client_of(user)) if user else None)

    return open_socket


def news(connection: ClientConnection, seconds: float = 60) -> dict[str, Any]:
    """Return what the next message says of the lists."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        message: dict[str, Any] = json.loads(connection.recv(timeout=seconds))
        if "content" in message:
            content: dict[str, Any] = message["content"]
            return content
    raise AssertionError("only heartbeats came")


class Reader:
    """A page that puts together what it is sent, as `lobby.js` does."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.items: dict[str, str] = {}
        self.orders: dict[str, list[str]] = {"tables": [], "running": []}
        self.own = ""

    def read(self) -> Reader:
        """Wait for the next push."""
        told = news(self.connection)
        self.own = told.get("own", self.own)
        for name in self.orders.keys() & told.keys():
            self.items |= told[name]["fresh"]
            self.orders[name] = told[name]["order"]
        return self

    def __getitem__(self, name: str) -> str:
        return "".join(self.items[key] for key in self.orders[name])

    @property
    def content(self) -> str:
        return self["tables"] + self["running"]


def none_for(connection: ClientConnection, seconds: float) -> bool:
    """Return whether no lists arrive for this long."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        try:
            if "content" in json.loads(connection.recv(timeout=left)):
                return False
        except TimeoutError:
            return True
    return True


def test_the_first_message_is_the_whole_lobby(opener: Opener, opened: Opened) -> None:
    match, running = opened(person()), running_match([person(), person()])
    with opener(None) as connection:
        told = news(connection)
    assert list(told["tables"]["fresh"]) == [f"table-{match.slug}"]
    assert list(told["running"]["fresh"]) == [f"running-{running.slug}"]
    assert told["own"] == ""


def test_a_new_table_appears_and_a_begun_one_goes(opener: Opener, opened: Opened) -> None:
    with opener(None) as connection:
        reader = Reader(connection).read()
        assert reader.content == ""
        match = opened(person())
        assert f"table-{match.slug}" in reader.read()["tables"]
        tables.join(match.pk, person())
        assert reader.read()["tables"] == ""
        assert f"running-{match.slug}" in reader["running"]


def test_a_push_carries_only_what_has_changed(opener: Opener, opened: Opened) -> None:
    for _ in range(5):
        opened(person(), seats=3)
    with opener(None) as connection:
        reader = Reader(connection).read()
        match = opened(person(), seats=3)
        told = news(connection)
        assert list(told) == ["tables"]
        assert list(told["tables"]["fresh"]) == [f"table-{match.slug}"]
        assert told["tables"]["order"] == [f"table-{match.slug}", *reader.orders["tables"]]


def test_pictures_of_running_matches_follow_them(opener: Opener, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 600)  # before the heartbeat
    match, other = (running_match([person(), person()], seed=bytes(32)) for _ in range(2))
    with opener(None) as connection:
        before = Reader(connection).read()["running"]
        text = next(text for text in positions.legal_texts(match, 0) if text.startswith("flip"))
        act(match, text, 0)
        told = news(connection)
        assert list(told) == ["running"]
        assert list(told["running"]["fresh"]) == [f"running-{match.slug}"]
        assert told["running"]["fresh"][f"running-{match.slug}"] not in before
        assert told["running"]["order"] == [f"running-{other.slug}", f"running-{match.slug}"]


def test_a_socket_hears_of_the_matches_it_lists_until_it_ends(opener: Opener, db: None) -> None:
    match = running_match([person(), person()], seed=bytes(32))
    topic = pubsub.match_topic(match.slug)
    with opener(None) as connection:
        news(connection)
        assert pubsub.subscribers(topic)
    wait_until(lambda: not pubsub.subscribers(topic))


def test_each_page_has_its_own_pushes(opener: Opener, opened: Opened) -> None:
    oldest = opened(person())
    for _ in range(PAGE - 1):
        opened(person())
    with opener(None) as first, opener(None, page=2) as second:
        one, two = Reader(first).read(), Reader(second).read()
        assert f"table-{oldest.slug}" in one["tables"]
        assert two["tables"] == ""
        newest = opened(person())
        assert f"table-{newest.slug}" in one.read()["tables"]
        assert f"table-{oldest.slug}" not in one["tables"]
        assert f"table-{oldest.slug}" in two.read()["tables"]


def test_each_filter_has_its_own_pushes(opener: Opener, opened: Opened) -> None:
    with opener(None, game="card-chess", rated="no") as connection:
        reader = Reader(connection).read()
        opened(person(), game="card-chess")
        fits = opened(person(), game="card-chess", rated=False)
        assert [f"table-{fits.slug}"] == reader.read().orders["tables"]


def test_each_sees_their_own_tables_and_no_others(opener: Opener, opened: Opened) -> None:
    host, stranger = person(), person()
    with opener(host) as mine, opener(stranger) as other:
        own, theirs = Reader(mine).read(), Reader(other).read()
        match = opened(host, visibility="private", seats=3, invited=(person(),))
        assert match.slug in own.read().own
        opened(person())
        assert match.slug not in theirs.read().own + theirs.content


def test_many_changes_come_as_one_push_a_pause(opener: Opener, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "PAUSE", 0.5)
    with opener(None) as connection:
        reader = Reader(connection).read()
        began = time.monotonic()
        made = [opened(person()) for _ in range(8)]
        pushes = 0
        while made[-1].slug not in reader.read()["tables"]:
            pushes += 1
        assert all(match.slug in reader["tables"] for match in made)
        assert pushes <= 1 + (time.monotonic() - began) / consumers.PAUSE


def test_nothing_new_is_not_pushed_again(opener: Opener, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 0.2)
    host = person()
    match = opened(host, visibility="link", seats=3)
    with opener(None) as connection:
        news(connection)
        tables.join(match.pk, person())
        assert none_for(connection, 0.8)


def test_a_lost_hint_heals_at_the_heartbeat(opener: Opener, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 0.2)
    monkeypatch.setattr(consumers, "FRESH_ENOUGH", 0.0)
    with opener(None) as connection:
        reader = Reader(connection).read()
        monkeypatch.setattr(pubsub, "lobby_changed", lambda: None)
        match = opened(person())
        assert match.slug in reader.read()["tables"]


def test_a_hello_is_answered_with_the_whole_lobby(opener: Opener, opened: Opened) -> None:
    opened(person())
    with opener(None) as connection:
        first = news(connection)
        connection.send('{"kind": "hello"}')
        assert news(connection) == first


def test_the_page_shows_what_the_socket_pushes(opener: Opener, opened: Opened) -> None:
    opened(person())
    running_match([person(), person()])
    user = person()
    client = client_of(user)
    shown = client.get("/lobby/").content.decode()
    with opener(user, client) as connection:
        reader = Reader(connection).read()
        assert reader["tables"] in shown
        assert reader["running"] in shown
