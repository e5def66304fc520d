"""What the lobby shows: everything public, nothing private."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from accounts.models import User
from accounts.services import record_presence, rename
from games.matchmaking import filters, tables
from games.matchmaking.filters import HOST_SHARE
from games.matchmaking.limits import fresh_tables
from games.matchmaking.lobby import PAGE, Page, lobby_page, own_tables, running_matches
from games.play.models import Match
from games.ratings.models import Rating
from tests.people import client_of, person, running_match

Opened = Callable[..., Match]


def shared(signed_in: bool = True) -> str:
    """Return both lists that everyone sees."""
    return page().listing(signed_in).html + running_matches(time.monotonic()).listing().html


def page(number: int = 1) -> Page:
    return lobby_page(number, time.monotonic())


def own(user: User) -> str:
    return own_tables(user)


# --- what is shown --------------------------------------------------------------------------------------------------


def test_open_public_tables_are_shown_the_newest_first(opened: Opened) -> None:
    first, second = opened(person()), opened(person())
    html = shared()
    assert 0 < html.index(f"table-{second.slug}") < html.index(f"table-{first.slug}")


@pytest.mark.parametrize("visibility", ["link", "private"])
def test_tables_that_are_not_public_are_not_shown(opened: Opened, visibility: str) -> None:
    guest = person()
    match = opened(person("hidden"), visibility=visibility, invited=(guest,))
    assert match.slug not in shared()
    assert "hidden" not in shared()


def test_stale_begun_and_closed_tables_are_not_shown(opened: Opened, age: Opened) -> None:
    host = person()
    stale, begun, closed = opened(host), opened(host), opened(host)
    age(stale, hours=25)
    tables.join(begun.pk, person())
    tables.close_table(closed.pk, host)
    assert "table-" not in shared()


def test_running_public_matches_can_be_watched_private_and_lonely_ones_cannot(db: None) -> None:
    public = running_match([person(), person()])
    private = running_match([person(), person()], visibility="private")
    alone = running_match([person()])
    html = shared()
    assert f"running-{public.slug}" in html
    assert private.slug not in html
    assert alone.slug not in html


def test_only_members_get_a_button_to_sit_down(opened: Opened) -> None:
    match = opened(person())
    assert f"/tables/{match.slug}/join/" in shared(signed_in=True)
    assert "/join/" not in shared(signed_in=False)


def test_visitors_sit_down_at_casual_tables_as_guests(opened: Opened, client: Client) -> None:
    casual, rated = opened(person(), rated=False), opened(person(), rated=True)
    html = shared(signed_in=False)
    assert f'formaction="/tables/{casual.slug}/guest/"' in html
    assert rated.slug in html
    assert f"sit-{rated.slug}" not in html
    assert client.post(f"/tables/{casual.slug}/guest/")["Location"] == casual.get_absolute_url()
    casual.refresh_from_db()
    assert casual.is_running


def test_a_table_says_whether_its_host_is_online(opened: Opened) -> None:
    here, hidden, gone = person(), person(shows_presence=False), person()
    record_presence([here.pk, hidden.pk])
    matches = [opened(host) for host in (here, hidden, gone)]
    rows = {entry.name: entry.html for entry in page().listing(True).entries}
    said = ["not online" in rows[f"table-{match.slug}"] for match in matches]
    assert said == [False, True, True]
    record_presence([gone.pk])
    assert "not online" not in page().listing(True).html.split(f"table-{matches[2].slug}")[1].split("</li>")[0]


def test_everybody_sees_the_same_in_the_same_language(opened: Opened) -> None:
    opened(person())
    now = page()
    assert now.listing(signed_in=True) is now.listing(signed_in=True)
    with translation.override("de"):
        assert now.listing(signed_in=True) is not None
    assert len(now._rendered) == 2


def test_an_entry_that_has_been_rendered_changes_with_all_that_it_shows(opened: Opened) -> None:
    host, guest = person(), person()
    match = opened(host, seats=3)
    before = {signed_in: page().listing(signed_in).html for signed_in in (True, False)}
    assert before[True] != before[False]
    assert page().listing(signed_in=True).html == before[True]
    assert rename(host, "Renamed")
    assert "Renamed" in shared()
    Rating.objects.create(user=host, game=match.game, speed=match.speed, rating=1_777_000, games=20)
    assert "1777" in shared()
    tables.join(match.pk, guest)
    assert guest.username in shared()
    with translation.override("de"):
        assert "Spieler" in shared() or "Platz" in shared()
    with timezone.override("Asia/Tokyo"):
        assert "+09:00" in shared()
    assert "+09:00" not in shared()


def test_ones_own_tables_and_invitations_come_apart(opened: Opened) -> None:
    host, guest, stranger = person(), person(), person()
    match = opened(host, visibility="private", seats=3, invited=(guest,))
    assert match.slug in own(host)
    assert "You are invited" in own(guest)
    assert own(stranger) == ""
    tables.join(match.pk, guest)
    assert "You are invited" not in own(guest)


def test_the_lobby_loads_with_few_queries(opened: Opened, django_assert_max_num_queries: Any) -> None:
    for _ in range(8):
        opened(person())
        running_match([person(), person()])
    with django_assert_max_num_queries(8):
        shared()


def test_names_cannot_become_markup(opened: Opened) -> None:
    host = person()
    User.objects.filter(pk=host.pk).update(username="<b>x</b>")
    opened(User.objects.get(pk=host.pk))
    assert "<b>x" not in shared()


# --- pages ----------------------------------------------------------------------------------------------------------


def listed(number: int = 1) -> list[Match]:
    return list(page(number).tables)


def test_a_page_holds_so_many_and_the_next_one_goes_on(opened: Opened) -> None:
    made = [opened(person()) for _ in range(PAGE + 2)]
    assert [it.pk for it in listed(1) + listed(2)] == [it.pk for it in reversed(made)]
    assert (page(1).more, page(2).more, listed(3)) == (True, False, [])
    client = client_of(person())
    assert 'href="?page=2"' in client.get("/lobby/").content.decode()
    older = client.get("/lobby/?page=2").content.decode()
    assert f"table-{made[0].slug}" in older
    assert 'href="?page=1"' in older
    assert 'href="?page=3"' not in older


def test_a_page_that_makes_no_sense_is_the_first(opened: Opened, subtests: pytest.Subtests) -> None:
    match, client = opened(person()), client_of(person())
    for number in ("", "0", "-1", "two", "9999", "1e3", "²"):
        with subtests.test(number):
            assert f"table-{match.slug}" in client.get("/lobby/", {"page": number}).content.decode()


def test_ten_accounts_cannot_push_everybody_else_off_the_first_page(opened: Opened) -> None:
    others = [opened(person()) for _ in range(PAGE - 10 * HOST_SHARE)]
    for host in [person() for _ in range(10)]:
        for _ in range(10):
            opened(host)
    assert {match.pk for match in others} < {match.pk for match in listed(1)}


def test_of_one_host_the_newest_tables_are_listed(opened: Opened) -> None:
    host = person()
    made = [opened(host) for _ in range(HOST_SHARE + 2)]
    assert [it.pk for it in listed()] == [it.pk for it in reversed(made[2:])]


def test_private_tables_are_loaded_for_their_people_alone(opened: Opened, django_assert_num_queries: Any) -> None:
    guest, stranger = person(), person()
    for _ in range(3):
        opened(person(), visibility="private", seats=3, invited=(guest,))
    assert listed() == []
    with django_assert_num_queries(1):
        assert own(stranger) == ""
    assert own(guest).count("data-slug") == 3


def test_without_the_filter_a_private_table_would_be_noticed(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sabotage: with the filter off the test of private tables must fail."""
    match = opened(person(), visibility="private", invited=(person(),))
    monkeypatch.setattr(filters, "_waiting", fresh_tables)
    assert match.slug in shared()
