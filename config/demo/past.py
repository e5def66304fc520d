"""Make the site believe that it is another time: what its services do then becomes history."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, tzinfo
from unittest import mock

from django.utils import timezone


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Let `timezone.now` return this moment.

    It does so in the whole process: only a command that serves nobody may use it.
    """

    class Then(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # no need of its own class
            return moment.astimezone(tz)

    with mock.patch.object(timezone, "datetime", Then):
        yield
