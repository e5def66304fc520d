"""The picture of a match for links to it."""

from __future__ import annotations

import re
import struct
from unittest import mock
from xml.etree import ElementTree as ET

import pytest
import resvg_py
from django.test import Client

from games.play import commands
from games.play.boards.pictures import numbers_as_strokes, written
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games
from tests.people import Kinds, act, client_of, eager, open_table, person, play_out, running_match

pytestmark = pytest.mark.django_db
MOST = 100_000


def fetched(match: Match, client: Client | None = None) -> bytes:
    answer = (client or Client()).get(f"{match.get_absolute_url()}picture.png")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/png"
    return answer.content


@pytest.mark.parametrize("slug", games())
def test_it_is_a_small_png_in_the_size_that_messengers_ask_for(slug: str) -> None:
    drawn = fetched(play_out(running_match([person(), person()], game=slug, seed=bytes(32))))
    assert drawn.startswith(b"\x89PNG")
    assert struct.unpack(">II", drawn[16:24]) == (1200, 630)
    assert len(drawn) <= MOST


@pytest.mark.parametrize("slug", games())
def test_it_is_drawn_once_from_what_stands_alone(slug: str) -> None:
    with mock.patch.object(resvg_py, "svg_to_bytes", wraps=resvg_py.svg_to_bytes) as drawing:
        match = play_out(running_match([person(), person(), person()], game=slug, seed=bytes(32)))
        assert fetched(match) == fetched(match)
    drawing.assert_called_once()
    drawn = drawing.call_args.kwargs["svg_string"]
    root = ET.fromstring(drawn)  # our own
    assert not re.search(r"var\(|light-dark|<text|class=\"(?!thumbnail-sprite)", drawn)
    known = {element.get("id") for element in root.iter()}
    assert {element.get("href", "")[1:] for element in root.iter() if element.get("href")} <= known


def drawn_of(match: Match) -> str:
    """Return what a picture is made from."""
    with mock.patch.object(resvg_py, "svg_to_bytes", wraps=resvg_py.svg_to_bytes) as drawing:
        fetched(match)
    return str(drawing.call_args.kwargs["svg_string"])


def test_it_names_the_game_and_the_players_in_the_order_of_their_places_with_their_scores() -> None:
    match = play_out(running_match([person("Zoë"), person("Bob-7")], seed=bytes(32)))
    best = [(seat.name, f"{seat.score}") for seat in match.seats.order_by("place", "number")]
    rest = drawn_of(match)
    for text in ("Shifting Stones", *(text for row in best for text in row)):
        _before, found, rest = rest.partition(strokes_of(text))
        assert found, text


def strokes_of(text: str) -> str:
    """Return the signs of a text as they are drawn, wherever and however large."""
    return re.sub(r"^<g[^>]*>|</g>$", "", written(text, 0, 0, 40, "#000"))


def test_of_a_match_that_was_resigned_it_shows_who_left_and_what_was_scored() -> None:
    match = running_match([person(), person()], seed=bytes(32))
    commands.resign(match.pk, 1, "resign 1")
    drawn = drawn_of(match)
    assert (drawn.count('r="15"'), drawn.count("M4 36V4")) == (1, 1)


def test_a_name_in_a_script_without_strokes_is_written_with_a_font_of_the_machine() -> None:
    match = play_out(running_match([person("漢字"), person()], seed=bytes(32)))
    assert re.search(r"<text [^>]*>漢字</text>", drawn_of(match))


def test_every_number_of_a_score_is_drawn() -> None:
    written = "".join(f'<text x="9" y="20" font-size="14" fill="#000">{sign}</text>' for sign in "0123456789−#")
    assert numbers_as_strokes(written).count("<path") == 12


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
    assert re.findall(r'property="og:image" content="([^"]+)"', page) == [
        f"http://testserver/match/{kinds.match.slug}/picture.png"
    ]


def test_a_private_match_has_a_picture_for_its_players_alone() -> None:
    ann = person()
    match = running_match([ann, person()], visibility=Match.Visibility.PRIVATE)
    assert Client().get(f"{match.get_absolute_url()}picture.png").status_code == 404
    assert "og:image" not in client_of(ann).get(match.get_absolute_url()).content.decode()
    answer = client_of(ann).get(f"{match.get_absolute_url()}picture.png")
    assert answer["Cache-Control"] == "private, no-store"


def test_a_table_that_waits_has_none() -> None:
    table = open_table([person()], 2)
    assert Client().get(f"{table.get_absolute_url()}picture.png").status_code == 404
