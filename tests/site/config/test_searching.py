"""What search engines are told: robots.txt and the map of the site."""

from __future__ import annotations

from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from games.titles import games

pytestmark = pytest.mark.django_db
SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def rules() -> RobotFileParser:
    answer = Client().get("/robots.txt")
    assert answer["Content-Type"].startswith("text/plain")
    parser = RobotFileParser()
    parser.parse(answer.content.decode().splitlines())
    return parser


@pytest.mark.parametrize("path", ["/", "/lobby/", "/archive/", "/leaderboard/", "/@ann/", "/rules/shifting-stones/"])
def test_public_pages_may_be_read(path: str) -> None:
    assert rules().can_fetch("*", path)


@pytest.mark.parametrize("path", ["/settings/", "/settings/data/", "/account/login/", "/matches/", "/tables/new/"])
def test_what_belongs_to_one_reader_may_not(path: str) -> None:
    assert not rules().can_fetch("*", path)


def test_every_page_of_the_map_is_there_and_may_be_read() -> None:
    [address] = rules().site_maps() or []
    assert address == "http://testserver/sitemap.xml"
    found = [str(it.text) for it in ET.fromstring(Client().get("/sitemap.xml").content).iter(f"{SPACE}loc")]  # our own
    assert {f"http://testserver/rules/{slug}/" for slug in games()} < set(found)
    assert {f"http://testserver/{name}/" for name in ("privacy", "terms", "imprint")} < set(found)
    for page in found:
        path = page.removeprefix("http://testserver")
        assert Client().get(path).status_code == 200
        assert rules().can_fetch("*", path)
