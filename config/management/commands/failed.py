from __future__ import annotations

import logging
import subprocess
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand

log = logging.getLogger(__name__)

LINES = 30
"""Lines of the journal in the email."""


class Command(BaseCommand):
    help = "Tell OPERATOR_EMAIL that a unit of systemd has failed. Started by OnFailure= in config/deploy/systemd."
    requires_system_checks = ()  # what they find may be why the unit failed

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("unit", help="for example tessera-backup")

    def handle(self, *args: Any, unit: str, **options: Any) -> None:  # Django's signature
        log.error("The unit %s has failed.", unit)
        if not settings.OPERATOR_EMAIL:
            self.stdout.write("OPERATOR_EMAIL is not set, so nobody is told; the failure is only logged.")
            return
        text = f"{unit} of {settings.SITE_URL} has failed.\n\n{_journal(unit)}"
        EmailMessage(f"Tessera: {unit} has failed", text, to=settings.OPERATOR_EMAIL).send()


def _journal(unit: str) -> str:
    """Return the last lines of the unit's journal, or why they cannot be read."""
    command = ["journalctl", f"--unit={unit}", f"--lines={LINES}", "--no-pager", "--output=cat"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)  # noqa: S603  # a unit of ours
    except (OSError, subprocess.SubprocessError) as error:
        return f"Its journal cannot be read: {error}"
    return done.stdout or "Its journal says nothing."
