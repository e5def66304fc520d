"""All migrations in turn lead to the tables of the models, with all that the tests' database has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.db.models import ForeignKey, UniqueConstraint

from games.play.models import Match
from tests import tables

TRIGGERS = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name",
    "postgresql": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname",
}
OF_DJANGO = "auth_group_permissions"
"""Its migrations give this table wider keys than the model."""


def found() -> dict[str, Any]:
    """Return what the database has: columns and constraints of each table, rows by their fields, and triggers.

    Migrations may have added columns in another order, on which the names of some constraints depend.
    """
    look = connection.introspection
    it: dict[str, Any] = {}
    with connection.cursor() as cursor:
        for table in set(look.table_names(cursor)) - {OF_DJANGO}:
            columns = sorted(tuple(column) for column in look.get_table_description(cursor, table))
            bounds = [sorted(bound.items()) for bound in look.get_constraints(cursor, table).values()]
            kept = ", ".join(f'"{column[0]}"' for column in columns if column[0] not in {"id", "applied"})
            cursor.execute(f'SELECT {kept} FROM "{table}"')
            it[table] = columns, sorted(bounds, key=repr), sorted(cursor.fetchall(), key=repr)
        cursor.execute(TRIGGERS[connection.vendor])
        it["triggers"] = cursor.fetchall()
    return it


def compare(migrated_at: Path | str, made_at: Path | str, triggers: int) -> None:
    with tables.at(migrated_at):
        call_command("migrate", verbosity=0)
        migrated = found()
    with tables.at(made_at):
        tables.make()
        made = found()
    assert len(migrated["triggers"]) == triggers
    assert len(migrated) > 50
    assert migrated == made


@pytest.mark.django_db(transaction=True)
def test_migrations_make_what_the_models_say(tmp_path: Path) -> None:
    compare(tmp_path / "migrated.sqlite3", tmp_path / "made.sqlite3", triggers=3)


def test_no_index_of_a_key_to_a_match_repeats_that_of_a_constraint() -> None:
    repeated = []
    for model in apps.get_models():
        unique = [each for each in model._meta.constraints if isinstance(each, UniqueConstraint) and not each.condition]
        begins = {each.fields[0] for each in unique if each.fields}
        keys: list[Any] = [field for field in model._meta.fields if isinstance(field, ForeignKey) and not field.unique]
        matches = [field for field in keys if field.related_model is Match]
        repeated += [str(field) for field in matches if field.db_index == (field.name in begins)]
    assert not repeated, "either the key has an index, or a constraint begins with it"


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_they_do_so_on_postgresql() -> None:
    names = ("tessera-migrated", "tessera-made")
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        compare(*names, triggers=2)
    finally:
        with connection.cursor() as cursor:
            for name in names:
                cursor.execute(f'DROP DATABASE "{name}"')
