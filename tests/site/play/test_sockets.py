"""The socket over a real server: what it pushes, what it refuses, when it closes, and how a page heals."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from threading import Event
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from accounts import limits
from accounts.models import User
from games.play.boards.fragments import match_fragment
from games.play.clocks import milliseconds
from games.play.live import consumers, heartbeat, pubsub, sockets, workers
from games.play.live.frames import Close
from games.play.models import Match
from games.play.reducer import positions
from tests.pages import Board, page_of, swap
from tests.people import Kinds, act, client_of, person, running_match
from tests.serving import Site, dialled
from tests.waiting import wait_until

Opener = Callable[..., Any]

BEAT = 0.3
"""Seconds between heartbeats where a test waits for one."""


@pytest.fixture
def opener(live_site: Site, kinds: Kinds) -> Opener:
    """Open a socket of a match as somebody (None: a visitor)."""

    def open_socket(
        user: User | None, match: Match | None = None, client: Client | None = None, page: str = "", **headers: str
    ) -> ClientConnection:
        path = f"match/{(match or kinds.match).slug}/?page={page}"
        return dialled(live_site, path, (client or client_of(user)) if user else None, **headers)

    return open_socket


def receive(connection: ClientConnection, seconds: float = 60) -> dict[str, Any]:
    message = json.loads(connection.recv(timeout=seconds))
    assert isinstance(message, dict)
    return message


def content(connection: ClientConnection) -> dict[str, Any]:
    """Return the next message that carries a board."""
    while "content" not in (message := receive(connection)):
        pass
    return message


def board(connection: ClientConnection, shown: Board | None = None) -> Board:
    """Return what the page of a socket shows after the next message that carries a board, whole or in parts."""
    shown = shown or Board()
    assert not shown.take(content(connection))
    return shown


def opened(connection: ClientConnection) -> dict[str, Any]:
    """Return the board that a socket sends first; the time follows it."""
    board, told = receive(connection), receive(connection)
    assert "content" in board
    assert "now" in told
    return board


def versions_told(connection: ClientConnection, heartbeats: int) -> list[int]:
    """Return the versions that boards and heartbeats tell of, up to the last of some heartbeats."""
    told = []
    while heartbeats:
        message = receive(connection)
        heartbeats -= "now" in message
        if "version" in message:
            told.append(message["version"])
    return told


def closing_code(connection: ClientConnection, seconds: float = 60) -> int:
    """Read on until the server closes; return its code."""
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline:
            connection.recv(timeout=seconds)
    except ConnectionClosed as closed:
        return 0 if closed.rcvd is None else int(closed.rcvd.code)
    raise AssertionError("the socket stayed open")


def flip(match: Match) -> str:
    return next(text for text in positions.legal_texts(match, 0) if text.startswith("flip"))


def test_the_first_message_is_the_whole_current_board(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.seated) as connection:
        message = content(connection)
    assert message == {"version": kinds.match.version, "content": match_fragment(kinds.table(kinds.seated))}


def test_a_move_is_pushed_to_everybody_each_with_their_own_view(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.mate) as mate, opener(None) as nobody:
        pages = {kinds.mate: board(mate), None: board(nobody)}
        act(kinds.match, flip(kinds.match))
        assert board(mate, pages[kinds.mate]).shows(match_fragment(kinds.table(kinds.mate)))
        assert board(nobody, pages[None]).shows(match_fragment(kinds.table(None)))


def test_a_push_carries_what_changed_and_says_of_which_board(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.mate) as connection:
        before = content(connection)
        act(kinds.match, flip(kinds.match))
        pushed = content(connection)
    assert pushed["base"] == before["version"]
    assert 'id="hand"' not in pushed["content"]
    assert len(pushed["content"]) < len(before["content"]) / 2


def test_two_that_see_the_same_are_sent_the_same_message(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    consumers.board_message.cache_clear()
    with opener(None) as one, opener(kinds.stranger) as other:
        content(one), content(other)
        made = consumers.board_message.cache_info().misses
        act(kinds.match, flip(kinds.match))
        assert content(one) == content(other)
    assert consumers.board_message.cache_info().misses == made + 1


def test_a_page_that_says_hello_gets_everything(opener: Opener, kinds: Kinds) -> None:
    """It may have lost what it was sent."""
    with opener(kinds.mate) as connection:
        content(connection)
        act(kinds.match, flip(kinds.match))
        content(connection)
        connection.send('{"kind": "hello"}')
        assert content(connection) == {
            "version": kinds.match.version,
            "content": match_fragment(kinds.table(kinds.mate)),
        }


def test_a_page_of_another_site_or_port_is_refused(opener: Opener, kinds: Kinds) -> None:
    for origin in ("http://127.0.0.1:1", "http://127.0.0.1", "https://evil.example", "null", ""):
        with pytest.raises(InvalidStatus) as refusal, opener(kinds.seated, Origin=origin):
            pass
        assert refusal.value.response.status_code == 403, origin


def test_a_private_match_is_closed_to_strangers(opener: Opener, kinds: Kinds) -> None:
    Match.objects.filter(pk=kinds.match.pk).update(visibility=Match.Visibility.PRIVATE)
    with opener(kinds.stranger) as connection:
        assert closing_code(connection) == Close.NO_ACCESS


MALFORMED: tuple[str | bytes, ...] = (
    "not json",
    "[]",
    "3",
    "null",
    '{"kind": NaN}',
    '{"kind": ' + "9" * 400 + "}",
    "[" * 900 + "]" * 900,
    '{"a":' * 100 + "1" + "}" * 100,
    '{"kind": "submit", "action": "end"}',
    '{"kind": ["hello"]}',
    b"\x00\xff",
)


def test_each_malformed_frame_is_answered_with_an_error_and_the_socket_stays_open(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.seated) as connection:
        opened(connection)
        for frame in MALFORMED:
            connection.send(frame)
            while "error" not in (answer := receive(connection)):
                assert "content" not in answer, frame
        connection.send('{"kind": "hello"}')
        assert content(connection)["version"] == kinds.match.version


def test_a_frame_over_16_kilobytes_closes_the_socket(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.seated) as connection:
        content(connection)
        connection.send("x" * 20_000)
        assert closing_code(connection) == 1009


def test_what_a_socket_carries_is_compressed_and_a_small_frame_that_unpacks_to_a_large_one_refused(
    opener: Opener, kinds: Kinds
) -> None:
    with opener(kinds.seated) as connection:
        assert [extension.name for extension in connection.protocol.extensions] == ["permessage-deflate"]
        content(connection)
        connection.send(" " * 1_000_000)
        assert closing_code(connection) == 1009


def test_a_hundred_messages_in_twenty_seconds_are_the_most(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.seated) as connection:
        content(connection)
        for _ in range(sockets.MAX_MESSAGES + 1):
            connection.send("{}")
        assert closing_code(connection) == Close.TOO_MANY


def test_twenty_sockets_of_one_person_are_the_most(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "MAX_SOCKETS", 2)
    with opener(kinds.seated) as first, opener(kinds.seated) as second:
        content(first), content(second)
        with pytest.raises(InvalidStatus), opener(kinds.seated):
            pass
    with opener(kinds.seated) as again:
        assert content(again)["version"] == kinds.match.version


def test_strangers_from_one_address_cannot_open_any_number(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "SOCKETS", limits.AtOnce(person=20, guests=2, address=9))
    with opener(None) as first, opener(None) as second:
        content(first), content(second)
        with pytest.raises(InvalidStatus), opener(None):
            pass
        with opener(kinds.seated) as member:
            assert content(member)["version"] == kinds.match.version
    with opener(None) as again:
        assert content(again)["version"] == kinds.match.version


def test_all_sockets_count_for_their_address_and_those_of_guests_with_those_of_visitors(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a few guests open as many as they like where visitors may not."""
    monkeypatch.setattr(limits, "SOCKETS", limits.AtOnce(person=20, guests=3, address=4))
    guests = [person(f"Guest-Amber-Otter{number}", guest=True) for number in range(2)]
    with opener(None) as visitor, opener(guests[0]) as first, opener(guests[1]) as second:
        content(visitor), content(first), content(second)
        for one_more in (None, *guests):
            with pytest.raises(InvalidStatus), opener(one_more):
                pass
        with opener(kinds.seated) as member:
            content(member)
            with pytest.raises(InvalidStatus), opener(kinds.mate):
                pass
        with opener(kinds.mate) as again:
            content(again)


def test_of_many_hellos_only_the_first_is_answered_at_once(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would cost a rendering; the heartbeat answers the rest with one."""
    monkeypatch.setattr(heartbeat, "EVERY", 2.0)
    with opener(kinds.seated) as connection:
        opened(connection)
        for _ in range(50):
            connection.send('{"kind": "hello"}')
        boards = 0
        while "now" not in (message := receive(connection)):  # the heartbeat
            boards += "content" in message
        assert boards == 1
        assert content(connection)["version"] == kinds.match.version


def test_sockets_close_at_a_heartbeat_after_their_session_has_ended(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So within five seconds, as often as hearts beat."""
    assert heartbeat.EVERY < 5
    monkeypatch.setattr(heartbeat, "EVERY", BEAT)
    client = client_of(kinds.seated)
    with (
        opener(kinds.seated, client=client) as logged_out,
        opener(kinds.mate) as with_another_password,
        opener(kinds.stranger) as deactivated,
    ):
        sockets_of_all = (logged_out, with_another_password, deactivated)
        for connection in sockets_of_all:
            content(connection)
        client.logout()
        kinds.mate.set_password("another long wooden table")
        kinds.mate.save()
        User.objects.filter(pk=kinds.stranger.pk).update(is_active=False)
        assert [closing_code(connection) for connection in sockets_of_all] == [Close.SESSION_ENDED] * 3


def test_leaving_a_private_table_closes_the_socket(opener: Opener, kinds: Kinds) -> None:
    private = running_match([kinds.seated, kinds.mate], visibility=Match.Visibility.PRIVATE)
    with opener(kinds.mate, match=private) as connection:
        content(connection)
        private.seats.filter(user=kinds.mate).update(user=kinds.stranger)
        pubsub.match_changed(private.slug, private.version + 1)
        assert closing_code(connection) == Close.NO_ACCESS


def test_a_lost_message_is_made_good_by_the_heartbeat(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", BEAT)
    monkeypatch.setattr(pubsub, "match_changed", lambda *_: None)
    with opener(kinds.mate) as connection:
        page = board(connection)
        act(kinds.match, flip(kinds.match))
        assert board(connection, page).shows(match_fragment(kinds.table(kinds.mate)))


def test_a_heartbeat_tells_of_no_version_that_is_still_on_its_way(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page would take it for lost and ask for the whole board, in vain."""
    monkeypatch.setattr(heartbeat, "EVERY", BEAT)
    may_go_on = Event()
    with opener(kinds.mate) as connection:
        before = opened(connection)["version"]
        workers.post(kinds.match.slug, may_go_on.wait)
        act(kinds.match, flip(kinds.match))
        meanwhile = versions_told(connection, heartbeats=3)
        may_go_on.set()
        pushed = content(connection)
        later = versions_told(connection, heartbeats=3)
    assert (pushed["version"], pushed["base"]) == (before + 1, before)
    assert (meanwhile, later) == ([before] * 3, [before + 1] * 3)


def test_the_first_board_is_followed_by_the_time(opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks depend on it, and the first heartbeat, which nothing here waits for, may be seconds away."""
    monkeypatch.setattr(heartbeat, "join", lambda *_: None)
    with opener(kinds.mate) as connection:
        board, told = receive(connection), receive(connection)
    assert board["version"] == told["version"] == kinds.match.version
    assert "content" in board
    assert abs(told["now"] - milliseconds(timezone.now())) < 5_000


def test_duplicated_and_late_messages_change_nothing(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.mate) as connection:
        page = board(connection)
        act(kinds.match, flip(kinds.match))
        board(connection, page)
        for version in (kinds.match.version, kinds.match.version, 1):
            pubsub.match_changed(kinds.match.slug, version)
        connection.send('{"kind": "hello"}')
        whole = content(connection)
    assert whole["version"] == page.version
    assert page.shows(whole["content"])


def test_a_hint_sent_before_commit_pushes_nothing_new(
    opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sabotaged variant: announcing inside the transaction makes everybody load the old board."""

    def too_early(group: str, message: dict[str, Any]) -> None:
        pubsub._send(group, message)
        time.sleep(0.5)

    with opener(kinds.mate) as connection:
        before = content(connection)["version"]
        monkeypatch.setattr(pubsub, "_on_commit", too_early)
        act(kinds.match, flip(kinds.match))
        assert content(connection) == {"version": before, "base": before, "content": ""}


def test_the_number_of_waiting_matches_is_pushed(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.mate) as connection:
        content(connection)
        act(kinds.match, "end")
        while receive(connection).get("waiting") != 1:
            pass


def test_the_server_ends_cleanly_with_an_open_socket(transactional_db: None) -> None:
    from tests.serving import Served

    match = running_match([person(), person()])
    with ExitStack() as stack:
        served = Served()
        with served as site:
            address = f"{site.url.replace('http', 'ws')}/ws/match/{match.slug}/"
            connection = stack.enter_context(connect(address, additional_headers={"Origin": site.url}, open_timeout=60))
            content(connection)
        assert closing_code(connection) == 1012
        assert not served.thread.is_alive()


def test_ones_own_action_reaches_ones_other_tabs(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.seated, page="asking") as first, opener(kinds.seated, page="other") as second:
        content(first)
        page = board(second)
        with pubsub.asked_by("asking"):
            act(kinds.match, flip(kinds.match))
        expected = match_fragment(kinds.table(kinds.seated))
        assert board(second, page).shows(expected)
        first.send('{"kind": "hello"}')
        assert content(first)["content"] == expected


def test_the_page_that_asked_is_not_pushed_its_own_answer(opener: Opener, kinds: Kinds) -> None:
    topic = pubsub.match_topic(kinds.match.slug)
    with opener(kinds.seated, page="asking") as tab:
        content(tab)
        with pubsub.asked_by("asking"):
            act(kinds.match, flip(kinds.match))
        own, answer = kinds.match.version, match_fragment(kinds.table(kinds.seated))
        wait_until(lambda: [watcher.shown for watcher in pubsub.subscribers(topic)] == [(kinds.match.pk, own)])
        act(kinds.match, "end")
        pushed = content(tab)
    assert (pushed["version"], pushed["base"]) == (own + 1, own)
    page = page_of(answer)
    swap(page, pushed["content"])
    assert page.normal == page_of(match_fragment(kinds.table(kinds.seated))).normal
