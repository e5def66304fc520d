"""No model that refers to people can be forgotten: neither in exports nor when an account ends."""

from __future__ import annotations

import pytest
from django.db import models

from accounts import personal_data
from tests.site.privacy import inhabited

RELATIONS = dict(personal_data.relations_to_users())

HOW = "name it in the module personal_data of its app (see accounts/personal_data.py)"


def reasons(name: str) -> dict[str, str]:
    """Return the relations in `NOT_EXPORTED` or `KEPT` of all modules, with the reasons."""
    return {relation: why for module in personal_data.modules() for relation, why in getattr(module, name, {}).items()}


def test_every_relation_to_people_is_exported_or_left_out_with_a_reason() -> None:
    exported = {relation for part in personal_data.parts() for relation in part.of}
    not_exported = set(reasons("NOT_EXPORTED"))
    named = exported | not_exported
    assert set(RELATIONS) - named == set(), HOW
    assert named - set(RELATIONS) == set()
    assert exported & not_exported == set()


def test_every_relation_to_people_ends_with_the_account_or_is_kept_with_a_reason() -> None:
    ending = {name for name, field in RELATIONS.items() if field.remote_field.on_delete is models.CASCADE}
    kept = {name for name, field in RELATIONS.items() if field.remote_field.on_delete is models.SET_NULL}
    assert set(RELATIONS) - ending == kept, "nothing may hold an account back, nor give its rows to somebody else"
    assert kept == set(reasons("KEPT")), HOW


def test_every_reason_says_something() -> None:
    assert all(len(reason.split()) > 3 for name in ("NOT_EXPORTED", "KEPT") for reason in reasons(name).values())


def test_parts_have_names_of_their_own() -> None:
    names = [part.name for part in personal_data.parts()]
    assert len(set(names)) == len(names)
    assert all(name.replace("_", "").isalpha() for name in names)


@pytest.mark.django_db
def test_the_people_of_these_tests_use_everything() -> None:
    ann = inhabited.build().ann
    unused = {
        "accounts.User_groups.user",
        "accounts.User_user_permissions.user",
        "matchmaking.Series.left_by",
        "admin.LogEntry.user",
    }
    unused |= {"privacy.Export.user", "privacy.Deletion.user", "admin.LogEntry.user"}
    assert set(RELATIONS) - set(inhabited.rows_about(ann)) - unused == set()
