"""The journal of deletions: files beside the database, which restoring a backup leaves as they are.

A backup still holds the accounts that ended after it was made. Once it is restored, `returned` finds those that are in
the database although the journal says that they ended, or were to end. It names nobody: an account is its number and
the time it was made.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal

import msgspec
from django.conf import settings
from django.utils import timezone

from accounts.models import User

log = logging.getLogger(__name__)

KEPT: Final = timedelta(days=400)
"""How long a file is kept; no older backup should be restored."""

_LONGEST: Final = 1000
"""Characters in a line."""

_AT_A_TIME: Final = 500
"""Accounts that are looked up at once."""


class Entry(msgspec.Struct, frozen=True):
    """A line of the journal.

    Args:
        what: the end was confirmed; or the account is kept after all; or it ended.
        at: when.
        account: its number.
        joined: when it was made: numbers are given again after a restore.
        due: when an account ends whose end was confirmed.
    """

    what: Literal["confirmed", "kept", "ended"]
    at: datetime
    account: int
    joined: datetime
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class Returned:
    """An account that a restored backup brought back, and what the journal says of it."""

    user: User
    entry: Entry


def write(what: Literal["confirmed", "kept", "ended"], user: User, due: datetime | None = None) -> None:
    """Add a line. If the disk is full or read-only, that is logged, and the account ends all the same."""
    now = timezone.now()
    line = msgspec.json.encode(Entry(what, now, user.pk, user.date_joined, due))
    try:
        _append(Path(settings.DELETIONS_DIR), now, line)
    except OSError:
        log.exception("Account %s: “%s” cannot be written to the journal of deletions", user.pk, what)


def _append(folder: Path, now: datetime, line: bytes) -> None:
    """Append a line in one write, and flush it to the disk: several processes share the file of a month."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{now:%Y-%m}.jsonl"
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, b"\n" + line + b"\n")  # what was cut short before stays a line of its own
        os.fsync(file)
    finally:
        os.close(file)


def tidy(now: datetime) -> None:
    """Remove the files of months that began longer than `KEPT` ago."""
    for path in Path(settings.DELETIONS_DIR).glob("*.jsonl"):
        if path.stem <= f"{now - KEPT:%Y-%m}":
            path.unlink(missing_ok=True)


def returned(folders: Iterable[Path]) -> Iterator[Returned]:
    """Yield the accounts that exist although the journal says that they ended or were to end, in its order.

    Args:
        folders: with journals: that of this machine, and those of others where accounts were ended.
    """
    last: dict[tuple[int, datetime], Entry] = {}
    for entry in sorted(_entries(folders), key=lambda entry: entry.at):
        last[entry.account, entry.joined] = entry
    gone = [entry for entry in last.values() if entry.what != "kept"]
    for begin in range(0, len(gone), _AT_A_TIME):
        batch = gone[begin : begin + _AT_A_TIME]
        here = User.objects.filter(deletion__confirmed_at=None).in_bulk([entry.account for entry in batch])
        for entry in batch:
            user = here.get(entry.account)
            if user is not None and user.date_joined == entry.joined:
                yield Returned(user, entry)


def _entries(folders: Iterable[Path]) -> Iterator[Entry]:
    """Yield all readable lines; one that was cut short is skipped."""
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        with path.open("rb") as file:
            while line := file.readline(_LONGEST):
                try:
                    yield msgspec.json.decode(line, type=Entry)
                except msgspec.MsgspecError:
                    continue
