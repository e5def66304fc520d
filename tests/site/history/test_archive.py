"""The archive: filters, pages that are stable and quick, and nothing private for those who were not there."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client

from accounts.models import User
from games.history.archive import ArchivePage, Cursor, Filters, Window, archive_page, found_by
from games.history.endings import Result
from games.play.models import Match, Seat, Speed
from tests.people import client_of, person
from tests.site.config.test_home import without_tokens
from tests.site.history.many import BEGIN, many_matches
from tests.site.ratings.finishing import finished, resigned

pytestmark = pytest.mark.django_db

NOBODY: Any = AnonymousUser()
ARCHIVE = "match_archive (status=? AND visibility=? AND game=? AND speed=? AND rated=?"


def _slugs(client: Client, query: str = "") -> set[str]:
    response = client.get(f"/archive/{query}")
    assert response.status_code == 200
    return set(re.findall(r"/match/(\w+)/replay/", response.content.decode()))


def _slug_set(*matches: Match) -> set[str]:
    return {match.slug for match in matches}


# --- filters ------------------------------------------------------------------------------------------------------


@pytest.fixture
def people() -> list[User]:
    return [person("Ann"), person("bob"), person("cid")]


def test_without_filters_everything_public_is_shown(people: list[User], client: Client) -> None:
    rated, casual = finished(people[:2]), finished(people, rated=False)
    assert _slugs(client) == _slug_set(rated, casual)


@pytest.mark.parametrize("spelling", ["Ann", "ann", "ANN", "Ａnn"])
def test_filter_by_player_however_the_name_is_written(people: list[User], client: Client, spelling: str) -> None:
    match = finished(people[:2])
    finished(people[1:])
    assert _slugs(client, f"?player={spelling}") == _slug_set(match)


def test_filter_by_result_of_the_player(people: list[User], client: Client) -> None:
    won, lost, shared = finished(people), finished(people, [2, 1, 3]), finished(people, [1, 2, 1])
    assert _slugs(client, "?player=ann&result=won") == _slug_set(won)
    assert _slugs(client, "?player=ann&result=lost") == _slug_set(lost)
    assert _slugs(client, "?player=ann&result=shared") == _slug_set(shared)
    assert _slugs(client, "?player=bob&result=lost") == _slug_set(won, shared)


def test_filter_by_speed_and_by_rated(people: list[User], client: Client) -> None:
    days, casual = finished(people[:2], speed=Speed.DAYS), finished(people[:2], rated=False)
    assert _slugs(client, "?speed=days") == _slug_set(days)
    assert _slugs(client, "?rated=no") == _slug_set(casual)
    assert _slugs(client, "?rated=yes&speed=live") == set()


def test_filter_by_days_of_the_readers_time_zone(people: list[User], client: Client) -> None:
    match = finished(people[:2])
    late = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    Match.objects.filter(pk=match.pk).update(ended_at=late)
    Seat.objects.filter(match=match).update(ended_at=late)
    tokyo = client_of(person(time_zone="Asia/Tokyo"))
    assert _slugs(client, "?since=2026-03-01&until=2026-03-01") == _slug_set(match)
    assert _slugs(client, "?since=2026-03-02") == set()
    assert _slugs(tokyo, "?since=2026-03-02&until=2026-03-02") == _slug_set(match)
    assert _slugs(tokyo, "?player=ann&until=2026-03-01") == set()


def test_running_and_aborted_matches_are_not_in_the_archive(people: list[User], client: Client) -> None:
    match = finished(people[:2])
    for status in (Match.Status.RUNNING, Match.Status.ABORTED, Match.Status.OPEN):
        Match.objects.filter(pk=match.pk).update(status=status)
        assert _slugs(client) == _slugs(client, "?player=ann") == set()


def test_rows_show_result_and_rating_change_of_the_player(people: list[User], client: Client) -> None:
    finished(people[:2])
    page = client.get("/archive/?player=bob").content.decode()
    assert "Lost" in page
    assert "1480? (−20)" in page


def test_names_lead_to_profiles_and_are_escaped(people: list[User], client: Client) -> None:
    finished(people[:2])
    User.objects.filter(username="Ann").update(username="<b>Ann")
    page = client.get("/archive/").content.decode()
    assert "<b>Ann" not in page
    assert 'href="/@bob/"' in page


# --- bad input ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?player=nobody-at-all", "There is no player with this name."),
        ("?result=won", "Enter a player to filter by result."),
        ("?game=chess", "Select a valid choice."),
        ("?speed=fast", "Select a valid choice."),
        ("?since=yesterday", "Enter a valid date."),
        ("?since=0001-01-01", "There were no matches then."),
        ("?until=9999-12-31", "There were no matches then."),
        ("?since=2026-02-02&until=2026-02-01", "The last day must not be before the first."),
        ("?before=first", "This link to the archive is broken."),
        ("?after=1.2.3", "This link to the archive is broken."),
        ("?before=999999999999999999.1", "This link to the archive is broken."),
    ],
)
def test_a_filter_that_makes_no_sense_is_explained(client: Client, query: str, sentence: str) -> None:
    response = client.get(f"/archive/{query}")
    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert 'role="alert"' in response.content.decode()


# --- what is private ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", [Match.Visibility.PRIVATE, Match.Visibility.LINK])
def test_a_match_not_public_is_listed_for_its_players_only(people: list[User], client: Client, visibility: str) -> None:
    match = finished(people[:2], visibility=visibility)
    for query in ("", "?player=ann", "?player=ann&result=won", "?rated=yes"):
        assert _slugs(client, query) == _slugs(client_of(people[2]), query) == set()
        assert _slugs(client_of(people[0]), query) == _slugs(client_of(people[1]), query) == _slug_set(match)


def test_a_private_match_leaves_no_trace_for_strangers(people: list[User], client: Client) -> None:
    before = without_tokens(client.get("/archive/?player=ann").content.decode())
    finished(people[:2], visibility=Match.Visibility.PRIVATE, rated=False)
    assert without_tokens(client.get("/archive/?player=ann").content.decode()) == before


# --- pages --------------------------------------------------------------------------------------------------------


def _keys(page: ArchivePage) -> list[int]:
    return [row.key for row in page.rows]


@pytest.mark.parametrize("named", [False, True])
def test_pages_follow_each_other_without_gap_or_repetition(named: bool) -> None:
    users = many_matches(60, people=8, busy=30)
    filters = Filters(player=users[0] if named else None)
    page = archive_page(NOBODY, filters, size=7)
    found, pages = _keys(page), [page]
    while page.older is not None:
        page = archive_page(NOBODY, filters, before=page.older, size=7)
        found += _keys(page)
        pages.append(page)
    wanted = Match.objects.filter(visibility="public").order_by("-ended_at", "-pk")
    if named:
        wanted = wanted.filter(seats__user=users[0])
    assert found == list(wanted.values_list("pk", flat=True))
    while page.newer is not None:
        page = archive_page(NOBODY, filters, after=page.newer, size=7)
        assert _keys(page) == _keys(pages[len(pages) - 2])
        pages.pop()
    assert len(pages) == 1


def test_a_page_stays_the_same_when_new_matches_end(people: list[User]) -> None:
    many_matches(20, people=8)
    older = archive_page(NOBODY, Filters(), size=5).older
    before = _keys(archive_page(NOBODY, Filters(), before=older, size=5))
    finished(people[:2])
    assert _keys(archive_page(NOBODY, Filters(), before=older, size=5)) == before


def test_links_to_pages_keep_the_filters(people: list[User], client: Client) -> None:
    many_matches(60, people=8)
    page = client.get("/archive/?rated=yes&speed=live").content.decode()
    link = re.search(r'rel="next" href="(\?[^"]+)"', page)
    assert link is not None
    address = link[1].replace("&amp;", "&")
    assert "speed=live&rated=yes&before=" in address
    assert _slugs(client, address).isdisjoint(set(re.findall(r"/match/(\w+)/replay/", page)))


def test_a_cursor_is_read_as_it_was_written() -> None:
    cursor = Cursor(datetime(2026, 11, 20, 10, 0, 0, 123456, tzinfo=UTC), 77)
    assert Cursor.read(str(cursor)) == cursor


# --- how the database finds it ---------------------------------------------------------------------------------------


def _all_filters(player: User) -> list[Filters]:
    """Return every combination of what can be asked for."""
    return [
        Filters(player=who, result=result, game=game, speed=speed, rated=rated, since=since, until=until)
        for who, result in [(None, None), (player, None), *((player, result) for result in Result)]
        for game, speed, rated in product((None, "shifting-stones"), (None, Speed.DAYS), (None, True))
        for since, until in ((None, None), (BEGIN, BEGIN + timedelta(days=1)))
    ]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's plans")
def test_every_combination_of_filters_walks_an_index_on_the_first_page_and_on_others() -> None:
    player = many_matches(400, people=20, busy=200)[0]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    middle = Cursor(BEGIN + timedelta(hours=5), 100)
    pages = ((None, None), (middle, None), (None, middle))
    for reader, filters, (before, after) in product((NOBODY, player), _all_filters(player), pages):
        plan = found_by(reader, Window(filters, before, after, 25)).explain()
        from_its_beginning = r"SCAN \w+ USING INDEX match_ended"  # up to the limit
        assert "SCAN" not in re.sub(from_its_beginning, "", plan), (filters, plan)
        assert _index(filters) in plan, (filters, plan)
        assert _sorts_what_was_cut_only(plan), (filters, plan)


def _index(filters: Filters) -> str:
    if filters.player:
        return "seat_history (user_id=?"
    return ARCHIVE if filters.game or filters.speed or filters.rated is not None else "match_ended"


def _sorts_what_was_cut_only(plan: str) -> bool:
    """Say whether nothing below a limited subquery is sorted: there rows come in the order of the index."""
    inside = {line.split()[0] for line in plan.splitlines() if "LIST SUBQUERY" in line}
    sorts = {line.split()[1] for line in plan.splitlines() if "USE TEMP B-TREE" in line}
    return not inside & sorts


def test_a_page_takes_the_same_few_queries_however_full_it_is(
    people: list[User], django_assert_max_num_queries: Any
) -> None:
    many_matches(60, people=8)
    with django_assert_max_num_queries(1):
        archive_page(people[0], Filters())
    match = resigned(people[:2])
    with django_assert_max_num_queries(1):
        rows = archive_page(people[0], Filters(player=people[0])).rows
    assert [row.key for row in rows] == [match.pk]
