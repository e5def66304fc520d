"""The lobby's filters: what they list, how they are remembered, and how the database finds it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from games.matchmaking.filters import HOST_SHARE, Filters, listed_tables, newest_tables
from games.matchmaking.models import LobbyFilter
from games.play.models import Match
from tests.people import client_of, person

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db


@pytest.fixture
def tables(opened: Opened) -> dict[str, Match]:
    """Some tables that differ in one thing each from the first."""
    return {
        "usual": opened(person()),
        "chess": opened(person(), game="card-chess"),
        "days": opened(person(), speed="days"),
        "casual": opened(person(), rated=False),
        "three": opened(person(), seats=3),
    }


def test_they_find_tables_that_exclude_vacations(tables: dict[str, Match], opened: Opened) -> None:
    strict = opened(person(), speed="days", excludes_vacations=True)
    live = [tables[name].pk for name in ("three", "casual", "chess", "usual")]
    assert listed_tables(Filters(vacations="no"), 10) == [strict.pk, *live]
    assert listed_tables(Filters(speed="days", vacations="no"), 10) == [strict.pk]
    assert shown(client_of(person()), "?speed=days&vacations=no") == {strict.slug}


LISTED = [
    (Filters(), ["three", "casual", "days", "chess", "usual"]),
    (Filters(game="card-chess"), ["chess"]),
    (Filters(speed="days"), ["days"]),
    (Filters(speed="live"), ["three", "casual", "chess", "usual"]),
    (Filters(rated="no"), ["casual"]),
    (Filters(rated="yes"), ["three", "days", "chess", "usual"]),
    (Filters(seats="3"), ["three"]),
    (Filters("shifting-stones", "live", "yes", "2"), ["usual"]),
    (Filters("small-islands", "live"), []),
    (Filters("card-chess", seats="5"), []),
]


def test_they_list_what_fits_the_newest_first(tables: dict[str, Match], subtests: pytest.Subtests) -> None:
    for filters, names in LISTED:
        with subtests.test(str(filters)):
            assert listed_tables(filters, 10) == [tables[name].pk for name in names]


def test_private_and_stale_tables_are_left_out(opened: Opened, age: Callable[..., Match]) -> None:
    opened(person(), visibility="private", invited=(person(),))
    age(opened(person(), speed="days"), days=15)
    age(opened(person()), hours=25)
    fits = age(opened(person(), speed="days"), days=13)
    for filters in (Filters(), Filters(game="shifting-stones"), Filters(speed="days"), Filters(rated="yes")):
        assert listed_tables(filters, 10) == [fits.pk]


def test_the_share_of_a_host_holds_with_filters_too(opened: Opened) -> None:
    flood, other = person(), opened(person(), rated=False)
    made = [opened(flood, rated=False) for _ in range(10)]
    share = [match.pk for match in reversed(made[-HOST_SHARE:])]
    assert listed_tables(Filters(rated="no"), HOST_SHARE + 1) == [*share, other.pk]


# --- in the page -----------------------------------------------------------------------------------------------------


def shown(client: Client, query: str = "") -> set[str]:
    """Return the slugs of the tables in the lobby."""
    return {match.slug for match in client.get(f"/lobby/{query}").context["page"].tables}


def test_a_member_finds_the_filters_again_on_another_device(tables: dict[str, Match]) -> None:
    user = person()
    assert shown(client_of(user), "?rated=no") == {tables["casual"].slug}
    assert shown(client_of(user)) == {tables["casual"].slug}
    assert len(shown(client_of(person()))) == 5


def test_a_visitor_finds_the_filters_again_in_the_same_browser(tables: dict[str, Match]) -> None:
    mine, other = Client(), Client()
    assert shown(mine, "?speed=days") == {tables["days"].slug}
    assert shown(mine) == {tables["days"].slug}
    assert mine.cookies["tessera_lobby"]["httponly"]
    assert len(shown(other)) == 5


@pytest.mark.parametrize("known", [True, False])
def test_showing_all_tables_is_remembered_too(tables: dict[str, Match], known: bool) -> None:
    client = client_of(person()) if known else Client()
    shown(client, "?speed=days")
    page = client.get("/lobby/").content.decode()
    assert 'href="?game=&amp;speed=&amp;rated=&amp;seats=&amp;vacations=&amp;joinable="' in page
    assert len(shown(client, "?game=&speed=&rated=&seats=")) == 5
    assert len(shown(client)) == 5


def test_a_visit_that_asks_for_nothing_writes_nothing(tables: dict[str, Match]) -> None:
    user, visitor = person(), Client()
    client_of(user).get("/lobby/?page=2")
    client_of(user).head("/lobby/?rated=no")
    visitor.get("/lobby/")
    assert not LobbyFilter.objects.exists()
    assert "tessera_lobby" not in visitor.cookies


def test_what_makes_no_sense_is_no_filter(tables: dict[str, Match], subtests: pytest.Subtests) -> None:
    for query in ["game=go", "seats=99", "seats=two", "rated=maybe", "speed=", "game=%C3%BF"]:
        with subtests.test(query):
            assert len(shown(Client(), f"?{query}")) == 5


def test_a_broken_cookie_is_no_filter(tables: dict[str, Match], subtests: pytest.Subtests) -> None:
    for cookie in ["", "x", "seats=99", "%", "game=go&rated=maybe", "a" * 5_000]:
        with subtests.test(cookie):
            client = Client()
            client.cookies["tessera_lobby"] = cookie
            assert len(shown(client)) == 5


def test_when_nothing_fits_the_page_leads_on(tables: dict[str, Match]) -> None:
    page = client_of(person()).get("/lobby/?game=small-islands&speed=days").content.decode()
    assert "No open tables fit these filters right now." in page
    assert 'href="/tables/new/?game=small-islands"' in page
    assert "Small Islands</span>" in page
    assert "Over days</span>" in page


def test_pages_keep_the_filters(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.matchmaking.lobby.PAGE", 1)
    for _ in range(3):
        opened(person(), rated=False)
        opened(person())
    page = Client().get("/lobby/?rated=no&page=2")
    assert len(page.context["page"].tables) == 1
    assert 'href="?rated=no&amp;page=3"' in page.content.decode()
    assert 'href="?rated=no&amp;page=1"' in page.content.decode()


def test_a_member_who_leaves_takes_the_filters_along() -> None:
    user = person()
    client_of(user).get("/lobby/?rated=no")
    User.objects.get(pk=user.pk).delete()
    assert not LobbyFilter.objects.exists()


# --- how the database finds it ---------------------------------------------------------------------------------------

EVERY = [Filters(*given) for given in product(("", "card-chess"), ("", "live"), ("", "no", "yes"), ("", "2"))]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's plans")
def test_every_combination_of_filters_reads_open_tables_alone(opened: Opened) -> None:
    for number in range(40):
        opened(person(), rated=bool(number % 3), speed="days" if number % 5 else "live")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for filters in EVERY:
        plan = newest_tables(filters, 37).explain()
        assert "USING INDEX match_open" in plan or "USING INDEX match_archive (status=?" in plan, plan


def test_filters_take_one_query_more_than_their_tables(
    tables: dict[str, Match], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):
        listed_tables(Filters(rated="yes"), 37)
