"""The health check says whether the site works, and which part does not."""

from __future__ import annotations

import os
import socket
import time
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from config import VERSION
from config.ops.stack import free_port
from games.play import timekeeping
from tests.people import person, running_match
from tests.site.config.processes import serving
from tests.unit.config.environment import run

pytestmark = pytest.mark.django_db


GOOD = {"version": VERSION, "database": True, "channel_layer": True, "worker": True, "overdue": 0}


@pytest.fixture
def worker() -> None:
    """A worker has just noted that it is running."""
    timekeeping.Watching().run_due(timezone.now())


@pytest.mark.usefixtures("worker")
def test_all_is_well(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, GOOD)
    assert "no-store" in response["Cache-Control"]


def test_without_any_worker_the_site_is_not_well(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (503, GOOD | {"worker": False})


@pytest.mark.parametrize(("seconds", "status"), [(29, 200), (31, 503)])
@pytest.mark.usefixtures("worker")
def test_a_worker_that_was_not_seen_for_half_a_minute_is_missed(client: Client, seconds: int, status: int) -> None:
    with time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False):
        response = client.get("/healthz")
    assert (response.status_code, response.json()["worker"]) == (status, status == 200)


@pytest.mark.parametrize(("seconds", "status"), [(60, 200), (61, 503)])
@pytest.mark.usefixtures("worker")
def test_what_is_overdue_for_more_than_a_minute_is_told(client: Client, seconds: int, status: int) -> None:
    match = running_match([person(), person()])
    now = timezone.now()
    match.seats.filter(number=0).update(deadline=now - timedelta(seconds=seconds))
    with time_machine.travel(now, tick=False):
        response = client.get("/healthz")
    assert (response.status_code, response.json()["overdue"]) == (status, seconds)


def test_the_process_alone_is_well_whatever_else_is_not(client: Client) -> None:
    with connection.execute_wrapper(fails):
        response = client.get("/healthz?live")
    assert (response.status_code, response.json()) == (200, {"live": True})


def fails(*_: object) -> None:
    raise OperationalError("away")


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_the_database_does_not_answer(client: Client, error: type[Exception]) -> None:
    def raises(*_: object) -> None:
        raise error("away")

    with connection.execute_wrapper(raises):
        response = client.get("/healthz")
    away = GOOD | {"database": False, "worker": False}
    assert (response.status_code, response.json()) == (503, away)


@pytest.mark.usefixtures("worker")
def test_nobody_listens_where_redis_should_be(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (503, GOOD | {"channel_layer": False})


def test_a_redis_that_hangs_does_not_hang_the_health_check(client: Client, settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        started = time.monotonic()
        assert client.get("/healthz").json()["channel_layer"] is False
    assert time.monotonic() - started < 30  # it gives up after two seconds, and this machine may be busy


@pytest.mark.django_db(transaction=True)
def test_the_command_asks_a_process_whatever_the_name_of_its_site(tmp_path: Path) -> None:
    ask = ("-m", "config.ops.probe")
    with serving(tmp_path, SITE_URL="https://tessera.example") as site:
        assert run(tmp_path, *ask, "30", PORT=str(site.port)).returncode == 0
    assert run(tmp_path, *ask, PORT=str(site.port)).returncode == 1


@pytest.mark.services
@pytest.mark.usefixtures("worker")
def test_all_is_well_with_redis(client: Client, settings: Settings) -> None:
    assert os.environ["REDIS_URL"] == settings.REDIS_URL
    assert client.get("/healthz").json() == GOOD
