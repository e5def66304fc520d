"""The page of somebody's people, what can be done on profiles, who is here, and friends' tables on home and lobby."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import relations
from accounts.models import Sighting, User
from accounts.services import HERE, LOOKING, here_for, is_looking, look_for_a_game, record_presence
from games.matchmaking import lobby, tables, views
from games.matchmaking.invitations import invite_more, remove_player
from games.matchmaking.models import Invitation
from games.matchmaking.tables import TableSetup
from games.play.live import heartbeat
from games.play.models import Match
from tests.people import client_of, person, running_match
from tests.serving import Site, dialled
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def bob(ann: User) -> User:
    """Return a friend of ann's."""
    bob = person("bob")
    relations.request_friendship(ann, bob)
    relations.accept_request(bob, ann)
    return bob


def do(reader: User, what: str, other: User) -> int:
    return client_of(reader).post(reverse("person_change", args=[other.username]), {"do": what}).status_code


def page(reader: User, name: str = "people") -> str:
    return client_of(reader).get(reverse(name)).content.decode()


def profile(reader: User, of: User) -> str:
    return client_of(reader).get(of.get_absolute_url()).content.decode()


def table(host: User, **wish: object) -> Match:
    return tables.open_table(host, TableSetup("shifting-stones", 2, rated=False, **wish))  # type: ignore[arg-type]


# --- forms ------------------------------------------------------------------------------------------------------------


def test_two_become_friends_by_buttons_alone(ann: User) -> None:
    bob = person("bob")
    assert 'value="ask"' in profile(ann, bob)
    assert do(ann, "ask", bob) == 302
    assert 'value="remove"' in profile(ann, bob)
    assert "Friend requests" in page(bob)
    assert "1 friend request is waiting for your answer" in page(bob, "home")
    assert 'value="accept"' in profile(bob, ann)
    do(bob, "accept", ann)
    assert relations.are_friends(ann, bob)
    do(ann, "remove", bob)
    assert not relations.are_friends(ann, bob)


def buttons(shown: str) -> set[str]:
    """Return what the buttons of a page do about people."""
    return set(re.findall(r'name="do" value="(\w+)"', shown))


def test_a_friend_request_is_declined_from_the_page_of_people(ann: User) -> None:
    bob = person("bob")
    relations.request_friendship(ann, bob)
    assert "decline" in buttons(page(bob))
    assert do(bob, "decline", ann) == 302
    assert not relations.are_friends(ann, bob)
    assert "Friend requests" not in page(bob)
    assert buttons(page(bob)) == set()


def test_a_friend_request_is_taken_back_from_the_page_of_people(ann: User) -> None:
    bob = person("bob")
    relations.request_friendship(ann, bob)
    assert buttons(page(ann)) == {"remove"}
    assert "Take back request" in page(ann)
    assert do(ann, "remove", bob) == 302
    assert "Take back request" not in page(ann)
    assert "Friend requests" not in page(bob)
    do(bob, "accept", ann)
    assert not relations.are_friends(ann, bob), "there is nothing left to accept"


def test_every_button_does_what_it_says(ann: User, bob: User) -> None:
    do(ann, "follow", bob)
    assert relations.is_following(ann, bob)
    do(ann, "unfollow", bob)
    assert not relations.is_following(ann, bob)
    do(ann, "block", bob)
    assert relations.has_blocked(ann, bob)
    assert 'value="unblock"' in profile(ann, bob)
    assert "Blocked" in page(ann)
    do(ann, "unblock", bob)
    assert not relations.has_blocked(ann, bob)


def test_buttons_lead_back_to_where_they_were_and_nowhere_else(ann: User, bob: User) -> None:
    path = reverse("person_change", args=[bob.username])
    answers = [
        client_of(ann).post(path, {"do": "follow", "next": target})["Location"]
        for target in (reverse("people"), "https://evil.example/")
    ]
    assert answers == [reverse("people"), bob.get_absolute_url()]


@pytest.mark.parametrize("what", ["", "marry", "ask"])
def test_a_refusal_is_a_sentence(ann: User, what: str) -> None:
    other = ann if what == "ask" else person("other")
    path = reverse("person_change", args=[other.username])
    answer = client_of(ann).post(path, {"do": what}, follow=True)
    assert answer.status_code == 200
    assert [str(it) for it in answer.context["messages"]]


def test_nobody_does_anything_about_who_is_gone(ann: User) -> None:
    gone = person("gone", is_active=False)
    assert do(ann, "follow", gone) == 404
    assert client_of(ann).post("/@nobody-here/change/", {"do": "follow"}).status_code == 404


def test_who_is_blocked_sees_what_a_stranger_sees(ann: User) -> None:
    bob, stranger = person("bob"), person("cid")
    relations.block(ann, bob)
    for user in (bob, stranger):
        for what in ("ask", "follow"):
            assert do(user, what, ann) == 302
    seen = [[profile(user, ann), page(user)] for user in (bob, stranger)]
    for mine, theirs in zip(*seen, strict=True):
        for button in ("ask", "accept", "remove", "follow", "unfollow", "block", "unblock"):
            assert (f'value="{button}"' in mine) == (f'value="{button}"' in theirs)
    assert page(ann).count('value="accept"') == 1


def test_guests_can_block_and_nothing_else(ann: User) -> None:
    guest = person("Guest-Amber-Otter", guest=True)
    shown = profile(guest, ann)
    assert 'value="block"' in shown
    assert 'value="ask"' not in shown
    do(guest, "block", ann)
    assert relations.has_blocked(guest, ann)
    assert "Register" in page(guest)
    assert 'value="ask"' not in profile(ann, guest)


def test_visitors_have_no_buttons(ann: User) -> None:
    assert 'value="block"' not in Client().get(ann.get_absolute_url()).content.decode()


# --- who is here ------------------------------------------------------------------------------------------------------


def test_who_is_here_is_seen_by_friends_and_followers_unless_hidden(ann: User, bob: User) -> None:
    cid = person("cid")
    relations.follow(cid, bob)
    record_presence([bob.pk])
    for reader in (ann, cid):
        assert views.seen_by(reader, [bob], relations.circle_of(reader))[bob.pk].online
    client_of(bob).post(reverse("people_presence"), {"shows": "no"})
    assert not views.seen_by(ann, [bob], relations.circle_of(ann))[bob.pk].online
    client_of(bob).post(reverse("people_presence"), {"shows": "yes"})
    assert views.people_of(ann)["friends"][0].online
    with time_machine.travel(timezone.now() + HERE + timedelta(seconds=1), tick=False):
        assert not views.people_of(ann)["friends"][0].online


@pytest.mark.django_db(transaction=True)
def test_who_has_been_deleted_meanwhile_hides_nobody_else(ann: User) -> None:
    record_presence([10**9, ann.pk])
    assert list(Sighting.objects.values_list("user", flat=True)) == [ann.pk]


def test_an_open_page_counts_as_being_here(live_site: Site, ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 0.2)
    with dialled(live_site, "me/", client_of(ann)):
        wait_until(lambda: here_for(AnonymousUser(), [ann.pk]) == {ann.pk})


def test_a_block_hides_who_is_here(ann: User) -> None:
    bob = person("bob")
    relations.follow(bob, ann)
    record_presence([ann.pk])
    assert views.people_of(bob)["followed"][0].online
    relations.block(ann, bob)
    assert not views.people_of(bob)["followed"][0].online


def test_looking_for_a_game_is_seen_by_friends_and_ends_by_itself(ann: User, bob: User) -> None:
    cid = person("cid")
    client_of(bob).post(reverse("people_presence"), {"looking": "yes"})
    bob.refresh_from_db()
    assert views.seen_by(ann, [bob], relations.circle_of(ann))[bob.pk].looking
    assert not views.seen_by(cid, [bob], relations.circle_of(cid))[bob.pk].looking
    assert "looking for a game" in page(ann)
    with time_machine.travel(timezone.now() + LOOKING + timedelta(seconds=1), tick=False):
        assert not views.seen_by(ann, [bob], relations.circle_of(ann))[bob.pk].looking
    for stops in ({"looking": "no"}, {"shows": "no"}):
        look_for_a_game(bob)
        client_of(bob).post(reverse("people_presence"), stops)
        bob.refresh_from_db()
        assert not is_looking(bob)


def test_one_click_leads_to_the_match_or_the_table_of_a_friend(ann: User, bob: User) -> None:
    record_presence([bob.pk])
    match = running_match([bob, person()])
    opened = table(bob, visibility="friends")
    shown = page(ann)
    assert f'href="{match.get_absolute_url()}"' in shown
    assert f'href="{opened.get_absolute_url()}"' in shown


def test_a_private_match_of_a_friend_is_not_shown(ann: User, bob: User) -> None:
    record_presence([bob.pk])
    match = running_match([bob, person()], visibility="private")
    assert match.slug not in page(ann)


def test_counts_are_of_people_who_are_here_each_in_one_game(ann: User, bob: User) -> None:
    running_match([ann, bob])
    running_match([ann, person()])
    record_presence([ann.pk, bob.pk])
    Sighting.objects.create(user=person(), at=timezone.now() - HERE - timedelta(seconds=1))
    hidden = person(shows_presence=False)
    running_match([ann, hidden], game="card-chess")
    record_presence([hidden.pk])
    crowd = lobby.crowd(time.monotonic())
    assert crowd.online == 2
    assert {title.slug: count for title, count in crowd.playing} == {"shifting-stones": 1, "card-chess": 1}
    for name in ("lobby", "home"):
        assert "2 people online · 1 playing 3D cardChess · 1 playing Shifting Stones</p>" in page(ann, name)


# --- tables of friends ------------------------------------------------------------------------------------------------


def test_home_and_lobby_show_tables_of_friends(ann: User, bob: User) -> None:
    stranger = person()
    hidden = table(bob, visibility="friends")
    for name in ("home", "lobby"):
        assert "Tables of your friends" in page(ann, name)
        assert hidden.slug in page(ann, name)
        assert hidden.slug not in page(stranger, name)
    tables.join(hidden.pk, ann)
    assert lobby.tables_of_friends(ann, relations.circle_of(ann)) == []


def test_tables_that_are_full_or_of_blocked_people_are_not_shown(ann: User, bob: User) -> None:
    cid = person("cid")
    relations.follow(ann, cid)
    public, private = table(cid), table(bob, visibility="private")
    assert [it.pk for it in lobby.tables_of_friends(ann, relations.circle_of(ann))] == [public.pk]
    assert private.slug not in page(ann, "home")
    relations.block(cid, ann)
    assert lobby.tables_of_friends(ann, relations.circle_of(ann)) == []


def test_tables_that_refuse_the_reader_are_not_offered(ann: User, bob: User) -> None:
    cid = person("cid")
    relations.follow(ann, cid)
    refusing = [table(cid, rating_from=2000), table(cid, rating_to=1000), table(bob, rating_from=2000)]
    removed = tables.open_table(bob, TableSetup("shifting-stones", 3, rated=False))
    tables.join(removed.pk, ann)
    remove_player(removed.pk, bob, "ann")
    kept = tables.open_table(cid, TableSetup("shifting-stones", 3, rated=False, kept=1))
    assert lobby.tables_of_friends(ann, relations.circle_of(ann)) == [kept]
    tables.join(kept.pk, person())
    assert lobby.tables_of_friends(ann, relations.circle_of(ann)) == []
    invite_more(refusing[0].pk, cid, [ann])
    assert lobby.tables_of_friends(ann, relations.circle_of(ann)) == [refusing[0]]
    assert refusing[0].slug in page(ann)
    Invitation.objects.update(expires_at=timezone.now())
    assert lobby.tables_of_friends(ann, relations.circle_of(ann)) == []


def test_more_tables_of_friends_take_no_more_queries(ann: User, bob: User, django_assert_max_num_queries: Any) -> None:
    for _ in range(8):
        table(bob, visibility="friends")
    with django_assert_max_num_queries(8):
        assert len(lobby.tables_of_friends(ann, relations.circle_of(ann))) == 8
