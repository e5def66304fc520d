"""The health check says whether the site can do its work, and which part cannot."""

from __future__ import annotations

import os
import socket
import time

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from pytest_django import Settings

from config.services import free_port

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
    assert time.monotonic() - started < 4


@pytest.mark.services
def test_all_is_well_with_redis(client: Client, settings: Settings) -> None:
    assert os.environ["REDIS_URL"] == settings.REDIS_URL
    assert client.get("/healthz").json() == {"database": True, "channel_layer": True}
