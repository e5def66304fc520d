"""Personal tokens: shown once, kept as a hash, and over when they have to be."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import User
from games.api import tokens
from games.api.models import Scope, Token
from games.engine.protocol import RuleViolation
from games.moderation import people as moderators
from games.privacy import deletions
from tests.people import PASSWORD, client_of, person
from tests.site.api.programs import Program, refusal, token_of

pytestmark = pytest.mark.django_db

URL = "/settings/tokens/"


def test_a_token_is_shown_once_and_kept_as_a_hash() -> None:
    ann = person("ann")
    client = client_of(ann)
    asked = client.post(URL, {"name": " my <b>bot ", "scopes": ["play", "read"], "days": "90"})
    assert asked["Location"] == "/account/reauthenticate/?next=%2Fsettings%2Ftokens%2F"
    assert not Token.objects.exists()
    page = client.post("/account/reauthenticate/", {"password": PASSWORD, "next": URL})
    (token,) = Token.objects.all()
    text = page.context["made"]
    assert text.startswith("tes_")
    assert len(text) == 44
    assert page.content.decode().count(text) == 1
    assert "no-store" in page["Cache-Control"]
    assert (token.name, token.scopes, token.used_on) == ("my <b>bot", ["read", "play"], None)
    assert text not in str(Token.objects.values_list())
    again = client.get(URL).content.decode()
    assert text not in again
    assert "my &lt;b&gt;bot" in again
    assert Program(text).get("me")["scopes"] == ["play", "read"]
    assert tokens.of(ann).get().used_on == timezone.now().date()


REFUSED = """
days    | 0   | expiry
days    | 366 | expiry
scopes  |     | scopes
person  | guest | guest
person  | suspended | suspended
tokens  | 20  | too-many-tokens
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_what_no_token_is_made_for(row: str) -> None:
    what, value, code = (cell.strip() for cell in row.split("|"))
    ann = person("ann", guest=value == "guest")
    if value == "suspended":
        moderators.suspend(None, ann, None, "Because")
        ann.refresh_from_db()
    for _number in range(int(value) if what == "tokens" else 0):
        token_of(ann)
    with pytest.raises(RuleViolation) as refused:
        tokens.make(ann, "bot", () if what == "scopes" else (Scope.READ,), int(value) if what == "days" else 30)
    assert refused.value.code == code


def _change_password(ann: User) -> None:
    ann.set_password("another wooden table")
    ann.save()


def _let_it_expire(ann: User) -> None:
    Token.objects.filter(user=ann).update(expires_at=timezone.now())


def _delete(ann: User) -> None:
    deletions.confirm(deletions.ask(ann))


def _revoke(ann: User) -> None:
    client_of(ann).post(f"{URL}{Token.objects.get().pk}/revoke/")


ENDS: dict[str, Callable[[User], object]] = {
    "expiry": _let_it_expire,
    "password": _change_password,
    "revoked": _revoke,
    "deletion": _delete,
    "inactive": lambda ann: User.objects.filter(pk=ann.pk).update(is_active=False),
    "suspension": lambda ann: moderators.suspend(None, ann, timezone.now() + timedelta(seconds=1), "Because"),
    "closure": lambda ann: moderators.close_account(None, ann, "Because"),
}


@pytest.mark.parametrize("why", ENDS)
def test_tokens_end(why: str) -> None:
    ann = person("ann")
    program = Program.of(ann)
    assert program.get("me")["name"] == "ann"
    ENDS[why](ann)
    assert refusal(program.ask("GET", "me")) == (401, "token")
    if why == "suspension":  # it ends for good, not for as long as that
        with time_machine.travel(timezone.now() + timedelta(days=1)):
            assert refusal(program.ask("GET", "me")) == (401, "token")
    if why not in {"inactive", "expiry"}:
        assert not tokens.of(User.objects.get(pk=ann.pk)).exists()


def test_nobody_revokes_what_is_not_theirs() -> None:
    program = Program.of(person("ann"))
    assert client_of(person("bob")).post(f"{URL}{Token.objects.get().pk}/revoke/").status_code == 404
    assert program.get("me")["name"] == "ann"


def test_expired_tokens_are_forgotten() -> None:
    ann = person("ann")
    token_of(ann)
    assert tokens.Expired().look(timezone.now()) == 0
    assert tokens.Expired().look(timezone.now() + timedelta(days=31)) == 1
