"""The lobby with 10,000 open tables, half of them private: ms for a page, compared with 100 tables.

Each kind of filter has a row: common ones, of which there are thousands, and a rare one, of which there is one table.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="tessera-lobby-")
os.environ["DATABASE_URL"] = f"sqlite:///{Path(os.environ['DATA_DIR']) / 'lobby.sqlite3'}"

import django

django.setup()

# ruff: noqa: E402  # the settings read the environment when they are imported

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.play.commands import prepare_match
from games.play.models import Match, Seat

FEW, MANY = 100, 10_000
TABLES_EACH = 5
ROUNDS = 15

BEFORE_PAGES = {FEW: 72.0, MANY: 5_940.0}
"""Milliseconds while every view loaded every table and showed the oldest 100, by the number of tables."""

BUDGET = 2.0
"""How much longer a page may take with many tables than with few; more makes the benchmark fail."""


def fill(count: int) -> None:
    """Open tables until there are this many: each host has `TABLES_EACH`, every second one is private."""
    known = Match.objects.count()
    names = [f"host{number}" for number in range(known // TABLES_EACH, count // TABLES_EACH)]
    hosts = User.objects.bulk_create(
        [User(username=name, name_key=name, skeleton=name, password="!") for name in names]
    )
    tables = [_table(host, number) for host in hosts for number in range(TABLES_EACH)]
    made = Match.objects.bulk_create(tables)
    Seat.objects.bulk_create([Seat(match=match, number=0, user=match.host) for match in made])


def _table(host: User, number: int) -> Match:
    visibility = Match.Visibility.PRIVATE if number % 2 else Match.Visibility.PUBLIC
    return prepare_match("shifting-stones", {}, 2, host=host, visibility=visibility)


FILTERS = (
    ("game=shifting-stones", "one game, most of the tables"),
    ("speed=live", "one speed, all of them"),
    ("rated=yes", "rated, all of them"),
    ("seats=2", "two players, most of them"),
    ("rated=no", "casual, one of them"),
    ("game=small-islands&speed=days&rated=no&seats=4", "four filters, one of them"),
    ("game=card-chess", "none of them"),
)


def add_a_rare_one() -> None:
    """Open the one table of its kind, and make it the oldest."""
    host = User.objects.create_user("rare", "rare@example.org")
    match = prepare_match("small-islands", {}, 4, host=host, speed="days", rated=False)
    match.created_at = timezone.now() - timedelta(days=1)
    match.save()
    Seat.objects.create(match=match, number=0, user=host)


def milliseconds(client: Client, address: str) -> float:
    """Return the median time of a page that is loaded without the cache."""
    return statistics.median(_once(client, address) for _ in range(ROUNDS))


def _once(client: Client, address: str) -> float:
    started = time.perf_counter()
    answer: Any = client.get(address)
    assert answer.status_code == 200
    return 1000 * (time.perf_counter() - started)


def main() -> int:
    settings.ALLOWED_HOSTS = ["*"]
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    (Path(os.environ["DATA_DIR"]) / "static").mkdir()
    call_command("migrate", verbosity=0)
    reader, client = User.objects.create_user("reader", "reader@example.org"), Client()
    client.force_login(reader)
    measured: dict[int, float] = {}
    print(f"median of {ROUNDS}\n{'open tables':>12} {'ms':>8} {'before':>8} {'ratio':>7}")
    for count in (FEW, MANY):
        fill(count)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        measured[count] = milliseconds(client, "/lobby/")
        before = BEFORE_PAGES[count]
        print(f"{count:12,} {measured[count]:8.1f} {before:8.0f} {measured[count] / before:7.3f}", flush=True)
    deep = milliseconds(client, "/lobby/?page=50")
    print(f"{'50th page':>12} {deep:8.1f}")
    add_a_rare_one()
    worst = 0.0
    for query, what in FILTERS:
        client.get(f"/lobby/?{query}")  # remembers it: that is not measured
        worst = max(worst, spent := milliseconds(client, f"/lobby/?{query}"))
        print(f"{what:>40} {spent:8.1f}")
    growth = measured[MANY] / measured[FEW]
    print(f"with {MANY:,} tables {growth:.2f} times the time it takes with {FEW} (at most {BUDGET})")
    print(f"the slowest filter takes {worst / measured[FEW]:.2f} times that (at most {BUDGET})")
    return int(max(growth, worst / measured[FEW]) > BUDGET)


if __name__ == "__main__":
    raise SystemExit(main())
