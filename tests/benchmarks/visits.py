"""`python - TABLES`, run in any tree of Tessera: visit pages of a site, and print what each takes, as JSON.

A member is the first of the demo's people. What a process does once, such as reading templates, comes before.
"""

from __future__ import annotations

import sys
from statistics import median
from time import thread_time

import django
import msgspec

PAGES = {
    "visitor": ("/", "/lobby/", "/archive/", "/leaderboard/", "/@Bruno/"),
    "member": (
        "/",
        "/lobby/",
        "/matches/",
        "/people/",
        "/archive/",
        "/leaderboard/",
        "/@Bruno/",
        "/lobby/?joinable=yes",
    ),
}
"""The lobby remembers its filters, so the page with one comes last."""
ONCE, ROUNDS = 3, 9
TABLES_EACH = 3
"""How many tables of a host the lobby lists."""


def fill(count: int) -> None:
    """Open tables in the lobby."""
    from accounts.models import User
    from games.play.commands import prepare_match
    from games.play.models import Match, Seat

    names = [f"host{number}" for number in range(count // TABLES_EACH)]
    hosts = [User(username=name, name_key=name, skeleton=name, password="!") for name in names]
    made = User.objects.bulk_create(hosts)
    tables = [prepare_match("shifting-stones", {}, 2, host=host) for host in made for _ in range(TABLES_EACH)]
    Seat.objects.bulk_create(
        [Seat(match=table, number=0, user=table.host) for table in Match.objects.bulk_create(tables)]
    )


def main(tables: int) -> None:
    django.setup()
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from accounts.models import User

    settings.ALLOWED_HOSTS = ["*"]
    fill(tables)
    member, visitor = Client(), Client()
    member.force_login(User.objects.order_by("pk")[0])
    taken = {}
    for who, client in (("visitor", visitor), ("member", member)):
        for page in PAGES[who]:
            for _ in range(ONCE):
                assert client.get(page).status_code == 200, page
            with CaptureQueriesContext(connection) as queries:
                client.get(page)
            number, times = len(queries), []
            for _ in range(ROUNDS):
                begun = thread_time()
                client.get(page)
                times.append(1000 * (thread_time() - begun))
            taken[f"{who} {page}"] = (number, median(times))
    print(msgspec.json.encode(taken).decode())


if __name__ == "__main__":
    main(int(sys.argv[1]))
