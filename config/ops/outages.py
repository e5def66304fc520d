"""Outages of the database, Redis and the mail server. Each process logs one line when they begin and one when they end.

A service that answers but refuses counts as away: a full disk, a read-only database, a Redis without memory.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from smtplib import SMTPConnectError, SMTPException, SMTPHeloError, SMTPServerDisconnected

from django.core.mail.backends import smtp

from games.play import database

log = logging.getLogger(__name__)

QUIET = 60.0
"""Seconds without a failure after which the next one is logged; after an outage, seconds since the last logged one."""

REFUSES_FOR = 10.0
"""Seconds for which a service that has refused something counts as away, although it may answer other requests."""

REDIS_REFUSES = frozenset({
    "BUSY", "CLUSTERDOWN", "DENIED", "LOADING", "MASTERDOWN", "MISCONF", "NOAUTH", "NOPERM", "NOREPLICAS", "OOM",
    "READONLY", "TRYAGAIN", "UNKILLABLE", "WRONGPASS",
})  # fmt: skip
"""First words of the errors with which Redis refuses; others, such as WRONGTYPE, are mistakes of ours."""


class Service:
    """A service that this process depends on.

    Args:
        name: for the log.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """Forget every outage."""
        self._since: float | None = None
        self._told = self._failed = -QUIET
        self._refused = -REFUSES_FOR

    def fails(self, error: BaseException) -> None:
        """Record that it could not be reached or refused; log one line if that is news."""
        now = time.monotonic()
        with self._lock:
            known = self._told if self._since is None else self._failed
            is_news, self._failed = now - known >= QUIET, now
            if database.refuses(error) or _redis_refuses(error):
                self._refused = now
            if is_news:
                self._since = self._told = now
        if is_news:
            log.error("%s is away, and what needs it waits: %s", self._name, repr(error).partition("\\n")[0])

    @property
    def has_refused(self) -> bool:
        """Return whether it has refused something within `REFUSES_FOR`."""
        return time.monotonic() - self._refused < REFUSES_FOR

    def answers(self) -> None:
        """Record that it has answered; log one line if an outage was logged.

        An answer is ignored if the service has just refused something: it may still refuse that.
        """
        if self._since is None or self.has_refused:
            return
        with self._lock:
            since, self._since = self._since, None
        if since is not None:
            log.warning("%s is back after %d seconds", self._name, time.monotonic() - since)


DATABASE, REDIS, MAIL = Service("the database"), Service("Redis"), Service("the mail server")


class MailServerAway(ConnectionError):
    """The mail server cannot be reached, or what answers does not speak SMTP."""


def is_away(error: BaseException | None) -> bool:
    """Return whether an error means that the database or Redis is away, rather than a bug of ours.

    Without Redis nobody can log in, because attempts are counted there.
    """
    return away_by(error) in {DATABASE, REDIS}


def away_by(error: BaseException | None) -> Service | None:
    """Return the service that is away according to an error or one of its causes; None if none is."""
    if database.is_away(error):
        return DATABASE
    if _redis_is_away(error) or _redis_refuses(error):
        return REDIS
    if isinstance(error, MailServerAway):
        return MAIL
    return None if error is None else away_by(error.__cause__)


def is_cut_short(error: BaseException | None) -> bool:
    """Return whether a query was cancelled because it took too long, although the database is up."""
    return error is not None and (database.is_cut_short(error) or is_cut_short(error.__cause__))


# Errors of Redis exist only once its client has been imported, which a site without Redis never does: that takes 0.2 s.


def _redis_is_away(error: BaseException | None) -> bool:
    known = sys.modules.get("redis.exceptions")
    return known is not None and isinstance(error, known.ConnectionError | known.TimeoutError)


def _redis_refuses(error: BaseException | None) -> bool:
    known = sys.modules.get("redis.exceptions")
    if known is None or not isinstance(error, known.ResponseError | known.ClusterError | known.ConnectionError):
        return False
    return (error.status_code or str(error).partition(" ")[0]) in REDIS_REFUSES


class EmailBackend(smtp.EmailBackend):
    """Django's SMTP backend; records outages of the mail server (EMAIL_BACKEND)."""

    def open(self) -> bool | None:
        """Connect, unless that was done.

        Raises:
            MailServerAway: nothing answers, or it does not speak SMTP.
            SMTPException: it refuses us, for instance because of the password.
        """
        try:
            opened = super().open()
        except (SMTPConnectError, SMTPServerDisconnected, SMTPHeloError) as error:
            raise MailServerAway(repr(error)) from error
        except SMTPException:
            raise
        except OSError as error:
            raise MailServerAway(repr(error)) from error
        if opened:
            MAIL.answers()
        return opened
