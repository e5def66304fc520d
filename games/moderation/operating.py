"""What the commands `people` and `matches` share: finding, refusing, and telling in lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.timezone import localtime

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.moderation.context import with_people
from games.moderation.models import Deed
from games.play.models import Match
from games.play.operating import OperatorCommand

_TERM = re.compile(r"(\d{1,4})([hdw])\Z")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


class Operating(OperatorCommand):
    """A command with verbs, which does what moderators can do."""

    def do(self, service: Callable[[], object]) -> None:
        """Do something; what is refused ends the command with the reason, and has changed nothing."""
        try:
            service()
        except RuleViolation as refusal:
            raise CommandError(refusal.text) from refusal
        self.stdout.write("Done. It is in the log, and who it concerns is told.")


def person_named(name: str) -> User:
    """Return somebody by name.

    Raises:
        CommandError: there is none.
    """
    found = User.objects.named(name)
    if found is None:
        raise CommandError(f"There is nobody called {name}.")
    return found


def match_named(slug: str) -> Match:
    """Return a match by the last part of its address, or by the whole address.

    Raises:
        CommandError: there is none.
    """
    found = Match.objects.filter(slug=slug.rstrip("/").rpartition("/")[2]).first()
    if found is None:
        raise CommandError(f"There is no match {slug}.")
    return found


def until(term: str) -> datetime | None:
    """Return when a term such as 12h, 3d or 2w ends; None for "forever".

    Raises:
        CommandError: it is none of these.
    """
    if term == "forever":
        return None
    parts = _TERM.match(term)
    if parts is None:
        raise CommandError("Say for how long as 12h, 3d, 2w or forever.")
    return timezone.now() + int(parts[1]) * _UNITS[parts[2]]


def log_of(**about: Any) -> Iterator[str]:
    """Return what moderators have done about somebody or something, one deed a line."""
    for deed in with_people(Deed.objects.filter(**about)):
        by = deed.by.username if deed.by else "(command)" if deed.is_by_command else "(a former moderator)"
        yield f"{moment(deed.at)}  {deed.act:<9}  {by}: {deed.reason}"


def moment(at: datetime | None) -> str:
    return f"{localtime(at):%Y-%m-%d %H:%M}" if at else "-"
