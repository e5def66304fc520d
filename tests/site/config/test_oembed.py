"""oEmbed: what other sites are told of a link to a match or a puzzle."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.moments import today
from games.play.models import Match
from tests.people import person, running_match

pytestmark = pytest.mark.django_db


def asked(path: str, **more: Any) -> Any:
    return Client().get("/oembed", {"url": f"{settings.SITE_URL}{path}", **more})


@pytest.fixture
def match() -> Match:
    return running_match([person("Ann"), person("bob")])


def test_a_link_to_a_match_becomes_its_board(match: Match) -> None:
    answer = asked(match.get_absolute_url(), format="json")
    told = answer.json()
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert told.pop("html").startswith(f'<iframe src="{settings.SITE_URL}/embed/match/{match.slug}/" title="Shifting')
    assert told == {
        "type": "rich",
        "version": "1.0",
        "title": "Shifting Stones: Ann, bob",
        "provider_name": "Tessera",
        "provider_url": f"{settings.SITE_URL}/",
        "cache_age": 3600,
        "width": 480,
        "height": 640,
        "thumbnail_url": f"{settings.SITE_URL}/match/{match.slug}/picture.png",
        "thumbnail_width": 1200,
        "thumbnail_height": 630,
    }


def test_other_addresses_of_a_match_and_of_a_puzzle_lead_to_theirs(match: Match) -> None:
    day = today().isoformat()
    frames = {
        match.get_absolute_url().rstrip("/"): f"/embed/match/{match.slug}/",
        reverse("replay", args=[match.slug]): f"/embed/match/{match.slug}/",
        f"/embed/match/{match.slug}/": f"/embed/match/{match.slug}/",
        f"/puzzles/card-chess/{day}/": f"/embed/puzzle/card-chess/{day}/",
        "/embed/puzzle/card-chess/": "/embed/puzzle/card-chess/",
    }
    for path, frame in frames.items():
        assert f'src="{settings.SITE_URL}{frame}"' in asked(path).json()["html"], path


def test_it_is_no_larger_than_it_may_be(match: Match) -> None:
    told = asked(match.get_absolute_url(), maxwidth=320, maxheight=400).json()
    assert (told["width"], told["height"]) == (320, 400)
    assert 'width="320" height="400"' in told["html"]
    assert "thumbnail_url" not in told
    for nonsense in ("0", "-1", "wide", "9" * 40):
        assert asked(match.get_absolute_url(), maxwidth=nonsense).json()["width"] == 480


def test_what_cannot_be_shown_is_refused(match: Match) -> None:
    private = running_match([person(), person()], visibility=Match.Visibility.PRIVATE)
    statuses = {
        private.get_absolute_url(): 401,
        "/match/nothere222/": 401,  # the answer does not say which
        "/puzzles/card-chess/1999-01-01/": 404,
        "/puzzles/chess/2026-11-20/": 404,
        "/lobby/": 404,
        "/nothing/here/": 404,
    }
    assert {path: asked(path).status_code for path in statuses} == statuses
    for address in ("", "nonsense", f"https://evil.example{match.get_absolute_url()}", "http://[", "javascript:1"):
        assert Client().get("/oembed", {"url": address}).status_code == 404, address
    assert asked(match.get_absolute_url(), format="xml").status_code == 501


def test_nobody_is_known(match: Match) -> None:
    answer = asked(match.get_absolute_url())
    assert list(answer.cookies) == []
