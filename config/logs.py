"""One line for an outage of the database, Redis or the mail server, and one for what a stranger sends wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from config.outages import away_by, is_cut_short

LONGEST = 300
"""Characters of a line about what a stranger has sent."""


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


class OneLinePerMistake(logging.Filter):
    """Tells of requests that are refused because they are malformed as a warning of one line.

    Anybody can send them as often as they like. Django logs a traceback for each at the level of our own faults, as for
    a `Host` that is none of the site's; so does uvicorn for text of a socket that is no UTF-8.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security.") or any(_is_of_strangers(record, it) for it in _errors(record)):
            text = " ".join(record.getMessage().split())
            record.msg, record.args = text if len(text) <= LONGEST else f"{text[:LONGEST]} …", ()
            record.exc_info = record.exc_text = record.stack_info = None
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        return True


def _is_of_strangers(record: logging.LogRecord, error: BaseException) -> bool:
    if record.name == "uvicorn.error":
        return isinstance(error, UnicodeError)
    return isinstance(error, SuspiciousOperation | BadRequest | MultiPartParserError | UnreadablePostError)


def _errors(record: logging.LogRecord) -> Iterator[BaseException]:
    """Give the errors that a record is about: those in its words, and the one of its traceback."""
    told = record.args or ()
    values = told.values() if isinstance(told, Mapping) else told
    yield from (value for value in values if isinstance(value, BaseException))
    if record.exc_info and record.exc_info[1] is not None:
        yield record.exc_info[1]
