"""The archive with 100,000 finished matches in SQLite: ms for a page, and how the database finds it."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="tessera-archive-")
os.environ["DATABASE_URL"] = f"sqlite:///{Path(os.environ['DATA_DIR']) / 'archive.sqlite3'}"

import django

django.setup()

# ruff: noqa: E402  # the settings read the environment when they are imported

from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.db import connection

from games.history.archive import Cursor, Filters, Window, archive_page, found_by
from games.history.endings import Result
from games.play.models import Match, Speed
from tests.site.history.many import many_matches

MATCHES = int(os.environ.get("MATCHES", "100000"))
BUSY = MATCHES // 10
"""Matches of the one player who is searched for."""

ROUNDS = 15
BUDGET = 100.0
"""Milliseconds for any page at the median; a failure makes the benchmark fail."""


def cases(player: Any) -> dict[str, tuple[Any, Filters]]:
    """Return reader and filters by name, with common and rare cases of each kind of query."""
    nobody = AnonymousUser()
    middle = Match.objects.filter(pk=MATCHES // 2).values_list("ended_at", flat=True)[0]
    return {
        "everything": (nobody, Filters()),
        "everything, logged in": (player, Filters()),
        "game, days, casual": (nobody, Filters(game="shifting-stones", speed=Speed.DAYS, rated=False)),
        "until a day in the middle": (nobody, Filters(until=middle)),
        "a player": (nobody, Filters(player=player)),
        "a player, own": (player, Filters(player=player)),
        "a player's shared first places": (nobody, Filters(player=player, result=Result.SHARED)),
        "a player's lost casual ones over days": (
            nobody,
            Filters(player=player, result=Result.LOST, speed=Speed.DAYS, rated=False),
        ),
        "a player, nothing fits": (nobody, Filters(player=player, game="no-such-game")),
    }


def milliseconds(work: Callable[[], object]) -> float:
    def once() -> float:
        started = time.perf_counter()
        work()
        return 1000 * (time.perf_counter() - started)

    return statistics.median(once() for _ in range(ROUNDS))


def deep(reader: Any, filters: Filters, pages: int = 40) -> Cursor | None:
    """Return the position this many pages further on."""
    cursor = archive_page(reader, filters).older
    for _ in range(pages):
        cursor = (cursor and archive_page(reader, filters, before=cursor).older) or cursor
    return cursor


def main() -> int:
    call_command("migrate", verbosity=0)
    player = many_matches(MATCHES, busy=BUSY)[0]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    worst = 0.0
    print(f"{MATCHES:,} matches, {BUSY:,} of one player; median of {ROUNDS}, ms for the 25 of a page with all names")
    print(f"{'what':40} {'first':>8} {'40th':>8}")
    for name, (reader, filters) in cases(player).items():
        far = deep(reader, filters)
        first = milliseconds(partial(archive_page, reader, filters))
        fortieth = milliseconds(partial(archive_page, reader, filters, before=far))
        worst = max(worst, first, fortieth)
        print(f"{name:40} {first:8.1f} {fortieth:8.1f}")
    for name, (reader, filters) in cases(player).items():
        print(f"\nplan: {name}\n{found_by(reader, Window(filters, None, None, 25)).explain()}")
    return int(worst > BUDGET)


if __name__ == "__main__":
    raise SystemExit(main())
