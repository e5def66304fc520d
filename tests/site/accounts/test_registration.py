from __future__ import annotations

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts import registration
from accounts.models import FormerName, Registration, User
from tests.people import PASSWORD, client_of
from tests.site.accounts.conftest import link_in

URL = "/account/signup/"


def form(**changes: str) -> dict[str, str]:
    data = {"username": "Berta", "email": "berta@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return {**data, "time_zone": "Europe/Berlin", **changes}


def test_register_confirm_log_in(client: Client, db: None, mailoutbox: list[EmailMessage]) -> None:
    response = client.post(URL, form())
    assert response["Location"] == "/account/confirm-email/"
    assert b"Check your email" in client.get(response["Location"]).content
    assert not User.objects.exists()

    path = link_in(mailoutbox[0])
    assert b"Is <strong>berta@example.org</strong> the address of <strong>Berta</strong>" in client.get(path).content
    assert client.post(path)["Location"] == "/account/login/"
    user = User.objects.get()
    assert (user.username, user.email, user.time_zone) == ("Berta", "berta@example.org", "Europe/Berlin")
    assert EmailAddress.objects.get().verified
    assert not Registration.objects.exists()

    client.post("/account/login/", {"login": "berta", "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(user.pk)


def test_nobody_logs_in_before_the_address_is_confirmed(client: Client, db: None) -> None:
    client.post(URL, form())
    response = Client().post("/account/login/", {"login": "Berta", "password": PASSWORD})
    assert "open the link in the email" in response.context["form"].non_field_errors()[0]
    assert "_auth_user_id" not in client.session


def test_opening_the_link_confirms_nothing(client: Client, db: None, mailoutbox: list[EmailMessage]) -> None:
    client.post(URL, form())
    client.get(link_in(mailoutbox[0]))
    client.head(link_in(mailoutbox[0]))
    assert not User.objects.exists()


def test_opening_a_link_of_somebody_else_logs_nobody_out(
    client: Client, ann: User, mailoutbox: list[EmailMessage]
) -> None:
    client.post(URL, form())
    reader = client_of(ann)
    reader.get(link_in(mailoutbox[0]))
    assert reader.session["_auth_user_id"] == str(ann.pk)


def test_a_link_works_once_and_not_when_altered(client: Client, db: None, mailoutbox: list[EmailMessage]) -> None:
    client.post(URL, form())
    path = link_in(mailoutbox[0])
    assert b"This link no longer works" in client.get(path[:-3] + "xx/").content
    client.post(path)
    assert b"This link no longer works" in client.get(path).content


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"username": "ＡＮＮ"}, "username", "This name is taken"),
        ({"username": "admin"}, "username", "is reserved"),
        ({"username": "a b"}, "username", "letters and digits"),
        ({"username": ""}, "username", "required"),
        ({"email": "nonsense"}, "email", "valid email"),
        ({"email": "a@b.example\r\nBcc: x@y.example"}, "email", "valid email"),
        ({"password1": "short", "password2": "short"}, "password1", "at least 10 characters"),
        ({"password1": "password123", "password2": "password123"}, "password1", "too common"),
        ({"password1": "berta@example", "password2": "berta@example"}, "password1", "too similar"),
        ({"password2": "another one"}, "password2", "same password"),
    ],
)
def test_wrong_input_is_named_at_its_field(
    client: Client, ann: User, changes: dict[str, str], field: str, words: str
) -> None:
    response = client.post(URL, form(**changes))
    assert response.status_code == 200
    assert words in " ".join(response.context["form"].errors[field])
    assert f'id="id_{field}_error"' in response.content.decode()
    assert User.objects.count() == 1


def test_a_name_taken_in_the_same_moment_is_a_message(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage]
) -> None:
    check = registration.check_name

    def check_before(waiting: Registration, name: str) -> str:
        found = check(waiting, name)
        User.objects.create_user("BERTA")
        return found

    client.post(URL, form())
    monkeypatch.setattr(registration, "check_name", check_before)
    response = client.post(link_in(mailoutbox[0]))
    assert response.status_code == 200
    assert "This name is taken" in response.context["form"].errors["name"][0]
    assert not EmailAddress.objects.filter(email="berta@example.org").exists()


def test_a_name_taken_meanwhile_is_asked_for_again(client: Client, db: None, mailoutbox: list[EmailMessage]) -> None:
    client.post(URL, form())
    other = User.objects.create_user("Berta")
    link = link_in(mailoutbox[0])
    for answer in (client.get(link), client.post(link), client.post(link, {"name": "ＢＥＲＴＡ"})):
        assert "This name is taken" in answer.context["form"].errors["name"][0]
        assert 'name="name"' in answer.content.decode()
    assert client.post(link, {"name": "Berta-2"})["Location"] == "/account/login/"
    assert User.objects.exclude(pk=other.pk).get().username == "Berta-2"


def test_of_two_who_register_with_one_address_only_one_confirms_it(
    client: Client, db: None, mailoutbox: list[EmailMessage]
) -> None:
    client.post(URL, form())
    cache.clear()  # the limit of emails to an address
    Client().post(URL, form(username="Carla"))
    first, second = map(link_in, mailoutbox)
    client.post(second)
    assert b"This link no longer works" in client.post(first).content
    assert User.objects.get().username == "Carla"


def test_a_link_works_for_three_days(client: Client, db: None, mailoutbox: list[EmailMessage]) -> None:
    client.post(URL, form())
    Registration.objects.update(at=timezone.now() - registration.LIFE)
    assert b"This link no longer works" in client.post(link_in(mailoutbox[0])).content
    assert not User.objects.exists()


def test_a_name_given_up_lately_stays_out_of_reach(client: Client, ann: User) -> None:
    FormerName.objects.create(user=ann, name="Berta", name_key="berta")
    response = client.post(URL, form())
    assert "This name is taken" in response.context["form"].errors["username"][0]


def test_registering_does_not_tell_whether_an_address_is_known(
    client: Client, ann: User, mailoutbox: list[EmailMessage]
) -> None:
    known = client.post(URL, form(email=ann.email))
    fresh = Client().post(URL, form(username="Carla", email="carla@example.org"))
    assert (known.status_code, known["Location"]) == (fresh.status_code, fresh["Location"])
    assert not User.objects.filter(username="Berta").exists()
    assert mailoutbox[0].to == [ann.email]
    assert mailoutbox[0].subject == "Tessera: You already have an account"


def test_an_unknown_time_zone_becomes_utc(client: Client, db: None) -> None:
    client.post(URL, form(time_zone="../../etc/passwd"))
    assert Registration.objects.get().time_zone == "UTC"


def test_who_is_logged_in_does_not_register(ann: User) -> None:
    assert client_of(ann).get(URL).status_code == 302


def test_a_form_without_its_token_is_refused(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post(URL, form())
    assert response.status_code == 403
    assert not User.objects.exists()


def test_registration_may_be_closed(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.adapter.AccountAdapter.is_open_for_signup", lambda *_: False)
    assert b"Registration is closed" in client.get(URL).content
    assert b"Registration is closed" in client.post(URL, form()).content
    assert not User.objects.exists()
