"""`manage.py simulate_seasons [--seasons 20] [--people 300] [--first 1]`"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.fairplay.seasons import DAYS, OF_PAIRS, SORTS, cheats_of, counted


class Command(BaseCommand):
    help = (
        "Play seasons that are made up, with honest people and some cheats, and print how many of each the rules of "
        "fair play find. Nothing is read from the database or written to it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--seasons", type=int, default=20, help="how many (20)")
        parser.add_argument("--people", type=int, default=300, help="in each season (300)")
        parser.add_argument("--first", type=int, default=1, help="the number of the first season; the same is the same")

    def handle(self, *_: Any, **options: Any) -> None:
        result = counted(options["seasons"], options["people"], options["first"])
        self.stdout.write(f"{result.seasons} seasons of {DAYS} days with {options['people']} people each.\n\nHonest:")
        for rule in dict.fromkeys(SORTS.values()):
            among, unit = (result.people, "people") if rule not in OF_PAIRS else (result.pairs, "pairs who met often")
            found = result.honest[rule]
            self.stdout.write(f"  {rule}: {found} of {among} {unit} ({100 * found / max(1, among):.3f} %)")
        self.stdout.write("\nCheats found:")
        for sort in SORTS:
            self.stdout.write(f"  {sort}: {result.caught[sort]} of {cheats_of(sort) * result.seasons}")
