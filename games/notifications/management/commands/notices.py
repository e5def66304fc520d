"""`manage.py notices [revive [NUMBER ...]]`"""

from __future__ import annotations

from argparse import RawDescriptionHelpFormatter
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser

HELP = """\
Messages to players that could not be delivered and are no longer tried.

  manage.py notices                 list them: number, when, way, to whom, what, the error
  manage.py notices revive          try all of them again, now
  manage.py notices revive 12 17    try these again, now

What is no longer true when it is sent is dropped. `manage.py undelivered` does the same, and can choose a channel.
"""


class Command(BaseCommand):
    help = HELP

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        """Keep the lines of the help as they are."""
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **options)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", nargs="?", choices=["list", "revive"], default="list", help="what to do")
        parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="which; without one, all of them")

    def handle(self, *_: Any, verb: str, numbers: list[int], **options: Any) -> None:
        revive = numbers if verb == "revive" else None
        call_command("undelivered", revive=revive, channel=None, stdout=self.stdout)
