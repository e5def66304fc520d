"""A match on other people's pages: nobody is known there, everybody sees the same, and nothing else is loaded."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from games.play.models import Match
from games.titles import games
from tests.people import act, client_of, open_table, person, play_out, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("bob")]


def frame_of(match: Match) -> str:
    return f"/embed/match/{match.slug}/"


@pytest.mark.parametrize("slug", games())
def test_it_shows_the_board_and_loads_nothing_but_our_static_files(people: list[User], slug: str) -> None:
    match = running_match(people, game=slug)
    page = Client().get(frame_of(match)).content.decode()
    assert 'id="board"' in page
    assert {"Ann", "bob"} <= set(re.findall(r"<b>(\w+)</b>", page))
    assert re.findall(r"<(?:form|iframe|object|embed)\b", page) == []
    loaded = re.findall(r'(?:<link rel="(?:stylesheet|icon)" href|\bsrc)="([^"]+)"', page)
    assert loaded
    assert [address for address in loaded if not address.startswith(settings.STATIC_URL)] == []
    away = [link for link in re.findall(r'href="([^"#][^"]*)"', page) if link not in loaded]
    assert set(away) == {f"{settings.SITE_URL}{match.get_absolute_url()}"}
    assert '<base target="_blank">' in page


def test_whoever_looks_is_nobody_and_gets_no_cookie(people: list[User]) -> None:
    match = running_match(people)
    own, strange = client_of(people[0]).get(frame_of(match)), Client().get(frame_of(match))
    assert own.content == strange.content
    assert (list(own.cookies), list(strange.cookies)) == ([], [])


def test_a_private_match_is_shown_to_nobody_and_says_so_in_the_frame(people: list[User]) -> None:
    for visibility in (Match.Visibility.PRIVATE, Match.Visibility.FRIENDS):
        match = running_match(people, visibility=visibility)
        answer = client_of(people[0]).get(frame_of(match))
        assert answer.status_code == 404
        assert "frame-ancestors *" in answer["Content-Security-Policy"]
        page = answer.content.decode()
        assert "This match is private, or there is no such match." in page
        assert "Ann" not in page


def test_a_match_by_link_is_shown_to_whoever_has_the_link(people: list[User]) -> None:
    match = running_match(people, visibility=Match.Visibility.LINK)
    assert Client().get(frame_of(match)).status_code == 200


def test_a_table_says_that_it_has_not_begun(people: list[User]) -> None:
    page = Client().get(frame_of(open_table(people[:1], seats=2))).content.decode()
    assert "This match has not begun." in page


def test_it_asks_for_what_is_new_until_the_match_is_over(people: list[User]) -> None:
    fast, slow, over = (
        running_match(people),
        running_match(people, speed="days"),
        play_out(running_match(people)),
    )
    every = [
        re.findall(r'data-every="(\d+)"', Client().get(frame_of(it)).content.decode()) for it in (fast, slow, over)
    ]
    assert every == [["15"], ["60"], []]


def test_who_has_it_already_is_told_so_until_something_happens(people: list[User]) -> None:
    match = running_match(people)
    first = Client().get(frame_of(match))
    again = Client().get(frame_of(match), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "frame-ancestors *" in again["Content-Security-Policy"]
    assert "X-Frame-Options" not in again
    act(match, "skip")
    assert Client().get(frame_of(match), headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_public_matches_offer_the_code_and_lead_to_oembed(people: list[User]) -> None:
    for match in (running_match(people), play_out(running_match(people))):
        page = Client().get(match.get_absolute_url()).content.decode()
        (code,) = re.findall(r'<textarea id="embed-code"[^>]*>([^<]*)</textarea>', page)
        assert f"src=&quot;{settings.SITE_URL}{frame_of(match)}&quot;" in code
        assert 'type="application/json+oembed"' in page
    private = running_match(people, visibility=Match.Visibility.PRIVATE)
    page = client_of(people[0]).get(private.get_absolute_url()).content.decode()
    assert "embed" not in page
