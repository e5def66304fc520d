"""`python - WANTED`, run in any tree of Tessera: begin matches and print, as JSON, what the load must know of them.

It needs three things of that tree: `tests.benchmarks.load.begin`, `tests.benchmarks.site.player` and the model of
notices. Notices of the new matches are dropped, because the worker would otherwise deal with all of them in the middle
of the run.
"""

from __future__ import annotations

import sys
from typing import Any

import django
import msgspec

FACTS = ("slug", "version", "players", "seed")


def main(wanted: dict[str, Any]) -> None:
    """Begin matches.

    Args:
        wanted: their `count`; the `game`, `options` and `seats` of each; and how many `spectators` watch them all.
    """
    django.setup()
    from django.apps import apps

    from tests.benchmarks import load, site

    spectators = [site.player(f"spectator{number}", has_token=True) for number in range(wanted["spectators"])]
    chosen = (wanted["game"], wanted["options"], wanted["seats"])
    begun = [load.begin(f"duel{number}", *chosen, number.to_bytes(32, "big")) for number in range(wanted["count"])]
    facts = [{**{name: getattr(each, name) for name in FACTS}, "spectators": spectators} for each in begun]
    apps.get_model("notifications", "Notice").objects.all().delete()
    print(msgspec.json.encode(facts).decode())


if __name__ == "__main__":
    main(msgspec.json.decode(sys.argv[1]))
