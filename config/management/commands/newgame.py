"""`manage.py newgame NAME`: the folder of a new game, small but complete, with its first tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.management.templates import TemplateCommand

SKELETON = Path(settings.BASE_DIR) / "config" / "skeleton"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


_PLACES = {"game": "games/titles", "unit": "tests/unit/titles", "site": "tests/site/titles"}
_RENDERED = ("py", "jinja", "po", "md")


class Skeleton(TemplateCommand):
    """Copies a folder of the skeleton. Its files end in -tpl, so that no tool takes them for code of ours."""

    rewrite_template_suffixes = tuple((f".{kind}-tpl", f".{kind}") for kind in _RENDERED)


class Command(BaseCommand):
    help = "Write the folder of a new game, which can be played as it is, and its first tests."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="what the game is called, for example “nine mens morris”")

    def handle(self, *_: Any, name: str, **options: Any) -> None:
        folder = re.sub(r"[\s-]+", "_", name.strip().lower())
        if not NAME.fullmatch(folder):
            raise CommandError(f"“{name}” cannot be the name of a folder: use letters, digits and spaces.")
        targets = {kind: Path(settings.BASE_DIR) / place / folder for kind, place in _PLACES.items()}
        if taken := [str(target) for target in targets.values() if target.exists()]:
            raise CommandError(f"There is a game of that name already: {', '.join(taken)}.")
        words = {"slug": folder.replace("_", "-"), "title": folder.replace("_", " ").title()}
        given = {"extensions": list(_RENDERED), "files": [], "verbosity": 0}
        for kind, target in targets.items():
            target.mkdir(parents=True)
            Skeleton().handle("app", folder, str(target), template=str(SKELETON / kind), **given, **words)
        self.stdout.write(f"Made {' and '.join(map(str, targets.values()))}. Continue with docs/add-a-game.md.")
