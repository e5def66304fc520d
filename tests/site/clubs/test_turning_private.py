"""A public club that turns private: what was public of it is no longer shown to others, anywhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.clubs import roster, services
from games.clubs.models import Club
from games.events import rounds
from games.events.models import Event
from games.events.organising import make_event
from games.events.services import enter
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play import commands
from games.play.models import Match, Seat
from games.privacy.personal_data import PARTS
from tests.people import client_of, person
from tests.site.clubs.clubs import club_of, put_in, role_of

pytestmark = pytest.mark.django_db

NAME, TEXT = "Zeppelin Xyzzy", "Plugh and friends"


@dataclass
class World:
    """A public club with an event that is over, one that runs, and a table to which an outsider is invited."""

    club: Club
    ann: User
    bob: User
    over: Event
    runs: Event
    table: Match
    outside: dict[str, User]

    @property
    def heats(self) -> list[Match]:
        return list(Match.objects.filter(heat__event__club=self.club).order_by("pk"))

    def turn(self, **more: object) -> None:
        """Let an owner turn the club private by the form."""
        fields = {"name": NAME, "text": TEXT, "joining": "request", "private": "on", **more}
        assert client_of(self.ann).post(reverse("club_change", args=[self.club.slug]), fields).status_code == 302
        self.club.refresh_from_db()


def played(club: Club, ann: User, people: list[User], rounds_: int) -> Event:
    """Return a Swiss whose first round is played."""
    how: dict[str, Any] = {
        "game": "shifting-stones",
        "format": "swiss",
        "clock": "300+5/600",
        "length": timedelta(hours=1),
    }
    event = make_event(club, ann, starts_at=timezone.now() + timedelta(hours=1), rounds=rounds_, **how)
    for user in people:
        enter(user, event.slug)
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now(), next_at=timezone.now())
    rounds.go_on(event.pk)
    Seat.objects.filter(match__heat__event=event).update(acted=True)
    for match in Match.objects.filter(heat__event=event, status=Match.Status.RUNNING):
        commands.resign(match.pk, 0, f"resigns-{match.pk}")
    Event.objects.filter(pk=event.pk).update(next_at=timezone.now())
    rounds.go_on(event.pk)
    event.refresh_from_db()
    return event


@pytest.fixture
def world() -> World:
    ann = person("ann")
    club = club_of(ann, NAME, text=TEXT, joining="request")
    bob, former = put_in(club, user=person("bob")), put_in(club, user=person("former"))
    over, runs = played(club, ann, [ann, bob, former], 1), played(club, ann, [ann, bob, former, put_in(club)], 3)
    assert (over.state, runs.state) == (Event.State.OVER, Event.State.RUNNING)
    services.leave(former, club.slug)
    asking, declined, guest = person("asking"), person("declined"), person("guest")
    services.ask(asking, club.slug)
    roster.invite(ann, club, ["declined"])
    roster.decline(declined, club)
    setup = TableSetup("shifting-stones", 3, rated=False, visibility="club", club=club, invited=(guest,))
    outside = {"former": former, "asking": asking, "declined": declined, "guest": guest, "stranger": person("eve")}
    return World(club, ann, bob, over, runs, tables.open_table(ann, setup), outside)


def pages_of(world: World, reader: User | None) -> list[str]:
    """Return where one would look for a club: its own pages, and all that show its members and their matches."""
    of_events = ("event", "event_news", "event_picture", "event_proof", "event_calendar")
    of_club = ("club", "club_members", "club_chat", "report_club", "club_invitation")
    of_matches = ("match", "replay", "match_picture", "record", "match_chat", "review", "embed_match", "match_news")
    names = [
        *("home", "lobby", "archive", "events", "clubs", "planned_tables", "leaderboard", "sitemap", "my_matches"),
        *("notices", "messages", "reports", "people"),
    ]
    return [
        *(reverse(name) for name in names),
        reverse("clubs", query={"name": "xyzzy"}),
        *(reverse(name, args=[event.slug]) for event in (world.over, world.runs) for name in of_events),
        *(reverse(name, args=[world.club.slug]) for name in of_club),
        *(reverse(name, args=[match.slug]) for name in of_matches for match in world.heats),
        *(user.get_absolute_url() for user in (world.ann, world.bob)),
        *(f"/api/v1/matches/{match.slug}" for match in world.heats),
        *([world.table.get_absolute_url()] if reader is not None and reader.username == "guest" else []),
    ]


def found_in(world: World, browser: Client, pages: list[str]) -> list[str]:
    """Return the pages on which the club or one of its events is named or linked."""
    secret = re.compile("|".join((NAME, "Xyzzy", "Plugh", world.club.slug, world.over.slug, world.runs.slug)).encode())
    found = []
    for page in pages:
        answer = browser.get(page)
        body = b"".join(answer) if answer.streaming else answer.content
        if answer.status_code < 400 and secret.search(body):
            found.append(page)
    return found


def test_nothing_names_a_club_or_its_events_to_others_once_it_is_private(world: World) -> None:
    readers = {"visitor": None, **{name: world.outside[name] for name in ("former", "asking", "guest")}}
    browsers = {name: client_of(user) if user else Client() for name, user in readers.items()}
    heat = world.heats[0]
    before = found_in(world, browsers["visitor"], pages_of(world, None))
    assert {world.club.get_absolute_url(), heat.get_absolute_url(), world.over.get_absolute_url()} <= set(before)
    world.turn()
    for name, reader in readers.items():
        assert found_in(world, browsers[name], pages_of(world, reader)) == [], name
        assert browsers[name].get(heat.get_absolute_url()).status_code in {200, 302}, "matches stay public"
    member = client_of(world.bob)
    after = found_in(world, member, pages_of(world, world.bob))
    assert {world.club.get_absolute_url(), world.over.get_absolute_url(), world.runs.get_absolute_url()} <= set(after)
    assert any(match.get_absolute_url() in after for match in world.heats), "members still see whose matches they are"


def test_heats_that_begin_later_are_for_members_alone(world: World) -> None:
    world.turn()
    Event.objects.filter(pk=world.runs.pk).update(next_at=timezone.now())
    known = {match.pk for match in world.heats}
    for match in Match.objects.filter(heat__event=world.runs, status=Match.Status.RUNNING):
        Seat.objects.filter(match=match).update(acted=True)
        commands.resign(match.pk, 0, f"resigns-{match.pk}")
    rounds.go_on(world.runs.pk)
    later = [match for match in world.heats if match.pk not in known]
    assert later
    for match in later:
        assert match.visibility == Match.Visibility.CLUB
        assert client_of(world.outside["stranger"]).get(match.get_absolute_url()).status_code == 404


def test_the_form_says_it_before_and_requests_the_former_link_and_names_in_exports_end(world: World) -> None:
    former, form = world.club.link, reverse("club_change", args=[world.club.slug])
    owner = client_of(world.ann)
    assert "Nobody else will see the club, its events" in owner.get(form).content.decode()
    world.turn(name=f"{NAME} now hidden")
    assert "If you make it public, everyone will see the club" in owner.get(form).content.decode()
    assert not world.club.requests.exists()
    assert world.club.link != former
    assert client_of(world.outside["stranger"]).post(reverse("club_link", args=[former])).status_code == 404
    assert role_of(world.club, world.outside["stranger"]) == ""
    link = world.club.link
    world.turn(name=f"{NAME} still hidden")
    assert world.club.link == link, "it is renewed once"
    for name in ("declined", "asking", "former"):
        rows = [list(part.rows(world.outside[name])) for part in PARTS]
        assert "hidden" not in str(rows), name
