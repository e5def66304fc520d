"""What is logged while the database or Redis is away: one line for an outage, not one for each request."""

from __future__ import annotations

import logging
import time

log = logging.getLogger(__name__)

QUIET = 60.0
"""Seconds without a failure after which the next one begins another outage."""

_failed_at = -QUIET


def report_outage(error: BaseException | None) -> None:
    """Log the first failure of an outage, in one line."""
    global _failed_at  # one for the process
    now = time.monotonic()
    begins, _failed_at = now - _failed_at >= QUIET, now
    if begins:
        log.error("the database or Redis is away, pages are answered with 503: %s", repr(error).partition("\\n")[0])


class NoAnswersOfOutages(logging.Filter):
    """Leaves out what Django logs of every request that is answered with 503."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != 503  # noqa: PLR2004  # Service Unavailable
