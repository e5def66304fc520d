"""Sessions and their users are loaded with plain SQL statements, and otherwise behave as Django's do."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.test import RequestFactory
from django.utils import timezone

from accounts.backends import AuthenticationBackend
from accounts.models import User
from accounts.sessions import SessionStore
from tests.people import client_of, person

pytestmark = pytest.mark.django_db


def stored(**values: object) -> SessionStore:
    session = SessionStore()
    session.update(values)
    session.save()
    return SessionStore(session.session_key)


def test_a_session_holds_what_was_stored() -> None:
    assert stored(choice="a", list=[1, 2])["list"] == [1, 2]


def test_changing_what_was_loaded_changes_no_other_session_of_the_same_content() -> None:
    first, second = stored(list=[1]), stored(list=[1])
    first["list"].append(2)
    assert second["list"] == [1]
    assert SessionStore(first.session_key)["list"] == [1]


def test_an_expired_session_is_empty_and_loses_its_key() -> None:
    session = stored(choice="a")
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert session.load() == {}
    assert session.session_key is None


def test_an_unknown_session_is_empty() -> None:
    assert SessionStore("nobody-has-this-key").load() == {}


def test_a_session_whose_text_was_tampered_with_is_empty() -> None:
    session = stored(choice="a")
    Session.objects.update(session_data="eyJjaG9pY2UiOiJiIn0:forged:signature")
    assert session.load() == {}


def test_the_person_of_a_session_is_loaded_with_every_field() -> None:
    ann = person("ann", language="de", hints=False)
    loaded = AuthenticationBackend().get_user(ann.pk)
    assert loaded == ann
    assert loaded is not None
    fields = [field.attname for field in User._meta.concrete_fields]
    assert [getattr(loaded, name) for name in fields] == [getattr(User.objects.get(pk=ann.pk), name) for name in fields]


def test_the_person_of_a_request_is_nobody_elses_to_change() -> None:
    ann = person("ann")
    AuthenticationBackend().get_user(ann.pk).username = "eve"  # type: ignore[union-attr]  # she exists
    again = AuthenticationBackend().get_user(ann.pk)
    assert again is not None
    assert again.username == "ann"


def test_what_a_person_has_changed_holds_at_the_next_request() -> None:
    ann = person("ann")
    languages = []
    for language in ("de", "en", "de"):
        User.objects.update(language=language)
        loaded = AuthenticationBackend().get_user(ann.pk)
        languages.append(loaded and loaded.language)
    assert languages == ["de", "en", "de"]


def test_a_deactivated_person_is_nobody_at_the_next_request() -> None:
    ann = person("ann")
    client = client_of(ann)
    request = RequestFactory().get("/")
    request.session = client.session
    assert get_user(request) == ann
    User.objects.update(is_active=False)
    assert get_user(request).is_anonymous


def test_somebody_who_is_gone_is_nobody() -> None:
    assert AuthenticationBackend().get_user(123_456) is None
