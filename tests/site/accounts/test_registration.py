from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.joining import registration
from accounts.models import FormerName, Registration, User
from tests.people import PASSWORD, client_of
from tests.site.accounts.conftest import link_in

URL = "/account/signup/"
CHECK = "/account/confirm-email/"


def without_token(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", page)


def form(**changes: str) -> dict[str, str]:
    data = {"username": "Berta", "email": "berta@example.org", "password1": PASSWORD}
    return {**data, "time_zone": "Europe/Berlin", **changes}


def test_register_and_confirm(client: Client, db: None, mailoutbox: list[EmailMessage]) -> None:
    response = client.post(URL, form())
    assert response["Location"] == CHECK
    assert b"a link to <strong>berta@example.org</strong>" in client.get(CHECK).content
    assert not User.objects.exists()

    path = link_in(mailoutbox[0])
    assert b"Is <strong>berta@example.org</strong> the address of <strong>Berta</strong>" in client.get(path).content
    assert client.post(path)["Location"] == "/"
    user = User.objects.get()
    assert client.session["_auth_user_id"] == str(user.pk)
    assert (user.username, user.email, user.time_zone) == ("Berta", "berta@example.org", "Europe/Berlin")
    assert EmailAddress.objects.get().verified
    assert not Registration.objects.exists()


@pytest.mark.parametrize("register", ["as a visitor", "as a guest"])
def test_the_link_leads_back_to_where_somebody_registered_in_any_browser(
    client: Client, ann: User, mailoutbox: list[EmailMessage], register: str
) -> None:
    if register == "as a guest":
        client.post("/account/guest/")
    table = "/match/some-table/"
    page = client.get(f"{URL}?next={table}")
    assert f'name="next" value="{table}"' in page.content.decode()
    client.post(URL, form(next=table))

    phone = Client()
    assert phone.post(link_in(mailoutbox[0]))["Location"] == table
    assert phone.session["_auth_user_id"] == str(User.objects.get(username="Berta").pk)


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", f"/{'x' * 600}", "javascript:x"])
def test_the_link_leads_nowhere_else(client: Client, db: None, mailoutbox: list[EmailMessage], elsewhere: str) -> None:
    client.post(URL, form(next=elsewhere))
    assert client.post(link_in(mailoutbox[0]))["Location"] == "/"


@pytest.mark.parametrize(
    ("page", "leads"),
    [
        ("/archive/?player=Ann&game=", "?next=%2Farchive%2F%3Fplayer%3DAnn%26game%3D"),
        ("/account/login/?next=/lobby/", "?next=%2Flobby%2F"),
        ("/account/login/?next=//evil.example/", ""),
        ("/account/register/secret/", ""),
        ("/", ""),
        ("/nowhere/", ""),
    ],
)
def test_the_links_at_the_top_lead_back_to_the_page(client: Client, ann: User, page: str, leads: str) -> None:
    shown = client.get(page).content.decode().partition("<main")[0]
    assert set(re.findall(r'href="/account/(?:signup|login)/([^"]*)"', shown)) == {leads}


def test_who_is_logged_in_as_somebody_else_is_told_and_changes_over(
    client: Client, ann: User, mailoutbox: list[EmailMessage]
) -> None:
    client.post(URL, form())
    reader = client_of(ann)
    assert "You are logged in as Ann" in reader.get(link_in(mailoutbox[0])).content.decode()
    reader.post(link_in(mailoutbox[0]))
    assert reader.session["_auth_user_id"] == str(User.objects.get(username="Berta").pk)


def test_what_another_guest_played_in_the_browser_that_confirms_is_taken_along(
    client: Client, db: None, mailoutbox: list[EmailMessage]
) -> None:
    client.post(URL, form())
    phone = Client()
    phone.post("/account/guest/")
    phone.post(link_in(mailoutbox[0]))
    assert User.objects.get().username == "Berta"


# --- the page that waits ----------------------------------------------------------------------------------------------


def test_a_wrong_address_can_be_corrected(client: Client, db: None, mailoutbox: list[EmailMessage]) -> None:
    client.post(URL, form(email="brta@example.org", next="/lobby/"))
    assert client.post(CHECK, {"email": "Berta@example.org"})["Location"] == CHECK
    assert b"a link to <strong>berta@example.org</strong>" in client.get(CHECK).content
    assert [mail.to for mail in mailoutbox] == [["brta@example.org"], ["berta@example.org"]]
    assert b"This link no longer works" in client.get(link_in(mailoutbox[0])).content
    assert client.post(link_in(mailoutbox[1]))["Location"] == "/lobby/"
    assert User.objects.get().email == "berta@example.org"


@pytest.mark.parametrize(
    ("address", "words"), [("berta@example.org", "less than three minutes ago"), ("nonsense", "valid email")]
)
def test_what_cannot_be_sent_is_said_and_the_first_link_still_works(
    client: Client, db: None, mailoutbox: list[EmailMessage], address: str, words: str
) -> None:
    client.post(URL, form())
    answer = client.post(CHECK, {"email": address})
    assert words in answer.context["form"].errors["email"][0]
    assert f'value="{address}"' in answer.content.decode()
    assert len(mailoutbox) == 1
    client.post(link_in(mailoutbox[0]))
    assert User.objects.get().username == "Berta"


def test_a_guest_who_registers_twice_at_once_keeps_the_link_that_was_sent(
    client: Client, db: None, mailoutbox: list[EmailMessage]
) -> None:
    client.post("/account/guest/")
    client.post(URL, form())
    client.post(URL, form())
    assert len(mailoutbox) == 1
    client.post(link_in(mailoutbox[0]))
    assert User.objects.get().username == "Berta"


def test_correcting_does_not_tell_whether_an_address_is_known(
    client: Client, ann: User, mailoutbox: list[EmailMessage]
) -> None:
    pages = []
    for address in (ann.email, "nobody@example.org"):
        visitor = Client()
        visitor.post(URL, form(email=f"not-{address}"))
        visitor.post(CHECK, {"email": address})
        pages.append(visitor.get(CHECK).content.decode().replace(address, "ADDRESS"))
    assert without_token(pages[0]) == without_token(pages[1])
    assert [mail.subject for mail in mailoutbox[1::2]] == [
        "Tessera: You already have an account",
        "Tessera: Confirm your email address",
    ]


def test_without_a_registration_in_this_browser_nothing_can_be_sent(
    client: Client, db: None, mailoutbox: list[EmailMessage]
) -> None:
    Client().post(URL, form())
    assert client.post(CHECK, {"email": "berta@example.org"})["Location"] == URL
    assert b"berta@" not in client.get(CHECK).content
    assert len(mailoutbox) == 1


# --- links ------------------------------------------------------------------------------------------------------------


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
        ({"password1": "short"}, "password1", "at least 10 characters"),
        ({"password1": "password123"}, "password1", "too common"),
        ({"password1": "berta@example"}, "password1", "too similar"),
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
    assert client.post(link, {"name": "Berta-2"})["Location"] == "/"
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
