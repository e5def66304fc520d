"""An outage is one line when it begins and one when it is over, however many things fail meanwhile."""

from __future__ import annotations

import http.client
import json
import logging
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection
from django.db.backends.signals import connection_created
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.requests import ASKED, Asked
from config.ops import outages
from config.ops.stack import free_port
from games.bots import worker
from games.notifications import delivery
from games.notifications.models import Channel, Delivery
from games.play import jobs
from games.play.live import consumers, workers
from games.play.models import Action
from tests.people import act, client_of, person, running_match
from tests.serving import Served, Site, dialled
from tests.site.config.console import Console, console
from tests.site.config.processes import headers_of, output_of, serving
from tests.site.notifications.letters import Mailbox, delivered, mail_server
from tests.site.notifications.test_letters import make_due, register
from tests.site.play.test_pubsub import OTHERS
from tests.unit.config.environment import run

__all__ = ["console"]

log = logging.getLogger("tests")


def begins(service: str) -> str:
    return f"ERROR config.ops.outages {service} is away, and what needs it waits"


def ends(service: str) -> str:
    return f"WARNING config.ops.outages {service} is back"


def away() -> OperationalError:
    return OperationalError("connection refused\nIs the server running?")


def fail() -> None:
    raise away()


class Failing:
    """A job that finds no database, three times; then the worker ends."""

    name = "failing"
    looks = 0

    def run_due(self, now: datetime) -> int:
        self.looks += 1
        raise away()

    def next_due(self) -> datetime | None:
        return None


class FailingThinker(worker.Thinker):
    """A mind that finds no database."""

    def __init__(self, ended: Event) -> None:
        super().__init__()
        self._ended = ended

    def step(self) -> bool:
        self._ended.set()
        raise away()

    def give_back(self) -> None:
        """Has nothing, and so needs no database."""


def the_worker() -> None:
    failing = Failing()
    jobs.work(lambda: failing.looks == 3, [failing])


def bots() -> None:
    ended = Event()
    worker.work(ended, FailingThinker(ended))


def a_lane() -> None:
    workers.post("a", fail)
    workers.result_of("a", int)


def a_traceback() -> None:
    try:
        fail()
    except OperationalError as error:
        log.exception("a push failed")
        log.warning("push failed: %(error)s", {"error": error})


def what_it_caused() -> None:
    caused = RuntimeError("no board")
    caused.__cause__ = away()
    log.error("a job failed", exc_info=caused)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fails", [the_worker, bots, a_lane, a_traceback, what_it_caused])
def test_whatever_needs_the_database_waits_in_silence_but_for_one_line(
    console: Console, fails: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "EVERY", 0.01)
    monkeypatch.setattr(worker, "AWAY", 0.01)
    for _ in range(3):
        fails()
    assert console.told == [begins("the database")]
    connection_created.send(type(connection), connection=connection)
    connection_created.send(type(connection), connection=connection)
    assert console.told == [begins("the database"), ends("the database")]


def test_a_new_connection_that_fails_again_and_again_is_told_once_a_minute(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        a_traceback()
        connection_created.send(type(connection), connection=connection)
    assert console.told == [begins("the database"), ends("the database")]
    monkeypatch.setattr(outages, "QUIET", 0.0)
    a_traceback()
    assert console.told[2:] == [begins("the database")] * 2  # a traceback and a line


def test_our_own_mistakes_keep_their_traceback(console: Console) -> None:
    try:
        int("no number")
    except ValueError:
        log.exception("a push failed")
    assert console.lines[0].endswith("a push failed")
    assert "Traceback (most recent call last):" in console.lines


@pytest.mark.django_db(transaction=True)
def test_lost_announcements_are_one_line(console: Console, settings: Settings) -> None:
    settings.CHANNEL_LAYERS = OTHERS
    match = running_match([person(), person()])
    with Served():
        for _ in range(4):
            act(match, "end")
    assert Action.objects.count() == 4
    assert console.told == [begins("Redis")]


@pytest.mark.django_db
def test_emails_that_are_kept_are_one_line_and_one_when_the_mail_server_is_back(
    console: Console, client: Client, settings: Settings
) -> None:
    box = Mailbox(free_port())
    box.take_mails_of(settings)
    register(client)
    for _ in range(3):
        make_due()
        delivered()
    assert console.told == [begins("the mail server")]
    make_due()
    with mail_server(box.port, box):
        delivered()
    assert len(box.letters) == 1
    assert console.told == [begins("the mail server"), ends("the mail server")]


@pytest.mark.django_db
def test_an_email_that_is_given_up_is_told_even_while_the_mail_server_is_away(
    console: Console, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    Mailbox(free_port()).take_mails_of(settings)
    register(client)
    delivered()
    make_due()
    monkeypatch.setitem(delivery.GIVE_UP_AFTER, Channel.MAIL, timedelta())
    delivered()
    assert not Delivery.objects.exists()
    assert console.told == [begins("the mail server"), "ERROR games.notifications.delivery given up"]


@pytest.mark.parametrize(
    ("error", "service"),
    [
        (psycopg.errors.DeadlockDetected(), None),
        (psycopg.errors.QueryCanceled(), None),
        (psycopg.errors.AdminShutdown(), outages.DATABASE),
        (psycopg.errors.TooManyConnections(), outages.DATABASE),
        (psycopg.errors.DiskFull(), outages.DATABASE),
        (psycopg.errors.ReadOnlySqlTransaction(), outages.DATABASE),
        (psycopg.errors.IoError(), outages.DATABASE),
        (psycopg.errors.LockNotAvailable(), None),
        (psycopg.errors.IdleInTransactionSessionTimeout(), None),
        (psycopg.OperationalError("connection refused"), outages.DATABASE),
    ],
    ids=lambda it: type(it).__name__,
)
def test_a_database_that_answers_with_an_error_is_not_away(error: Exception, service: outages.Service | None) -> None:
    internal = isinstance(error, psycopg.InternalError)  # as Django has them too
    told = (InternalError if internal else OperationalError)(str(error))
    told.__cause__ = error
    assert outages.away_by(told) is service


def json_lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output_of(folder).splitlines() if line.startswith("{")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("proxies", ["0", "1"])
def test_each_line_names_the_request_and_the_person_and_no_address_with_a_key(tmp_path: Path, proxies: str) -> None:
    """The number is that of a proxy which is trusted; a stranger's is not taken over, nor anything but a number."""
    ann = client_of(person("ann"))
    key = "/account/delete/a-key-from-a-mail/"
    with serving(tmp_path, LOG_FORMAT="json", TRUSTED_PROXIES=proxies) as site:
        site.wait(path="/healthz?live")
        numbers = []
        for client, path, given in ((ann, key, "0123456789abcdef"), (None, f"/nowhere{key}", 'x" }')):
            visit = http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)
            visit.request("GET", path, headers={**headers_of(client), "X-Request-ID": given})
            answer = visit.getresponse()
            assert answer.status == 404
            numbers.append(answer.headers["X-Request-ID"])
            visit.close()
    found = [line for line in json_lines(tmp_path) if line["logger"] == "django.request"]
    assert [line["request_id"] for line in found] == numbers
    assert (numbers[0] == "0123456789abcdef") is (proxies == "1")
    assert all(re.fullmatch("[0-9a-f]{16,32}", number) for number in numbers)
    assert [line.get("person") for line in found] == [User.objects.get().pk, None]
    assert [line["message"] for line in found] == ["Not Found: /account/delete/<str:token>/", "Not Found: /nowhere/…"]
    assert "a-key-from-a-mail" not in output_of(tmp_path)


@pytest.mark.django_db(transaction=True)
def test_what_a_socket_asks_for_is_logged_with_its_person_on_the_lane_too(
    live_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person("ann")
    match = running_match([ann, person("bob")])
    seen: list[Asked | None] = []
    refresh = consumers.push_current

    def noting(*words: Any) -> None:
        seen.append(ASKED.get())
        refresh(*words)

    monkeypatch.setattr(consumers, "push_current", noting)
    for client in (client_of(ann), None):
        with dialled(live_site, f"match/{match.slug}/", client) as socket:
            socket.recv(timeout=60)
    assert [asked and asked.person for asked in seen] == [ann.pk, None]
    assert len({asked.number for asked in seen if asked}) == 2
    workers.result_of("a", lambda: seen.append(ASKED.get()))
    assert seen[-1] is None  # a worker thread forgets who has asked before


def test_slow_queries_are_logged_without_values_if_the_operator_wants_that(tmp_path: Path) -> None:
    ask = """
import django; django.setup()
from django.db import connection
for _ in range(2):
    connection.cursor().execute("SELECT %s, 'text'", ["a-value-of-ann"])
    connection.close()
"""
    told = run(tmp_path, "-c", ask, SLOW_QUERY_SECONDS="0.0000001").stderr.splitlines()
    assert len(told) == 2
    assert all(
        re.search(r"WARNING config.ops.logs A query took \d+\.\d\d s: SELECT %s, 'text'$", line) for line in told
    )
    for seconds in ("0", "60"):
        assert run(tmp_path, "-c", ask, SLOW_QUERY_SECONDS=seconds).stderr == ""
