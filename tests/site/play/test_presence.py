"""Presence is a player's visible tab, reported over the socket and stored by the heartbeat."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from time_machine import Traveller
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from accounts.models import User
from games.play import commands
from games.play.live import heartbeat, presence, sockets
from games.play.live.frames import Close
from games.play.models import Match, Presence
from games.play.reducer import positions
from games.play.signals import people_seen
from tests.clocked import MONDAY
from tests.people import Kinds, act, client_of, open_table, running_match
from tests.serving import Site, dialled

HERE = '{"kind": "presence"}'
BEAT = 0.1


@pytest.fixture(autouse=True)
def _nothing_heard() -> None:
    presence.take_reports()


# --- what is stored ---------------------------------------------------------------------------------------------------


@pytest.fixture
def told() -> Iterator[list[presence.Reports]]:
    """What levels above hear."""
    heard: list[presence.Reports] = []

    def receive(heard: presence.Reports, told: list[presence.Reports] = heard, **_: Any) -> None:
        told.append(heard)

    people_seen.connect(receive, weak=False)
    yield heard
    people_seen.disconnect(receive)


def test_everybody_heard_of_is_written_down_by_one_statement(
    kinds: Kinds, clock: Traveller, told: list[presence.Reports]
) -> None:
    other = running_match([kinds.seated, kinds.stranger])
    everybody = [(user.pk, kinds.match.pk) for user in (kinds.seated, kinds.mate)] + [(kinds.stranger.pk, other.pk)]
    for _ in range(2):
        for pair in everybody:
            presence.report(*pair)
    heard = presence.take_reports()
    with CaptureQueriesContext(connection) as queries:
        presence.store_reports(heard)
    assert len([query for query in queries if 'INSERT INTO "play_presence"' in query["sql"]]) == 1
    assert set(Presence.objects.values_list("user", "match", "at")) == {(*pair, MONDAY) for pair in everybody}
    assert told == [dict.fromkeys(everybody, MONDAY)]


def test_who_is_heard_of_again_has_the_later_moment(kinds: Kinds, clock: Traveller) -> None:
    for _ in range(2):
        clock.shift(12)
        presence.report(kinds.seated.pk, kinds.match.pk)
        presence.store_reports(presence.take_reports())
    assert Presence.objects.get().at == MONDAY + timedelta(seconds=24)


def test_nothing_is_written_when_nobody_was_heard_of(kinds: Kinds) -> None:
    presence.report(kinds.seated.pk, kinds.match.pk)
    presence.store_reports(presence.take_reports())
    with CaptureQueriesContext(connection) as queries:
        presence.store_reports(presence.take_reports())
    assert len(queries) == 0


def test_a_move_writes_no_presence(kinds: Kinds) -> None:
    presence.report(kinds.seated.pk, kinds.match.pk)
    with CaptureQueriesContext(connection) as queries:
        act(kinds.match, positions.legal_texts(kinds.match, 0)[0])
    assert not [query for query in queries if 'INSERT INTO "play_presence"' in query["sql"]]


def test_who_looked_at_ended_matches_is_forgotten_a_day_later_and_nobody_else(kinds: Kinds, clock: Traveller) -> None:
    over, table = running_match([kinds.seated, kinds.mate]), open_table([kinds.seated], seats=2)
    for match in (kinds.match, over, table):
        presence.report(kinds.seated.pk, match.pk)
    presence.store_reports(presence.take_reports())
    commands.resign(over.pk, 0, "resignation")
    job = presence.Pruning()
    assert job.run_due(MONDAY + timedelta(hours=23)) == 0
    assert job.run_due(MONDAY + timedelta(hours=23, minutes=59)) == 0
    assert job.run_due(MONDAY + timedelta(hours=25)) == 1
    assert set(Presence.objects.values_list("match", flat=True)) == {kinds.match.pk, table.pk}


def test_somebody_who_has_been_deleted_takes_nobody_along(transactional_db: None, kinds: Kinds) -> None:
    gone, missing = 9_999, 9_999
    for pair in ((gone, kinds.match.pk), (kinds.seated.pk, kinds.match.pk), (kinds.seated.pk, missing)):
        presence.report(*pair)
    presence.store_reports(presence.take_reports())
    assert list(Presence.objects.values_list("user", "match")) == [(kinds.seated.pk, kinds.match.pk)]


# --- by socket ------------------------------------------------------------------------------------------------------

Opener = Callable[..., Any]


@pytest.fixture
def opener(live_site: Site, kinds: Kinds, monkeypatch: pytest.MonkeyPatch) -> Opener:
    """Open a match's socket as somebody (None: a visitor)."""
    monkeypatch.setattr(heartbeat, "EVERY", BEAT)

    @contextmanager
    def open_socket(user: User | None, match: Match | None = None) -> Iterator[ClientConnection]:
        with dialled(live_site, f"match/{(match or kinds.match).slug}/", client_of(user) if user else None) as opened:
            assert "content" in json.loads(opened.recv(timeout=60))
            assert "now" in json.loads(opened.recv(timeout=60))
            yield opened

    return open_socket


def found(wanted: int = 1, seconds: float = 60) -> list[tuple[int, int]]:
    """Wait for this many presences; return (user, match) of each."""
    deadline = time.monotonic() + seconds
    while ((rows := list(Presence.objects.values_list("user", "match"))) and len(rows) < wanted) or not rows:
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    return rows


def none_after_some_beats() -> bool:
    time.sleep(4 * BEAT)
    return not Presence.objects.exists()


def answered_with(told: str, opened: ClientConnection) -> bool:
    """Read over whatever else a page is told meanwhile until this comes."""
    while told not in json.loads(opened.recv(timeout=60)):
        pass
    return True


NOT_QUITE = (
    '{"kind": "present"}',
    '{"kind": ["presence"]}',
    '{"kind": {"kind": "presence"}}',
    '{"kind": "presence", "match": [1]}',
    '["presence"]',
    '"presence"',
    '{"kind": "presence", "at": NaN}',
)


def test_only_a_seated_person_who_says_so_is_present(opener: Opener, kinds: Kinds) -> None:
    """Neither who has the page open or says something else, nor spectators, nor anybody somebody else names."""
    other = running_match([kinds.mate, kinds.stranger])
    with opener(kinds.mate) as mate, opener(kinds.stranger) as stranger, opener(None) as visitor:
        mate.send('{"kind": "hello"}')
        for frame in NOT_QUITE:
            mate.send(frame)
            assert answered_with("error", mate), frame
        for spectator in (stranger, visitor):
            spectator.send(HERE)
            assert answered_with("error", spectator)
        assert none_after_some_beats()
        mate.send(json.dumps({"kind": "presence", "match": other.pk, "user": kinds.seated.pk}))
        assert found() == [(kinds.mate.pk, kinds.match.pk)]


def test_who_has_lost_the_seat_is_not_present_any_more(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.mate) as opened:
        kinds.match.seats.filter(user=kinds.mate).update(user=kinds.stranger)
        opened.send('{"kind": "hello"}')
        assert answered_with("content", opened)
        opened.send(HERE)
        assert answered_with("error", opened)
        assert none_after_some_beats()


def test_saying_it_counts_for_the_limit_of_messages(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.mate) as opened:
        for _ in range(sockets.MAX_MESSAGES + 1):
            opened.send(HERE)
        with suppress(ConnectionClosed):
            while opened.recv(timeout=60):
                pass
        assert opened.close_code == Close.TOO_MANY


def test_presence_expires_without_a_disconnect(opener: Opener, kinds: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of a socket proves nothing, and a dead network never sends it: only another report renews presence."""

    async def never(*_: Any) -> None:
        return

    monkeypatch.setattr(sockets.Socket, "disconnect", never)
    with opener(kinds.mate) as opened:
        opened.send(HERE)
        found()
    at = Presence.objects.get().at
    time.sleep(4 * BEAT)
    assert Presence.objects.get().at == at


def test_what_is_said_last_before_the_socket_closes_is_written_down(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.mate) as opened:
        opened.send(HERE)
    assert found() == [(kinds.mate.pk, kinds.match.pk)]


def test_presence_tells_nothing_to_others(opener: Opener, kinds: Kinds) -> None:
    with opener(kinds.seated) as other, opener(kinds.mate) as opened:
        opened.send(HERE)
        found()
        heard = [json.loads(other.recv(timeout=60)) for _ in range(6)]
    assert {key for message in heard for key in message} <= {"version", "now", "waiting", "notices", "messages"}
