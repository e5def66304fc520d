"""The picture of a match for links to it."""

from __future__ import annotations

import gzip
import re
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from games.play.course import positions
from games.play.models import Match
from games.titles import games
from tests.people import Kinds, act, client_of, eager, open_table, person, play_out, running_match

pytestmark = pytest.mark.django_db
MOST = 100_000


def fetched(match: Match, client: Client | None = None) -> str:
    answer = (client or Client()).get(f"{match.get_absolute_url()}picture.svg")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/svg+xml"
    return answer.content.decode()


@pytest.mark.parametrize("slug", games())
def test_it_stands_alone_and_is_light(slug: str) -> None:
    match = play_out(running_match([person(), person()], game=slug, seed=bytes(32)))
    drawn = fetched(match)
    root = ET.fromstring(drawn)  # our own
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not re.search(r"var\(|light-dark|class=\"(?!thumbnail-sprite)", drawn)
    known = {element.get("id") for element in root.iter()}
    assert {element.get("href", "")[1:] for element in root.iter() if element.get("href")} <= known
    assert len(drawn) <= MOST
    assert len(gzip.compress(drawn.encode())) <= MOST / 5


@pytest.mark.parametrize("slug", games())
def test_players_are_shown_no_more_than_spectators(slug: str) -> None:
    people = [person(), person()]
    match = running_match(people, game=slug, seed=bytes(32))
    for _ in range(7):
        seat = match.seats.filter(to_move=True).order_by("number")[0].number
        act(match, eager(match, positions.legal_texts(match, seat)), seat)
    assert fetched(match, client_of(people[0])) == fetched(match)


def test_the_page_of_a_match_names_it_for_those_who_follow_a_link(kinds: Kinds) -> None:
    page = Client().get(kinds.match.get_absolute_url()).content.decode()
    assert f'<meta property="og:image" content="http://testserver/match/{kinds.match.slug}/picture.svg">' in page


def test_a_private_match_has_a_picture_for_its_players_alone() -> None:
    ann = person()
    match = running_match([ann, person()], visibility=Match.Visibility.PRIVATE)
    assert Client().get(f"{match.get_absolute_url()}picture.svg").status_code == 404
    assert "og:image" not in client_of(ann).get(match.get_absolute_url()).content.decode()
    answer = client_of(ann).get(f"{match.get_absolute_url()}picture.svg")
    assert answer["Cache-Control"] == "private, no-store"


def test_a_table_that_waits_has_none() -> None:
    table = open_table([person()], 2)
    assert Client().get(f"{table.get_absolute_url()}picture.svg").status_code == 404
