from __future__ import annotations

import json
import os
import signal
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand

from games.bots.work import work
from games.play.matches import announce
from games.play.matches.announce import Hint
from games.titles import games
from games.titles.insights import insight_of


class Command(BaseCommand):
    help = "Think for bots, until SIGTERM or Ctrl+C. Run as many as you like: one for each processor is plenty."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--for-parent",
            action="store_true",
            help="write to the output what open pages are to be told, and end with the process that started this one",
        )

    def handle(self, *args: Any, **options: Any) -> None:  # Django's signature
        ended = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: ended.set())
        for slug in games():
            insight_of(slug)  # imported now rather than during the first turn
        if options["for_parent"]:
            announce.speak_through(_write)
            threading.Thread(target=_end_with_parent, daemon=True).start()
        else:
            self.stdout.write("The bots are running.")
            self.stdout.flush()
        work(ended)


def _write(hints: Sequence[Hint]) -> None:
    """Write hints as one line, which the parent reads (see `config.bots`)."""
    sys.stdout.write(f"{json.dumps(hints)}\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    """End at once when the parent has ended, even if it was killed: what is thought about is left to its lease."""
    # Not through `sys.stdin`, whose lock an interpreter that ends would wait for.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(0)
