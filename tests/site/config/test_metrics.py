"""Figures for Prometheus, for those who may read them and nobody else."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event

import pytest
import yaml
from django.conf import settings as site_settings
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families as families
from pytest_django import Settings

from config.ops import backup, metrics
from games.notifications.models import Channel, Delivery
from games.play.live import workers
from games.play.models import Action, Match, Setback, Watch
from games.play.timekeeping import Watching
from tests.people import act, bot_takes_turn, person, running_match
from tests.serving import Site, dialled
from tests.site.bots.test_turns import against_bots, claimed
from tests.site.pairing.waits import all_go, waiting, work
from tests.waiting import wait_until

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


def test_without_an_address_there_is_no_such_page(client: Client, settings: Settings) -> None:
    """As over a Unix socket."""
    settings.METRICS_ADDRESSES = ["0.0.0.0/0", "::/0"]
    assert client.get("/metrics", REMOTE_ADDR="").status_code == 404


def test_the_address_of_a_proxy_is_not_enough(client: Client, settings: Settings) -> None:
    settings.METRICS_ADDRESSES = ["127.0.0.1"]
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 404


@pytest.mark.parametrize("host", ["127.0.0.1:8001", "172.18.0.5:8000", "web:8000", "[::1]:8001"])
@pytest.mark.parametrize("path", ["/metrics", "/healthz?live"])
def test_a_process_of_a_site_with_https_answers_by_its_own_address(
    client: Client, settings: Settings, host: str, path: str
) -> None:
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://tessera.example", ["tessera.example"]
    settings.SECURE_SSL_REDIRECT = True
    assert client.get(path, headers={**TOKEN, "Host": host}).status_code == 200
    assert client.get("/", headers={"Host": host}).status_code == 400


def test_requests_are_counted(client: Client) -> None:
    before = figures(client)
    client.get("/lobby/")
    after = figures(client)

    def more(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    assert more("tessera_requests_total GET 200") == 2  # and the first look at the figures
    assert more("tessera_request_seconds_count") == 2


@pytest.mark.parametrize("at_once", [2, 200])
def test_moves_of_the_last_minute_are_told_whoever_has_stored_them(
    client: Client, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Those of bots are stored by other processes than those that are asked."""
    monkeypatch.setattr(metrics, "AT_ONCE", at_once)
    match = against_bots([person()])
    for _ in range(3):
        act(match, "end", seat=0)
        bot_takes_turn(match)
    lately = timezone.now() - timedelta(seconds=30)
    for action in Action.objects.order_by("pk")[:2]:
        Action.objects.filter(pk=action.pk).update(at=lately - timedelta(minutes=1))
    recent = Action.objects.filter(at__gt=lately)
    assert recent.count() == Action.objects.count() - 2
    found = figures(client)
    assert found[f"tessera_moves_minute false {match.game}"] == recent.filter(by_bot=False).count() > 0
    assert found[f"tessera_moves_minute true {match.game}"] == recent.filter(by_bot=True).count() > 0
    assert found["tessera_moves_minute true card-chess"] == 0


def test_turns_of_bots_wait_until_one_thinks_about_them(client: Client) -> None:
    match = against_bots([person()])
    assert figures(client)["tessera_bot_turns_waiting"] == 0
    act(match, "end", seat=0)
    Match.objects.update(moved_at=timezone.now() - timedelta(seconds=40))
    found = figures(client)
    assert found["tessera_bot_turns_waiting"] == 1
    assert 40 <= found["tessera_bot_turns_oldest_seconds"] < 400
    claimed(match)
    found = figures(client)
    assert (found["tessera_bot_turns_waiting"], found["tessera_bot_turns_oldest_seconds"]) == (0, 0)


def test_messages_wait_until_they_are_sent_or_given_up(client: Client) -> None:
    now, ann = timezone.now(), person()
    states = [("waiting", -50), ("waiting", 500), ("sent", -900), ("dropped", -900), ("dead", -900), ("dead", -900)]
    for key, (state, seconds) in enumerate(states):
        due = now + timedelta(seconds=seconds)
        Delivery.objects.create(user=ann, channel=Channel.MAIL, key=str(key), state=state, due_at=due)
    Delivery.objects.create(channel=Channel.MAIL, key="letter", content={"to": []}, due_at=now)
    found = figures(client)
    assert found["tessera_deliveries_waiting"] == 3
    assert 50 <= found["tessera_deliveries_oldest_seconds"] < 400
    assert found["tessera_overdue_seconds"] >= 50
    assert found["tessera_deliveries_dead"] == 2
    assert found["tessera_account_emails_kept"] == 1


def test_what_waits_and_what_failed_is_told(client: Client) -> None:
    Setback.objects.create(job="toy", key=1, failures=8)
    found = figures(client)
    assert (found["tessera_setbacks"], found["tessera_setbacks_dead"]) == (1, 1)
    assert found["tessera_sockets"] == 0


@pytest.mark.django_db(transaction=True)
def test_sockets_are_counted_while_they_are_open(client: Client, live_site: Site) -> None:
    match = running_match([person(), person()])
    with dialled(live_site, f"match/{match.slug}/?language=en") as socket:
        socket.recv(timeout=60)
        assert figures(client)["tessera_sockets"] == 1
    wait_until(lambda: figures(client)["tessera_sockets"] == 0)


def test_what_waits_on_a_lane_is_counted(client: Client) -> None:
    done = Event()
    for job in (partial(done.wait, 60), list, list):
        workers.post("slug", job)
    try:
        wait_until(lambda: figures(client)["tessera_match_jobs"] == 2)
    finally:
        done.set()
    wait_until(lambda: figures(client)["tessera_match_jobs"] == 0)


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
    import_module("config.urls")  # the server's sockets have figures of their own
    told = json.loads(DASHBOARD.read_text())
    expressions = [target["expr"] for panel in told["panels"] for target in panel["targets"]]
    names = {name for each in expressions for name in re.findall(r"tessera_\w+", each)}
    text = client.get("/metrics", headers=TOKEN).content.decode()
    assert len(names) >= 10
    assert {name for name in names if name not in text} == set()


ALERTS = DASHBOARD.with_name("alerts.yaml")


def test_every_alert_is_about_figures_that_exist_and_says_what_to_do(client: Client) -> None:
    import_module("config.urls")
    client.get("/metrics", headers=TOKEN)  # the first look is counted in the second
    text = client.get("/metrics", headers=TOKEN).content.decode()
    rules = [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]
    names = {name for rule in rules for name in re.findall(r"tessera_\w+", rule["expr"])}
    assert {name for name in names if not re.search(rf"^{name}(\{{| )", text, re.MULTILINE)} == set()
    assert names >= {
        "tessera_healthy",
        "tessera_overdue_seconds",
        "tessera_deliveries_dead",
        "tessera_disk_free_bytes",
        "tessera_last_backup_timestamp_seconds",
    }
    for rule in rules:
        assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert len(rule["annotations"]["summary"]) > 20
    if promtool := shutil.which("promtool"):
        checked = subprocess.run([promtool, "check", "rules", str(ALERTS)], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stdout


def test_health_the_disk_and_the_last_backup_are_told(client: Client, tmp_path: Path) -> None:
    found = figures(client)
    assert (found["tessera_healthy"], found["tessera_last_backup_timestamp_seconds"]) == (0, 0)  # no worker yet
    assert 0 < found["tessera_disk_free_bytes"] <= found["tessera_disk_size_bytes"]
    Watching().run_due(timezone.now())
    monday = timezone.now() - timedelta(days=2)
    Watch.objects.create(name=backup.LAST, seen_at=monday)
    found = figures(client)
    assert found["tessera_healthy"] == 1
    assert found["tessera_last_backup_timestamp_seconds"] == pytest.approx(monday.timestamp(), abs=1)
