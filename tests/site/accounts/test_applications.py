"""The pages about programs: whom one has let in, and those of one's own."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.idp.oidc.models import Client as Application, Token
from django.test import Client

from accounts.applications import clients
from accounts.applications.access import bearer_of
from accounts.models import User
from tests.people import client_of, person
from tests.site.accounts.programs import BACK, let_in, program_of

pytestmark = pytest.mark.django_db

OWN = "/settings/applications/"
NEW = {"name": "Chess Clock", "addresses": BACK, "kind": "public"}


def test_a_public_application_is_registered(ann: User) -> None:
    page = client_of(ann).post(OWN, NEW, follow=True)
    application = Application.objects.get()
    assert (application.name, application.owner, application.type) == ("Chess Clock", ann, "public")
    assert application.get_redirect_uris() == [BACK]
    assert not application.skip_consent
    assert application.pk in page.content.decode()


def test_a_secret_is_shown_once(ann: User) -> None:
    browser = client_of(ann)
    page = browser.post(OWN, {**NEW, "kind": "confidential"})
    application, secret = Application.objects.get(), page.context["secret"]
    assert secret in page.content.decode()
    assert application.check_secret(secret)
    assert secret not in browser.get(f"{OWN}{application.pk}/").content.decode()
    another = browser.post(f"{OWN}{application.pk}/secret/").context["secret"]
    application.refresh_from_db()
    assert application.check_secret(another)
    assert not application.check_secret(secret)


def test_a_public_application_gets_no_secret(ann: User) -> None:
    program = program_of(ann)
    assert client_of(ann).post(f"{OWN}{program.id}/secret/").status_code == 302


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "\u200b\u202e"}, "name"),
        ({"name": "Official Tessera app"}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"addresses": "http://program.example/back"}, "addresses"),
        ({"addresses": "javascript:alert(1)"}, "addresses"),
        ({"addresses": "https://*.example/"}, "addresses"),
        ({"addresses": "https://me@program.example/"}, "addresses"),
        ({"addresses": "https://program.example/#part"}, "addresses"),
        ({"addresses": "https://program.example:port/"}, "addresses"),
        ({"addresses": "https://program.example/; script-src *"}, "addresses"),
        ({"addresses": "https://prögram.example/"}, "addresses"),
        ({"addresses": f"https://program.example/{'x' * 500}"}, "addresses"),
        ({"addresses": "\n".join(f"https://program.example/{number}" for number in range(11))}, "addresses"),
        ({"addresses": "", "kind": "confidential"}, "addresses"),
        ({"kind": "other"}, "kind"),
    ],
)
def test_what_is_refused(ann: User, changes: dict[str, str], field: str) -> None:
    page = client_of(ann).post(OWN, {**NEW, **changes})
    assert page.status_code == 422
    assert list(page.context["form"].errors) == [field]
    assert not Application.objects.exists()


@pytest.mark.parametrize("address", ["http://127.0.0.1/back", "http://localhost:8080/", "https://a.example:8443/x?y=1"])
def test_addresses_are_https_or_on_ones_own_machine(ann: User, address: str) -> None:
    client_of(ann).post(OWN, {**NEW, "addresses": f"  {address}\n\n{address}"})
    assert Application.objects.get().get_redirect_uris() == [address]


def test_there_are_not_too_many(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "MOST", 1)
    browser = client_of(ann)
    browser.post(OWN, NEW)
    page = browser.post(OWN, NEW)
    assert page.status_code == 422
    assert b"You have 1 applications. Delete one first." in page.content
    assert Application.objects.count() == 1


def test_an_application_is_changed_and_deleted(ann: User) -> None:
    program, reader = program_of(ann), person("reader")
    token = let_in(program, reader)["access_token"]
    browser, page = client_of(ann), f"{OWN}{program.id}/"
    browser.post(page, {"name": "Board Clock", "addresses": f"{BACK}/else"})
    application = Application.objects.get()
    assert (application.name, application.get_redirect_uris()) == ("Board Clock", [f"{BACK}/else"])
    assert browser.post(page, {"name": "", "addresses": ""}).status_code == 422
    browser.post(f"{page}delete/")
    assert not Application.objects.exists()
    assert bearer_of(token) is None


@pytest.mark.parametrize(("path", "method"), [("", "get"), ("", "post"), ("secret/", "post"), ("delete/", "post")])
def test_nobody_else_sees_or_changes_it(ann: User, path: str, method: str) -> None:
    program, stranger = program_of(ann, "confidential"), person("stranger")
    before = Application.objects.values().get()
    answer = getattr(client_of(stranger), method)(f"{OWN}{program.id}/{path}", {"name": "Mine", "addresses": BACK})
    assert answer.status_code == 404
    assert Application.objects.values().get() == before
    assert program.id not in client_of(stranger).get(OWN).content.decode()


def test_guests_register_first() -> None:
    guest = client_of(person("Some-Guest", guest=True))
    assert guest.get(OWN)["Location"] == guest.get("/account/applications/")["Location"] == "/account/signup/"


def test_the_list_says_who_may_do_what_and_each_is_revoked(ann: User) -> None:
    reader, other = person("reader"), person("other")
    program, kept = program_of(ann), program_of(ann)
    token, stays, of_other = (
        let_in(which, who)["access_token"] for which, who in ((program, reader), (kept, reader), (program, other))
    )
    browser = client_of(reader)
    page: Any = browser.get("/account/applications/")
    assert [row["may"] for row in page.context["rows"]] == [
        ["Read your matches, invitations and friends", "Play in your matches"]
    ] * 2
    assert "by Ann" in page.content.decode()
    page = browser.post(f"/account/applications/{program.id}/revoke/", follow=True)
    assert b"can no longer do anything for you" in page.content
    assert bearer_of(token) is None
    assert bearer_of(stays) is not None
    assert bearer_of(of_other) is not None
    assert Token.objects.filter(user=reader, client=program.id).count() == 0
    assert len(page.context["rows"]) == 1


def test_the_page_that_asks_says_who_asks_and_where_it_ends(ann: User) -> None:
    page = client_of(person("reader")).get("/oauth/authorize", program_of(ann).question()).content.decode()
    assert "Let “Chess Clock” in?" in page
    assert 'href="/@Ann/"' in page
    assert 'href="/account/applications/"' in page
    assert "program.example" in page


def test_visitors_are_not_told_what_there_is() -> None:
    assert Client().get(f"{OWN}nothing/")["Location"].startswith("/account/login/")
