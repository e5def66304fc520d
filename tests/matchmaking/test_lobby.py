"""What the lobby shows and pushes: everything public, nothing private, at most once a second."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from websockets.sync.client import ClientConnection

from accounts.models import User
from games.matchmaking import consumers, lobby, services
from games.matchmaking.lobby import HOST_SHARE, PAGE, lobby_page, own_tables
from games.play.live import pulse
from games.play.matches import announce
from games.play.models import Match
from tests.people import client_of, person, running_match
from tests.serving import Site, dialled

Opened = Callable[..., Match]
Opener = Callable[..., AbstractContextManager[ClientConnection]]


def shared(signed_in: bool = True) -> str:
    return page().shared(signed_in)


def page(number: int = 1) -> lobby.Page:
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
    services.join(begun.pk, person())
    services.close_table(closed.pk, host)
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
    assert "join" not in shared(signed_in=False)


def test_everybody_sees_the_same_in_the_same_language(opened: Opened) -> None:
    opened(person())
    now = page()
    assert now.shared(signed_in=True) is now.shared(signed_in=True)
    with translation.override("de"):
        assert now.shared(signed_in=True) is not None
    assert len(now._rendered) == 2


def test_ones_own_tables_and_invitations_come_apart(opened: Opened) -> None:
    host, guest, stranger = person(), person(), person()
    match = opened(host, visibility="private", seats=3, invited=(guest,))
    assert match.slug in own(host)
    assert "You are invited" in own(guest)
    assert own(stranger) == ""
    services.join(match.pk, guest)
    assert "You are invited" not in own(guest)


def test_the_lobby_loads_with_few_queries(opened: Opened, django_assert_max_num_queries: Any) -> None:
    for _ in range(8):
        opened(person())
        running_match([person(), person()])
    with django_assert_max_num_queries(6):
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


@pytest.mark.parametrize("number", ["", "0", "-1", "two", "9999", "1e3", "²"])
def test_a_page_that_makes_no_sense_is_the_first(opened: Opened, number: str) -> None:
    match = opened(person())
    assert f"table-{match.slug}" in client_of(person()).get("/lobby/", {"page": number}).content.decode()


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
    with django_assert_num_queries(2):
        assert own(stranger) == ""
    assert own(guest).count("data-slug") == 3


# --- what is pushed -------------------------------------------------------------------------------------------------


@pytest.fixture
def opener(live_site: Site) -> Opener:
    """Open the lobby's socket as a user (None: a visitor)."""

    def open_socket(user: User | None, client: Client | None = None, page: int = 1, **headers: str) -> ClientConnection:
        return dialled(
            live_site, f"lobby/?language=en&page={page}", (client or client_of(user)) if user else None, **headers
        )

    return open_socket


def lists(connection: ClientConnection, seconds: float = 8) -> dict[str, Any]:
    """Return the next message that carries the lists."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        message: dict[str, Any] = json.loads(connection.recv(timeout=seconds))
        if "content" in message:
            return message
    raise AssertionError("only heartbeats came")


def none_for(connection: ClientConnection, seconds: float) -> bool:
    """Return whether no lists arrive for this long."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        try:
            if "content" in json.loads(connection.recv(timeout=left)):
                return False
        except TimeoutError:
            return True
    return True


def test_the_first_message_is_the_whole_lobby(opener: Opener, opened: Opened) -> None:
    match = opened(person())
    with opener(None) as connection:
        message = lists(connection)
    assert match.slug in message["content"]
    assert message["own"] == ""


def test_a_new_table_appears_and_a_begun_one_goes(opener: Opener, opened: Opened) -> None:
    with opener(None) as connection:
        assert "table-" not in lists(connection)["content"]
        match = opened(person())
        assert f"table-{match.slug}" in lists(connection)["content"]
        services.join(match.pk, person())
        content = lists(connection)["content"]
        assert f"table-{match.slug}" not in content
        assert f"running-{match.slug}" in content


def test_each_page_has_its_own_pushes(opener: Opener, opened: Opened) -> None:
    oldest = opened(person())
    for _ in range(PAGE - 1):
        opened(person())
    with opener(None) as first, opener(None, page=2) as second:
        assert f"table-{oldest.slug}" in lists(first)["content"]
        assert "table-" not in lists(second)["content"]
        newest = opened(person())
        assert f"table-{newest.slug}" in lists(first)["content"]
        assert f"table-{oldest.slug}" in lists(second)["content"]


def test_each_sees_their_own_tables_and_no_others(opener: Opener, opened: Opened) -> None:
    host, stranger = person(), person()
    with opener(host) as mine, opener(stranger) as other:
        lists(mine), lists(other)
        match = opened(host, visibility="private", seats=3, invited=(person(),))
        assert match.slug in lists(mine)["own"]
        opened(person())
        assert match.slug not in json.dumps(lists(other))


def test_many_changes_come_as_one_push_a_second(opener: Opener, opened: Opened) -> None:
    with opener(None) as connection:
        lists(connection)
        began = time.monotonic()
        made = [opened(person()) for _ in range(8)]
        pushes = 0
        while made[-1].slug not in (message := lists(connection))["content"]:
            pushes += 1
        assert all(match.slug in message["content"] for match in made)
        assert pushes <= 1 + (time.monotonic() - began) / consumers.PAUSE


def test_nothing_new_is_not_pushed_again(opener: Opener, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "EVERY", 0.2)
    host = person()
    match = opened(host, visibility="link", seats=3)
    with opener(None) as connection:
        lists(connection)
        services.join(match.pk, person())
        assert none_for(connection, 1.5)


def test_a_lost_hint_heals_at_the_heartbeat(opener: Opener, opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "EVERY", 0.2)
    monkeypatch.setattr(consumers, "FRESH_ENOUGH", 0.0)
    with opener(None) as connection:
        lists(connection)
        monkeypatch.setattr(announce, "lobby_changed", lambda: None)
        match = opened(person())
        assert match.slug in lists(connection)["content"]


def test_a_hello_is_answered_with_the_lobby(opener: Opener) -> None:
    with opener(None) as connection:
        first = lists(connection)
        connection.send('{"kind": "hello"}')
        assert lists(connection) == first


def test_the_page_shows_what_the_socket_pushes(opener: Opener, opened: Opened) -> None:
    opened(person())
    user = person()
    client = client_of(user)
    shown = client.get("/lobby/").content.decode()
    with opener(user, client) as connection:
        assert lists(connection)["content"] in shown


def test_without_the_filter_a_private_table_would_be_noticed(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sabotage: with the filter off the test of private tables must fail."""
    match = opened(person(), visibility="private", invited=(person(),))
    monkeypatch.setattr(lobby, "_public", lambda: Match.objects.order_by("-pk"))
    assert match.slug in shared()
