"""Restarts and outages under load, of Redis, PostgreSQL and a web process: nothing acknowledged is lost or done twice.

Most players move over sockets, some post. Every page is soon right again.

`TESSERA_OUTAGE_SECONDS=60` is the nightly run.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from config.ops import stack
from config.ops.stack import free_port, postgres, redis
from games.play import store
from games.play.models import Action, Match, Seat, Watch
from tests.people import client_of, person, running_match
from tests.services.config.interrupted import Interruptible, Site
from tests.services.config.stacked import (
    HEALED,
    ByPost,
    Front,
    OverSocket,
    Page,
    Player,
    lost,
    repeated,
    seconds_of,
    stacked,
    wait_until,
)
from tests.site.config.lines import Line
from tests.site.config.test_crash import damages
from tests.site.config.test_worker import due
from tests.with_services import data_folder

pytestmark = pytest.mark.services

AWAY = seconds_of("TESSERA_OUTAGE_SECONDS", 5)
"""How long a service is away."""

WAYS = (OverSocket, OverSocket, OverSocket, ByPost)
"""How the players of each match move."""
PAUSE = (AWAY + 10) / 100
"""Seconds between two actions of a match: it has to last for the whole test, and ends after 200 turns."""

AT_ONCE = 5.0
"""Seconds within which every request is answered, with 503 or better."""


def players_of(front: Front, pause: float = PAUSE) -> list[Player]:
    """Begin a match for each pair of players."""
    pairs = [(person(), person()) for _ in WAYS]
    return [
        way(front, running_match(pair), (client_of(pair[0]), client_of(pair[1])), pause)
        for way, pair in zip(WAYS, pairs, strict=True)
    ]


def answers(players: Sequence[Player], way: type[Player]) -> list[set[str]]:
    """Return what the players who move this way were answered, match by match."""
    return [player.answers for player in players if isinstance(player, way)]


@contextmanager
def playing(players: Sequence[Player]) -> Iterator[None]:
    """Let them all play during the block."""
    enough = threading.Event()
    threads = [threading.Thread(target=player.play, args=(enough.is_set,)) for player in players]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        enough.set()
        for thread in threads:
            thread.join(60)


def all_right(pages: Sequence[Page], players: Sequence[Player]) -> bool:
    """Return whether every page soon shows the latest version of its match."""
    wanted = [Match.objects.get(pk=player.match.pk).version for player in players]
    return wait_until(lambda: [page.version for page in pages] == wanted, HEALED)


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Site]:
    ports = free_port(), free_port()
    layer = Interruptible(lambda: redis(ports[0]))
    with data_folder() as folder, pytest.MonkeyPatch.context() as patch, ExitStack() as running:
        database = Interruptible(lambda: postgres(folder, ports[1]))
        running.callback(layer.end)
        running.callback(database.end)
        running.callback(connections.close_all)
        database.begin()
        for name, value in {"NAME": "postgres", "HOST": "127.0.0.1", "PORT": ports[1]}.items():
            patch.setitem(connection.settings_dict, name, value)
        # The data are deleted with their folder, so no tables are emptied while the site runs.
        running.enter_context(django_db_blocker.unblock())
        connections.close_all()
        call_command("migrate", verbosity=0)
        front = running.enter_context(stacked(tmp_path_factory.mktemp("stack"), layer.begin()))
        yield Site(front, layer, database)


def test_redis_away_under_load_costs_no_move_and_pages_are_right_during_and_after(site: Site) -> None:
    players = players_of(site.front)
    with ExitStack() as opened:
        pages = [opened.enter_context(Page(site.front, player.match)) for player in players]
        with playing(players):
            time.sleep(1)
            site.layer.end()
            time.sleep(AWAY)
            assert site.front.ask("GET", "/healthz").status == 503
        assert all_right(pages, players)  # still without Redis
        late = opened.enter_context(Page(site.front, players[0].match))
        assert all_right([late], players[:1])
        with playing(players):
            for _ in range(2):  # it comes back, and is restarted
                site.layer.end()
                site.layer.begin()
                time.sleep(1)
        assert all_right([*pages, late], [*players, players[0]])
    assert wait_until(lambda: site.front.ask("GET", "/healthz").status == 200)
    assert [player.answers for player in players] == [
        {"200"} if isinstance(player, ByPost) else {"done"} for player in players
    ]
    assert all(len(player.acknowledged) > AWAY for player in players)
    assert lost(players) == set()
    assert repeated(players) == []
    assert damages(set()) == []


def test_postgresql_away_under_load_is_answered_so_at_once_and_nothing_acknowledged_is_lost(site: Site) -> None:
    players = players_of(site.front)
    with ExitStack() as opened:
        pages = [opened.enter_context(Page(site.front, player.match)) for player in players]
        with playing(players):
            time.sleep(1)
            site.database.end()
            time.sleep(AWAY)
            refused = site.front.ask("GET", "/lobby/")
            site.database.begin()
            assert wait_until(lambda: site.front.ask("GET", "/healthz").status == 200)
            before = sum(len(player.acknowledged) for player in players)
            time.sleep(2)
            assert sum(len(player.acknowledged) for player in players) > before + len(WAYS)
        connections.close_all()
        assert all_right(pages, players)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
    assert "The site is briefly unavailable" in refused.body
    assert all(heard == {"200", "503"} for heard in answers(players, ByPost))
    assert all(heard == {"done", "away"} for heard in answers(players, OverSocket))
    assert max(player.slowest for player in players) < AT_ONCE
    assert lost(players) == set()
    assert repeated(players) == []
    assert damages(set()) == []
    assert all(part.process.poll() is None for part in site.front.parts)


def test_a_move_that_has_to_wait_for_postgresql_is_done_once_when_it_is_sent_again(site: Site) -> None:
    ann, bob = person(), person()
    match = running_match([ann, bob])
    form = {"action": "end", "version": str(match.version), "client_id": "sent-again-and-again"}
    with Line(partial(site.front.dial, f"/ws/match/{match.slug}/", client_of(ann))) as line:
        assert line.ask("act", {**form, "action": "nonsense", "client_id": "something-else"})["status"] == "refused"
        connections.close_all()
        site.database.end()
        assert line.ask("act", form) == {"answer": "sent-again-and-again", "status": "away"}
        site.database.begin()
        assert wait_until(lambda: site.front.ask("GET", "/healthz").status == 200)
        for _ in range(2):
            line.hang_up()
            answer = line.ask("act", form)
            assert (answer["status"], answer["version"]) == ("done", match.version + 1)
    assert Action.objects.filter(match=match).count() == 1
    assert damages({"sent-again-and-again"}) == []


def test_a_web_process_killed_under_load_costs_no_move_and_none_is_made_twice(site: Site) -> None:
    players = players_of(site.front, pause=0.5)
    with ExitStack() as opened:
        pages = [opened.enter_context(Page(site.front, player.match)) for player in players]
        with playing(players):
            for number in range(stack.WEB_PROCESSES):
                assert both_act(players)
                site.kill(number)
                assert both_act(players)
        assert all_right(pages, players)
    assert all(heard <= {"200", "503"} for heard in answers(players, ByPost))
    assert all(heard <= {"done", "unanswered"} for heard in answers(players, OverSocket))
    assert {"done", "unanswered"} in answers(players, OverSocket)
    assert lost(players) == set()
    assert repeated(players) == []
    assert damages(set()) == []


def both_act(players: Sequence[Player]) -> bool:
    """Return whether soon both players of each match have acted."""
    before = [player.turns for player in players]
    return wait_until(lambda: all(player.turns > turns + 1 for player, turns in zip(players, before, strict=True)), 60)


def test_workers_go_on_after_an_outage_of_postgresql_and_forgive_a_long_one(site: Site) -> None:
    match = due(seconds=AWAY / 2)[0]
    assert wait_until(Watch.objects.filter(name=store.WORKER).exists)
    connections.close_all()
    site.database.end()
    time.sleep(AWAY)
    site.database.begin()
    if timedelta(seconds=AWAY) > store.OUTAGE:
        assert wait_until(Seat.objects.filter(match=match, number=0, deadline__gt=timezone.now()).exists)
        assert Match.objects.get(pk=match.pk).is_running
    else:
        assert wait_until(lambda: not Match.objects.get(pk=match.pk).is_running)
    late = due()[0]
    assert wait_until(lambda: not Match.objects.get(pk=late.pk).is_running)
    assert all(part.process.poll() is None for part in site.front.parts)


def test_every_process_logs_the_beginning_and_the_end_of_an_outage_and_nothing_else(site: Site, tmp_path: Path) -> None:
    with site.another(tmp_path) as front:
        players = players_of(front)
        logs = [tmp_path / f"{name}.log" for name in ("web", "worker", "bots")]
        with ExitStack() as opened:
            for player in players:
                opened.enter_context(Page(front, player.match))
            with playing(players):
                time.sleep(2)
                connections.close_all()
                site.database.end()
                time.sleep(AWAY)
                site.database.begin()
                assert wait_until(lambda: all("is back" in path.read_text() for path in logs))
        assert answers(players, ByPost) == [{"200", "503"}]
    for path in logs:
        first, last = path.read_text().splitlines()
        assert "ERROR config.ops.outages the database is away" in first, path
        assert "WARNING config.ops.outages the database is back after" in last, path
