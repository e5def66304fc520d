"""What every page asks the database about its reader: the SQL is built once, as that takes longer than the answer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import QuerySet

About: TypeAlias = Callable[..., QuerySet[Any, Any]]

_KEPT = 64
"""For how many numbers of people the SQL of a question is kept."""


class Prepared:
    """A question about some people, whose SQL depends on nothing but their number.

    Args:
        about: returns the query for the keys of people, and for moments if there are any. Apart from these it must
            contain no negative number, and no moment of antiquity: they stand in for what is asked about.
    """

    def __init__(self, about: About) -> None:
        self._about = about
        self._written = lru_cache(_KEPT)(self._write)

    def of(self, people: Collection[int], *moments: datetime) -> list[tuple[Any, ...]]:
        """Return the rows about these people, with values as the database gives them."""
        if not people:
            return []
        sql, values = self._written(len(people), len(moments))
        given = dict(zip(_nobody(len(people)), people, strict=True))
        given |= dict(zip(_adapted(_ancient(len(moments))), _adapted(moments), strict=True))
        with connection.cursor() as cursor:
            cursor.execute(sql, [given.get(value, value) for value in values])
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows

    def _write(self, people: int, moments: int) -> tuple[str, tuple[Any, ...]]:
        sql, values = self._about(_nobody(people), *_ancient(moments)).query.sql_with_params()
        return sql, values


def _nobody(number: int) -> range:
    return range(-number, 0)


def _ancient(number: int) -> list[datetime]:
    return [datetime(year, 1, 1, tzinfo=UTC) for year in range(1, number + 1)]


def _adapted(moments: Collection[datetime]) -> list[Any]:
    return [connection.ops.adapt_datetimefield_value(moment) for moment in moments]
