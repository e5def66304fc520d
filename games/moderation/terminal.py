"""What the commands `cases`, `people` and `matches` share: finding rows, refusals, and tables of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.timezone import localtime

from accounts.models import User
from games.chat.models import Message, Room
from games.engine.protocol import RuleViolation
from games.moderation import context
from games.moderation.context import pairs_in, shared_devices, with_people
from games.moderation.models import Deed
from games.play.management import OperatorCommand
from games.play.models import Match

MESSAGES: Final = 10
"""How many messages are listed at most."""

_TERM = re.compile(r"(\d{1,4})([hdw])\Z")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


class ModeratingCommand(OperatorCommand):
    """A command with verbs for what moderators can do."""

    def do(self, service: Callable[[], object]) -> None:
        """Call a service; if it refuses, end the command with its sentence."""
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
    """Yield a line for each deed about somebody or something."""
    deeds = list(with_people(Deed.objects.filter(**about)))
    yield "what was done:" if deeds else "what was done: nothing"
    for deed in deeds:
        by = deed.by.shown_name if deed.by else "(command)" if deed.is_by_command else "(a former moderator)"
        yield f"  {moment(deed.at)}  {deed.act:<9}  {by}: {deed.reason}"


def devices_shared_with(person: User) -> Iterator[str]:
    """Yield a line for each device of somebody that others have used too."""
    rows = [(shared.person.shown_name, shared.device) for shared in shared_devices(person)]
    yield from in_table(f"devices in common with {person.shown_name}", rows)


def in_common_in(match: Match) -> Iterator[str]:
    """Yield lines with the devices and other matches that pairs of people in a match have in common."""
    pairs = pairs_in(match, list(match.seats.select_related("user").order_by("number")), None)
    if not pairs:
        yield "devices and other matches in common: none"
    for pair in pairs:
        yield f"devices in common of {both(*pair.people)}: {'; '.join(pair.devices) or 'none'}"
        yield from matches_in_table(f"other matches of {both(*pair.people)}", pair.matches)


def both(one: User, other: User) -> str:
    return f"{one.shown_name} and {other.shown_name}"


def matches_in_table(heading: str, matches: Sequence[Match]) -> Iterator[str]:
    """Yield a heading, and a line for each match."""
    rows = [
        (moment(match.created_at), match.game, match.slug, match.status, "rated" if match.rated else "casual")
        for match in matches
    ]
    yield from in_table(heading, rows)


def written_in(match: Match) -> Iterator[str]:
    """Yield a line for each of the latest messages in the rooms of a match, the oldest first."""
    latest = list(context.written_in(match, None)[:MESSAGES])
    rows = [(moment(said.at), said.room.kind, author_of(said), words_in(said)) for said in reversed(latest)]
    yield from in_table("latest messages", rows)


def written_by(person: User) -> Iterator[str]:
    """Yield a line for each of the latest messages of somebody, the oldest first; of direct ones, those reported."""
    latest = list(context.written_by(person, None)[:MESSAGES])
    rows = [(moment(said.at), _where(said.room), words_in(said)) for said in reversed(latest)]
    yield from in_table("latest messages", rows)


def _where(room: Room) -> str:
    if room.match is not None:
        return room.match.slug
    return "in a club" if room.club_id else "to a friend"


def author_of(message: Message) -> str:
    return message.author.shown_name if message.author else "-"


def words_in(message: Message) -> str:
    """Return the text of a message, also of a deleted one."""
    return f"{message.words}{' (deleted by its author)' if message.deleted_at else ''}"


def in_table(heading: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a heading, and the rows with their columns aligned."""
    yield f"{heading}:" if rows else f"{heading}: none"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()


def moment(at: datetime | None) -> str:
    return f"{localtime(at):%Y-%m-%d %H:%M}" if at else "-"
