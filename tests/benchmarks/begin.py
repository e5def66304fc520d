"""`python - COUNT`, run in any tree of Tessera: begin matches and print, as JSON, what the load must know of them.

It needs two things of that tree: `tests.benchmarks.load.make_duels` and the model of notices. Notices of the new
matches are dropped, because the worker would otherwise deal with all of them in the middle of the run.
"""

from __future__ import annotations

import sys

import django
import msgspec

FACTS = ("slug", "version", "players", "seed")


def main(count: int) -> None:
    django.setup()
    from django.apps import apps

    from tests.benchmarks.load import make_duels

    facts = [{name: getattr(duel, name) for name in FACTS} for duel in make_duels(count)]
    apps.get_model("notifications", "Notice").objects.all().delete()
    print(msgspec.json.encode(facts).decode())


if __name__ == "__main__":
    main(int(sys.argv[1]))
