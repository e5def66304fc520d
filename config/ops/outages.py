"""Outages of the database, Redis and the mail server, logged by each process once when they begin and end.

A service that is up but refuses counts as away: a full disk, a read-only database, a Redis without memory.
"""

from __future__ import annotations

import logging
import threading
import time
from smtplib import SMTPConnectError, SMTPException, SMTPHeloError, SMTPServerDisconnected

from django.core.mail.backends import smtp
from redis.exceptions import ClusterError, ResponseError
from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import TimeoutError as RedisSilent

from games.play import database_errors

log = logging.getLogger(__name__)

QUIET = 60.0
"""Seconds after which a failure is logged again: without others before it, or soon after the end of an outage."""

REFUSES_FOR = 10.0
"""Seconds for which a service that has refused something counts as away, though it may answer other things."""

REDIS_REFUSES = frozenset({
    "BUSY", "CLUSTERDOWN", "DENIED", "LOADING", "MASTERDOWN", "MISCONF", "NOAUTH", "NOPERM", "NOREPLICAS", "OOM",
    "READONLY", "TRYAGAIN", "UNKILLABLE", "WRONGPASS",
})  # fmt: skip
"""The words that errors of Redis begin with when it refuses; with others, as WRONGTYPE, the mistake is ours."""


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
        """Record that it could not be reached; log one line if that is news."""
        now = time.monotonic()
        with self._lock:
            known = self._told if self._since is None else self._failed
            is_news, self._failed = now - known >= QUIET, now
            if database_errors.refuses(error) or _redis_refuses(error):
                self._refused = now
            if is_news:
                self._since = self._told = now
        if is_news:
            log.error("%s is away, and what needs it waits: %s", self._name, repr(error).partition("\\n")[0])

    @property
    def has_refused(self) -> bool:
        """Whether it was there but refused something within `REFUSES_FOR`."""
        return time.monotonic() - self._refused < REFUSES_FOR

    def answers(self) -> None:
        """Record that it has answered; log one line if an outage was logged.

        An answer says little about a service that has just refused something: it may still refuse the same.
        """
        if self._since is None or self.has_refused:
            return
        with self._lock:
            since, self._since = self._since, None
        if since is not None:
            log.warning("%s is back after %d seconds", self._name, time.monotonic() - since)


DATABASE, REDIS, MAIL = Service("the database"), Service("Redis"), Service("the mail server")


class MailServerAway(ConnectionError):
    """The mail server cannot be reached, or does not answer as one does."""


def is_away(error: BaseException | None) -> bool:
    """Return whether an error means that the database or Redis cannot serve, rather than a bug of ours.

    Logging in needs Redis to count attempts: without it nobody can log in.
    """
    return away_by(error) in {DATABASE, REDIS}


def away_by(error: BaseException | None) -> Service | None:
    """Return the service that could not be reached, or refused, when an error was raised, or the one that caused it."""
    if database_errors.is_away(error):
        return DATABASE
    if isinstance(error, RedisAway | RedisSilent) or _redis_refuses(error):
        return REDIS
    if isinstance(error, MailServerAway):
        return MAIL
    return None if error is None else away_by(error.__cause__)


def is_cut_short(error: BaseException | None) -> bool:
    """Return whether an error means that the database was there, but something took longer than we let it."""
    return error is not None and (database_errors.is_cut_short(error) or is_cut_short(error.__cause__))


def _redis_refuses(error: BaseException | None) -> bool:
    if not isinstance(error, ResponseError | ClusterError | RedisAway):
        return False
    return (error.status_code or str(error).partition(" ")[0]) in REDIS_REFUSES


class EmailBackend(smtp.EmailBackend):
    """Django's SMTP backend, which notices outages of the mail server (EMAIL_BACKEND)."""

    def open(self) -> bool | None:
        """Connect, if that is not done yet.

        Raises:
            MailServerAway: nobody answers, or not as a mail server does.
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
