"""Profiles: a person's ratings, numbers and matches, made from what the reader may see."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.history import profiles
from games.history.profiles import statistics
from games.play.models import Match, Speed
from tests.people import client_of, person, play_out, running_match
from tests.ratings.finishing import finished, resigned

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("bob"), person("cid")]


def _page(client: Client, name: str = "Ann") -> str:
    response = client.get(f"/@{name}/")
    assert response.status_code == 200
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


def _numbers(reader: User, whom: User) -> list[tuple[int | None, int, int, int, int]]:
    total, tallies = statistics(reader, whom)
    return [(tally.seats, tally.won, tally.shared, tally.lost, tally.rate) for tally in (total, *tallies)]


@pytest.mark.parametrize("spelling", ["ann", "ANN", "Ａnn"])
def test_other_spellings_lead_to_the_name_as_it_was_chosen(people: list[User], client: Client, spelling: str) -> None:
    response = client.get(f"/@{spelling}/")
    assert (response.status_code, response.headers["Location"]) == (302, "/@Ann/")


@pytest.mark.parametrize("name", ["nobody", "ann.", "a" * 300])
def test_nobody_has_no_profile(people: list[User], client: Client, name: str) -> None:
    assert client.get(f"/@{name}/").status_code == 404


def test_who_was_deactivated_has_no_profile(people: list[User], client: Client) -> None:
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    assert client.get("/@Ann/").status_code == 404


def test_a_new_person_has_a_friendly_empty_profile(people: list[User], client: Client) -> None:
    page = _page(client)
    assert "No rated match yet." in page
    assert "No finished matches yet." in page


def test_ratings_are_shown_with_a_chart_and_its_table(people: list[User], client: Client) -> None:
    finished(people[:2])
    finished(people[:2], [2, 1])
    page = _page(client)
    assert "1498?" in page
    assert "2 rated matches" in page
    assert 'aria-labelledby="chart-shifting-stones-live-title chart-shifting-stones-live-description"' in page
    assert "lowest 1498, highest 1520." in page
    assert page.count("place 1</a>") == page.count("place 2</a>") == 1


def test_the_page_has_no_inline_style_or_script(people: list[User], client: Client) -> None:
    finished(people[:2])
    page = _page(client)
    assert not re.search(r"\sstyle=|<style|\son\w+=|<script(?! [^>]*src=)", page)


def test_numbers_by_game_and_table_size(people: list[User]) -> None:
    ann, bob, cid = people
    for places in ([1, 2], [1, 2], [2, 1]):
        finished([ann, bob], places)
    finished([cid, bob, ann], [1, 3, 1])
    assert _numbers(cid, ann) == [(None, 2, 1, 1, 62), (2, 2, 0, 1, 67), (3, 0, 1, 0, 50)]


def test_matches_alone_count_apart_from_those_with_others(people: list[User], client: Client) -> None:
    play_out(running_match(people[:1], seed=bytes(32)))
    total, tallies = statistics(people[1], people[0])
    assert (total.matches, [tally.seats for tally in tallies]) == (0, [1])
    assert "Best solo result in Shifting Stones" in _page(client)


def test_the_latest_matches_lead_to_the_whole_list(people: list[User], client: Client) -> None:
    match = resigned(people[:2])
    page = _page(client)
    assert f"/match/{match.slug}/replay/" in page
    assert 'href="/archive/?player=Ann"' in page


# --- what is private ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", [Match.Visibility.PRIVATE, Match.Visibility.LINK])
def test_a_casual_match_not_public_leaves_no_trace_for_strangers(
    people: list[User], client: Client, visibility: str
) -> None:
    finished(people[:2])
    readers = (client, client_of(people[2]))
    before = [_page(reader) for reader in readers]
    hidden = finished(people[:2], visibility=visibility, rated=False, speed=Speed.DAYS)
    assert [_page(reader) for reader in readers] == before
    for mate in people[:2]:
        assert hidden.slug in _page(client_of(mate))
        assert _numbers(mate, people[0])[0][1] == 2
    assert _numbers(people[2], people[0])[0][1] == 1


def test_a_rated_private_match_moves_the_rating_but_is_not_named(people: list[User], client: Client) -> None:
    hidden = finished(people[:2], visibility=Match.Visibility.PRIVATE)
    page = _page(client)
    assert "1520?" in page
    assert hidden.slug not in page
    assert "bob" not in page
    assert "not public" in page
    assert hidden.slug in _page(client_of(people[1]))


def test_a_private_result_alone_is_not_shown_as_the_best(people: list[User], client: Client) -> None:
    play_out(running_match(people[:1], seed=bytes(32), visibility=Match.Visibility.PRIVATE))
    assert "Best solo result" not in _page(client)


def test_queries_do_not_grow_with_the_matches(people: list[User], client: Client) -> None:
    finished(people[:2])
    with CaptureQueriesContext(connection) as few:
        _page(client)
    for _ in range(5):
        finished(people[:2])
    with CaptureQueriesContext(connection) as many:
        _page(client)
    assert len(many) == len(few)


def test_numbers_and_charts_cover_only_so_many_of_the_latest_matches(
    people: list[User], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the page of somebody with 20,000 matches would take half a second."""
    monkeypatch.setattr(profiles, "LATEST", 2)
    for places in ([2, 1], [1, 2], [1, 2]):
        finished(people[:2], places, rated=True)
    assert _numbers(people[2], people[0])[0] == (None, 2, 0, 0, 100)
    assert len(profiles.rating_histories(people[2], people[0])[0].latest) == 2
    assert _page(client)
