"""A database or a Redis that is there but refuses counts as away: pages do without, or are a 503, and health is red."""

from __future__ import annotations

import json
import resource
import socketserver
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.backends.signals import connection_created
from django.test import Client
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from pytest_django import Settings
from redis import Redis

from config.ops import health, outages
from config.ops.stack import free_port, redis
from games.matchmaking.lobby import forget_lobby
from games.play import jobs, timekeeping as watching
from games.play.models import Match
from tests.people import PASSWORD, client_of, person, running_match
from tests.site.config.console import Console, console
from tests.site.config.processes import no_outage, serving
from tests.waiting import wait_until

__all__ = ["console"]

WITHOUT_REDIS = ("/", "/lobby/", "/leaderboard/", "/lobby/news/", reverse_lazy("account_login"))


def use(settings: Settings, url: str) -> None:
    """Let the site use the Redis at this address."""
    settings.REDIS_URL = url
    settings.CACHES = {
        **settings.CACHES,
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": url,
            "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
        },
    }


def log_in(client: Client) -> int:
    form = {"login": "Nobody", "password": PASSWORD}
    return client.post(reverse("account_login"), form).status_code


def told(client: Client) -> tuple[int, dict[str, object]]:
    answer = client.get("/healthz")
    return answer.status_code, answer.json()


@contextmanager
def refusing(words: str) -> Iterator[str]:
    """Answer whatever is asked like a Redis that refuses everything, with an error in these words."""

    class Answer(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while line := self.rfile.readline():
                for _ in range(2 * int(line[1:])):
                    self.rfile.readline()
                self.wfile.write(f"-{words}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"redis://127.0.0.1:{server.server_address[1]}/0"
        server.shutdown()


def check_without_redis(console: Console, case: str) -> None:
    """Check that pages do without Redis, that what needs it is a 503, and that the health check says so."""
    client = Client(raise_request_exception=False)
    forget_lobby()
    assert [client.get(path).status_code for path in WITHOUT_REDIS] == [200] * len(WITHOUT_REDIS), case
    assert log_in(client) == 503, case
    status, found = told(client)
    assert (status, found["database"], found["channel_layer"]) == (503, True, False), case
    assert any("Redis is away" in line for line in console.lines), case
    assert "Traceback" not in console.getvalue(), case


REFUSALS = (
    "LOADING Redis is loading the dataset in memory",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
    "NOAUTH Authentication required.",
    "WRONGPASS invalid username-password pair or user is disabled.",
    "NOPERM this user has no permissions to run the 'set' command",
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "NOREPLICAS Not enough good replicas to write.",
    "CLUSTERDOWN The cluster is down",
    "DENIED Redis is running in protected mode",
    "ERR max number of clients reached",
)


@pytest.mark.django_db
def test_a_redis_that_answers_with_an_error_counts_as_away(settings: Settings, console: Console) -> None:
    watching.Watching().run_due(timezone.now())
    for words in REFUSALS:
        outages.REDIS.forget()
        console.truncate(console.seek(0))
        with refusing(words) as url:
            use(settings, url)
            check_without_redis(console, words)


@pytest.mark.django_db
def test_the_check_would_notice_a_refusal_that_is_taken_for_a_mistake(
    settings: Settings, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "REDIS_REFUSES", frozenset())
    with refusing(REFUSALS[1]) as url:
        use(settings, url)
        with pytest.raises(AssertionError, match="500 == 503"):
            check_without_redis(console, "")


@pytest.mark.django_db
def test_a_mistake_of_ours_is_not_taken_for_an_outage(settings: Settings) -> None:
    with refusing("WRONGTYPE Operation against a key holding the wrong kind of value") as url:
        use(settings, url)
        assert log_in(Client(raise_request_exception=False)) == 500


@pytest.mark.services
@pytest.mark.django_db
def test_a_real_redis_that_refuses_and_serves_again(
    settings: Settings, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outages, "REFUSES_FOR", 1.0)
    with redis() as service, Redis.from_url(service.url) as told_by:
        use(settings, service.url)
        ways: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "out of memory": (lambda: set_up(maxmemory="1"), lambda: set_up(maxmemory="0")),
            "a replica": (lambda: told_by.slaveof("127.0.0.1", str(free_port())), told_by.slaveof),
            "too few replicas": (
                lambda: set_up(min_replicas_to_write="1"),
                lambda: set_up(min_replicas_to_write="0"),
            ),
        }

        def set_up(**values: str) -> None:
            for name, value in values.items():
                told_by.config_set(name.replace("_", "-"), value)

        for case, (refuse, serve) in ways.items():
            outages.REDIS.forget()
            console.truncate(console.seek(0))
            watching.Watching().run_due(timezone.now())
            assert (told(Client())[0], log_in(Client())) == (200, 200), case
            refuse()
            check_without_redis(console, case)
            serve()
            assert log_in(Client()) == 200, case
            wait_until(lambda: told(Client())[0] == 200 and "Redis is back" in console.lines[-1])


# --- disks ------------------------------------------------------------------------------------------------------------


def move(client: Client, match: Match) -> int:
    """Make a move by posting its form; return the status."""
    number = match.version
    form = {"action": "end", "version": str(number), "client_id": f"move-number-{number}"}
    status = client.post(f"/match/{match.slug}/act/", form, headers={"HX-Request": "true"}).status_code
    match.refresh_from_db()
    return status


def clients_of(match: Match) -> list[Client]:
    clients = [client_of(seat.user) for seat in match.seats.order_by("number") if seat.user]
    for client in clients:
        client.raise_request_exception = False
    return clients


def until_refused(match: Match, clients: Sequence[Client], most: int = 150) -> int:
    """Let both players move until a move is not done; return its status."""
    status = 200
    for _ in range(most):
        mover = match.seats.get(to_move=True).number
        if (status := move(clients[mover], match)) != 200:
            break
    return status


@contextmanager
def told_to(statement: str, undo: str) -> Iterator[None]:
    """Let every connection of this process, new ones too, begin with a statement."""

    def say(connection: Any, **_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    say(connection)
    connection_created.connect(say)
    try:
        yield
    finally:
        connection_created.disconnect(say)
        with connection.cursor() as cursor:
            cursor.execute(undo)


def check_refused_moves(console: Console, statement: str, undo: str) -> None:
    """Check that moves are a 503 while the database refuses, that health says so, and that both end."""
    match, client = running_match([person(), person()]), Client()
    movers = clients_of(match)
    jobs.run_due()  # other tests may have left something due
    status, found = told(client)
    assert status == 200, found
    with told_to(statement, undo):
        assert until_refused(match, movers) == 503
        status, found = told(client)
        assert client.get("/").status_code == 200
        assert (status, found["database"]) == (503, False)
        assert any("the database is away" in line for line in console.lines)
    assert move(movers[match.seats.get(to_move=True).number], match) == 200
    wait_until(lambda: told(client)[0] == 200 and "the database is back" in console.lines[-1])
    assert sum("the database is" in line for line in console.lines) == 2, console.lines
    assert "Traceback" not in console.getvalue()


ONLY_READ = ("PRAGMA query_only = 1", "PRAGMA query_only = 0")
SQLITE = (
    # It takes the present size for less: what needs another page is refused, and smaller things are not.
    ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 4294967294"),
    ONLY_READ,
)
POSTGRESQL = ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("statement", "undo"), SQLITE, ids=["full", "only-read"])
def test_a_disk_that_is_full_or_can_only_be_read(
    console: Console, monkeypatch: pytest.MonkeyPatch, statement: str, undo: str
) -> None:
    monkeypatch.setattr(outages, "REFUSES_FOR", 2.0)
    connection.cursor().execute("VACUUM")  # pages that other tests have left free would take a good deal yet
    check_refused_moves(console, statement, undo)


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_postgresql_that_only_lets_read(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "REFUSES_FOR", 2.0)
    check_refused_moves(console, *POSTGRESQL)


@pytest.mark.django_db(transaction=True)
def test_the_check_would_notice_a_health_check_that_only_reads(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_write", lambda: None)
    monkeypatch.setattr(outages, "REFUSES_FOR", 0.0)
    with pytest.raises(AssertionError, match=r"\(200, True\) == \(503, False\)"):
        check_refused_moves(console, *ONLY_READ)


SOON_AGAIN = """
from config.ops import outages
outages.REFUSES_FOR = 2.0
from config.serve import main
main()
"""
"""Serves the site, which tries a database again sooner than usual."""


@pytest.mark.django_db(transaction=True)
def test_a_real_process_whose_disk_takes_no_more(tmp_path: Path) -> None:
    """The limit of the size of files is set from outside, while it runs."""
    match = running_match([person(), person()])
    movers = clients_of(match)
    no_outage()
    with serving(tmp_path, SOON_AGAIN) as site:
        site.wait()
        limit = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        wait_until(lambda: site.ask("GET", "/healthz")[0] == 503)
        told = json.loads(site.ask("GET", "/healthz")[1])
        form = f"action=end&version={match.version}&client_id=while-it-is-full"
        refused = site.ask("POST", f"/match/{match.slug}/act/", movers[0], form)[0]
        page = site.ask("GET", "/lobby/")[0]
        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, limit)
        wait_until(lambda: site.ask("GET", "/healthz")[0] == 200)
        assert site.ask("POST", f"/match/{match.slug}/act/", movers[0], form)[0] == 200
    assert (told["database"], refused, page) == (False, 503, 200)
