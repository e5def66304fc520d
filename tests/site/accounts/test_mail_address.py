from __future__ import annotations

from collections.abc import Callable

from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.people import PASSWORD, client_of, person
from tests.site.accounts.conftest import addresses, link_in

URL = "/account/email/"


def add(client: Client, address: str) -> object:
    return client.post(URL, {"action_add": "1", "email": address}, follow=True)


def test_change_of_address_from_the_page_to_the_confirmation(
    ann: User, mailoutbox: list[EmailMessage], log_in: Callable[..., Client]
) -> None:
    client = log_in(ann)
    add(client, "new@example.org")
    response = client.post("/account/reauthenticate/", {"password": PASSWORD, "next": URL}, follow=True)
    assert b"<strong>new@example.org</strong> is not confirmed yet" in response.content
    assert mailoutbox[-1].to == ["new@example.org"]
    ann.refresh_from_db()
    assert ann.email == "ann@example.org"

    client.post(link_in(mailoutbox[-1]))
    ann.refresh_from_db()
    assert ann.email == "new@example.org"
    assert list(addresses(ann).values_list("email", "verified")) == [("new@example.org", True)]
    told = [mail for mail in mailoutbox if mail.subject == "Tessera: Your email address was changed"]
    assert [mail.to for mail in told] == [["ann@example.org"]]


def test_the_old_address_can_be_kept(ann: User, log_in: Callable[..., Client]) -> None:
    client = log_in(ann)
    add(client, "new@example.org")
    client.post("/account/reauthenticate/", {"password": PASSWORD, "next": URL})
    client.post(URL, {"action_remove": "1", "email": "new@example.org"})
    assert addresses(ann).count() == 1


def test_the_address_of_somebody_else_is_not_betrayed_and_not_taken(
    ann: User, mailoutbox: list[EmailMessage], log_in: Callable[..., Client]
) -> None:
    berta = person("Berta")
    client = log_in(ann)
    add(client, berta.email)
    response = client.post("/account/reauthenticate/", {"password": PASSWORD, "next": URL}, follow=True)
    assert b"is not confirmed yet" in response.content
    client.post(link_in(mailoutbox[-1]))
    ann.refresh_from_db()
    assert ann.email != berta.email
    assert b"already belongs to another account" in client.get(link_in(mailoutbox[-1])).content


def test_another_address_needs_the_password_again(ann: User) -> None:
    response = client_of(ann).post(URL, {"action_add": "1", "email": "new@example.org"})
    assert response["Location"] == "/account/reauthenticate/?next=%2Faccount%2Femail%2F"
    assert addresses(ann).count() == 1


def test_ones_own_address_and_nonsense_are_refused_in_words(ann: User, log_in: Callable[..., Client]) -> None:
    client = client_of(ann)
    response = client.post(URL, {"action_add": "1", "email": "not an address"})
    assert "valid email" in response.context["form"].errors["email"][0]
    response = client.post(URL, {"action_add": "1", "email": "ann@example.org"})
    assert "already your email address" in response.context["form"].errors["email"][0]
