"""The health check says whether the site works, and which part does not."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from pytest_django import Settings

from config.database_servers import free_port
from tests.config.environment import run
from tests.config.processes import serving

pytestmark = pytest.mark.django_db


def test_all_is_well(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"database": True, "channel_layer": True})
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_the_database_does_not_answer(client: Client, error: type[Exception]) -> None:
    def fails(*_: object) -> None:
        raise error("away")

    with connection.execute_wrapper(fails):
        response = client.get("/healthz")
    assert (response.status_code, response.json()) == (503, {"database": False, "channel_layer": True})


def test_nobody_listens_where_redis_should_be(client: Client, settings: Settings) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (503, {"database": True, "channel_layer": False})


def test_a_redis_that_hangs_does_not_hang_the_health_check(client: Client, settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.REDIS_URL = f"redis://127.0.0.1:{silent.getsockname()[1]}/0"
        started = time.monotonic()
        assert client.get("/healthz").json()["channel_layer"] is False
    assert time.monotonic() - started < 30  # it gives up after two seconds, and this machine may be busy


@pytest.mark.django_db(transaction=True)
def test_the_command_asks_a_process_under_the_name_of_its_site(tmp_path: Path) -> None:
    ask = ("-m", "config.health")
    with serving(tmp_path, SITE_URL="https://tessera.example") as site:
        told = {"PORT": str(site.port), "SITE_URL": "https://tessera.example"}
        assert run(tmp_path, *ask, "30", **told).returncode == 0
        assert run(tmp_path, *ask, **told | {"SITE_URL": "https://other.example"}).returncode == 1
    assert run(tmp_path, *ask, **told).returncode == 1


@pytest.mark.services
def test_all_is_well_with_redis(client: Client, settings: Settings) -> None:
    assert os.environ["REDIS_URL"] == settings.REDIS_URL
    assert client.get("/healthz").json() == {"database": True, "channel_layer": True}
