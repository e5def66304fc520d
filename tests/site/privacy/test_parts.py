"""No model that refers to people can be forgotten: neither in exports nor when an account ends."""

from __future__ import annotations

import pytest
from django.db import models

from accounts.models import relations_to_users
from games.privacy.personal_data import KEPT, NOT_EXPORTED, PARTS
from tests.site.privacy import inhabited

RELATIONS = dict(relations_to_users())

HOW = "name it in games/privacy/personal_data.py"


def test_every_relation_to_people_is_exported_or_left_out_with_a_reason() -> None:
    exported = {relation for part in PARTS for relation in part.of}
    named = exported | set(NOT_EXPORTED)
    assert set(RELATIONS) - named == set(), HOW
    assert named - set(RELATIONS) == set()
    assert exported & set(NOT_EXPORTED) == set()


def test_every_relation_to_people_ends_with_the_account_or_is_kept_with_a_reason() -> None:
    ending = {name for name, field in RELATIONS.items() if field.remote_field.on_delete is models.CASCADE}
    kept = {name for name, field in RELATIONS.items() if field.remote_field.on_delete is models.SET_NULL}
    assert set(RELATIONS) - ending == kept, "nothing may hold an account back, nor give its rows to somebody else"
    assert kept == set(KEPT), HOW


def test_every_reason_says_something() -> None:
    assert all(len(reason.split()) > 3 for reason in (*NOT_EXPORTED.values(), *KEPT.values()))


def test_parts_have_names_of_their_own() -> None:
    names = [part.name for part in PARTS]
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
