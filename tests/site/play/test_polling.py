"""The news of a page by HTTP: what its socket would push, and nothing when nothing is new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.test import Client

from accounts import limits
from accounts.models import User
from accounts.services import people_here
from games.chat.models import Unread
from games.matchmaking import tables, views
from games.matchmaking.tables import TableSetup
from games.notifications.models import Kind, Notice
from games.play.live import heartbeat, polling, presence
from games.play.signals import pages_open
from tests.people import Kinds, act, client_of, person, running_match
from tests.site.chat.rooms import say

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def nobody_polls() -> Iterator[None]:
    yield
    heartbeat._polling.clear()
    presence.take_reports()


def news(client: Client, address: str, told: str = "", **more: Any) -> dict[str, Any]:
    answer = client.get(address, {"told": told, **more}, headers=HTMX)
    if answer.status_code == 204:
        assert not answer.content
        return {}
    assert answer.status_code == 200, answer.status_code
    found: dict[str, Any] = answer.json()
    return found


def merged(told: dict[str, Any]) -> dict[str, Any]:
    """Return what some messages say together."""
    return {key: value for message in told.get("messages", ()) for key, value in message.items()}


@pytest.fixture
def ann(db: None) -> User:
    return person("ann")


def test_a_board_comes_when_the_page_does_not_show_it_and_then_nothing(ann: User) -> None:
    match = running_match([ann, person()])
    client, address = client_of(ann), f"/match/{match.slug}/news/"
    first = news(client, address, version=match.version)
    assert "content" not in merged(first)
    assert merged(first)["waiting"] == 1
    assert news(client, address, first["told"], version=match.version) == {}
    shown = match.version
    act(match, "end", 0)
    second = news(client, address, first["told"], version=shown)
    match.refresh_from_db()
    assert merged(second)["version"] == match.version
    assert 'id="match"' in merged(second)["content"]
    assert merged(second)["waiting"] == 0
    assert news(client, address, second["told"], version=match.version) == {}


def test_nothing_new_costs_no_board(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match([ann, person()])
    client, address = client_of(ann), f"/match/{match.slug}/news/"
    told = news(client, address, version=match.version)["told"]
    monkeypatch.setattr(polling, "match_fragment", None)  # would fail
    assert news(client, address, told, version=match.version) == {}


def test_numbers_messages_and_notices_come_once(ann: User) -> None:
    bob = person("bob")
    match = running_match([ann, bob])
    client, address = client_of(ann), f"/match/{match.slug}/news/"
    told = news(client, address, version=match.version)["told"]
    say(bob, match, "Good evening")
    closed = news(client, address, told, version=match.version)
    assert merged(closed)["unread"] == 1
    assert merged(closed)["messages"] == 1
    opened = news(client, address, closed["told"], version=match.version, chat="")
    assert "Good evening" in merged(opened)["chat"]
    assert not Unread.objects.filter(user=ann).exists()


def test_new_notices_come_in_words_but_not_those_that_were_there(ann: User) -> None:
    bob, client = person("bob"), client_of(ann)
    first, second = running_match([bob, person()]), running_match([bob, person()])
    Notice.objects.create(user=ann, match=first, kind=Kind.INVITATION, by=bob)
    before = news(client, "/news/")
    assert merged(before)["notices"] == 1
    assert "toast" not in merged(before)
    Notice.objects.create(user=ann, match=second, kind=Kind.INVITATION, by=bob)
    after = news(client, "/news/", before["told"])
    assert merged(after)["notices"] == 2
    assert merged(after)["toast"]["url"] == second.get_absolute_url()
    assert news(client, "/news/", after["told"]) == {}


def test_the_lobby_and_my_matches_bring_their_lists_when_they_change(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, bob = client_of(ann), person("bob")
    lobby, mine = news(client, "/lobby/news/")["told"], news(client, "/matches/news/")["told"]
    assert news(client, "/matches/news/", mine) == {}
    table = tables.open_table(bob, TableSetup("shifting-stones", 2))
    monkeypatch.setattr(views, "FRESH_ENOUGH", -60)  # as if some time had passed
    lists = [message["content"] for message in news(client, "/lobby/news/", lobby)["messages"]]
    assert [names for content in lists for names in content] == ["tables"]
    assert list(lists[0]["tables"]["fresh"]) == [f"table-{table.slug}"]
    running_match([ann, bob])
    assert "waiting-list" in merged(news(client, "/matches/news/", mine))["content"]


def test_a_table_is_renewed_when_somebody_sits_down(ann: User) -> None:
    table = tables.open_table(ann, TableSetup("shifting-stones", 2))
    client, address = client_of(ann), f"/match/{table.slug}/news/"
    told = news(client, address, version=table.version)["told"]
    assert news(client, address, told, version=table.version) == {}
    tables.join(table.pk, person("bob"))
    table.refresh_from_db()
    assert "bob" in merged(news(client, address, told, version=0))["content"]


def test_a_page_of_somebody_else_gets_nothing(kinds: Kinds) -> None:
    address = f"/match/{kinds.match.slug}/news/"
    assert client_of(kinds.stranger).get(address, {"reader": kinds.seated.username}).status_code == 403
    assert Client().get(address, {"reader": kinds.seated.username}).status_code == 403
    assert client_of(kinds.seated).get(address, {"reader": kinds.seated.username}).status_code == 200


def test_who_asks_is_here_and_looks_only_if_their_page_says_so(kinds: Kinds) -> None:
    address = f"/match/{kinds.match.slug}/news/"
    client = client_of(kinds.seated)
    client.get(address, {"looking": ""})  # a link on another site
    assert not presence.take_reports()
    assert not heartbeat._polling
    news(client, address)
    assert set(heartbeat._polling) == {kinds.seated.pk}
    assert not presence.take_reports()
    news(client, address, looking="")
    news(client_of(kinds.stranger), address, looking="")
    assert list(presence.take_reports()) == [(kinds.seated.pk, kinds.match.pk)]


@pytest.mark.django_db(transaction=True)
def test_who_asks_by_http_counts_as_having_a_page_open_until_they_ask_no_more(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise quick pairing would take them for gone."""
    heard: list[set[int]] = []

    def hear(people: set[int], **_: Any) -> None:
        heard.append(people)

    pages_open.connect(hear)
    news(client_of(ann), "/news/")
    async_to_sync(heartbeat._beat)(())
    assert people_here().count() == 1
    monkeypatch.setattr(heartbeat, "POLLED", -1.0)  # as if much time had passed
    async_to_sync(heartbeat._beat)(())
    assert heard == [{ann.pk}]
    assert not heartbeat._polling


def test_an_honest_page_is_never_refused_and_whoever_asks_without_end_is(ann: User) -> None:
    """Twenty pages of the lobby, which ask as often as any, against somebody who asks on and on."""
    client = client_of(ann)
    most, within = limits.LIMITS["poll"].person[0]
    every = re.search(r'data-every="(\d+)"', client.get("/lobby/").content.decode())
    assert every
    honest = 20 * int(within.total_seconds()) // int(every[1])
    assert {client.get("/news/").status_code for _ in range(honest)} == {200}
    answers = [client.get("/news/") for _ in range(most - honest + 1)]
    assert [answer.status_code for answer in answers[-2:]] == [200, 429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert client_of(person()).get("/news/").status_code == 200
