"""Log filters: one line for an outage or a malformed request, who asked, no keys in addresses. And slow queries."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError

from accounts.requests import ASKED
from config.ops.outages import away_by, is_cut_short

LONGEST = 300
"""Characters of a line about a malformed request."""

MISTAKES = (SuspiciousOperation, BadRequest, MultiPartParserError, UnreadablePostError)
"""Errors that malformed requests cause."""

log = logging.getLogger(__name__)


class OneLinePerOutage(logging.Filter):
    """Drops log records about errors of a service that is away: `outages` logs the outage itself, once.

    A record that has to be logged even then must not have the error among its arguments. A query that took too long is
    logged without a traceback.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        for error in _errors(record):
            if service := away_by(error):
                service.fails(error)
                return False
            if is_cut_short(error) and record.exc_info:
                record.exc_info = None  # where it waited does not tell what held it up
                record.msg, record.args = f"{record.getMessage()}: {str(error).strip()}", ()
        return getattr(record, "status_code", None) != 503  # noqa: PLR2004  # Service Unavailable


class OneLinePerMistake(logging.Filter):
    """Turns records about malformed requests into warnings of one line.

    Anybody can send as many as they like, for instance with an unknown `Host`, and Django logs an error with a
    traceback for each. So does uvicorn for text on a socket that is not UTF-8.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        mistakes = UnicodeError if record.name == "uvicorn.error" else MISTAKES
        if record.name.startswith("django.security.") or any(isinstance(it, mistakes) for it in _errors(record)):
            text = " ".join(record.getMessage().split())
            record.msg, record.args = text if len(text) <= LONGEST else f"{text[:LONGEST]} …", ()
            record.exc_info = record.exc_text = record.stack_info = None
            record.levelno, record.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
        return True


def _errors(record: logging.LogRecord) -> Iterator[BaseException]:
    """Yield the errors that a record is about: those among its arguments, and that of its traceback."""
    args = record.args or ()
    values = args.values() if isinstance(args, Mapping) else args
    yield from (value for value in values if isinstance(value, BaseException))
    if record.exc_info and record.exc_info[1] is not None:
        yield record.exc_info[1]


class WhoAsked(logging.Filter):
    """Adds the number of the request and the key of the person, as fields of their own in JSON."""

    def filter(self, record: logging.LogRecord) -> bool:
        if asked := ASKED.get():
            record.request_id = asked.number
            if asked.person is not None:
                record.person = asked.person
        return True


class NoAddresses(logging.Filter):
    """Replaces addresses by the patterns of their routes, because links in emails contain keys."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            shown, args = pattern_of(request), record.args or ()
            addresses = {request.path, request.get_full_path()}
            if isinstance(args, tuple):
                record.args = tuple(shown if isinstance(each, str) and each in addresses else each for each in args)
            record.request = f"{request.method} {shown}"
        return True


def pattern_of(request: HttpRequest) -> str:
    """Return the route of a request as in `urls.py`, or the beginning of its path if it has none."""
    if request.resolver_match is not None:
        return f"/{request.resolver_match.route}"
    first, _slash, more = request.path.lstrip("/").partition("/")
    return f"/{first[:40]}/…" if more else f"/{first[:40]}"


SHOWN = 1000
"""How many characters of a slow query are logged."""


def tell_slow(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Mapping[str, Any]) -> Any:
    """Run a query (a wrapper of Django's); log its text, without values, if it takes `SLOW_QUERY_SECONDS` or longer."""
    started = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        took = time.perf_counter() - started
        if took >= settings.SLOW_QUERY_SECONDS:
            log.warning("A query took %.2f s: %s", took, str(sql)[:SHOWN])
