"""Outages of the database, Redis and the mail server, as each process notices them: told when they begin and end."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time

from django.db import InterfaceError, OperationalError
from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import TimeoutError as RedisSilent

log = logging.getLogger(__name__)

QUIET = 60.0
"""Seconds after which a failure is told once more: without others before it, or soon after the end of an outage."""


OUT_OF_REACH = ("08", "53", "57P")
"""How the codes of PostgreSQL's errors begin when it cannot serve: the connection, its resources, its shutdown."""


class Service:
    """What this process needs and cannot always reach.

    Args:
        name: as it is told.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """Forget every outage."""
        self._since: float | None = None
        self._told = self._failed = -QUIET

    def fails(self, error: BaseException) -> None:
        """Note that it cannot be reached; log it in one line if that is news."""
        now = time.monotonic()
        with self._lock:
            known = self._told if self._since is None else self._failed
            is_news, self._failed = now - known >= QUIET, now
            if is_news:
                self._since = self._told = now
        if is_news:
            log.error("%s is away, and what needs it waits: %s", self._name, repr(error).partition("\\n")[0])

    def answers(self) -> None:
        """Note that it has been reached; log it in one line if an outage was told."""
        if self._since is None:
            return
        with self._lock:
            since, self._since = self._since, None
        if since is not None:
            log.warning("%s is back after %d seconds", self._name, time.monotonic() - since)


DATABASE, REDIS, MAIL = Service("the database"), Service("Redis"), Service("the mail server")


class MailServerAway(ConnectionError):
    """The mail server cannot be reached, or does not speak to us."""


def is_away(error: BaseException | None) -> bool:
    """Return whether an error means that the database or Redis cannot be reached, rather than a bug of ours.

    SQLite calls both operational; its plain SQLITE_ERROR is our bug ("no such table", a syntax error). So does
    PostgreSQL, whose deadlocks and cancelled queries come from a database that is there. Logging in needs Redis to
    count attempts: without it nobody can log in.
    """
    return away_by(error) in {DATABASE, REDIS}


def away_by(error: BaseException | None) -> Service | None:
    """Return the service that could not be reached when an error was raised, or the one that caused it."""
    if isinstance(error, RedisAway | RedisSilent):
        return REDIS
    if isinstance(error, MailServerAway):
        return MAIL
    if isinstance(error, OperationalError | InterfaceError):
        return None if _is_there(error.__cause__) else DATABASE
    return None if error is None else away_by(error.__cause__)


def _is_there(error: BaseException | None) -> bool:
    """Return whether a driver's error comes from a database that answers."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return True
    state = getattr(error, "sqlstate", None)
    return state is not None and not state.startswith(OUT_OF_REACH)
