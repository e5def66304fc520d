"""What the units of systemd call on the site."""

from __future__ import annotations

import io
import re
import shlex

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from pytest_django import Settings

from config.ops.stack import DEPLOY


def example() -> dict[str, str]:
    """Return the variables of environment.example."""
    words = shlex.split((DEPLOY / "environment.example").read_text(), comments=True)
    return dict(word.split("=", 1) for word in words)


@pytest.mark.django_db
def test_a_backup_that_fails_tells_the_operator(settings: Settings, mailoutbox: list[EmailMessage]) -> None:
    """The unit starts another one, whose command sends the mail; without an address it says so."""
    for name in ("backup", "tidy"):
        (asked,) = re.findall(r"(?m)^OnFailure=(\S+)$", (DEPLOY / "systemd" / f"tessera-{name}.service").read_text())
        assert asked == "tessera-failed@%p.service"
    told = (DEPLOY / "systemd" / "tessera-failed@.service").read_text()
    assert "ExecStart=/opt/tessera/.venv/bin/python manage.py failed %i\n" in told
    said = io.StringIO()
    settings.OPERATOR_EMAIL = []
    call_command("failed", "tessera-backup", stdout=said)
    assert (len(mailoutbox), "nobody is told" in said.getvalue()) == (0, True)
    settings.OPERATOR_EMAIL = ["night@tessera.example"]
    call_command("failed", "tessera-backup", stdout=said)
    assert [(mail.subject, mail.to) for mail in mailoutbox] == [
        ("Tessera: tessera-backup has failed", ["night@tessera.example"])
    ]
    heading, _empty, journal = str(mailoutbox[0].body).split("\n", 2)
    assert heading == f"tessera-backup of {settings.SITE_URL} has failed."
    assert journal  # or why there is none
