from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import FormerName, User
from accounts.moments import zone, zone_groups, zone_names
from tests.people import client_of, person

NAME = "/settings/name/"


def test_preferences_are_kept_and_used(ann: User) -> None:
    client = client_of(ann)
    data = {"time_zone": "America/New_York", "language": "de", "theme": "dark"}
    response = client.post("/settings/profile/", data, follow=True)
    ann.refresh_from_db()
    assert (ann.time_zone, ann.language, ann.theme) == ("America/New_York", "de", "dark")
    assert response["Content-Language"] == "de"
    assert b'<html lang="de" data-theme="dark" data-zone="America/New_York"' in response.content


def test_without_a_choice_the_browser_decides_the_language(ann: User) -> None:
    client = client_of(ann)
    assert client.get("/settings/", headers={"Accept-Language": "de"})["Content-Language"] == "de"
    assert client.get("/settings/", headers={"Accept-Language": "xx"})["Content-Language"] == "en"


@pytest.mark.parametrize(
    ("field", "value"), [("time_zone", "Mars/Base"), ("language", "xx"), ("theme", "pink"), ("time_zone", "")]
)
def test_what_is_no_choice_is_refused(ann: User, field: str, value: str) -> None:
    data = {"time_zone": "UTC", "language": "", "theme": "system", field: value}
    response = client_of(ann).post("/settings/profile/", data)
    assert response.context["display"].errors[field]
    ann.refresh_from_db()
    assert (ann.time_zone, ann.language, ann.theme) == ("UTC", "", "system")


def test_every_zone_offered_exists_once() -> None:
    offered = [first[0] for first in zone_groups() if isinstance(first[1], str)]
    offered += [name for _region, places in zone_groups() if isinstance(places, list) for name, _place in places]
    assert len(offered) == len(set(offered)) == len(zone_names())
    assert all(zone(name).key == name for name in offered)
    assert zone("Mars/Base").key == zone("../x").key == "UTC"


def test_settings_are_for_people_logged_in(client: Client, db: None) -> None:
    own = [f"/settings/{part}" for part in ("", "profile/", "play/", "notices/", "devices/", "security/", "data/")]
    for path in (*own, NAME, "/account/sessions/", "/account/email/"):
        assert client.get(path)["Location"] == f"/account/login/?next={path}"


def test_change_of_name_is_told_by_mail(ann: User, mailoutbox: list[EmailMessage]) -> None:
    response = client_of(ann).post(NAME, {"name": "Ａｎｎａ"}, follow=True)
    assert b"Your name is now Anna." in response.content
    ann.refresh_from_db()
    assert (ann.username, ann.name_key) == ("Anna", "anna")
    assert mailoutbox[0].subject == "Tessera: Your name was changed"
    assert "from Ann to Anna" in str(mailoutbox[0].body)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("BERTA", "taken"),
        ("admin", "is reserved"),
        ("a b", "letters and digits"),
        ("", "required"),
        ("x" * 30, "at most 24"),
    ],
)
def test_a_name_that_cannot_be_is_named(ann: User, name: str, words: str) -> None:
    person("Berta")
    response = client_of(ann).post(NAME, {"name": name})
    assert words in response.context["renaming"].errors["name"][0]
    ann.refresh_from_db()
    assert ann.username == "Ann"


def test_three_changes_in_thirty_days(ann: User) -> None:
    for name in ("Anna", "Anne", "Anni"):
        assert services.rename(ann, name)
    assert services.changes_left(ann) == 0
    with pytest.raises(ValidationError) as refused:
        services.rename(ann, "Annika")
    assert refused.value.code == "often"
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        assert services.rename(ann, "Annika")


def test_writing_ones_name_differently_gives_nothing_up(ann: User) -> None:
    assert not services.rename(ann, "ANN")
    assert User.objects.get(pk=ann.pk).username == "ANN"
    assert not FormerName.objects.exists()


def test_a_name_given_up_waits_for_its_owner_ninety_days(ann: User) -> None:
    berta = person("Berta")
    services.rename(ann, "Anna")
    with pytest.raises(ValidationError):
        services.rename(berta, "ann")
    with time_machine.travel(timezone.now() + timedelta(days=89)):
        with pytest.raises(ValidationError, match="taken"):
            services.check_free("ANN", by=berta)
        with pytest.raises(ValidationError, match="looks too much like"):
            services.check_free("Αnn", by=berta)  # the first letter is Greek
        services.check_free("ANN", by=ann)
    with time_machine.travel(timezone.now() + timedelta(days=91)):
        assert services.rename(berta, "ann")


def test_a_name_taken_in_the_same_moment_is_refused(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    person("Berta")
    monkeypatch.setattr(services, "check_free", lambda *_args, **_kwargs: None)
    with pytest.raises(ValidationError) as refused:
        services.rename(ann, "berta")
    assert refused.value.code == "taken"
    assert not FormerName.objects.exists()


# --- fewer pages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("former", "current"),
    [(NAME, "/settings/profile/"), ("/settings/clocks/", "/settings/play/"), ("/account/2fa/", "/settings/security/")],
)
def test_addresses_that_pages_had_before_lead_on_for_ever(ann: User, former: str, current: str) -> None:
    response = client_of(ann).get(former)
    assert (response.status_code, response["Location"]) == (301, current)


@pytest.mark.parametrize(
    ("address", "section"),
    [
        ("/settings/profile/", "Profile and display"),
        ("/settings/play/", "Play and clocks"),
        ("/settings/notices/", "Notices"),
        ("/settings/devices/", "Notices"),
        ("/settings/security/", "Security"),
        ("/account/sessions/", "Security"),
        ("/account/email/", "Security"),
        ("/account/2fa/webauthn/", "Security"),
        ("/settings/data/", "Your data"),
    ],
)
def test_every_page_says_which_part_of_the_settings_it_belongs_to(ann: User, address: str, section: str) -> None:
    page = client_of(ann).get(address).content.decode()
    current = re.findall(r'<a href="[^"]+" aria-current="page"><svg.*?</svg><span>([^<]+)', page)
    assert current == [section]


def test_the_overview_leads_to_every_part_and_says_what_is_there(ann: User) -> None:
    page = client_of(ann).get("/settings/").content.decode()
    for part in ("profile", "play", "notices", "security", "data"):
        assert f'<a href="/settings/{part}/">' in page
    assert "Email address, password, passkeys, sessions" in page


def test_security_shows_address_and_sessions(ann: User) -> None:
    page = client_of(ann).get("/settings/security/").content.decode()
    assert "Ann@example.org".lower() in page.lower()
    assert "1 browser is logged in to your account." in page  # the one that shows it
    assert "Recovery codes" not in page


def test_a_persons_own_data_are_named(ann: User) -> None:
    services.rename(ann, "Anna")
    page = client_of(ann).get("/settings/data/").content.decode()
    assert "You have not finished a match yet." in page
    assert "<strong>Ann</strong>." in page


@pytest.mark.django_db
def test_each_language_is_read_in_its_own() -> None:
    page = client_of(person()).get("/settings/profile/").content.decode()
    for code, name in (("de", "Deutsch"), ("it", "Italiano")):
        assert f'<option value="{code}" lang="{code}">{name}</option>' in page
