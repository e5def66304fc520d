"""A process that is asked to end, whatever it is doing: it refuses what is new, finishes what it began, and is gone."""

from __future__ import annotations

import http.client
import os
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from games.play.management import ENDS_WITHIN
from games.play.models import Action, Match
from tests.people import client_of, person, running_match
from tests.serving import Site, dialled
from tests.site.config.lines import Line, Unanswered
from tests.site.config.processes import Running, at_work, no_outage, output_of, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("TESSERA_ENDING_ROUNDS", "1"))
"""How often a process is ended under load; the nightly run asks for 50."""

GONE_WITHIN = 60
"""Seconds on a busy machine for what takes five on one that is not."""


@dataclass
class Load:
    """People who move and look until the process has been asked to end and nobody answers them any more.

    Before that they ask again whenever they are told to, or get no answer: a busy machine makes people wait.
    """

    site: Running
    matches: list[Match]
    statuses: set[int] = field(default_factory=set)
    acknowledged: set[str] = field(default_factory=set)
    answers: int = 0
    ending: threading.Event = field(default_factory=threading.Event)

    def begin(self, clients: list[tuple[Client, Client]]) -> list[threading.Thread]:
        threads = [
            threading.Thread(target=self._post if number % 2 else self._send, args=pair, daemon=True)
            for number, pair in enumerate(zip(self.matches, clients, strict=True))
        ]
        threads += [threading.Thread(target=self._look, args=(path,), daemon=True) for path in ("/", "/lobby/") * 3]
        for thread in threads:
            thread.start()
        return threads

    def _look(self, path: str) -> None:
        while self._insist(partial(self._ask, "GET", path)):
            pass

    def _post(self, match: Match, clients: tuple[Client, Client]) -> None:
        """Turn about, each posts the end of their turn."""
        path = f"/match/{match.slug}/act/"
        for number, form in self._turns(match):
            if not self._insist(partial(self._ask, "POST", path, clients[number], urlencode(form))):
                return
            self.acknowledged.add(form["client_id"])

    def _send(self, match: Match, clients: tuple[Client, Client]) -> None:
        """Turn about, each ends their turn over the socket of their page."""
        dials = [partial(dialled, Site(self.site.origin), f"match/{match.slug}/", client) for client in clients]
        with Line(dials[0]) as one, Line(dials[1]) as two:
            for number, form in self._turns(match):
                if not self._insist(partial(self._is_done, (one, two)[number], form)):
                    return
                self.acknowledged.add(form["client_id"])

    def _insist(self, attempt: Callable[[], bool]) -> bool:
        """Return whether an attempt succeeded before the process was asked to end and stopped answering."""
        while True:
            ending = self.ending.is_set()
            with suppress(OSError, http.client.HTTPException, Unanswered):
                if attempt():
                    return True
                continue
            if ending:
                return False

    @staticmethod
    def _turns(match: Match) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield who is to move, and the form that ends their turn: what is answered as done has to be stored.

        Seat 0 begins.
        """
        for count in range(10_000):
            form = {"action": "end", "version": str(match.version + count), "client_id": f"ending-{match.slug}-{count}"}
            yield count % 2, form

    def _ask(self, *request: Any) -> bool:
        status, _page = self.site.ask(*request)
        self.statuses.add(status)
        self.answers += 1
        return status == 200

    @staticmethod
    def _is_done(line: Line, form: dict[str, str]) -> bool:
        return bool(line.ask("act", form)["status"] == "done")


def end_under_load(folder: Path, **variables: str) -> None:
    """End a process while people move and look; what it had begun is done, and nobody was told of a fault."""
    no_outage()
    matches = [running_match([person(), person()]) for _ in range(4)]
    clients = [(client_of(one), client_of(two)) for one, two in map(players_of, matches)]
    with serving(folder, **variables) as site:
        site.wait(path="/healthz?live")
        load = Load(site, matches)
        threads = load.begin(clients)
        wait_until(lambda: load.answers > 40 and len(load.acknowledged) > 8)
        load.ending.set()
        site.process.send_signal(signal.SIGTERM)
        assert site.process.wait(GONE_WITHIN) == 0
        for thread in threads:
            thread.join(GONE_WITHIN)
    assert load.statuses <= {200, 503}
    assert load.acknowledged <= set(Action.objects.values_list("client_id", flat=True))
    told = output_of(folder)
    assert not {word for word in ("Traceback", "is lost", "by force", "Cancel", "Exception") if word in told}, told


def players_of(match: Match) -> tuple[User, User]:
    one, two = (seat.user for seat in match.seats.order_by("number"))
    assert one is not None
    assert two is not None
    return one, two


def test_a_process_ends_in_order_under_load(tmp_path: Path) -> None:
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        end_under_load(folder)


@pytest.mark.services
def test_one_of_several_processes_ends_in_order_under_load(tmp_path: Path) -> None:
    for number in range(ROUNDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        end_under_load(folder, SINGLE_PROCESS="0", EMBEDDED_WORKER="0", REDIS_URL=os.environ["REDIS_URL"])


# --- while the database is held up ------------------------------------------------------------------------------------

STUBBORN = """
import uvicorn
import config.serve as serve
serve.Server = lambda config, parts: uvicorn.Server(config)
serve.main()
"""
"""The server as it ended before."""


def check_held_up(folder: Path, seconds: float, code: str = "") -> None:
    """End a process whose threads all wait for a lock, and which has more requests than threads.

    Those that wait are told to come again, not that something failed, and the process ends though the lock is held.
    """
    match = running_match([person(), person()])
    mover = client_of(players_of(match)[0])
    form = urlencode({"action": "end", "version": match.version, "client_id": "while-it-is-held"})
    statuses: list[int] = []

    def ask() -> None:
        with suppress(OSError, http.client.HTTPException):
            statuses.append(site.ask("POST", f"/match/{match.slug}/act/", mover, form)[0])

    with serving(folder, code, DATABASE_LOCK_SECONDS="600", EMBEDDED_WORKER="0") as site:
        site.wait(path="/healthz?live")
        assert site.ask("GET", f"/match/{match.slug}/", mover)[0] == 200
        with closing(sqlite3.connect(str(connection.settings_dict["NAME"]), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            threads = [threading.Thread(target=ask, daemon=True) for _ in range(8)]
            for thread in threads:
                thread.start()
            time.sleep(1)  # so that most have arrived; those that have not are refused as well
            site.process.send_signal(signal.SIGTERM)
            try:
                site.process.wait(seconds)
            except subprocess.TimeoutExpired:
                raise AssertionError("the process does not end") from None
        for thread in threads:
            thread.join(GONE_WITHIN)
    assert set(statuses) == {503}
    assert not Action.objects.exists()
    assert "Traceback" not in output_of(folder)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the lock is SQLite's")
def test_a_process_ends_though_its_threads_wait(tmp_path: Path) -> None:
    check_held_up(tmp_path, GONE_WITHIN)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the lock is SQLite's")
def test_the_check_would_notice_a_process_that_does_not_end(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="does not end"):
        check_held_up(tmp_path, ENDS_WITHIN + 2, STUBBORN)


# --- workers and bots -------------------------------------------------------------------------------------------------

BOTS = """
import sys
from django.core.management import execute_from_command_line
execute_from_command_line(["manage.py", "bots"])
"""
STUCK = """
import django
django.setup()
import threading
from django.core.management import call_command
from games.bots import worker
from games.play import jobs, management
management.ENDS_WITHIN = 1.0
def stuck(*_):
    print("is stuck", flush=True)
    threading.Event().wait()
jobs.run_due = stuck
worker.Thinker.step = stuck
call_command("COMMAND", skip_checks=True)
"""
"""A process whose work does not end, which is not waited for as long as usual."""


@pytest.mark.parametrize("code", ["", BOTS], ids=["worker", "bots"])
def test_workers_and_bots_end_when_they_are_asked_to(tmp_path: Path, code: str) -> None:
    with at_work(tmp_path, code) as process:
        wait_until(lambda: "running" in output_of(tmp_path))
        process.send_signal(signal.SIGTERM)
        assert process.wait(GONE_WITHIN) == 0
    assert not {word for word in ("Traceback", "by force") if word in output_of(tmp_path)}


@pytest.mark.parametrize("command", ["worker", "bots"])
def test_what_is_stuck_is_ended_by_force(tmp_path: Path, command: str) -> None:
    with at_work(tmp_path, STUCK.replace("COMMAND", command)) as process:
        wait_until(lambda: "is stuck" in output_of(tmp_path))
        process.send_signal(signal.SIGTERM)
        assert process.wait(GONE_WITHIN) == 1
    assert "so it is ended by force" in output_of(tmp_path)
