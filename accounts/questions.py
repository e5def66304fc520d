"""Questions whose SQL is built once: for pages that many look at.

The ORM writes the queries; this only avoids building the same SQL again each time. In the row "stock" of the benchmark
a page without a board takes 1.7 times as long with the ORM alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.expressions import RawSQL

M = TypeVar("M", bound=Model)
About: TypeAlias = Callable[..., QuerySet[Any, Any]]

_STATEMENTS = 64
"""For how many numbers of people, and of what else is given, the SQL of a question is kept."""


NOBODY: Final = 0
"""The key of no one, for questions about a visitor: whoever has no matches finds as much."""


class Prepared:
    """A question about some people, whose SQL depends on nothing but their number.

    Args:
        about: returns the query for the keys of people, for moments if there are any, and for what else is given.
            Apart from these it must contain no negative number and no date before 1900: these are the placeholders.
    """

    def __init__(self, about: About) -> None:
        self._about = about
        self._written = lru_cache(_STATEMENTS)(self._write)

    def of(self, people: Collection[int], *moments: datetime, **given: Hashable) -> list[tuple[Any, ...]]:
        """Return the rows about these people, with values as the database gives them (see `moment_read`).

        Args:
            people: their keys; nothing is asked about nobody.
            moments: as the query takes them.
            given: what else the query depends on, as a limit: SQL is built for each.
        """
        if not people:
            return []
        with connection.cursor() as cursor:
            cursor.execute(*self._asked(people, moments, given))
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows

    def instances(self, model: type[M], people: Collection[int], **given: Hashable) -> list[M]:
        """Return the rows as instances of the model that is asked for, with what is annotated; else as `of`."""
        return list(model._default_manager.raw(*self._asked(people, (), given)))  # noqa: SLF001  # written by the ORM

    def within(self, people: Collection[int], *moments: datetime, **given: Hashable) -> RawSQL:
        """Return the question as a part of another query, for instance after `pk__in`; for the arguments see `of`."""
        return RawSQL(*self._asked(people, moments, given))  # noqa: S611  # written by the ORM

    def _asked(
        self, people: Collection[int], moments: Collection[datetime], given: Mapping[str, Hashable]
    ) -> tuple[str, list[Any]]:
        sql, values = self._written(len(people), len(moments), **given)
        placeholders = zip(_people(len(people)), people, strict=True)
        meant = {**dict(placeholders), **dict(zip(_adapted(_moments(len(moments))), _adapted(moments), strict=True))}
        return sql, [meant.get(value, value) for value in values]

    def _write(self, people: int, moments: int, **given: Any) -> tuple[str, tuple[Any, ...]]:
        sql, values = self._about(_people(people), *_moments(moments), **given).query.sql_with_params()
        return sql, values


def moment_read(value: datetime) -> datetime:
    """Return a moment that a database gave: SQLite gives those in UTC, but does not say so."""
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def _people(number: int) -> range:
    return range(-number, 0)


def _moments(number: int) -> list[datetime]:
    return [datetime(year, 1, 1, tzinfo=UTC) for year in range(1, number + 1)]


def _adapted(moments: Collection[datetime]) -> list[Any]:
    return [connection.ops.adapt_datetimefield_value(moment) for moment in moments]
