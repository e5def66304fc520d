"""What the pages about privacy, terms and the operator say, and that the table of what is kept is true."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.checks import run_checks
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext
from pytest_django import Settings

from accounts.models import FormerName
from accounts.services import KEPT, check_free, rename
from games.notifications import jobs
from games.privacy import deletions, legal
from games.privacy.jobs import OldGuests
from tests.people import PASSWORD, person
from tests.unit.config.environment import ROOT

PAGES = ("privacy", "terms", "imprint")

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> Path:
    settings.LEGAL_DIR = tmp_path
    return tmp_path


def page(name: str, language: str = "en") -> str:
    return Client(headers={"accept-language": language}).get(reverse(name)).content.decode()


def warned() -> set[str]:
    return {str(found.id) for found in run_checks(include_deployment_checks=True) if "privacy" in str(found.id)}


def test_an_operator_who_says_nothing_is_warned_and_so_are_readers() -> None:
    assert warned() == {"privacy.W001", "privacy.W002", "privacy.W003"}
    assert "has not said who they are" in page("imprint")
    assert "has not said who is responsible" in page("privacy")
    assert "Play fairly" in page("terms")


def test_what_the_operator_says_is_shown_as_text_in_the_readers_language(folder: Path) -> None:
    for name in PAGES:
        (folder / f"{name}.txt").write_text("# Who\n\nAnn <b>Example</b>\nhttps://ann.example/")
        (folder / f"{name}.de.txt").write_text("Anna Beispiel")
    assert warned() == set()
    for name in PAGES:
        assert "<h2>Who</h2>" in page(name)
        assert "Ann &lt;b&gt;Example&lt;/b&gt;<br>" in page(name, "it")
        assert 'href="https://ann.example/"' in page(name)
        assert "Anna Beispiel" in page(name, "de")
        assert "has not said" not in page(name)


def test_a_heading_is_one_line_wherever_it_stands_and_a_paragraph_ends_at_a_blank_one(folder: Path) -> None:
    text = "\ufeff# Who\r\nAnn Example\r\nStreet 1\r\n \t\r\nPhone 12\r\n# How\r\nBy letter"
    (folder / "imprint.txt").write_text(text, newline="")  # as Windows writes it
    shown = page("imprint")
    assert "<h2>Who</h2>" in shown
    assert "<p>Ann Example<br>Street 1</p>" in shown
    assert "<p>Phone 12</p>" in shown
    assert "<h2>How</h2>" in shown
    assert "<p>By letter</p>" in shown


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_every_page_leads_there_and_the_table_is_complete(language: str) -> None:
    html = page("privacy", language)
    assert all(f'href="{reverse(name)}"' in html for name in PAGES)
    with translation.override(language):
        how_long, by = gettext("How long"), gettext("Who removes it")
        for row in legal.retention_table():
            cells = f'<td data-label="{how_long}">{row.how_long}</td><td data-label="{by}">{row.by}</td>'
            assert f'<th scope="row">{row.what}</th>{cells}' in html


def test_the_readme_has_the_same_table() -> None:
    text = (ROOT / "README.md").read_text()
    with translation.override("en"):
        rows = [f"| {row.what} | {row.how_long} | {row.by} |" for row in legal.retention_table()]
    head = ["| what | how long | who removes it |", "|---|---|---|"]
    assert "\n".join([*head, *rows]) + "\n\n" in text, "the whole table, and nothing more"


def test_periods_are_read_from_the_code(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    settings.GUEST_AGE = 3 * 24 * 3600
    monkeypatch.setattr(jobs, "KEPT", timedelta(days=41))
    monkeypatch.setattr(deletions, "GRACE", timedelta(days=1))
    said = [(row.how_long, row.by) for row in legal.retention_table()]
    assert "3 days without a visit" in [how_long for how_long, _by in said]
    assert "41 days" in [how_long for how_long, _by in said]
    assert said[0][1] == "the site, 1 day after you have confirmed it"


def test_names_that_were_given_up_are_forgotten_in_time() -> None:
    ann = person("ann")
    for name in ("bea", "cleo"):
        rename(ann, name)
    FormerName.objects.filter(name="ann").update(given_up_at=timezone.now() - KEPT - timedelta(minutes=1))
    OldGuests().run_due(timezone.now())
    assert [each.name for each in FormerName.objects.all()] == ["bea"]


def test_sessions_are_forgotten_in_time_with_address_and_browser() -> None:
    ann = person("ann")
    for name in ("ended elsewhere", "expired", "here"):
        Client(headers={"user-agent": name}).post("/account/login/", {"login": "ann", "password": PASSWORD})
    keys = dict(UserSession.objects.values_list("user_agent", "session_key"))
    Session.objects.filter(pk=keys["ended elsewhere"]).delete()
    now = timezone.now()
    OldGuests().run_due(now)
    assert UserSession.objects.count() == 3, "somebody may be logging in"
    Session.objects.filter(pk=keys["expired"]).update(expire_date=now + timedelta(hours=1))
    OldGuests().run_due(now + timedelta(hours=2))
    assert list(UserSession.objects.filter(user=ann).values_list("user_agent", flat=True)) == ["here"]
    assert list(Session.objects.values_list("pk", flat=True)) == [keys["here"]]


def test_names_that_moderators_took_away_stay_taken() -> None:
    bad = person("Badword")
    rename(bad, "dora", forced=True)
    FormerName.objects.update(given_up_at=timezone.now() - KEPT - timedelta(minutes=1))
    OldGuests().run_due(timezone.now())
    with pytest.raises(ValidationError):
        check_free("badword")
