"""What members are told of new tables and events of their club: which of them, how often, and until when."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from accounts.relations import block
from games.chat.services import mute_person
from games.clubs import services
from games.clubs.models import Club
from games.events import organising
from games.events.services import enter
from games.matchmaking import planned, tables
from games.matchmaking.tables import TableSetup
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from games.notifications.services import notices_of
from games.play.models import Match
from tests.people import client_of, person
from tests.site.clubs.clubs import knockout_of, put_in
from tests.site.notifications.telling import Post, noted, prefer

pytestmark = pytest.mark.django_db

TOLD = "club-table"


@pytest.fixture
def bob(club: Club) -> User:
    return put_in(club, user=person("bob"))


def table(host: User, club: Club, **wish: object) -> Match:
    setup = {"seats": 3, "rated": False, "visibility": Match.Visibility.CLUB, "club": club, **wish}
    return tables.open_table(host, TableSetup("shifting-stones", **setup))  # type: ignore[arg-type]


def shown(reader: User) -> list[tuple[str, str, str]]:
    found = notices_of(reader).filter(kind=Kind.CLUB_TABLE)
    return [(it.title, it.text, it.url.removeprefix("http://127.0.0.1:8000")) for it in map(message_of, found)]


def test_members_are_told_who_opens_which_table_of_which_club(ann: User, club: Club, bob: User, post: Post) -> None:
    match = table(bob, club)
    ((title, text, url),) = shown(ann)
    assert (title, url) == ("bob opens a table: Shifting Stones", match.get_absolute_url())
    assert text.startswith("For members of Chess at school. Casual match for 3 players.")
    assert noted(TOLD) == ["ann"], "not who opened it, and nobody else"
    assert post.work() == [], "on the page alone, unless more is wanted"
    assert "bob opens a table" in client_of(ann).get("/notices/").content.decode()


def test_it_goes_everywhere_where_that_is_wanted_while_one_could_sit_down(
    ann: User, club: Club, bob: User, post: Post
) -> None:
    prefer(ann, off=[])
    planned.plan_table(bob, _planned(club), timezone.now() + timedelta(days=2))
    assert {(kind, name) for _channel, kind, name in post.work()} == {(TOLD, "ann")}
    [message] = post.messages("mail")
    assert message.title.startswith("bob plans a table for Shifting Stones: ")
    Notice.objects.all().delete()
    full = table(bob, club, seats=2)
    tables.join(full.pk, put_in(club))
    post.work()
    assert not [it for it in post.messages("mail")[1:] if it.kind == TOLD]
    assert shown(ann) == [], "it has begun"


def _planned(club: Club) -> TableSetup:
    return TableSetup("shifting-stones", 3, rated=False, visibility=Match.Visibility.CLUB, club=club)


def test_whom_a_block_or_a_mute_separates_and_who_is_invited_hear_nothing_of_it(
    ann: User, club: Club, bob: User
) -> None:
    blocking, blocked, muting, invited, gone = (put_in(club) for _ in range(5))
    block(blocking, bob)
    block(bob, blocked)
    mute_person(muting, bob, muted=True)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    table(bob, club, invited=(invited,))
    assert noted(TOLD) == ["ann"]
    block(ann, bob)
    assert noted(TOLD) == [], "of somebody they block they are told nothing any more"


def test_many_tables_and_events_are_one_notice_an_hour_that_leads_to_the_newest(
    ann: User, club: Club, bob: User, clock: Traveller
) -> None:
    for _ in range(3):
        tables.close_table(table(bob, club).pk, bob)
    last = table(put_in(club, user=person("carl")), club)
    assert [url for _title, _text, url in shown(ann)] == [last.get_absolute_url()]
    event = knockout_of(club, ann)
    assert [url for _title, _text, url in shown(bob)] == [event.get_absolute_url()]
    assert noted(TOLD).count("ann") == 1
    clock.shift(timedelta(minutes=61))
    table(bob, club)
    assert noted(TOLD).count("ann") == 2


def test_of_a_new_event_members_are_told_until_they_enter_or_it_is_cancelled(
    ann: User, club: Club, bob: User, post: Post
) -> None:
    prefer(bob, off=[])
    event = knockout_of(club, ann)
    ((title, text, url),) = shown(bob)
    assert title == "New event: Knockout of Shifting Stones"
    assert text.startswith("For members of Chess at school. It starts on ")
    assert url == event.get_absolute_url()
    assert {(kind, name) for _channel, kind, name in post.work()} == {(TOLD, "bob")}
    assert noted(TOLD) == ["bob"], "not its organiser"
    organising.cancel_event(event, ann)
    assert noted(TOLD) == []
    Notice.objects.all().delete()
    event = knockout_of(club, ann)
    enter(bob, event.slug)
    assert not [it for it in post.work() if it[1] == TOLD]


def test_whoever_belongs_to_the_club_no_longer_is_told_nothing_of_it(ann: User, club: Club, bob: User) -> None:
    table(ann, club)
    assert noted(TOLD) == ["bob"]
    services.leave(bob, club.slug)
    assert noted(TOLD) == []
    table(ann, club)
    assert noted(TOLD) == [], "strangers hear nothing of tables of a club"
