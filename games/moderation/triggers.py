"""Database triggers that refuse changes and deletions in the log of moderators, whichever program tries.

Foreign keys may be set to null, for instance when an account is deleted. A migration after which SQLite rebuilds the
table (most changes of its columns) must `create` the triggers again. The owner of the database can drop them, and on
PostgreSQL empty the table with TRUNCATE, which fires none of them.
"""

from __future__ import annotations

from typing import Any, Final

FROZEN: Final = ("id", "act", "reason", "details", "at")
LINKS: Final = ("by_id", "person_id", "match_id", "case_id", "sanction_id")
MESSAGE: Final = "the log of moderators cannot be changed"


def create(schema_editor: Any) -> None:
    """Create the triggers. Idempotent."""
    drop(schema_editor)
    for statement in _SQLITE if schema_editor.connection.vendor == "sqlite" else _POSTGRESQL:
        schema_editor.execute(statement)


def drop(schema_editor: Any) -> None:
    """Drop the triggers, if there are any."""
    sqlite = schema_editor.connection.vendor == "sqlite"
    for name in ("deed_stays", "deed_is_kept", "deed_is_new"):
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{'' if sqlite else ' ON moderation_deed'}")
    if not sqlite:
        schema_editor.execute("DROP FUNCTION IF EXISTS refuse_to_change_deeds()")


def _changed(differs: str) -> str:
    kept = [f"NEW.{name} {differs} OLD.{name}" for name in FROZEN]
    linked = [f"(NEW.{name} IS NOT NULL AND NEW.{name} {differs} OLD.{name})" for name in LINKS]
    return " OR ".join([*kept, *linked])


_KEEP: Final = "deed_is_kept BEFORE UPDATE ON moderation_deed"
_STAY: Final = "deed_stays BEFORE DELETE ON moderation_deed"
_NEW: Final = "deed_is_new BEFORE INSERT ON moderation_deed"
_ABORT: Final = f"BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"

_SQLITE: Final = (
    f"CREATE TRIGGER {_STAY} {_ABORT}",
    f"CREATE TRIGGER {_KEEP} WHEN {_changed('IS NOT')} {_ABORT}",
    # REPLACE deletes the former row without firing the trigger for deletions.
    f"CREATE TRIGGER {_NEW} WHEN EXISTS (SELECT 1 FROM moderation_deed WHERE id = NEW.id) {_ABORT}",  # noqa: S608  # constants
)

_RAISE: Final = f"BEGIN RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation'; END"
_REFUSE: Final = "EXECUTE FUNCTION refuse_to_change_deeds()"

_POSTGRESQL: Final = (
    f"CREATE FUNCTION refuse_to_change_deeds() RETURNS trigger LANGUAGE plpgsql AS $$ {_RAISE} $$",
    f"CREATE TRIGGER {_STAY} FOR EACH ROW {_REFUSE}",
    f"CREATE TRIGGER {_KEEP} FOR EACH ROW WHEN ({_changed('IS DISTINCT FROM')}) {_REFUSE}",
)
