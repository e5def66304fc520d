"""What holds the database up: a page is a 503 in a bounded time, and the process still says that it is alive."""

from __future__ import annotations

import http.client
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic

import psycopg
import pytest
from django.db import connection
from django.test import Client

from games.play.models import Action
from tests.people import client_of, person, running_match
from tests.site.config.processes import Running, database_url, headers_of, output_of, serving
from tests.unit.config.environment import settings_of

pytestmark = pytest.mark.django_db(transaction=True)

ON_A_THREAD = """
import config.asgi
config.asgi._asks_whether_alive = lambda scope: False
from config.serve import main
main()
"""
"""Serves the site, but answers this question as any other."""


@contextmanager
def held() -> Iterator[None]:
    """Hold a lock that all the tables of matches are behind."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(str(connection.settings_dict["NAME"]), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
    else:
        with closing(psycopg.connect(database_url())) as another:
            another.execute("LOCK TABLE play_match IN ACCESS EXCLUSIVE MODE")
            yield


class Asking:
    """Requests that are all sent before a lock is taken away, each in a thread."""

    def __init__(self, site: Running, path: str, client: Client, form: str, times: int) -> None:
        self._site, self._path, self._headers, self._form = site, path, headers_of(client), form
        self.answers: list[tuple[int, str | None]] = []
        self._threads = [threading.Thread(target=self._ask, daemon=True) for _ in range(times)]
        for thread in self._threads:
            thread.start()

    def _ask(self) -> None:
        visit = http.client.HTTPConnection("127.0.0.1", self._site.port, timeout=120)
        with closing(visit), suppress(OSError, http.client.HTTPException):  # no answer
            visit.request("POST", self._path, self._form, self._headers)
            answer = visit.getresponse()
            self.answers.append((answer.status, answer.headers["Retry-After"]))

    def all_answered(self, seconds: float) -> bool:
        """Return whether all have an answer within some seconds."""
        deadline = monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - monotonic()))
        return not any(thread.is_alive() for thread in self._threads)


def is_alive(site: Running, seconds: float) -> bool:
    """Return whether the process says within some seconds that it is alive."""
    with suppress(TimeoutError):
        return site.ask("GET", "/healthz?live", seconds=seconds) == (200, '{"live": true}')
    return False


def check(folder: Path, code: str = "", patience: float = 60, **variables: str) -> None:
    """Check that moves are refused while a lock is held, and that the process says meanwhile that it is alive.

    There are more moves than threads of pages, so that all these threads wait.

    Args:
        folder, code, variables: as for `serving`.
        patience: the seconds that each may take.
    """
    match = running_match([person(), person()])
    mover = match.seats.get(to_move=True).user
    assert mover is not None
    client = client_of(mover)
    form = f"action=end&version={match.version}&client_id=while-it-is-held"
    with serving(folder, code, **variables) as site:
        site.wait(path="/healthz?live")
        assert site.ask("GET", f"/match/{match.slug}/", client)[0] == 200
        with held():
            asking = Asking(site, f"/match/{match.slug}/act/", client, form, 6)
            wrong = [] if is_alive(site, patience) else ["it does not say that it is alive"]
            wrong += [] if asking.all_answered(patience) else ["moves wait for as long as the lock is held"]
            assert not wrong, " and ".join(wrong)
        assert asking.answers == [(503, "5")] * 6
        assert site.ask("POST", f"/match/{match.slug}/act/", client, form)[0] == 200
    told = output_of(folder)
    assert f"POST /match/{match.slug}/act/ took too long for the database" in told
    assert "is away" not in told
    assert "Traceback" not in told
    assert Action.objects.count() == 1


def test_moves_are_refused_in_a_bounded_time_while_another_process_writes(tmp_path: Path) -> None:
    check(tmp_path, DATABASE_LOCK_SECONDS="1", EMBEDDED_WORKER="0")


def test_the_check_would_notice_that_sqlite_waits_and_that_being_alive_is_asked_of_a_thread(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="not say that it is alive and moves wait"):
        check(tmp_path, ON_A_THREAD, 3, SINGLE_PROCESS="1", DATABASE_LOCK_SECONDS="600", EMBEDDED_WORKER="0")


@pytest.mark.services
@pytest.mark.parametrize("limit", ["DATABASE_LOCK_SECONDS", "DATABASE_STATEMENT_SECONDS"])
def test_moves_are_refused_in_a_bounded_time_while_postgresql_holds_a_lock(tmp_path: Path, limit: str) -> None:
    patient = f"{database_url()}?connect_timeout=30"  # a busy machine may take longer than a site waits
    check(tmp_path, "", 60, EMBEDDED_WORKER="0", DATABASE_URL=patient, **{limit: "1"})


@pytest.mark.services
def test_the_check_would_notice_that_postgresql_waits(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="moves wait"):
        check(tmp_path, patience=5, DATABASE_LOCK_SECONDS="0", DATABASE_STATEMENT_SECONDS="0", EMBEDDED_WORKER="0")


def test_pages_have_short_limits_workers_long_ones_and_other_commands_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    short = {"DATABASE_LOCK_SECONDS": "4", "DATABASE_STATEMENT_SECONDS": "10"}
    roles = {
        ("serve.py",): ("web", "10000", "4000"),
        ("manage.py", "worker"): ("worker", "60000", "20000"),
        ("manage.py", "bots", "--for-parent"): ("bots", "60000", "20000"),
        ("manage.py", "backup", "worker"): ("command", "0", "0"),
        ("manage.py", "migrate"): ("command", "0", "0"),
    }
    made = settings_of(monkeypatch, tmp_path, DATABASE_URL="postgres://somebody@nowhere/tessera", **short)
    for command, (role, statement, lock) in roles.items():
        with monkeypatch.context() as patch:
            patch.setattr(sys, "argv", list(command))
            assert made["_role"]() == role
        with monkeypatch.context() as patch:
            for name, value in short.items():
                patch.setenv(name, value)
            options = made["_options"](role)
        assert (options["connect_timeout"], options["application_name"]) == (3, f"tessera-{role}")
        assert options["options"].startswith(f"-c statement_timeout={statement} -c lock_timeout={lock}")
    own = "postgres://somebody@nowhere/tessera?application_name=own"
    assert (
        settings_of(monkeypatch, tmp_path, DATABASE_URL=own)["DATABASES"]["default"]["OPTIONS"]["application_name"]
        == "own"
    )
    on_sqlite = settings_of(monkeypatch, tmp_path, **short)
    assert (on_sqlite["DATABASES"]["default"]["OPTIONS"]["timeout"], on_sqlite["WORKER_OPTIONS"]["timeout"]) == (4, 20)
