from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import FormerName, User
from accounts.zones import zone, zone_groups, zone_names
from tests.people import client_of, person

NAME = "/settings/name/"


def test_preferences_are_kept_and_used(ann: User) -> None:
    client = client_of(ann)
    data = {"time_zone": "America/New_York", "language": "de", "theme": "dark"}
    response = client.post("/settings/", data, follow=True)
    ann.refresh_from_db()
    assert (ann.time_zone, ann.language, ann.theme) == ("America/New_York", "de", "dark")
    assert response["Content-Language"] == "de"
    assert b'<html lang="de" data-theme="dark" data-zone="America/New_York" data-glow="off">' in response.content


def test_hints_are_shown_until_they_are_switched_off(ann: User) -> None:
    client = client_of(ann)
    assert b"data-glow" not in client.get("/settings/").content
    choices = {"time_zone": "UTC", "language": "", "theme": "system"}
    assert b'data-glow="off"' in client.post("/settings/", choices, follow=True).content
    assert b"data-glow" not in client.post("/settings/", {**choices, "hints": "on"}, follow=True).content


def test_without_a_choice_the_browser_decides_the_language(ann: User) -> None:
    client = client_of(ann)
    assert client.get("/settings/", headers={"Accept-Language": "de"})["Content-Language"] == "de"
    assert client.get("/settings/", headers={"Accept-Language": "xx"})["Content-Language"] == "en"


@pytest.mark.parametrize(
    ("field", "value"), [("time_zone", "Mars/Base"), ("language", "xx"), ("theme", "pink"), ("time_zone", "")]
)
def test_what_is_no_choice_is_refused(ann: User, field: str, value: str) -> None:
    data = {"time_zone": "UTC", "language": "", "theme": "system", field: value}
    response = client_of(ann).post("/settings/", data)
    assert response.context["form"].errors[field]
    ann.refresh_from_db()
    assert (ann.time_zone, ann.language, ann.theme) == ("UTC", "", "system")


def test_every_zone_offered_exists_once() -> None:
    offered = [first[0] for first in zone_groups() if isinstance(first[1], str)]
    offered += [name for _region, places in zone_groups() if isinstance(places, list) for name, _place in places]
    assert len(offered) == len(set(offered)) == len(zone_names())
    assert all(zone(name).key == name for name in offered)
    assert zone("Mars/Base").key == zone("../x").key == "UTC"


def test_settings_are_for_people_logged_in(client: Client, db: None) -> None:
    for path in ("/settings/", NAME, "/account/sessions/", "/account/email/", "/account/2fa/"):
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
    assert words in response.context["form"].errors["name"][0]
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
