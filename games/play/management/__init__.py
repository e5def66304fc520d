"""What commands of an operator share, and processes that end when they are asked to."""

from __future__ import annotations

import logging
import os
import threading
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.protocol import AnyGame, OptionError, OptionValue, complete_options
from games.titles import games
from games.titles.bots import bot_named

log = logging.getLogger(__name__)

ENDS_WITHIN = 5.0
"""Seconds after which a process that was asked to end is gone."""


def end_within(seconds: float) -> None:
    """End this process after so many seconds, whatever still runs in it: what is half done is rolled back."""
    ending = threading.Timer(seconds, _end_by_force)
    ending.daemon = True
    ending.start()


def _end_by_force() -> None:
    log.error("something in this process does not end, so it is ended by force")
    os._exit(1)


class OperatorCommand(BaseCommand):
    """A command whose help is shown as it is written."""

    def create_parser(self, prog_name: str, subcommand: str, **options: Any) -> Any:
        """Keep the lines of the help as they are."""
        return super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **options)


class RevivingCommand(OperatorCommand):
    """`manage.py COMMAND [list | revive [NUMBER ...]]`; a subclass says what these do."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", nargs="?", choices=["list", "revive"], default="list", help="what to do")
        parser.add_argument(
            "numbers", nargs="*", type=int, metavar="NUMBER", help="which; without one, all that is given up"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        if options["verb"] == "list":
            self.tell()
            return
        count = self.revive(options["numbers"])
        self.stdout.write(f"{count} to be tried again by the worker." if count else "Nothing to revive.")

    def tell(self) -> None:
        """List what has failed."""
        raise NotImplementedError

    def revive(self, numbers: list[int]) -> int:
        """Let what has these numbers, or all that is given up, be tried again; return how much there was."""
        raise NotImplementedError


def in_one_line(text: str) -> str:
    """Return a text, which may hold an error in several lines, as one."""
    return " ".join(text.split("\n"))


def game_named(slug: str) -> AnyGame:
    """Return a game by its slug.

    Raises:
        CommandError: there is none; the text names those that exist.
    """
    if slug not in games():
        raise CommandError(f"There is no game “{slug}”. There are: {', '.join(games())}.")
    return games()[slug]


def check_bot(name: str) -> None:
    """Raise `CommandError` unless this is the name of a bot."""
    try:
        bot_named(name)
    except LookupError as error:
        raise CommandError(str(error)) from error


def chosen_options(game: AnyGame, seats: int, texts: Iterable[str]) -> dict[str, OptionValue]:
    """Return the options of a match from texts such as "length=official" or "islands=true".

    Raises:
        CommandError: the game does not offer them, or this number of seats.
    """
    chosen: dict[str, OptionValue] = {}
    for text in texts:
        name, found, value = text.partition("=")
        if not found:
            raise CommandError(f"An option is written NAME=VALUE, not “{text}”.")
        offered = [each for option in game.options if option.name == name for each, _ in option.choices]
        chosen[name] = next((each for each in offered if str(each).lower() == value.lower()), value)
    try:
        return complete_options(game, seats, chosen)
    except OptionError as error:
        raise CommandError(error.text) from error


def save(path: Path, text: str) -> None:
    """Write a file.

    Raises:
        CommandError: it cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
