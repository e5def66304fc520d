"""What an open page of an event is pushed, or told when it asks: to each reader their own; and what a page costs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import post_init
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from websockets.sync.client import ClientConnection

from accounts.models import User
from games.events import services
from games.events.models import Event, Heat
from games.events.pages import PARTS, ROUNDS, EventPage
from games.play import commands, rulings
from games.play.models import Match
from tests.people import client_of, person
from tests.serving import Site, dialled
from tests.site.events.swiss import go_on, opened, resign, start


def started(people: list[User], nonce: bytes = b"") -> Event:
    """Return a Swiss that has just started, with these people in it."""
    event = opened(people, nonce=nonce)
    start(event)
    return event


def content(socket: ClientConnection) -> str:
    """Return what the next push brings."""
    while "content" not in (message := json.loads(socket.recv(timeout=60))):
        pass
    return str(message["content"])


def content_with(socket: ClientConnection, words: str) -> str:
    """Return what the first push brings that has these words in it."""
    while words not in (found := content(socket)):
        pass
    return found


def test_each_reader_is_pushed_their_own_page_and_only_what_has_changed(live_site: Site) -> None:
    nonce = bytes(range(16))
    ann, bob, zoe = person("ann"), person("bob"), person("zoe")
    event = started([ann, bob], nonce)
    path = f"events/{event.slug}/?language=en"
    with ExitStack() as stack:
        sockets = [
            stack.enter_context(dialled(live_site, path, client_of(user) if user else None))
            for user in (ann, zoe, None)
        ]
        first = [content(socket) for socket in sockets]
        assert all(f'<hx-partial id="{part}"' in html for html in first for part in PARTS)
        assert ['id="next-matches"' in html for html in first] == [True, False, False]
        assert [nonce.hex() in html for html in first] == [True, False, False]
        assert not any("csrf" in html for html in first)
        assert 'value="leave"' in first[0]
        assert "Entries for this event are closed" in first[1]

        commands.resign(Match.objects.get().pk, 0, "resigns-one")
        go_on(event)
        for socket in sockets:
            changed = content_with(socket, 'id="event-people"')
            assert bytes(Event.objects.get(pk=event.pk).server_seed).hex() not in changed


def test_a_page_without_a_socket_asks_and_is_told_the_same(db: None) -> None:
    ann, bob = person("ann"), person("bob")
    event = started([ann, bob])
    address = reverse("event_news", args=[event.slug])
    browser, visitor = client_of(ann), Client()
    told = browser.get(address).json()
    html = next(it["content"] for it in told["messages"] if "content" in it)
    assert 'id="next-matches"' in html
    assert browser.get(address, {"told": told["told"]}).status_code == 204
    assert 'id="next-matches"' not in json.dumps(visitor.get(address).json())
    assert visitor.get(address, {"reader": "ann"}).status_code == 403
    services.leave(bob, event.slug)
    assert "event-people" in json.dumps(browser.get(address, {"told": told["told"]}).json())


# --- what a page costs ------------------------------------------------------------------------------------------------


@contextmanager
def loaded_heats() -> Iterator[list[Heat]]:
    """Collect the heats that are loaded."""
    found: list[Heat] = []

    def note(instance: Heat, **_: Any) -> None:
        found.append(instance)

    post_init.connect(note, sender=Heat)
    try:
        yield found
    finally:
        post_init.disconnect(note, sender=Heat)


@pytest.mark.django_db
def test_a_page_of_a_ladder_costs_the_same_however_many_nights_it_has() -> None:
    event, reader = started([person(), person()]), person()
    Event.objects.filter(pk=event.pk).update(format="ladder", rounds=None)
    browser, costs, last, now = client_of(reader), [], 1, timezone.now()
    for nights in (2 * ROUNDS, 300):
        Heat.objects.bulk_create(
            Heat(event=event, round=it, number=1, people=[0, 1], places=[1, 2], drawn_at=now, begun_at=now, over_at=now)
            for it in range(last + 1, nights + 1)
        )
        last = nights
        page = browser.get(event.get_absolute_url()).content.decode()
        assert f'<td class="number"><b>{nights - 1}</b></td>' in page
        with CaptureQueriesContext(connection) as asked, loaded_heats() as heats:
            browser.get(event.get_absolute_url())
        costs.append(len(asked))
        assert len(heats) == ROUNDS + 1, "those of the rounds that are listed, and the one that runs"
    assert costs[0] == costs[1]


@pytest.mark.django_db
def test_the_standings_follow_what_moderators_decide_about_a_match_that_is_over() -> None:
    ann, bob = person("ann"), person("bob")
    event = started([ann, bob])
    match = Match.objects.get()
    resign(match)  # played to its end it might be a draw

    def points() -> dict[str, int]:
        go_on(event)
        return {line.entry.name: line.row.points for line in EventPage(Event.objects.get(pk=event.pk), ann).lines}

    played = points()
    rulings.award(match.pk, [2 if seat.place == 1 else 1 for seat in match.seats.order_by("number")], "He had help.")
    awarded = points()
    assert awarded == {"ann": played["bob"], "bob": played["ann"]} != played
    rulings.annul(match.pk, "Nobody knows any more.")
    assert set(points().values()) == {0}
    rulings.take_back(match.pk, "It was right as it was.")
    assert points() == played
