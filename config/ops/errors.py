"""Error reports for Sentry, GlitchTip or Bugsink, with `SENTRY_DSN`.

The SDK is an extra (`pip install 'tessera[errors]'`), imported only with a DSN. Reports say where in the source
something failed, and nothing about people: patterns instead of addresses, no cookies, headers, forms or variables.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.urls import Resolver404, resolve

from config.ops.outages import away_by

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint


_MAIL: Final = re.compile(r"[^\s@<>\"'(=]+@[^\s@<>\"'),;]+")
_LONG: Final = re.compile(r"[\w:~.-]*(?=[\w-]*\d)[\w-]{16,}[\w:~.-]*")
_ADDRESS: Final = re.compile(r"(?:https?:/)?(?<![\w.])/[\w@%~.:/-]{3,}\S*")
_DETAIL: Final = re.compile(r"\s*DETAIL:.*", re.DOTALL)


def is_installed() -> bool:
    return find_spec("sentry_sdk") is not None


def report(dsn: str) -> None:
    """Report errors of this process from now on; do nothing without a DSN, or the SDK (a system check warns)."""
    if not dsn or not is_installed():
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
