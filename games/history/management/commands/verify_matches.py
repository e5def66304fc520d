"""`manage.py verify_matches [SLUG ...]`"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.history.replay import first_difference, is_checkable
from games.play.models import Match
from games.titles import titles


class Command(BaseCommand):
    help = (
        "Replay the actions of all matches (or those named) and compare with what is stored: state, events, result. "
        "The exit code is 1 with the first difference. Matches of other versions of the rules keep what is stored "
        "and are counted as skipped."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="the matches to check, all when none is named")

    def handle(self, *_: Any, **options: Any) -> None:
        checked = skipped = 0
        for match in self._chosen(options["slugs"]):
            if match.game not in titles() or not is_checkable(match):
                skipped += 1
                continue
            if (difference := first_difference(match)) is not None:
                raise CommandError(f"match {match.slug}: {difference}")
            checked += 1
        self.stdout.write(f"{checked} matches are as their actions say, {skipped} skipped.")

    def _chosen(self, slugs: list[str]) -> Any:
        begun = Match.objects.filter(started_at__isnull=False).order_by("pk")
        if not slugs:
            return begun.iterator(chunk_size=100)
        found = list(begun.filter(slug__in=slugs))
        if missing := set(slugs) - {match.slug for match in found}:
            raise CommandError(f"No match that has begun: {', '.join(sorted(missing))}")
        return found
