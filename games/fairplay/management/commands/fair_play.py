"""`manage.py fair_play [--settle NUMBER|--reopen NUMBER --reason "..."]`"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.engine.protocol import RuleViolation
from games.fairplay import findings, jobs
from games.fairplay.models import Finding
from games.moderation.models import Deed


class Command(BaseCommand):
    help = (
        "Look now for what the worker looks for every night: rating transfer, from one person or many accounts, agreed "
        "results and dodging by aborting. "
        "Prints every finding that no moderator has settled yet with its number, two seats from one device included. "
        'With --settle NUMBER --reason "...", settle one instead; --reopen takes that back. Both are in the log.'
    )

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--settle", type=int, metavar="NUMBER", help="of a finding that has been looked at")
        which.add_argument("--reopen", type=int, metavar="NUMBER", help="of a finding that is to wait again")
        parser.add_argument("--reason", default="", help="why; needed to settle and to reopen")

    def handle(self, *_: Any, settle: int | None, reopen: int | None, reason: str, **__: Any) -> None:
        if settle is not None:
            self._do(findings.settle, settle, reason)
        elif reopen is not None:
            self._do(findings.reopen, reopen, reason)
        else:
            self._look()

    def _do(self, act: Callable[[Finding, None, str], Deed], number: int, reason: str) -> None:
        finding = Finding.objects.filter(pk=number).first()
        if finding is None:
            raise CommandError(f"There is no finding {number}.")
        try:
            act(finding, None, reason)
        except RuleViolation as refusal:
            raise CommandError(refusal.text) from refusal
        self.stdout.write("Done. It is in the log.")

    def _look(self) -> None:
        looked, found = jobs.search_now(timezone.now())
        self.stdout.write(f"Looked at {looked} pairs and people who met or aborted often; {found} look odd.")
        for finding in Finding.objects.filter(settled_at=None).select_related("first", "second").order_by("found_at"):
            names = " and ".join(str(user) for user in (finding.first, finding.second) if user)
            facts = ", ".join(f"{name} {value}" for name, value in finding.facts.items())
            said = f"{finding.found_at:%Y-%m-%d} {finding.kind}: {names} {finding.game} ({facts})"
            self.stdout.write(f"{finding.pk}  {said}")
