"""Programs that act for people: the protocol, as their authors meet it."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.idp.oidc.models import Client as Application, Token
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts import limits, sanctions
from accounts.applications.access import bearer_of, forget_expired
from accounts.models import Sanction, User
from games.privacy import deletions
from games.privacy.models import Deletion
from tests.people import PASSWORD, client_of, person
from tests.site.accounts.programs import (
    BACK,
    DEVICE_GRANT,
    Program,
    agreed,
    answered,
    asked,
    let_in,
    program_of,
    sent_back,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def author() -> User:
    return person("author")


@pytest.fixture
def program(author: User) -> Program:
    return program_of(author)


def error_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, json.loads(answer.content)["error"]


def test_a_program_gets_a_token_and_acts_for_whoever_let_it_in(program: Program, ann: User) -> None:
    tokens = let_in(program, ann)
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, "read play")
    bearer = bearer_of(tokens["access_token"])
    assert bearer is not None
    assert (bearer.user, bearer.scopes, bearer.application) == (ann, frozenset({"read", "play"}), "Chess Clock")


def test_state_comes_back(program: Program, ann: User) -> None:
    assert sent_back(answered(asked(program, ann), ann))["state"] == "s-1"


@pytest.mark.parametrize("kind", list(Application.Type))
@pytest.mark.parametrize(
    "changes",
    [
        {"code_challenge": None, "code_challenge_method": None},
        {"code_challenge_method": None},
        {"code_challenge_method": "plain"},
        {"code_challenge": "too-short"},
        {"code_challenge": None},
    ],
)
def test_every_program_has_to_use_s256(author: User, ann: User, kind: str, changes: dict[str, Any]) -> None:
    answer = asked(program_of(author, kind), ann, **changes)
    assert answer["Location"].startswith(f"{BACK}?")
    assert sent_back(answer) | {"error_description": ""} == {
        "error": "invalid_request",
        "error_description": "",
        "state": "s-1",
    }


def test_a_code_needs_its_verifier(program: Program, ann: User) -> None:
    assert error_of(program.token(agreed(program, ann), code_verifier="another" * 8)) == (400, "invalid_grant")
    assert error_of(program.token(agreed(program, ann), code_verifier=None)) == (400, "invalid_request")


def test_a_code_needs_the_address_it_was_sent_to(program: Program, ann: User) -> None:
    assert program.token(agreed(program, ann), redirect_uri=f"{BACK}/else").status_code == 400


def test_a_code_is_used_once(program: Program, ann: User) -> None:
    code = agreed(program, ann)
    assert program.token(code).status_code == 200
    assert error_of(program.token(code)) == (400, "invalid_grant")


def test_a_code_that_two_requests_redeem_at_once_is_good_for_one(program: Program, ann: User) -> None:
    code = agreed(program, ann)
    key = f"allauth.idp.oidc.authorization_code[{program.id}:{code}]"
    kept = cache.get(key)
    assert program.token(code).status_code == 200
    cache.set(key, kept)  # as the second request has read it before the first one removed it
    assert error_of(program.token(code)) == (400, "invalid_grant")
    assert Token.objects.count() == 2


def test_a_code_belongs_to_one_program(program: Program, author: User, ann: User) -> None:
    other = program_of(author)
    other.verifier = program.verifier
    assert error_of(other.token(agreed(program, ann))) == (400, "invalid_grant")


@pytest.mark.parametrize(
    "back",
    [
        "https://elsewhere.example/back",
        f"{BACK}/more",
        f"{BACK}?more=1",
        "http://program.example/back",
        "https://elsewhere.example\\@program.example/back",
        "https://me@program.example/back",
        "",
    ],
)
def test_nobody_is_sent_anywhere_but_where_the_program_said(program: Program, ann: User, back: str) -> None:
    answer = asked(program, ann, redirect_uri=back)
    assert answer.status_code == 400
    assert b"made a faulty request" in answer.content


def test_an_unknown_program_is_shown_as_one(program: Program, ann: User) -> None:
    assert asked(program, ann, client_id="nobody").status_code == 400
    assert asked(program, ann, client_id=None).status_code == 400


def test_a_program_on_ones_own_machine_has_another_port_each_time(author: User, ann: User) -> None:
    program = program_of(author, back="http://127.0.0.1:1/back")
    program.back = "http://127.0.0.1:49152/back"
    page = asked(program, ann)
    assert "form-action 'self' http://127.0.0.1:49152" in page["Content-Security-Policy"]
    assert let_in(program, ann)["scope"] == "read play"
    assert asked(program, ann, redirect_uri="http://127.0.0.1:49152/else").status_code == 400
    assert asked(program, ann, redirect_uri="http://127.0.0.1:x/back").status_code == 400


def test_people_allow_less_than_was_asked(program: Program, ann: User) -> None:
    page = asked(program, ann, scope="read play chat")
    code = sent_back(answered(page, ann, scopes=["read"]))["code"]
    tokens = program.token(code).json()
    assert tokens["scope"] == "read"
    bearer = bearer_of(tokens["access_token"])
    assert bearer is not None
    assert bearer.scopes == {"read"}


def test_people_allow_something_or_refuse(program: Program, ann: User) -> None:
    page = answered(asked(program, ann), ann, scopes=[])
    assert page.status_code == 200
    assert "form-action 'self' https://program.example" in page["Content-Security-Policy"]
    refused = sent_back(answered(page, ann, "cancel"))
    assert refused == {"error": "access_denied", "state": "s-1"}
    assert not Token.objects.exists()


def test_nobody_is_allowed_more_than_was_asked(program: Program, ann: User) -> None:
    page = asked(program, ann, scope="read")
    assert answered(page, ann, scopes=["read", "chat"]).status_code == 200
    assert not Token.objects.exists()


def test_a_scope_that_does_not_exist(program: Program, ann: User) -> None:
    assert sent_back(asked(program, ann, scope="read everything"))["error"] == "invalid_scope"


def test_a_program_that_names_no_scope_may_read(program: Program, ann: User) -> None:
    assert let_in(program, ann, scope=None)["scope"] == "read"


def test_the_form_that_agrees_is_ours_alone(program: Program, ann: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client_of(ann).cookies
    page = strict.get("/oauth/authorize", program.question())
    assert answered(page, ann).status_code == 302
    signed = page.context["form"].initial["request"]
    answer = strict.post("/oauth/authorize", {"request": signed, "scopes": ["read"], "action": "grant"})
    assert answer.status_code == 403


def test_a_program_may_send_its_question_by_post(program: Program, ann: User) -> None:
    answer = client_of(ann).post("/oauth/authorize", program.question())
    assert answer.status_code == 302
    assert answer["Location"].startswith("/oauth/authorize?client_id=")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": "token"}, "unauthorized_client"),
        ({"response_type": "id_token token", "nonce": "1"}, "unauthorized_client"),
        ({"response_mode": "fragment"}, "invalid_request"),
        ({"resource": "https://elsewhere.example/"}, "invalid_target"),
        ({"prompt": "none"}, "interaction_required"),
        ({"scope": ["read", "play"]}, "invalid_request"),
    ],
)
def test_what_is_not_offered_is_refused(program: Program, ann: User, changes: dict[str, Any], error: str) -> None:
    let_in(program, ann)  # nothing is given silently, even to a program that was let in
    assert sent_back(asked(program, ann, **changes))["error"] in {error, "unsupported_response_type"}


def test_visitors_log_in_first_and_come_back(program: Program) -> None:
    answer = Client().get("/oauth/authorize", program.question())
    assert answer["Location"].startswith("/account/login/?next=/oauth/authorize%3F")
    assert Client().get("/oauth/device/?code=WDJB-MJHT")["Location"].startswith("/account/login/?next=/oauth/device/")


def test_guests_let_nobody_in(program: Program) -> None:
    guest = person("Some-Guest", guest=True)
    assert asked(program, guest)["Location"].startswith("/account/login/")
    assert client_of(guest).get("/oauth/device/")["Location"].startswith("/account/login/")


# --- programs on a server ---------------------------------------------------------------------------------------------


def test_a_program_on_a_server_proves_itself_with_its_secret(author: User, ann: User) -> None:
    program = program_of(author, Application.Type.CONFIDENTIAL)
    assert let_in(program, ann)["scope"] == "read play"
    code, program.secret = agreed(program, ann), ""
    assert error_of(program.token(code)) == (401, "invalid_client")
    program.secret = "wrong"
    assert error_of(program.token(code)) == (401, "invalid_client")


def test_wrong_secrets_are_counted_like_wrong_passwords(author: User) -> None:
    program = program_of(author, Application.Type.CONFIDENTIAL)
    right, program.secret = program.secret, "wrong"
    application = Application.objects.get()
    application.secret = "plain$wrong"  # checked at once
    application.save()
    answers = [program.token("code").status_code for _ in range(limits.GUESSES[0].most + 1)]
    assert answers == [401] * limits.GUESSES[0].most + [429]
    program.secret = right
    answer = program.token("code")
    assert error_of(answer) == (429, "temporarily_unavailable")
    assert int(answer["Retry-After"]) > 0


@pytest.mark.parametrize("grant", ["password", "client_credentials", "implicit"])
def test_other_ways_to_a_token_are_closed(author: User, ann: User, grant: str) -> None:
    program = program_of(author, Application.Type.CONFIDENTIAL)
    answer = program.post("token", grant_type=grant, username=ann.username, password=PASSWORD)
    assert answer.status_code == 400
    assert not Token.objects.exists()


# --- refreshing and ending --------------------------------------------------------------------------------------------


def test_a_refresh_token_gives_another_one_and_is_used_once(program: Program, ann: User) -> None:
    tokens = let_in(program, ann)
    answer = program.post("token", grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert answer.status_code == 200
    anew = json.loads(answer.content)
    assert anew["refresh_token"] != tokens["refresh_token"]
    assert anew["scope"] == "read play"
    again = program.post("token", grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert error_of(again) == (400, "invalid_grant")


def test_a_program_narrows_but_never_widens_what_it_has(program: Program, ann: User) -> None:
    refresh = let_in(program, ann)["refresh_token"]
    wider = program.post("token", grant_type="refresh_token", refresh_token=refresh, scope="read chat")
    assert error_of(wider) == (400, "invalid_scope")
    narrow = program.post("token", grant_type="refresh_token", refresh_token=refresh, scope="read")
    assert json.loads(narrow.content)["scope"] == "read"


def test_a_program_ends_its_tokens(program: Program, ann: User) -> None:
    tokens = let_in(program, ann)
    assert program.post("revoke", token=tokens["access_token"]).status_code == 200
    assert bearer_of(tokens["access_token"]) is None
    tokens = let_in(program, ann)
    assert program.post("revoke", token=tokens["refresh_token"]).status_code == 200
    assert bearer_of(tokens["access_token"]) is None
    assert program.post("revoke", token="unknown").status_code == 200


def test_tokens_expire_and_are_forgotten(program: Program, ann: User) -> None:
    token = let_in(program, ann)["access_token"]
    Token.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert bearer_of(token) is None
    assert forget_expired(timezone.now()) == 2


def _suspended(user: User, kind: str = Sanction.Kind.SUSPENSION) -> None:
    sanctions.impose(user, kind, "Because")  # type: ignore[arg-type]  # a text is one


def _new_password(user: User) -> None:
    fields = {"oldpassword": PASSWORD, "password1": "another wooden table", "password2": "another wooden table"}
    assert client_of(user).post("/account/password/change/", fields).status_code == 302


ENDS: dict[str, Callable[[User], Any]] = {
    "suspension": _suspended,
    "closure": lambda user: _suspended(user, Sanction.Kind.CLOSURE),
    "password": _new_password,
    "end of the account": lambda user: deletions.confirm(Deletion.objects.create(user=user)),
}


@pytest.mark.parametrize("end", ENDS)
def test_tokens_end(program: Program, ann: User, end: str) -> None:
    tokens, code = let_in(program, ann), agreed(program, ann)
    ENDS[end](ann)
    assert bearer_of(tokens["access_token"]) is None
    assert error_of(program.post("token", grant_type="refresh_token", refresh_token=tokens["refresh_token"])) == (
        400,
        "invalid_grant",
    )
    if end != "end of the account":  # who logs in again keeps it, and has agreed a moment ago
        assert error_of(program.token(code)) == (400, "invalid_grant")
        assert not Token.objects.exists()


def test_a_suspended_person_lets_nobody_in(program: Program, ann: User) -> None:
    page = asked(program, ann)
    _suspended(ann)
    assert answered(page, ann).status_code == 403


def test_programs_end_with_whoever_registered_them(program: Program, author: User, ann: User) -> None:
    token = let_in(program, ann)["access_token"]
    code = agreed(program, ann)
    _suspended(author, Sanction.Kind.CLOSURE)
    assert bearer_of(token) is None
    assert program.token(code).status_code == 400
    assert asked(program, ann).status_code == 400
    author.delete()
    assert not Token.objects.exists()


# --- devices ----------------------------------------------------------------------------------------------------------


def started(program: Program, **fields: Any) -> dict[str, Any]:
    answer = program.post("device/code", scope="read play", **fields)
    assert answer.status_code == 200, answer.content
    given: dict[str, Any] = json.loads(answer.content)
    return given


def polled(program: Program, given: dict[str, Any]) -> Any:
    key = f"allauth.idp.oidc.device_code[{given['device_code']}]"
    if kept := cache.get(key):
        cache.set(key, {**kept, "last_poll_at": 0})  # as if it had waited
    return program.post("token", grant_type=DEVICE_GRANT, device_code=given["device_code"])


def test_a_device_shows_a_code_and_its_person_agrees(program: Program, ann: User) -> None:
    given = started(program)
    assert given["verification_uri"].endswith("/oauth/device/")
    assert error_of(polled(program, given)) == (400, "authorization_pending")
    browser = client_of(ann)
    page = browser.get("/oauth/device/", {"code": given["user_code"].replace("-", " ").lower()})
    text = page.content.decode()
    assert "Chess Clock" in text
    assert given["user_code"] in text
    assert "Play in your matches" in text
    assert "messages in your matches" not in text
    assert b"Connected" in browser.post(f"/oauth/device/?code={given['user_code']}", {"action": "confirm"}).content
    tokens = polled(program, given).json()
    bearer = bearer_of(tokens["access_token"])
    assert bearer is not None
    assert (bearer.user, bearer.scopes) == (ann, frozenset({"read", "play"}))
    assert error_of(polled(program, given)) == (400, "invalid_grant")


def test_a_device_that_is_refused(program: Program, ann: User) -> None:
    given = started(program)
    answer = client_of(ann).post(f"/oauth/device/?code={given['user_code']}", {"action": "deny"})
    assert b"can do nothing for you" in answer.content
    assert error_of(polled(program, given)) == (400, "access_denied")


def test_a_device_that_asks_too_often(program: Program) -> None:
    given = started(program)
    polled(program, given)
    again = program.post("token", grant_type=DEVICE_GRANT, device_code=given["device_code"])
    assert error_of(again) == (400, "slow_down")


def test_a_code_of_a_device_expires(program: Program, ann: User) -> None:
    given = started(program)
    cache.clear()
    page = client_of(ann).get("/oauth/device/", {"code": given["user_code"]})
    assert "code-wrong" in page.content.decode()
    assert error_of(polled(program, given)) == (400, "invalid_grant")


def test_an_agreement_with_a_device_ends_with_the_password(program: Program, ann: User) -> None:
    given = started(program)
    client_of(ann).post(f"/oauth/device/?code={given['user_code']}", {"action": "confirm"})
    _new_password(ann)
    assert error_of(polled(program, given)) == (400, "invalid_grant")
    assert not Token.objects.exists()


def test_the_form_that_connects_a_device_is_ours_alone(program: Program, ann: User) -> None:
    given = started(program)
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client_of(ann).cookies
    answer = strict.post(f"/oauth/device/?code={given['user_code']}", {"action": "confirm"})
    assert answer.status_code == 403
    assert error_of(polled(program, given)) == (400, "authorization_pending")


def test_programs_on_a_server_are_no_devices(author: User) -> None:
    program = program_of(author, Application.Type.CONFIDENTIAL)
    assert error_of(program.post("device/code", scope="read")) == (400, "unauthorized_client")
    assert error_of(Program("nobody").post("device/code", scope="read")) == (401, "invalid_client")
    assert error_of(program_of(author).post("device/code", scope="all")) == (400, "invalid_scope")


# --- documents, and pages of other origins ----------------------------------------------------------------------------


def test_programs_find_everything(program: Program, settings: Any) -> None:
    found = Client().get("/.well-known/openid-configuration")
    assert found.content == Client().get("/.well-known/oauth-authorization-server").content
    document = found.json()
    assert document["issuer"] == settings.SITE_URL
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert document["response_types_supported"] == ["code"]
    assert document["token_endpoint"] == f"{settings.SITE_URL}/oauth/token"
    assert "end_session_endpoint" not in document
    assert document["scopes_supported"] == ["read", "play", "tables", "chat", "puzzles", "bot", "openid"]


def test_who_somebody_is(program: Program, ann: User, settings: Any) -> None:
    jwt = pytest.importorskip("jwt")
    tokens = let_in(program, ann, scope="openid", nonce="n-1")
    assert program.whoami(tokens["access_token"]).json() == {"sub": str(ann.pk), "preferred_username": "Ann"}
    header = json.loads(urlsafe_b64decode(tokens["id_token"].split(".")[0] + "=="))
    (key,) = [key for key in Client().get("/.well-known/jwks.json").json()["keys"] if key["kid"] == header["kid"]]
    told = jwt.decode(tokens["id_token"], jwt.PyJWK(key), ["RS256"], audience=program.id, issuer=settings.SITE_URL)
    assert (told["sub"], told["preferred_username"], told["nonce"]) == (str(ann.pk), "Ann", "n-1")
    assert program.whoami(let_in(program, ann)["access_token"]).status_code == 403
    assert program.whoami("unknown").status_code == 401


def test_another_secret_key_makes_another_signing_key(program: Program, ann: User, settings: Any) -> None:
    first = Client().get("/.well-known/jwks.json").json()["keys"]
    settings.SECRET_KEY = "another" * 8
    assert Client().get("/.well-known/jwks.json").json()["keys"] == []
    let_in(program, ann, scope="openid")
    (key,) = Client().get("/.well-known/jwks.json").json()["keys"]
    assert key not in first


@pytest.mark.parametrize("path", ["token", "revoke", "device/code", "userinfo"])
def test_pages_of_any_origin_may_ask(path: str) -> None:
    before = Client().options(f"/oauth/{path}", headers={"Origin": "https://program.example"})
    assert before.status_code == 204
    assert "Authorization" in before["Access-Control-Allow-Headers"]
    answer = Client(enforce_csrf_checks=True).post(f"/oauth/{path}", headers={"Origin": "https://program.example"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert answer.status_code in {400, 401}
    assert json.loads(answer.content)["error"]


@pytest.mark.parametrize(
    ("path", "fields", "status", "error"),
    [
        ("token", {}, 400, "unsupported_grant_type"),
        ("token", {"grant_type": "authorization_code", "resource": "x"}, 400, "invalid_target"),
        ("token", {"grant_type": "authorization_code", "client_id": "nobody", "code": "1"}, 401, "invalid_client"),
        ("token", {"grant_type": ["refresh_token", "refresh_token"]}, 400, "invalid_request"),
        ("token", {"grant_type": DEVICE_GRANT}, 400, "invalid_request"),
        ("device/code", {"resource": "x"}, 400, "invalid_target"),
        ("revoke", {"token": "x", "client_id": "nobody"}, 401, "invalid_client"),
    ],
)
def test_errors_are_those_of_oauth(path: str, fields: dict[str, Any], status: int, error: str) -> None:
    assert error_of(Client().post(f"/oauth/{path}", fields)) == (status, error)


def test_a_wrong_method_is_answered_in_json() -> None:
    answer = Client().get("/oauth/token")
    assert error_of(answer) == (405, "invalid_request")
    assert answer["Allow"] == "POST, OPTIONS"


def test_requests_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    row = limits.Row(address=(limits.Limit(2, timedelta(minutes=1)),))
    monkeypatch.setattr(limits, "LIMITS", {**limits.LIMITS, "token": row})
    answers = [Client().post("/oauth/token") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [400, 400, 429]
    assert error_of(answers[-1]) == (429, "temporarily_unavailable")
