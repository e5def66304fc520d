"""Names that are taken: written differently, alike, given up lately, or of accounts that are gone."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import Settings

from accounts.models import FormerName, User
from accounts.names import skeleton
from accounts.services import KEPT, check_free, rename
from games.privacy.deletions import forget_everything
from tests.unit.accounts.test_names import ALIKE


def test_the_database_refuses_the_same_name_written_differently(db: None) -> None:
    User.objects.create_user("Jürgen", "a@example.org")
    with pytest.raises(IntegrityError):
        User.objects.create_user("JU\u0308RGEN", "b@example.org")


def test_people_are_found_however_their_name_is_written(db: None) -> None:
    user = User.objects.create_user("Ännchen", "a@example.org")
    assert User.objects.named("ÄNNCHEN") == User.objects.named("ａ\u0308nnchen") == user
    assert User.objects.get_by_natural_key("änNchen") == user
    assert User.objects.named("Anna") is None


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_a_name_that_looks_like_somebody_elses_is_refused(db: None, one: str, other: str) -> None:
    ann = User.objects.create_user(one, "a@example.org")
    with pytest.raises(ValidationError) as refused:
        check_free(other)
    assert refused.value.code == "alike"
    check_free(other, by=ann)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(other, "b@example.org")


def test_a_look_alike_of_a_name_given_up_lately_is_refused(db: None) -> None:
    ann = User.objects.create_user("Carol", "a@example.org")
    rename(ann, "Anna")
    with pytest.raises(ValidationError) as refused:
        check_free("Cɑrol")
    assert refused.value.code == "alike"


@pytest.mark.parametrize("other", ["Carol", "Cɑrol", "Ca.rol", "C4rol", "Càrol", "Caro-l"])
def test_the_names_of_a_deleted_account_rest_as_hashes(db: None, other: str) -> None:
    ann = User.objects.create_user("Carol", "a@example.org")
    rename(ann, "Anna")
    rename(ann, "Carol")
    forget_everything(ann)
    ann.delete()
    kept = str(list(FormerName.objects.values()))
    assert not re.search("carol|caroi|anna", kept, re.IGNORECASE)
    for name in (other, "4nna"):
        with pytest.raises(ValidationError):
            check_free(name)
    with time_machine.travel(timezone.now() + KEPT + timedelta(minutes=1)):
        check_free(other)


def test_a_new_secret_key_frees_no_name(db: None, settings: Settings) -> None:
    ann = User.objects.create_user("Carol", "a@example.org")
    forget_everything(ann)
    ann.delete()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    with pytest.raises(ValidationError):
        check_free("Carol")


def test_the_skeleton_follows_the_name(db: None) -> None:
    ann = User.objects.create_user("Carol", "a@example.org")
    rename(ann, "Anna")
    assert User.objects.get(pk=ann.pk).skeleton == skeleton("Anna")
