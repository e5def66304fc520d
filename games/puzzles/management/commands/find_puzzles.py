"""`manage.py find_puzzles GAME --count N`: find puzzles in matches between bots, and store them with their proof."""

from __future__ import annotations

from argparse import ArgumentParser
from itertools import count, islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.puzzles import found_in, puzzle_line
from games.titles import titles


class Command(BaseCommand):
    help = "Find puzzles for a game in matches between bots; they replace those that are stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the game, for instance shifting-stones")
        parser.add_argument("--count", type=int, default=366, help="how many; they repeat after so many days")

    def handle(self, *args: Any, **options: Any) -> None:
        title = titles().get(options["game"])
        if title is None or title.puzzle_maker is None:
            raise CommandError(f"{options['game']} has no module `puzzles`.")
        if options["count"] < 1:
            raise CommandError("--count must be at least 1.")
        finding = (title.game, title.insight.policy, title.puzzle_maker)
        found = (puzzle for number in count() if (puzzle := found_in(*finding, number)))
        lines = []
        for line in map(puzzle_line, islice(found, options["count"])):
            lines.append(line)
            self.stderr.write(f"\r{len(lines)} of {options['count']}", ending="")
        title.puzzle_file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.stdout.write(f"\n{len(lines)} puzzles in {title.puzzle_file.name}")
