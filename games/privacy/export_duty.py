"""The duty that makes exports, a little at a time, so that it never delays anything else for long.

A worker packs in memory and on its own disk, and notes in the database how far it is. Should it die, another one begins
anew once the lease has run out; the file is kept by one transaction, which only the holder of the lease can commit.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.utils import timezone

from games.play import duties
from games.privacy import exports
from games.privacy.packing import Packing

_AT_A_TIME: Final = 0.2
"""Seconds after which a run ends, with the step it is in."""

_REMOVED_EVERY: Final = timedelta(minutes=1)


class Exports:
    """The duty of making exports and of removing them when their time is over.

    Args:
        seconds: of work in one run.
    """

    name = "exports"

    def __init__(self, seconds: float = _AT_A_TIME) -> None:
        self._seconds = seconds
        self._packing: Packing | None = None
        self._next_removal: datetime | None = None

    def run_due(self, now: datetime) -> int:
        removed = self._remove(now)
        if self._packing is None and exports.wanted().exists():
            self._packing = exports.claim(now, duties.waiting(self.name, now))
        if self._packing is None:
            return removed
        return removed + duties.attempt(self.name, self._packing.export.pk, self._go_on)

    def next_due(self) -> datetime | None:
        """Return now while there is something to make; others are removed late, as nobody gets them any more."""
        return timezone.now() if self._packing is not None else None

    def _remove(self, now: datetime) -> int:
        if self._next_removal is not None and self._next_removal - _REMOVED_EVERY <= now < self._next_removal:
            return 0
        self._next_removal = now + _REMOVED_EVERY
        return exports.remove_old(now)

    def _go_on(self) -> bool:
        """Go on with the file in hand; put it down when it is done, when somebody else has it, or when it fails."""
        packing, held = self._packing, False
        if packing is None:
            return False
        try:
            held = self._advance(packing)
        finally:
            if not held:
                self._put_down(packing)
        return True

    def _advance(self, packing: Packing) -> bool:
        """Work for a while; return whether there is more to do."""
        began = monotonic()
        while packing.go_on():
            if monotonic() - began > self._seconds:
                return exports.note_progress(packing)
        exports.finish(packing)
        return False

    def _put_down(self, packing: Packing) -> None:
        self._packing = None
        packing.close()
        exports.give_back(packing.export)


duties.register(Exports())
