"""How errors are logged and reported: log filters, slow queries, and reports for Sentry.

An outage or a malformed request takes one line, which says who asked and contains no URL with a key in it.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.urls import Resolver404, resolve

from accounts.requests import ASKED
from config.ops.outages import away_by, is_cut_short

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint


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
                record.exc_info = None  # the traceback shows where it waited, not what for
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
    """Adds the number of the request and the key of the person, each as a field in JSON."""

    def filter(self, record: logging.LogRecord) -> bool:
        if asked := ASKED.get():
            record.request_id = asked.number
            if asked.person is not None:
                record.person = asked.person
        return True


class NoAddresses(logging.Filter):
    """Replaces URLs with the patterns of their routes, because links in emails contain keys."""

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
    """Run a query, as a wrapper for Django; log its text without values if it takes `SLOW_QUERY_SECONDS` or longer."""
    started = time.perf_counter()
    try:
        return execute(sql, params, many, context)
    finally:
        took = time.perf_counter() - started
        if took >= settings.SLOW_QUERY_SECONDS:
            log.warning("A query took %.2f s: %s", took, str(sql)[:SHOWN])


# --- reports ----------------------------------------------------------------------------------------------------------
# They go to Sentry, GlitchTip or Bugsink, with `SENTRY_DSN`. The SDK is an extra (`pip install 'tessera[errors]'`),
# imported only with a DSN. Reports say where in the source something failed, and nothing about people: patterns instead
# of addresses, no cookies, headers, forms or variables.

_MAIL: Final = re.compile(r"[^\s@<>\"'(=]+@[^\s@<>\"'),;]+")
_LONG: Final = re.compile(r"[\w:~.-]*(?=[\w-]*\d)[\w-]{16,}[\w:~.-]*")
_ADDRESS: Final = re.compile(r"(?:https?:/)?(?<![\w.])/[\w@%~.:/-]{3,}\S*")
_DETAIL: Final = re.compile(r"\s*DETAIL:.*", re.DOTALL)


def is_sentry_installed() -> bool:
    return find_spec("sentry_sdk") is not None


def report_errors(dsn: str) -> None:
    """Report errors of this process from now on; do nothing without a DSN, or the SDK (a system check warns)."""
    if not dsn or not is_sentry_installed():
        return
    import sentry_sdk  # noqa: PLC0415  # an extra
    from sentry_sdk.integrations.atexit import AtexitIntegration  # noqa: PLC0415  # an extra
    from sentry_sdk.integrations.dedupe import DedupeIntegration  # noqa: PLC0415  # an extra
    from sentry_sdk.integrations.django import DjangoIntegration  # noqa: PLC0415  # an extra
    from sentry_sdk.integrations.excepthook import ExcepthookIntegration  # noqa: PLC0415  # an extra
    from sentry_sdk.integrations.logging import LoggingIntegration  # noqa: PLC0415  # an extra
    from sentry_sdk.integrations.threading import ThreadingIntegration  # noqa: PLC0415  # an extra

    sentry_sdk.init(
        dsn=dsn,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            AtexitIntegration(callback=lambda _pending, _timeout: None),
            DedupeIntegration(),
            DjangoIntegration(transaction_style="url", middleware_spans=False, signals_spans=False),
            ExcepthookIntegration(),
            LoggingIntegration(level=None),
            ThreadingIntegration(),
        ],
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        server_name="",
        send_client_reports=False,
        auto_session_tracking=False,
        before_send=without_people,
    )


def without_people(event: Event, hint: Hint) -> Event | None:
    """Return a report without whatever could identify somebody or let somebody in; None for errors of an outage.

    An outage is reported once, by the line that `config.ops.outages` logs.
    """
    error = hint["exc_info"][1] if "exc_info" in hint else None
    record = hint.get("log_record")
    errors = [each for each in getattr(record, "args", None) or () if isinstance(each, BaseException)]
    if any(map(away_by, [error, *errors])):
        return None if record is None or record.name != "config.ops.outages" else _scrubbed(event)
    return _scrubbed(event)


def _scrubbed(event: Event) -> Event:
    cleaned: Any = event
    for name in ("user", "extra", "breadcrumbs", "server_name", "contexts", "modules", "tags"):
        cleaned.pop(name, None)
    if asked := cleaned.pop("request", None):
        cleaned["request"] = {"method": asked.get("method"), "url": settings.SITE_URL + _pattern(asked.get("url", ""))}
    if entry := cleaned.get("logentry"):
        cleaned["logentry"] = {"message": scrub(str(entry.get("formatted") or entry.get("message") or ""))}
    for each in cleaned.get("exception", {}).get("values", ()):
        each["value"] = scrub(str(each.get("value") or ""))
    return event


def _pattern(url: str) -> str:
    path = "/" + url.partition("://")[2].partition("/")[2]
    try:
        return f"/{resolve(path).route}"
    except Resolver404:
        return "/…"


def scrub(text: str) -> str:
    """Return a text without email addresses, keys, addresses of pages, and values from database errors.

    >>> scrub("No mail to ann@example.org: /account/password/reset/key/3-d2a1b09c8e7f66554433/ failed")
    'No mail to […] […] failed'
    """
    for pattern in (_DETAIL, _MAIL, _ADDRESS, _LONG):
        text = pattern.sub("" if pattern is _DETAIL else "[…]", text)
    return text
