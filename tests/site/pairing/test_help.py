"""The page that explains how people are found."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.people import client_of, person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["home", "lobby", "bots"])
def test_pages_lead_to_it(client: Client, page: str) -> None:
    assert f'href="{reverse("finding_people")}"' in client.get(reverse(page)).content.decode()


def test_whatever_it_leads_to_is_there() -> None:
    client = client_of(person())
    page = client.get(reverse("finding_people")).content.decode()
    main = page.partition('id="finding-people"')[2].partition("<footer")[0]
    links = set(re.findall(r'href="(/[^"]*)"', main))
    assert len(links) >= 6
    assert {client.get(link).status_code for link in links} == {200}
    parts = set(re.findall(r'href="#([^"]*)"', main))
    assert parts == set(re.findall(r'<h2 id="([^"]*)"', main))


def test_it_is_there_in_german(client: Client) -> None:
    page = client.get(reverse("finding_people"), headers={"Accept-Language": "de"}).content.decode()
    assert "<h1>Leute finden</h1>" in page
    assert "30 Sekunden für die Antwort" in page


def test_visitors_see_on_the_start_page_who_is_here(client: Client) -> None:
    from accounts.services import record_presence

    record_presence([person().pk, person().pk])
    assert "2 people online" in client.get("/").content.decode()
