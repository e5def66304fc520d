from __future__ import annotations

import re
import unicodedata
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from accounts import personal_data
from accounts.models import KEY_LENGTH, SKELETON_LENGTH, FormerName, User
from accounts.names import name_key, skeleton, tidy_name, validate_name
from accounts.services import KEPT, check_free, rename
from games.play.models import Level

names = st.text(st.characters(categories=["L", "M", "N", "P", "S", "Z"]), min_size=1, max_size=30)


@given(names)
def test_the_key_of_a_key_is_itself(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@given(names)
def test_writing_a_name_differently_keeps_its_key(name: str) -> None:
    key = name_key(name)
    assert key == name_key(unicodedata.normalize("NFKC", name)) == name_key(unicodedata.normalize("NFD", name))
    assert key == name_key(name.casefold())


@given(names)
def test_what_is_stored_has_the_key_of_what_was_typed_and_is_stable(name: str) -> None:
    assert name_key(tidy_name(name)) == name_key(tidy_name(tidy_name(name)))


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_refused_in_words(text: str) -> None:
    words = refusal(tidy_name(text))
    assert words or len(name_key(tidy_name(text))) <= KEY_LENGTH
    assert words or len(skeleton(tidy_name(text))) <= SKELETON_LENGTH


def refusal(name: str) -> str:
    """Return why this name is refused; empty if it is not."""
    try:
        validate_name(name)
    except ValidationError as error:
        return str(error.messages[0])
    return ""


@pytest.mark.parametrize(
    ("one", "other"), [("ÄNN", "änn"), ("Ａｎｎ", "ann"), ("Straße", "STRASSE"), ("ﬁsh", "fish"), ("Å", "A\u030a")]
)
def test_names_that_read_alike_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    "name",
    [
        "ann",
        "Ann-Marie",
        "x.y_z",
        "李小龍",
        "हिन्दी",
        "Ünï",
        "r2d2",
        "botanist",
        "Jürgen",
        "сосо",
        "東京タワー",
        "김철수",
        "Ian",
        "moderata",
        "Staffan",
        "Bottega",
        "Bots4Fun",
        "Modesto",
        "supporter",
    ],
)
def test_names_of_people_are_accepted(name: str) -> None:
    validate_name(tidy_name(name))
    assert tidy_name(name) == unicodedata.normalize("NFKC", name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a", "length"),
        ("x" * 25, "length"),
        ("", "length"),
        (".ann", "form"),
        ("ann.", "form"),
        ("ann smith", "form"),
        ("ann@example", "form"),
        ("<b>ann</b>", "form"),
        ("a\u115fnn", "form"),
        ("a\ufe0fnn", "form"),
        ("ann\r\nBcc:x", "form"),
        ("z\u0323\u0324\u0325\u0326algo", "form"),
        ("аnn", "mixed"),  # the first letter is Cyrillic
        ("admin", "reserved"),
        ("ＡＤＭＩＮ", "reserved"),
        ("Bot-easy", "reserved"),
        ("deleted.12", "reserved"),
        ("guest7", "reserved"),
        ("Tessera", "reserved"),
        ("admiṇ", "reserved"),
        ("AdmIn", "reserved"),
        ("ɑdmin", "reserved"),
        ("Tеssеra", "mixed"),
        ("b0t-easy", "reserved"),
        ("ADMlN", "reserved"),
        ("adm1n", "reserved"),
        ("4dmin", "reserved"),
        ("5upport", "reserved"),
        ("m0d3r4t0r7", "reserved"),
        ("t3ssera", "reserved"),
        ("su.pport", "reserved"),
        ("5taff-Ann", "reserved"),
        ("support-team", "reserved"),
        ("Staff.Ann", "reserved"),
        ("Moderation", "reserved"),
        ("moderazione2", "reserved"),
        ("Moderatorin-Eva", "reserved"),
        ("Verwaltung", "reserved"),
        ("рауpal", "mixed"),
        ("Αnn", "mixed"),
    ],
)
def test_what_is_no_name_is_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(tidy_name(name))
    assert refused.value.code == code


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("level", list(Level))
def test_nobody_is_called_like_a_bot(language: str, level: Level) -> None:
    with translation.override(language):
        name = str(level.label)
    for written in (name, name.upper(), f"{name}2", f"{name}_3"):
        with pytest.raises(ValidationError) as refused:
            validate_name(tidy_name(written))
        assert refused.value.code == "reserved"
    validate_name(f"{name}y")


def test_the_database_refuses_the_same_name_written_differently(db: None) -> None:
    User.objects.create_user("Jürgen", "a@example.org")
    with pytest.raises(IntegrityError):
        User.objects.create_user("JU\u0308RGEN", "b@example.org")


def test_people_are_found_however_their_name_is_written(db: None) -> None:
    user = User.objects.create_user("Ännchen", "a@example.org")
    assert User.objects.named("ÄNNCHEN") == User.objects.named("ａ\u0308nnchen") == user
    assert User.objects.get_by_natural_key("änNchen") == user
    assert User.objects.named("Anna") is None


ALIKE = [
    ("Carol", "Cɑrol"),
    ("coco", "сосо"),
    ("Alice", "AIice"),
    ("scope", "ѕсоре"),
    ("Bob1", "Bobl"),
    ("max0", "maxO"),
    ("Mike", "MlKE"),
    ("ingo", "lngo"),
    ("elsa", "еӏѕа"),
    ("Ines", "Ine5"),
    ("Fiete", "Fi3te"),
    ("Fiete", "Fi.ete"),
    ("Fiete", "Fi_e-te"),
    ("Fiete", "Fiéte"),
    ("Jurgen", "Jürgen"),
    ("Soren", "Søren"),
    ("Zoe8", "ZoéB"),
    ("Toby", "7o8y"),
    ("Greta", "Gr3t4"),
    ("שלום", "שָׁלוֹם"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "Anne"), ("ann1", "ann2"), ("Ian", "Jan"), ("गी", "गु"), ("กิน", "กุน"), ("かき", "がき")]
)
def test_names_that_look_different_have_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


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


@pytest.mark.parametrize("digits", ["", "7", "2024"])
def test_names_that_differ_in_their_number_do_not_look_alike(digits: str) -> None:
    numbered = {skeleton(f"Ann{digits}{number}") for number in range(100)}
    assert len(numbered) == 100


@pytest.mark.parametrize("other", ["Carol", "Cɑrol", "Ca.rol", "C4rol", "Càrol", "Caro-l"])
def test_the_names_of_a_deleted_account_rest_as_hashes(db: None, other: str) -> None:
    ann = User.objects.create_user("Carol", "a@example.org")
    rename(ann, "Anna")
    rename(ann, "Carol")
    personal_data.forget(ann)
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
    personal_data.forget(ann)
    ann.delete()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    with pytest.raises(ValidationError):
        check_free("Carol")


def test_the_skeleton_follows_the_name(db: None) -> None:
    ann = User.objects.create_user("Carol", "a@example.org")
    rename(ann, "Anna")
    assert User.objects.get(pk=ann.pk).skeleton == skeleton("Anna")
