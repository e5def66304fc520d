"""Figures for Prometheus, for those who may read them and nobody else."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings as site_settings
from django.db import OperationalError, connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families as families
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from games.play.models import Setback
from tests.pairing.waits import all_go, waiting, work
from tests.people import act, person, running_match

pytestmark = pytest.mark.django_db

TOKEN = {"Authorization": "Bearer secret"}
DASHBOARD = Path(site_settings.BASE_DIR, "config", "deploy", "grafana.json")


@pytest.fixture(autouse=True)
def _token(settings: Settings) -> None:
    settings.METRICS_TOKEN = "secret"


def figures(client: Client) -> dict[str, float]:
    """Return the figures by name and labels."""
    text = client.get("/metrics", headers=TOKEN).content.decode()
    samples = (sample for family in families(text) for sample in family.samples)
    return {" ".join([sample.name, *sample.labels.values()]): sample.value for sample in samples}


def test_whoever_has_the_token_reads_them(client: Client) -> None:
    response = client.get("/metrics", headers=TOKEN)
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain; version=")


@pytest.mark.parametrize("header", ["", "Bearer wrong", "Bearer ", "secret2", "Bearer sécret"])
def test_nobody_else_does(client: Client, header: str) -> None:
    assert client.get("/metrics", headers={"Authorization": header}).status_code == 404


def test_without_a_token_no_token_is_right(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.parametrize(("address", "status"), [("10.1.2.3", 200), ("10.2.0.1", 404), ("::1", 200), ("::2", 404)])
def test_an_address_can_be_enough(client: Client, settings: Settings, address: str, status: int) -> None:
    settings.METRICS_ADDRESSES = ["10.1.0.0/16", "::1"]
    assert client.get("/metrics", REMOTE_ADDR=address).status_code == status


def test_the_address_of_a_proxy_is_not_enough(client: Client, settings: Settings) -> None:
    settings.METRICS_ADDRESSES = ["127.0.0.1"]
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 404


def test_requests_and_moves_are_counted(
    client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    match = running_match([person(), person()])
    before = figures(client)
    client.get("/lobby/")
    with django_capture_on_commit_callbacks(execute=True):
        act(match, "end", seat=0)
    after = figures(client)

    def more(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    assert more("tessera_requests_total GET 200") == 2  # and the first look at the figures
    assert more("tessera_request_seconds_count") == 2
    assert more(f"tessera_moves_total false {match.game}") >= 1


def test_what_waits_and_what_failed_is_told(client: Client) -> None:
    Setback.objects.create(duty="toy", key=1, failures=8)
    found = figures(client)
    assert (found["tessera_setbacks"], found["tessera_setbacks_dead"]) == (1, 1)
    assert found["tessera_sockets"] == 0


def test_of_quick_pairing_it_tells_who_waits_and_who_was_paired(client: Client) -> None:
    first, _second = waiting(person(), seconds=40), waiting(person(), speed="days")
    third = waiting(person())
    found = figures(client)
    assert found["tessera_pairing_waiting shifting-stones live"] == 2
    assert found["tessera_pairing_waiting shifting-stones days"] == 1
    assert found["tessera_pairing_waiting card-chess live"] == 0
    assert 40 <= found["tessera_pairing_oldest_seconds"] < 400
    assert found["tessera_pairing_offers"] == 0
    work()
    assert figures(client)["tessera_pairing_offers"] == 1
    all_go(first, third)
    assert figures(client)["tessera_pairing_paired_day"] == 2


def test_without_the_database_the_process_tells_what_it_knows(client: Client) -> None:
    def fails(*_: object) -> None:
        raise OperationalError("away")

    with connection.execute_wrapper(fails):
        found = figures(client)
    assert "tessera_sockets" in found
    assert "tessera_setbacks" not in found


def test_the_dashboard_shows_only_figures_that_exist(client: Client) -> None:
    import_module("config.sockets")  # the server's sockets have figures of their own
    told = json.loads(DASHBOARD.read_text())
    expressions = [target["expr"] for panel in told["panels"] for target in panel["targets"]]
    names = {name for each in expressions for name in re.findall(r"tessera_\w+", each)}
    text = client.get("/metrics", headers=TOKEN).content.decode()
    assert len(names) >= 10
    assert {name for name in names if name not in text} == set()
