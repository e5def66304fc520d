from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.people import PASSWORD, client_of
from tests.site.accounts.conftest import totp

ACTIVATE = "/account/2fa/totp/activate/"
CODES = "/account/2fa/recovery-codes/"


pytestmark = pytest.mark.django_db(transaction=True)  # emails go out when the transaction has committed


@pytest.fixture
def secret(ann: User, log_in: Callable[..., Client]) -> str:
    """Let Ann set up an authenticator app through the pages; return its key."""
    client = log_in(ann, into=Client())
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get(ACTIVATE)
    key: str = page.context["form"].secret
    assert b'src="data:image/svg+xml;base64,' in page.content
    response = client.post(ACTIVATE, {"code": totp(key)})
    assert response["Location"] == CODES
    return key


def codes_of(user: User) -> list[str]:
    codes: list[str] = Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()
    return codes


def second_step(client: Client, code: str) -> bool:
    client.post("/account/2fa/authenticate/", {"code": code})
    return "_auth_user_id" in client.session


def test_setting_up_an_app_tells_by_mail_and_gives_recovery_codes(
    ann: User, secret: str, mailoutbox: list[EmailMessage]
) -> None:
    assert mailoutbox[-1].subject == "Tessera: Authenticator app switched on"
    assert len(codes_of(ann)) == 10


def test_setting_up_needs_the_password_again(ann: User) -> None:
    response = client_of(ann).get(ACTIVATE)
    assert response["Location"].startswith("/account/reauthenticate/")


def test_a_wrong_code_sets_nothing_up(ann: User, log_in: Callable[..., Client]) -> None:
    client = log_in(ann)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.get(ACTIVATE)
    response = client.post(ACTIVATE, {"code": "000000"})
    assert "Wrong code" in response.context["form"].errors["code"][0]
    assert not Authenticator.objects.exists()


def test_login_asks_for_the_code_of_the_app(
    ann: User, secret: str, client: Client, log_in: Callable[..., Client]
) -> None:
    response = client.post("/account/login/", {"login": "Ann", "password": PASSWORD})
    assert response["Location"] == "/account/2fa/authenticate/"
    assert b"Two-step login" in client.get(response["Location"]).content
    assert not second_step(client, "000000")
    assert second_step(client, totp(secret, steps=1))


def test_a_code_works_once(ann: User, secret: str, log_in: Callable[..., Client]) -> None:
    code = totp(secret, steps=1)
    assert second_step(log_in(ann, into=Client()), code)
    assert not second_step(log_in(ann, into=Client()), code)


def test_a_recovery_code_lets_in_once(ann: User, secret: str, log_in: Callable[..., Client]) -> None:
    code = codes_of(ann)[0]
    assert second_step(log_in(ann, into=Client()), code)
    assert not second_step(log_in(ann, into=Client()), code)
    assert len(codes_of(ann)) == 9


def test_recovery_codes_are_shown_downloaded_and_made_anew(
    ann: User, secret: str, log_in: Callable[..., Client], mailoutbox: list[EmailMessage]
) -> None:
    client = log_in(ann)
    second_step(client, totp(secret, steps=1))
    assert client.get(CODES)["Location"].startswith("/account/reauthenticate/")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    old = codes_of(ann)
    assert old[0] in client.get(CODES).content.decode()
    file = client.get(f"{CODES}download/")
    assert file["Content-Type"] == "text/plain"
    assert file["Content-Disposition"] == 'attachment; filename="recovery-codes.txt"'
    assert all(code in file.content.decode() for code in old)
    assert b"10 codes you have left stop working" in client.get(f"{CODES}generate/").content
    assert codes_of(ann) == old
    client.post(f"{CODES}generate/")
    assert not set(codes_of(ann)) & set(old)
    assert mailoutbox[-1].subject == "Tessera: New recovery codes"


def test_switching_the_app_off_asks_first_and_tells_by_mail(
    ann: User, secret: str, log_in: Callable[..., Client], mailoutbox: list[EmailMessage]
) -> None:
    client = log_in(ann)
    second_step(client, totp(secret, steps=1))
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert b"Switch the authenticator app off?" in client.get("/account/2fa/totp/deactivate/").content
    assert Authenticator.objects.filter(type="totp").exists()
    client.post("/account/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()  # recovery codes alone are not a second factor
    assert mailoutbox[-1].subject == "Tessera: Authenticator app switched off"


def test_the_second_step_alone_is_no_login(client: Client, ann: User) -> None:
    assert client.get("/account/2fa/authenticate/")["Location"].startswith("/account/login/")


@pytest.mark.parametrize(
    "credential", ["", "nonsense", "{}", "[]", '{"id": 1}', '{"response": {"userHandle": "AA"}}', "null", '"x"']
)
def test_a_malformed_passkey_is_a_message(client: Client, ann: User, credential: str) -> None:
    client.get("/account/2fa/webauthn/login/", headers={"Accept": "application/json"})
    response = client.post("/account/2fa/webauthn/login/", {"credential": credential})
    assert response["Location"] == "/account/login/"
    assert b"notice bad" in client.get("/account/login/").content
