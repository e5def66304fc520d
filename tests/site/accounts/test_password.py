from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.people import PASSWORD, client_of, person
from tests.site.accounts.conftest import link_in

RESET = "/account/password/reset/"
NEW = "quite another wooden table"


def test_reset_from_the_mail_to_the_new_password(
    client: Client, ann: User, mailoutbox: list[EmailMessage], log_in: Callable[..., Client]
) -> None:
    elsewhere = log_in(ann, into=Client())
    response = client.post(RESET, {"email": "ANN@example.org"}, follow=True)
    assert b"Check your email" in response.content
    form = client.get(link_in(mailoutbox[0]), follow=True)
    path = form.request["PATH_INFO"]
    assert path.endswith("set-password/")  # the key is not in the address, so no Referer carries it
    response = client.post(path, {"password1": NEW, "password2": NEW}, follow=True)
    assert b"Your password has been changed" in response.content
    ann.refresh_from_db()
    assert ann.check_password(NEW)
    assert mailoutbox[-1].subject == "Tessera: Your password was changed"
    assert elsewhere.get("/settings/").status_code == 302


def test_a_reset_link_works_once(client: Client, ann: User, mailoutbox: list[EmailMessage]) -> None:
    client.post(RESET, {"email": ann.email})
    path = link_in(mailoutbox[0])
    client.post(client.get(path)["Location"], {"password1": NEW, "password2": NEW})
    assert b"This link no longer works" in Client().get(path).content
    assert b"This link no longer works" in Client().get(path[:-4] + "abc/").content


def test_who_has_failed_too_often_logs_in_with_a_new_password(
    client: Client, ann: User, mailoutbox: list[EmailMessage]
) -> None:
    for _ in range(11):
        client.post("/account/login/", {"login": ann.email, "password": "wrong"})
    right = {"login": ann.email, "password": NEW}
    client.post(RESET, {"email": ann.email})
    client.post(client.get(link_in(mailoutbox[0]))["Location"], {"password1": NEW, "password2": NEW})
    assert client.post("/account/login/", right).status_code == 302


def test_opening_the_reset_link_of_somebody_else_logs_nobody_out(ann: User, mailoutbox: list[EmailMessage]) -> None:
    berta = person("Berta")
    Client().post(RESET, {"email": berta.email})
    reader = client_of(ann)
    reader.get(link_in(mailoutbox[0]), follow=True)
    assert reader.session["_auth_user_id"] == str(ann.pk)


def test_a_reset_while_logged_in_as_somebody_else_changes_the_right_password(
    ann: User, mailoutbox: list[EmailMessage]
) -> None:
    berta = person("Berta")
    Client().post(RESET, {"email": berta.email})
    reader = client_of(ann)
    form = reader.get(link_in(mailoutbox[0]), follow=True)
    reader.post(form.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
    assert "_auth_user_id" not in reader.session
    assert User.objects.get(pk=berta.pk).check_password(NEW)
    assert User.objects.get(pk=ann.pk).check_password(PASSWORD)


def test_reset_does_not_tell_whether_an_address_is_known(
    client: Client, ann: User, mailoutbox: list[EmailMessage]
) -> None:
    known = client.post(RESET, {"email": ann.email})
    unknown = Client().post(RESET, {"email": "nobody@example.org"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert mailoutbox[1].subject == "Tessera: No account with this email address"


@pytest.mark.parametrize(
    "address", ["not an address", "a@b.example\nBcc: all@example.org", "a@b.example,c@d.example", ""]
)
def test_what_is_no_address_is_refused_and_nothing_sent(
    client: Client, db: None, mailoutbox: list[EmailMessage], address: str
) -> None:
    response = client.post(RESET, {"email": address})
    assert response.context["form"].errors["email"]
    assert not mailoutbox


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1:8000@evil.example"])
def test_a_false_host_is_refused(client: Client, ann: User, mailoutbox: list[EmailMessage], host: str) -> None:
    response = client.post(RESET, {"email": ann.email}, headers={"Host": host})
    assert response.status_code == 400
    assert not mailoutbox


@pytest.mark.parametrize("headers", [{"Host": "localhost:6666"}, {"X-Forwarded-Host": "evil.example"}])
def test_links_in_mails_never_follow_the_request(
    client: Client, ann: User, mailoutbox: list[EmailMessage], headers: dict[str, str]
) -> None:
    client.post(RESET, {"email": ann.email}, headers=headers)
    assert "http://127.0.0.1:8000/account/password/reset/key/" in str(mailoutbox[0].body)
    assert headers.popitem()[1] not in mailoutbox[0].message().as_string()


def test_change_keeps_this_session_and_ends_the_others(
    client: Client, ann: User, mailoutbox: list[EmailMessage], log_in: Callable[..., Client]
) -> None:
    here, there = log_in(ann), log_in(ann, into=Client())
    data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    response = here.post("/account/password/change/", data, follow=True)
    assert b"Your password has been changed." in response.content
    assert here.get("/settings/").status_code == 200
    assert there.get("/settings/").status_code == 302
    assert mailoutbox[-1].subject == "Tessera: Your password was changed"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"oldpassword": "wrong", "password1": NEW, "password2": NEW}, "oldpassword"),
        ({"oldpassword": PASSWORD, "password1": "short", "password2": "short"}, "password1"),
        ({"oldpassword": PASSWORD, "password1": NEW, "password2": "other"}, "password2"),
    ],
)
def test_a_wrong_change_is_named_at_its_field(ann: User, data: dict[str, str], field: str) -> None:
    response = client_of(ann).post("/account/password/change/", data)
    assert response.context["form"].errors[field]
    assert User.objects.get(pk=ann.pk).check_password(PASSWORD)


def test_who_has_no_password_sets_one(ann: User, mailoutbox: list[EmailMessage]) -> None:
    ann.set_unusable_password()
    ann.save()
    client = client_of(ann)
    assert client.get("/account/password/change/")["Location"] == "/account/password/set/"
    client.post("/account/password/set/", {"password1": NEW, "password2": NEW})
    assert User.objects.get(pk=ann.pk).check_password(NEW)
    assert mailoutbox[-1].subject == "Tessera: A password was set"


def test_programs_that_keep_passwords_find_the_page_where_one_is_changed(client: Client, ann: User) -> None:
    for browser in (client, client_of(ann)):
        response = browser.get("/.well-known/change-password")
        assert (response.status_code, response["Location"]) == (302, "/account/password/change/")
    assert "/account/login/" in client.get("/account/password/change/")["Location"]
    assert (
        client.get("/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200").status_code == 404
    )
