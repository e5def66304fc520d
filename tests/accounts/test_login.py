from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import addresses
from tests.people import PASSWORD, client_of, person

URL = "/account/login/"


@pytest.mark.parametrize(
    "login",
    [
        "Ännchen",
        "ÄNNCHEN",
        "a\u0308nnchen",
        " Ännchen ",
        "Ａ\u0308ｎｎｃｈｅｎ",
        "mail@example.org",
        "MAIL@example.org",
    ],
)
def test_log_in_by_name_however_written_or_by_mail(client: Client, db: None, login: str) -> None:
    user = person("Ännchen")
    addresses(user).update(email="mail@example.org")
    response = client.post(URL, {"login": login, "password": PASSWORD})
    assert response["Location"] == "/"
    assert client.session["_auth_user_id"] == str(user.pk)


@pytest.mark.parametrize(
    ("login", "password"), [("Ann", "wrong"), ("Nobody-knows", PASSWORD), ("x@example.org", "wrong")]
)
def test_wrong_name_and_wrong_password_are_told_alike(client: Client, ann: User, login: str, password: str) -> None:
    response = client.post(URL, {"login": login, "password": password})
    assert response.context["form"].non_field_errors() == [
        "Name or mail address and password do not belong together. Please check both."
    ]
    assert 'role="alert"' in response.content.decode()


def test_the_session_key_changes_on_login(client: Client, ann: User, log_in: Callable[..., Client]) -> None:
    client.get("/account/2fa/webauthn/login/", headers={"Accept": "application/json"})  # begins a session
    before = client.session.session_key
    log_in(ann)
    assert before
    assert client.session.session_key != before
    assert not client.session.exists(before)


@pytest.mark.parametrize(
    "target",
    ["https://evil.example/", "//evil.example", "http:///evil.example", "/\\evil.example", "javascript:alert(1)"],
)
def test_nobody_is_sent_elsewhere_after_login(client: Client, ann: User, target: str) -> None:
    response = client.post(f"{URL}?next={target}", {"login": "Ann", "password": PASSWORD, "next": target})
    assert response["Location"] == "/"


def test_one_goes_on_where_one_wanted_to(client: Client, ann: User) -> None:
    response = client.get("/settings/name/")
    assert response["Location"] == "/account/login/?next=/settings/name/"
    assert b'name="next" value="/settings/name/"' in client.get(response["Location"]).content
    response = client.post(URL, {"login": "Ann", "password": PASSWORD, "next": "/settings/name/"})
    assert response["Location"] == "/settings/name/"


def test_an_inactive_account_says_so(client: Client, ann: User) -> None:
    User.objects.filter(pk=ann.pk).update(is_active=False)
    response = client.post(URL, {"login": "Ann", "password": PASSWORD}, follow=True)
    assert b"This account is closed" in response.content
    assert "_auth_user_id" not in client.session


def test_log_out_asks_first_and_needs_a_post(ann: User) -> None:
    client = client_of(ann)
    assert b"Log out?" in client.get("/account/logout/").content
    assert "_auth_user_id" in client.session
    response = client.post("/account/logout/", follow=True)
    assert b"You are logged out." in response.content
    assert "_auth_user_id" not in client.session


def test_the_session_cookie_is_out_of_reach_of_scripts(
    client: Client, ann: User, log_in: Callable[..., Client]
) -> None:
    cookie = log_in(ann).cookies["tessera_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
