"""Plain statements for what every move writes.

The ORM adapts the values; only its building of the same statement anew each time is spared, which costs five times as
much as running it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from games.play.models import Match


def locked_version(match_id: int) -> int:
    """Lock a match for writing and return its version.

    Raises:
        Match.DoesNotExist: there is no such match.
    """
    lock = " FOR UPDATE" if connection.features.has_select_for_update else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT version FROM play_match WHERE id = %s{lock}", [match_id])  # noqa: S608  # one of two constants
        row = cursor.fetchone()
    if row is None:
        raise Match.DoesNotExist
    version: int = row[0]
    return version


def try_lock(match_id: int) -> bool:
    """Lock a match for writing unless somebody else has locked it; answer whether that went well."""
    lock = " FOR UPDATE SKIP LOCKED" if connection.features.has_select_for_update_skip_locked else ""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT 1 FROM play_match WHERE id = %s{lock}", [match_id])  # noqa: S608  # one of two constants
        return cursor.fetchone() is not None


def insert(row: Model) -> None:
    """Store a new row and give it its key."""
    sql, fields = _insertion(type(row))
    with connection.cursor() as cursor:
        cursor.execute(sql, _values(row, fields))
        row.pk = cursor.fetchone()[0]
    row._state.adding = False  # noqa: SLF001  # what Model.save sets
    row._state.db = connection.alias  # noqa: SLF001  # as above


def insert_or(row: Model, on_conflict: str) -> None:
    """Store a new row, which gets no key here; what happens when there is such a row already the clause says.

    Args:
        row: to be stored.
        on_conflict: constant SQL after ON CONFLICT.
    """
    sql, fields = _insertion(type(row))
    with connection.cursor() as cursor:
        cursor.execute(f"{sql.removesuffix(' RETURNING id')} ON CONFLICT {on_conflict}", _values(row, fields))


def update(row: Model, *names: str) -> None:
    """Store some fields of a row that exists."""
    sql, fields = _change(type(row), names)
    with connection.cursor() as cursor:
        cursor.execute(sql, [*_values(row, fields), row.pk])


def _values(row: Model, fields: tuple[Field[Any, Any], ...]) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


@cache
def _insertion(model: type[Model]) -> tuple[str, tuple[Field[Any, Any], ...]]:
    fields = tuple(field for field in model._meta.local_concrete_fields if not field.primary_key)  # noqa: SLF001  # Django's public way to the fields
    columns, places = ", ".join(_quoted(field) for field in fields), ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {model._meta.db_table} ({columns}) VALUES ({places}) RETURNING id", fields  # noqa: S608, SLF001  # names of our own tables


@cache
def _change(model: type[Model], names: tuple[str, ...]) -> tuple[str, tuple[Field[Any, Any], ...]]:
    fields = tuple(model._meta.get_field(name) for name in names)  # noqa: SLF001  # Django's public way to the fields
    columns = ", ".join(f"{_quoted(field)} = %s" for field in fields)  # type: ignore[arg-type]  # concrete fields by name
    return f"UPDATE {model._meta.db_table} SET {columns} WHERE id = %s", fields  # type: ignore[return-value]  # noqa: S608, SLF001  # names of our own tables


def _quoted(field: Field[Any, Any]) -> str:
    return connection.ops.quote_name(field.column or "")
