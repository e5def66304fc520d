"""The journal of deletions: files outside the database, which restoring a backup does not change.

A backup still contains the accounts that ended after it was made. Once it is restored, `returned` finds those that the
journal says have ended or were about to. The journal names nobody: an account is its key and the time it was created.
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
"""How long the journal is kept; no older backup should be restored."""

_LONGEST: Final = 1000
"""The most bytes of a line that are read."""

_AT_A_TIME: Final = 500
"""How many accounts are looked up at once."""


class Entry(msgspec.Struct, frozen=True):
    """A line of the journal.

    Args:
        what: the end was confirmed, the account is kept after all, or it has ended.
        at: when that was.
        account: its key.
        joined: when it was created, because keys are used again after a restore.
        due: for "confirmed", when the account is to end.
    """

    what: Literal["confirmed", "kept", "ended"]
    at: datetime
    account: int
    joined: datetime
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class Returned:
    """An account that a restored backup has brought back, and its last entry in the journal."""

    user: User
    entry: Entry


def write(what: Literal["confirmed", "kept", "ended"], user: User, due: datetime | None = None) -> None:
    """Write an entry. If the disk is full or read-only, log that; the account ends all the same."""
    now = timezone.now()
    line = msgspec.json.encode(Entry(what, now, user.pk, user.date_joined, due))
    try:
        _append(Path(settings.DELETIONS_DIR), now, line)
    except OSError:
        log.exception("Account %s: “%s” cannot be written to the journal of deletions", user.pk, what)


def _append(folder: Path, now: datetime, line: bytes) -> None:
    """Append a line to the file of the month in one write, as several processes share it, and sync it to disk."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{now:%Y-%m}.jsonl"
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(file, b"\n" + line + b"\n")  # after an incomplete line this one begins anew
        os.fsync(file)
    finally:
        os.close(file)


def tidy(now: datetime) -> None:
    """Delete the files of months that began more than `KEPT` ago."""
    for path in Path(settings.DELETIONS_DIR).glob("*.jsonl"):
        if path.stem <= f"{now - KEPT:%Y-%m}":
            path.unlink(missing_ok=True)


def returned(folders: Iterable[Path]) -> Iterator[Returned]:
    """Yield the accounts that exist although the journal says that they have ended or were about to.

    Args:
        folders: of journals, of this machine and of others that have ended accounts.
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
    """Yield the entries of all journals; skip incomplete lines."""
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        with path.open("rb") as file:
            while line := file.readline(_LONGEST):
                try:
                    yield msgspec.json.decode(line, type=Entry)
                except msgspec.MsgspecError:
                    continue
