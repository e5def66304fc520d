"""Profiles: a person's ratings, numbers and matches, made from what the reader may see."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.history import ratings, views
from games.history.views import latest_of, statistics
from games.play.models import Match, Speed
from tests.people import client_of, person, play_out, running_match
from tests.site.ratings.finishing import finished, resigned

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("bob"), person("cid")]


def _page(client: Client, name: str = "Ann") -> str:
    response = client.get(f"/@{name}/")
    assert response.status_code == 200
    return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())


def _numbers(reader: User, whom: User) -> list[tuple[int | None, int, int, int, int]]:
    found = statistics(latest_of(reader, whom))
    tallies = (found.total, *found.by_players)
    return [(tally.seats, tally.won, tally.shared, tally.lost, tally.rate) for tally in tallies]


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
    assert "<dt>Rated matches</dt><dd>2</dd>" in page
    assert 'aria-labelledby="chart-shifting-stones-live-title chart-shifting-stones-live-description"' in page
    assert "lowest 1498, highest 1520." in page
    assert 'popovertarget="provisional">Why a question mark?' in page
    assert "For the first ten rated matches" in page
    assert page.count("1st</a>") == page.count("2nd</a>") == 1


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
    match = play_out(running_match(people[:1], seed=bytes(32)))
    found = statistics(latest_of(people[1], people[0]))
    assert (found.total.matches, [tally.seats for tally in found.by_players], found.by_seat) == (0, [1], [])
    for place, shown in ((1, True), (2, False)):
        match.seats.update(place=place)
        assert ("Best solo result in Shifting Stones" in _page(client)) == shown, "a defeat is no best result"


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
    for module in (views, ratings):
        monkeypatch.setattr(module, "LATEST", 2)
    for places in ([2, 1], [1, 2], [1, 2]):
        finished(people[:2], places, rated=True)
    assert _numbers(people[2], people[0])[0] == (None, 2, 0, 0, 100)
    history = ratings.history_of(people[2], ratings.pools_of(people[0])[0])
    assert history is not None
    assert len(history.latest) == 2
    assert _page(client)


# --- one chart with tabs ----------------------------------------------------------------------------------------------


def _tabs(page: str) -> list[tuple[str, bool]]:
    return [(key, "aria-current" in rest) for key, rest in re.findall(r'href="\?pool=([\w.-]+)"([^>]*)>', page)]


def test_there_is_a_tab_for_each_pool_with_a_rating_and_none_for_empty_ones(people: list[User], client: Client) -> None:
    finished(people[:2])
    for _ in range(2):
        finished(people[:2], speed=Speed.DAYS)
    assert _tabs(_page(client)) == [("shifting-stones.live", False), ("shifting-stones.days", True)]
    page = client.get("/@Ann/?pool=shifting-stones.live").content.decode()
    assert _tabs(page) == [("shifting-stones.live", True), ("shifting-stones.days", False)]
    assert page.count('class="rating-chart"') == 1
    assert "chart-shifting-stones-live-title" in page


@pytest.mark.parametrize("pool", ["nonsense", "small-islands.live", "%00", "shifting-stones.LIVE"])
def test_a_pool_without_a_rating_shows_the_one_with_the_most_matches(
    people: list[User], client: Client, pool: str
) -> None:
    finished(people[:2])
    response = client.get(f"/@Ann/?pool={pool}")
    if response.status_code != 400:
        assert _tabs(response.content.decode()) == [("shifting-stones.live", True)]


def test_htmx_gets_the_chart_alone(people: list[User], client: Client) -> None:
    finished(people[:2])
    part = client.get("/@Ann/?pool=shifting-stones.live", headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<div class="card rating-pool">')
    assert "<html" not in part
    assert "Statistics" not in part


# --- form, seats, opponents -------------------------------------------------------------------------------------------


def test_htmx_finds_no_chart_of_somebody_without_a_rating(people: list[User], client: Client) -> None:
    person("Newcomer")
    assert client.get("/@Newcomer/", headers={"HX-Request": "true"}).status_code == 404


def test_the_form_names_the_latest_results_the_oldest_first(people: list[User], client: Client) -> None:
    for places in ([1, 2], [2, 1], [1, 1]):
        finished(people[:2], places)
    page = _page(client)
    form = page[page.index('<ol class="latest-results"') : page.index("</ol>", page.index("latest-results"))]
    assert re.findall(r'class="mark (\w+)"', form) == ["won", "lost", "shared"]
    assert form.count('<span class="visually-hidden">Won: Shifting Stones, ') == 1
    assert "1 won, 1 shared, 1 lost." in page


def test_the_form_covers_twenty_matches(people: list[User], client: Client) -> None:
    for _ in range(22):
        finished(people[:2], rated=False)
    page = _page(client)
    assert "The latest 20 matches" in page
    assert "20 won, 0 shared, 0 lost." in page


def test_numbers_by_seat(people: list[User]) -> None:
    ann, bob, cid = people
    finished([ann, bob], [1, 2])
    finished([bob, ann], [1, 2])
    finished([cid, bob, ann], [2, 3, 1])
    by_seat = [(tally.seat, tally.won, tally.lost) for tally in statistics(latest_of(cid, ann)).by_seat]
    assert by_seat == [(0, 1, 0), (1, 0, 1), (2, 1, 0)]


def test_opponents_are_counted_match_by_match_and_compared_by_place(people: list[User]) -> None:
    ann, bob, cid = people
    finished([ann, bob], [1, 2])
    finished([ann, bob], [2, 1])
    finished([cid, bob, ann], [1, 3, 1])
    found = [(it.opponent, it.won, it.drawn, it.lost) for it in views.opponents_of(latest_of(cid, ann), {})]
    assert found == [(bob, 2, 0, 1), (cid, 0, 1, 0)]


def test_whoever_has_met_them_sees_how_it_went(people: list[User], client: Client) -> None:
    finished(people[:2], [1, 2], visibility=Match.Visibility.PRIVATE)
    finished(people[:2], [1, 2])
    finished(people[:2], [2, 1])
    page = _page(client_of(people[1]))
    assert "Ann leads 2 : 1" in page
    assert "3 matches together" in page
    assert "Challenge again" in page
    for reader in (client, client_of(people[0]), client_of(people[2])):
        assert 'id="between"' not in _page(reader)


def test_a_scoreboard_tells_each_game_apart_and_guests_challenge_nobody(people: list[User]) -> None:
    finished(people[:2], [2, 1])
    finished(people[:2], [1, 1], game="card-chess")
    page = _page(client_of(people[1]))
    assert "You lead against Ann, 1 : 0" in page
    assert "1 of them drawn" in page
    assert page.count('<b class="number">0 : 0</b>') == 1
    User.objects.filter(pk=people[1].pk).update(guest=True)
    as_guest = _page(client_of(people[1]))
    assert 'id="between"' in as_guest
    assert "Challenge again" not in as_guest


def test_private_matches_make_nobody_an_opponent_for_strangers(people: list[User]) -> None:
    finished(people[:2], visibility=Match.Visibility.PRIVATE)
    assert views.opponents_of(latest_of(people[2], people[0]), {}) == []
    assert [it.opponent for it in views.opponents_of(latest_of(people[1], people[0]), {})] == [people[1]]


def test_a_closed_account_is_no_opponent(people: list[User]) -> None:
    finished(people[:2])
    User.objects.filter(pk=people[1].pk).update(is_active=False)
    assert views.opponents_of(latest_of(people[2], people[0]), {}) == []
