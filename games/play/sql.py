"""Statements built once: for what every move writes (`accounts.questions` are for what pages ask).

The ORM adapts the values; this only avoids building the same SQL again each time. In the row "stock" of the benchmark
a move takes 1.4 times the processor time of its worker with the ORM alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from typing import Any, TypeAlias

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import (
    BooleanField,
    CharField,
    DateTimeField,
    Field,
    ForeignKey,
    IntegerField,
    Model,
    TextField,
)

from games.play.models import Match

Adapt: TypeAlias = Callable[[Any, BaseDatabaseWrapper], Any]

Column: TypeAlias = tuple[str, Adapt | None]
"""The name of an attribute, and what adapts its value; None where databases take it as it is."""

_AS_IT_IS = (CharField, TextField, IntegerField, BooleanField, ForeignKey)


def locked_version(match_id: int) -> int:
    """Lock a match for writing and return its version.

    Raises:
        Match.DoesNotExist: there is no such match.
    """
    database = _database()
    lock = " FOR UPDATE" if database.features.has_select_for_update else ""
    with database.cursor() as cursor:
        cursor.execute(f"SELECT version FROM play_match WHERE id = %s{lock}", [match_id])  # noqa: S608  # one of two constants
        row = cursor.fetchone()
    if row is None:
        raise Match.DoesNotExist
    version: int = row[0]
    return version


def delete_old_withdrawn(match_id: int, kept: int) -> None:
    """Delete the withdrawn actions of a match without a seal, except so many of the latest: nothing needs the others.

    Args:
        match_id: the match, locked.
        kept: how many stay.
    """
    with _database().cursor() as cursor:
        cursor.execute(_DELETE_OLD_WITHDRAWN, [match_id, match_id, kept])


_DELETE_OLD_WITHDRAWN = """
DELETE FROM play_action WHERE match_id = %s AND withdrawn AND seal = '' AND id <= (
    SELECT id FROM play_action WHERE match_id = %s AND withdrawn AND seal = '' ORDER BY id DESC LIMIT 1 OFFSET %s
)
"""


def insert(row: Model) -> None:
    """Store a new row and give it its key."""
    sql, written = _insertion(type(row))
    database = _database()
    with database.cursor() as cursor:
        cursor.execute(sql, _values(row, written, database))
        row.pk = cursor.fetchone()[0]
    row._state.adding = False  # noqa: SLF001  # what Model.save sets
    row._state.db = database.alias  # noqa: SLF001  # as above


def insert_or(row: Model, on_conflict: str) -> None:
    """Store a new row, which gets no key here; the clause says what happens if there is such a row already.

    Args:
        row: to be stored.
        on_conflict: constant SQL after ON CONFLICT.
    """
    sql, written = _insertion(type(row))
    database = _database()
    with database.cursor() as cursor:
        cursor.execute(
            f"{sql.removesuffix(' RETURNING id')} ON CONFLICT {on_conflict}", _values(row, written, database)
        )


def update(row: Model, *names: str) -> None:
    """Store some fields of a row that exists."""
    sql, written = _change(type(row), names)
    database = _database()
    with database.cursor() as cursor:
        cursor.execute(sql, [*_values(row, written, database), row.pk])


def differing(old: Model, new: Model) -> list[str]:
    """Return the names of the fields in which two versions of a row differ."""
    before, after = vars(old), vars(new)
    return [name for name in _attributes(type(new)) if before[name] != after[name]]


def _database() -> BaseDatabaseWrapper:
    """Return this thread's connection itself: `connection` looks it up again on every access."""
    return connections[DEFAULT_DB_ALIAS]


def _values(row: Model, columns: tuple[Column, ...], database: BaseDatabaseWrapper) -> list[Any]:
    return [adapt(getattr(row, name), database) if adapt else getattr(row, name) for name, adapt in columns]


@cache
def _attributes(model: type[Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.local_concrete_fields)  # noqa: SLF001  # Django's public way to the fields


@cache
def _insertion(model: type[Model]) -> tuple[str, tuple[Column, ...]]:
    fields = [field for field in model._meta.local_concrete_fields if not field.primary_key]  # noqa: SLF001  # Django's public way to the fields
    columns, places = ", ".join(_quoted(field) for field in fields), ", ".join(["%s"] * len(fields))
    sql = f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({places}) RETURNING id"  # noqa: S608, SLF001  # names of our own tables
    return sql, _columns(fields)


@cache
def _change(model: type[Model], names: tuple[str, ...]) -> tuple[str, tuple[Column, ...]]:
    fields: list[Any] = [model._meta.get_field(name) for name in names]  # noqa: SLF001  # Django's public way to the fields
    columns = ", ".join(f"{_quoted(field)} = %s" for field in fields)
    return f"UPDATE {model._meta.db_table} SET {columns} WHERE id = %s", _columns(fields)  # noqa: S608, SLF001  # names of our own tables


def _columns(fields: Iterable[Field[Any, Any]]) -> tuple[Column, ...]:
    def adapting(field: Field[Any, Any]) -> Adapt | None:
        if isinstance(field, _AS_IT_IS):
            return None
        return _moment if isinstance(field, DateTimeField) else field.get_db_prep_save

    return tuple((field.attname, adapting(field)) for field in fields)


def _moment(value: datetime | None, database: BaseDatabaseWrapper) -> Any:
    """Return a moment as the database takes it: ours are always aware, so the field's check is skipped."""
    return database.ops.adapt_datetimefield_value(value)


def _quoted(field: Field[Any, Any]) -> str:
    return _database().ops.quote_name(field.column or "")
