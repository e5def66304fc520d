from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.people import PASSWORD, client_of, person
from tests.site.accounts.conftest import addresses

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
    assert response.context["form"].non_field_errors()[0].startswith("Wrong name, email address or password.")
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
    assert b"You have logged out." in response.content
    assert "_auth_user_id" not in client.session


def test_the_session_cookie_is_out_of_reach_of_scripts(
    client: Client, ann: User, log_in: Callable[..., Client]
) -> None:
    cookie = log_in(ann).cookies["tessera_session"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect every password that is hashed, which is nearly all the work these pages do."""
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return hashed


@pytest.mark.parametrize("login", ["Ann", "ann@example.org", "ANN@example.org", "Nobody", "nobody@example.org", "a@b"])
def test_the_work_of_a_wrong_login_does_not_tell_who_has_an_account(
    client: Client, ann: User, work: list[str], login: str
) -> None:
    addresses(ann).update(email="ann@example.org")
    client.post(URL, {"login": login, "password": "wrong"})
    assert work == ["wrong"]


def test_an_unverified_or_closed_account_is_no_more_work(client: Client, ann: User, work: list[str]) -> None:
    addresses(ann).update(email="ann@example.org", verified=False)
    User.objects.filter(pk=ann.pk).update(is_active=False)
    client.post(URL, {"login": "ann@example.org", "password": "wrong"})
    assert work == ["wrong"]


@pytest.mark.parametrize("email", ["known@example.org", "new@example.org"])
def test_signing_up_is_the_same_work_for_a_known_address(
    client: Client, ann: User, work: list[str], mailoutbox: list[EmailMessage], email: str
) -> None:
    addresses(ann).update(email="known@example.org")
    form = {"username": "Berta", "email": email, "password1": PASSWORD}
    client.post("/account/signup/", form)
    assert (work, len(mailoutbox)) == ([PASSWORD], 1)


@pytest.mark.parametrize("email", ["known@example.org", "new@example.org"])
def test_a_reset_is_the_same_work_for_an_unknown_address(
    client: Client, ann: User, work: list[str], mailoutbox: list[EmailMessage], email: str
) -> None:
    addresses(ann).update(email="known@example.org")
    client.post("/account/password/reset/", {"email": email})
    assert (work, len(mailoutbox)) == ([], 1)
