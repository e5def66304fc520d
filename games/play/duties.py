"""What is due at a certain time, and the loop that does it.

A duty finds what is due in the database and carries out each piece in a transaction of its own, which is claim and
execution in one: whoever holds the lock does it, a process that dies lets go of it and leaves nothing half. What fails
is set back: tried again after a while, longer each time, and after `MOST_FAILURES` left to a person.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from django.db import Error, InterfaceError, OperationalError, close_old_connections, connections, transaction
from django.utils import timezone

from games.play.models import Setback

log = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two looks at the database at most: another process may have set an earlier deadline."""

_LEAST = 0.02
"""Seconds between two looks at least: what somebody else holds just now stays due."""

MOST_FAILURES = 8
_FIRST_PAUSE = timedelta(seconds=10)


class Duty(Protocol):
    """Something that becomes due.

    Attributes:
        name: tells its setbacks from those of others.
    """

    name: str

    def run_due(self, now: datetime) -> int:
        """Carry out what is due, but for what is set back; return how much was."""

    def next_due(self) -> datetime | None:
        """Return when the next thing is due that is not set back, None when nothing is."""


_duties: list[Duty] = []
_woken = threading.Event()
_sleeping_until: datetime | None = None


def register(duty: Duty) -> None:
    """Let the worker see to a duty; the apps do this when they are ready."""
    _duties.append(duty)


def wake_for(moment: datetime) -> None:
    """Wake this process's worker, once committed, if it would sleep beyond a moment."""

    def wake() -> None:
        if _sleeping_until is not None and moment < _sleeping_until:
            _woken.set()

    transaction.on_commit(wake, robust=True)


def run_due(duties: Sequence[Duty] = _duties) -> int:
    """Carry out everything that is due now; return how much was."""
    return sum(duty.run_due(timezone.now()) for duty in duties)


def work(ended: Callable[[], bool], duties: Sequence[Duty] = _duties) -> None:
    """See to all duties until `ended()`; without its database go on trying."""
    while not ended():
        close_old_connections()
        try:
            run_due(duties)
            _sleep(_moments(duties))
        except Error as error:
            log.warning("the worker waits for the database: %s", error)
            connections.close_all()
            _woken.wait(EVERY)


def _moments(duties: Sequence[Duty]) -> Iterable[datetime]:
    return (moment for duty in duties if (moment := duty.next_due()) is not None)


def _sleep(moments: Iterable[datetime]) -> None:
    """Sleep until the first of these moments, for `EVERY` seconds at most."""
    global _sleeping_until  # noqa: PLW0603  # one worker per process
    now = timezone.now()
    _sleeping_until = min([now + timedelta(seconds=EVERY), *moments])
    _woken.wait(max(_LEAST, (_sleeping_until - now).total_seconds()))
    _woken.clear()


def stop_sleeping() -> None:
    """Let this process's worker look at once: for the next thing to do, or whether it is to end."""
    _woken.set()


def attempt(duty: str, key: int, job: Callable[[], bool]) -> bool:
    """Do a piece of work; answer whether there was anything to do. If it fails set it back."""
    try:
        done = job()
    except (InterfaceError, OperationalError):
        raise  # the database is away: no fault of this piece of work
    except Exception as error:  # a mistake in the rules of one game must not stop the clocks of all
        log.exception("%s %s failed", duty, key)
        _set_back(duty, key, error)
        return False
    if done:
        Setback.objects.filter(duty=duty, key=key).delete()
    return done


def _set_back(duty: str, key: int, error: Exception) -> None:
    with transaction.atomic():
        setback, _made = Setback.objects.select_for_update().get_or_create(duty=duty, key=key)
        setback.failures += 1
        pause = _FIRST_PAUSE * 2 ** (setback.failures - 1)
        setback.not_before = timezone.now() + pause if setback.failures < MOST_FAILURES else None
        setback.error = repr(error)
        setback.save()


def waiting(duty: str, now: datetime) -> set[int]:
    """Return what of a duty is not to be tried at this moment: set back for a while, or dead."""
    rows = Setback.objects.filter(duty=duty).exclude(not_before__lte=now)
    return set(rows.values_list("key", flat=True))
