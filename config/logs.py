"""What is logged while the database, Redis or the mail server is away: one line for an outage, whoever notices it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

from config.outages import away_by, is_cut_short


class OneLinePerOutage(logging.Filter):
    """Lets what needs a service that is away wait in silence, whether that is a request, a push or an email.

    In place of each line or traceback that is about an error of this kind, `outages` tells the outage itself, once.
    What has to be told even then is logged with the words of an error, rather than with the error. What took too long
    for a database that is there is told without a traceback.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        for error in _errors(record):
            if service := away_by(error):
                service.fails(error)
                return False
            if is_cut_short(error) and record.exc_info:
                record.exc_info = None  # where it waited says nothing about what held it up
                record.msg, record.args = f"{record.getMessage()}: {str(error).strip()}", ()
        return getattr(record, "status_code", None) != 503  # noqa: PLR2004  # Service Unavailable


def _errors(record: logging.LogRecord) -> Iterator[BaseException]:
    """Give the errors that a record is about: those in its words, and the one of its traceback."""
    told = record.args or ()
    values = told.values() if isinstance(told, Mapping) else told
    yield from (value for value in values if isinstance(value, BaseException))
    if record.exc_info and record.exc_info[1] is not None:
        yield record.exc_info[1]
