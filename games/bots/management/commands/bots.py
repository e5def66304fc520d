from __future__ import annotations

import json
import os
import signal
import sys
import threading
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from games.bots.services import Answer
from games.bots.worker import Thinker, work
from games.play.management import ENDS_WITHIN, end_within
from games.titles import titles


class Command(BaseCommand):
    requires_system_checks = ["tessera"]
    help = "Think for bots, until SIGTERM or Ctrl+C. Run as many as you like: one for each processor is plenty."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--for-parent",
            action="store_true",
            help="write to the output what is to be played, and end with the process that started this one",
        )

    def handle(self, *args: Any, **options: Any) -> None:  # Django's signature
        ended = threading.Event()

        def end(*_: object) -> None:
            end_within(ENDS_WITHIN)
            ended.set()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)
        for title in titles().values():
            _ = title.insight  # imported now rather than during the first turn
        if options["for_parent"]:
            threading.Thread(target=_end_with_parent, daemon=True).start()
            work(ended, Thinker(_hand_over))
        else:
            self.stdout.write("The bots are running.")
            self.stdout.flush()
            work(ended)


def _hand_over(answer: Answer) -> None:
    """Write an answer as one line, which the parent reads and plays (see `config.background`)."""
    sys.stdout.write(f"{json.dumps(asdict(answer))}\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    """End at once when the parent has ended, even if it was killed; the lease of the turn in hand runs out."""
    # Not through `sys.stdin`, whose lock an interpreter that ends would wait for.
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(0)
