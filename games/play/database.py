"""What the database tells: whether anything has changed, and what an error of it means.

It cannot be reached, it refuses, or something took too long: SQLite and PostgreSQL call nearly all of these
operational, and bugs too.
"""

from __future__ import annotations

import sqlite3

from django.db import DEFAULT_DB_ALIAS, InterfaceError, InternalError, OperationalError, connections

_UNREACHABLE = ("08", "57P")
"""How the codes of PostgreSQL's errors begin when it cannot be reached: the connection, its shutdown."""

_REFUSES = ("53", "58", "25006")
"""How they begin when it is there but cannot serve: its disk, memory and connections, the system, only reading."""

_CUT_SHORT = ("57014", "55P03", "25P03", "25P04")
"""Its codes for what took longer than we let it: a statement, a lock, a transaction that was idle or too long."""

_SQLITE_REFUSES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM}
_SQLITE_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def refuses(error: BaseException | None) -> bool:
    """Return whether the database is there but does not do what it is for: a full disk, one that can only be read."""
    return _may_tell(error) and (_sqlstate(error).startswith(_REFUSES) or _sqlite_code(error) in _SQLITE_REFUSES)


def is_cut_short(error: BaseException | None) -> bool:
    """Return whether something took longer than the database was told to let it, most often waiting for a lock."""
    return _may_tell(error) and (_sqlstate(error) in _CUT_SHORT or _sqlite_code(error) in _SQLITE_BUSY)


def is_away(error: BaseException | None) -> bool:
    """Return whether the database cannot be reached, or refuses.

    SQLite's plain SQLITE_ERROR is a bug ("no such table", a syntax error); deadlocks of PostgreSQL come from a database
    that is there.
    """
    if refuses(error):
        return True
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    state, code = _sqlstate(error), _sqlite_code(error)
    if code is not None:
        return code not in {sqlite3.SQLITE_ERROR, *_SQLITE_BUSY}
    return not state or state.startswith(_UNREACHABLE)


def is_passing(error: BaseException | None) -> bool:
    """Return whether the same may work the next time: the error is no bug, or two transactions were in conflict."""
    return is_away(error) or is_cut_short(error) or (_may_tell(error) and _sqlstate(error).startswith("40"))


def locked() -> OperationalError:
    """Return what Django raises when another connection holds SQLite's only lock for too long."""
    cause = sqlite3.OperationalError("database is locked")
    cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


def _may_tell(error: BaseException | None) -> bool:
    """Return whether an error is of a class that databases use for this; InternalError is for one that only reads."""
    return isinstance(error, OperationalError | InternalError)


def _sqlstate(error: BaseException | None) -> str:
    return getattr(getattr(error, "__cause__", None), "sqlstate", None) or ""


def _sqlite_code(error: BaseException | None) -> int | None:
    """Return the primary code of SQLite's error."""
    code = getattr(getattr(error, "__cause__", None), "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def data_version() -> tuple[int, int] | None:
    """Return what is another one as soon as any other connection has committed something, however little it was.

    Asking costs next to nothing, so loops ask this before they look for work. The answer says nothing on other threads;
    it is None where the database does not count, and before this thread has a connection.
    """
    database = connections[DEFAULT_DB_ALIAS]
    if database.vendor != "sqlite" or database.connection is None:
        return None
    with database.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return id(database.connection), cursor.fetchone()[0]  # each connection has a number of its own
