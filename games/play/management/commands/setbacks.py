"""`manage.py setbacks [revive [NUMBER ...]]`"""

from __future__ import annotations

from argparse import RawDescriptionHelpFormatter
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone
from django.utils.timezone import localtime

from games.play.duties import MOST_FAILURES
from games.play.models import Setback

HELP = f"""\
Work of the worker that failed: time-outs, notices, bots, whatever comes due.

  manage.py setbacks                 list it: number, what, for whom or which match, when it is tried again, the error
  manage.py setbacks revive          try all that is given up again, now
  manage.py setbacks revive 12 17    try these again, now

It is tried again by itself after longer and longer pauses; after {MOST_FAILURES} failures it is given up ("dead") and
waits for you. Mend the cause first: what fails again is set back again.
"""


class Command(BaseCommand):
    help = HELP

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        """Keep the lines of the help as they are."""
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **options)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", nargs="?", choices=["list", "revive"], default="list", help="what to do")
        parser.add_argument(
            "numbers", nargs="*", type=int, metavar="NUMBER", help="which; without one, all that is dead"
        )

    def handle(self, *_: Any, verb: str, numbers: list[int], **options: Any) -> None:
        found = Setback.objects.order_by("pk")
        if verb == "list":
            for setback in found:
                self.stdout.write(_line(setback))
            self.stdout.write(f"{found.count()} set back, {found.filter(not_before=None).count()} of them dead.")
            return
        chosen = found.filter(pk__in=numbers) if numbers else found.filter(not_before=None)
        count = chosen.update(failures=0, not_before=timezone.now())
        self.stdout.write(f"{count} to be tried again by the worker." if count else "Nothing to revive.")


def _line(setback: Setback) -> str:
    when = f"{localtime(setback.not_before):%Y-%m-%d %H:%M}" if setback.not_before else "dead"
    text = f"{setback.pk}  {setback.duty} {setback.key}  {setback.failures} failures  {when}  {setback.error}"
    return " ".join(text.split("\n"))
