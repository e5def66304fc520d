"""Limits hold whatever the entry point: opening, playing alone, rematches, invitations, sitting down and getting up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from accounts.models import User
from accounts.requests import network_of
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.matchmaking.invitations import invite_more, make_casual
from games.matchmaking.jobs import OldRows
from games.matchmaking.limits import ADDRESS, OPEN_TABLES, PERSON, RATED, UNANSWERED, WAITS, no_show_wait_in_words
from games.matchmaking.models import Invitation, Use
from games.matchmaking.tables import rematch
from games.play.commands import resign
from games.play.models import Level, Match, Seat
from tests.people import client_of, person, running_match

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db

NEW = {"seats": "1", "speed": "live", "visibility": "public", "seat_order": "random", "invited": "", "nonce": ""}


def refused(code: str, service: Callable[[], object]) -> str:
    """Check that a service refuses with this code and changes nothing; return its message."""
    before = (Match.objects.count(), Seat.objects.count(), Invitation.objects.count(), Use.objects.count())
    with pytest.raises(RuleViolation) as caught:
        service()
    assert caught.value.code == code
    assert caught.value.text.endswith(".")
    assert before == (Match.objects.count(), Seat.objects.count(), Invitation.objects.count(), Use.objects.count())
    return caught.value.text


def used(what: Use.What, user: User, times: int, address: str = "", **ago: int) -> None:
    at = timezone.now() - timedelta(**ago)
    Use.objects.bulk_create([Use(what=what, user=user, address=address, at=at) for _ in range(times)])


def over(*users: User, **fields: Any) -> Match:
    match = running_match(users, **fields)
    resign(match.pk, 0, "resign-once")
    Seat.objects.filter(match=match).update(no_show=False)
    match.refresh_from_db()
    return match


# --- per person -------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("clock")  # the twenty tables may take more than a minute
def test_nobody_opens_more_than_twenty_tables_an_hour_even_if_each_is_closed(opened: Opened, age: Opened) -> None:
    host = person()
    for _ in range(PERSON[Use.What.TABLE].most):
        tables.close_table(opened(host).pk, host)
    assert "in 1\xa0hour" in refused("too-many-tables", lambda: opened(host))
    match = Match.objects.filter(host=host)[0]
    age(match, minutes=61)
    assert opened(host).is_open


def test_matches_alone_count_as_tables(opened: Opened) -> None:
    host = person()
    for _ in range(PERSON[Use.What.TABLE].most):
        assert tables.start(opened(host, seats=1).pk, host).is_running
    refused("too-many-tables", lambda: opened(host, seats=1))


def test_rematches_count_as_tables() -> None:
    ann, bob = person(), person()
    former = over(ann, bob)
    used(Use.What.TABLE, ann, PERSON[Use.What.TABLE].most)
    refused("too-many-tables", lambda: rematch(former.pk, ann))
    assert rematch(former.pk, bob).is_open


def test_rematches_count_as_open_tables(opened: Opened) -> None:
    ann = person()
    for _ in range(OPEN_TABLES - 1):
        opened(ann)
    assert rematch(over(ann, person()).pk, ann).is_open
    refused("too-many-open", lambda: opened(ann))


def test_handing_a_table_over_gives_no_other_one(opened: Opened) -> None:
    host, mate = person(), person()
    for _ in range(PERSON[Use.What.TABLE].most):
        match = opened(host, seats=3)
        if Use.objects.filter(user=mate).count() < PERSON[Use.What.SEAT].most:
            tables.join(match.pk, mate)
        tables.leave(match.pk, host)
        tables.leave(match.pk, mate) if match.seats.filter(user=mate) else None
    refused("too-many-tables", lambda: opened(host))


def test_sitting_down_and_getting_up_is_limited(opened: Opened) -> None:
    guest, match = person(), opened(person(), seats=3)
    for _ in range(PERSON[Use.What.SEAT].most):
        tables.join(match.pk, guest)
        tables.leave(match.pk, guest)
    refused("too-many-seats", lambda: tables.join(match.pk, guest))
    assert tables.join(match.pk, person()).is_open


def test_invitations_of_one_person_are_limited(opened: Opened) -> None:
    host, guests = person(), tuple(person() for _ in range(2))
    used(Use.What.INVITATION, host, PERSON[Use.What.INVITATION].most - 1)
    refused("too-many-invitations", lambda: opened(host, invited=guests))
    assert opened(host, invited=guests[:1]).is_open


def test_what_was_counted_is_forgotten_after_a_day() -> None:
    user = person()
    used(Use.What.SEAT, user, 2, hours=25)
    used(Use.What.SEAT, user, 1, hours=23)
    job = OldRows()
    assert job.run_due(timezone.now()) == 2
    assert Use.objects.count() == 1
    assert job.run_due(timezone.now()) == 0


# --- per address ------------------------------------------------------------------------------------------------------


def post(user: User, address: str) -> int:
    return client_of(user).post("/tables/new/?game=shifting-stones", NEW, REMOTE_ADDR=address).status_code


def test_many_accounts_at_one_address_share_a_limit() -> None:
    used(Use.What.TABLE, person(), ADDRESS[Use.What.TABLE].most - 1, address="192.0.2.1")
    assert [post(person(), "192.0.2.1") for _ in range(2)] == [302, 429]
    assert post(person(), "192.0.2.2") == 302


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_a_household_counts_as_one_address(address: str, network: str) -> None:
    assert network_of(address) == network


def test_every_way_to_a_seat_tells_its_address(opened: Opened) -> None:
    ann, bob = person(), person()
    match, former = opened(ann, seats=3), over(ann, bob)
    client_of(bob).post(f"/tables/{match.slug}/join/", REMOTE_ADDR="192.0.2.3")
    client_of(bob).post(f"/match/{former.slug}/rematch/", REMOTE_ADDR="192.0.2.3")
    client_of(bob).post("/tables/new/?game=shifting-stones", NEW, REMOTE_ADDR="192.0.2.3")
    assert Use.objects.filter(user=bob, what=Use.What.SEAT, address="192.0.2.3").count() == 3


# --- per pair of people -----------------------------------------------------------------------------------------------


def test_whoever_does_not_answer_is_not_invited_for_ever(opened: Opened) -> None:
    ann, bob = person(), person("bob")
    for _ in range(UNANSWERED.most):
        tables.close_table(opened(ann, invited=(bob,)).pk, ann)
    assert "bob has not answered" in refused("unanswered", lambda: opened(ann, invited=(bob,)))
    assert opened(person(), invited=(bob,)).is_open
    Invitation.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert opened(ann, invited=(bob,)).is_open


def test_rematches_that_are_closed_again_count_as_invitations_without_an_answer() -> None:
    ann, bob = person(), person()
    former = over(ann, bob)
    for _ in range(UNANSWERED.most):
        tables.close_table(rematch(former.pk, ann).pk, ann)
    refused("unanswered", lambda: rematch(former.pk, ann))
    assert rematch(former.pk, bob).is_open


def test_rematches_that_are_played_are_answers() -> None:
    ann, bob = person(), person()
    former = over(ann, bob)
    for _ in range(UNANSWERED.most + 2):
        rematch(former.pk, ann)
        former = tables.join(rematch(former.pk, bob).pk, bob)
        resign(former.pk, 0, "resign-again")
        Seat.objects.update(no_show=False)
    assert rematch(former.pk, ann).is_open


def rated_before(*people: User) -> None:
    for _ in range(RATED.most):
        over(*people, rated=True)


def test_two_people_play_five_rated_matches_a_day_with_each_other(opened: Opened) -> None:
    ann, bob = person("ann"), person("bob")
    rated_before(ann, bob)
    match = opened(ann)
    text = refused("rated-enough", lambda: tables.join(match.pk, bob))
    assert "5 rated matches" in text
    assert "casual" in text
    assert tables.join(opened(ann, rated=False).pk, bob).is_running
    assert tables.join(match.pk, person()).is_running


def test_after_a_day_they_may_play_rated_matches_again(opened: Opened) -> None:
    ann, bob = person(), person()
    rated_before(ann, bob)
    day_ago = timezone.now() - timedelta(hours=25)
    Match.objects.update(started_at=day_ago, ended_at=day_ago)
    Seat.objects.update(ended_at=day_ago)
    assert tables.join(opened(ann).pk, bob).is_running


def test_tables_at_which_both_sit_count_already(opened: Opened) -> None:
    ann, bob = person(), person()
    for _ in range(RATED.most):
        tables.join(opened(ann, seats=3).pk, bob)
    another = opened(ann, seats=3)
    refused("rated-enough", lambda: tables.join(another.pk, bob))


def test_aborted_and_casual_matches_do_not_count(opened: Opened) -> None:
    ann, bob = person(), person()
    rated_before(ann, bob)
    Match.objects.filter(pk=Match.objects.filter(rated=True)[0].pk).update(status=Match.Status.ABORTED)
    assert tables.join(opened(ann).pk, bob).is_running


def test_the_host_can_make_the_table_casual(opened: Opened) -> None:
    ann, bob = person(), person()
    rated_before(ann, bob)
    match = opened(ann)
    assert "Make it casual" in client_of(ann).get(match.get_absolute_url()).content.decode()
    client_of(ann).post(f"/tables/{match.slug}/casual/")
    begun = tables.join(match.pk, bob)
    assert begun.is_running
    assert not Match.objects.get(pk=match.pk).rated


def test_only_the_host_makes_a_table_casual_and_only_before_the_start(opened: Opened) -> None:
    host, mate = person(), person()
    match = opened(host)
    refused("not-host", lambda: make_casual(match.pk, mate))
    tables.join(match.pk, mate)
    refused("table-begun", lambda: make_casual(match.pk, host))
    tables.close_table((closed := opened(host)).pk, host)
    refused("table-closed", lambda: make_casual(closed.pk, host))


def test_the_rematch_after_the_last_rated_one_is_casual_and_says_so() -> None:
    ann, bob = person(), person()
    rated_before(ann, bob)
    former = Match.objects.filter(rated=True).latest("pk")
    following = rematch(former.pk, ann)
    assert not following.rated
    assert "This rematch is casual" in client_of(bob).get(following.get_absolute_url()).content.decode()


def test_the_host_is_told_before_they_wait_in_vain(opened: Opened) -> None:
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    rated_before(ann, bob)
    text = refused("rated-enough", lambda: opened(ann, visibility="private", invited=(cid, bob)))
    assert "You and bob have played 5 rated matches" in text
    table = opened(ann, seats=3)
    refused("rated-enough", lambda: invite_more(table.pk, ann, [bob]))
    invite_more(table.pk, ann, [cid])
    assert opened(ann, rated=False, invited=(bob,)).invitations.count() == 1
    client = client_of(ann)
    assert "5 rated matches" in client.get("/@bob/challenge/").content.decode()
    client.post("/@bob/challenge/", {"game": "shifting-stones"})
    assert not Match.objects.latest("pk").rated
    assert "5 rated matches" not in client.get("/@cid/challenge/").content.decode()


def test_host_and_joiner_are_told_at_a_table_from_before(opened: Opened) -> None:
    ann, bob, cid = person("ann"), person("bob"), person("cid")
    table = opened(ann, seats=3, invited=(bob, cid))
    assert "enough-note" not in client_of(ann).get(table.get_absolute_url()).content.decode()
    rated_before(ann, bob)
    page = client_of(ann).get(table.get_absolute_url()).content.decode()
    assert "which is the limit, with: bob. They can sit down if you make this match casual." in page
    page = client_of(bob).get(table.get_absolute_url()).content.decode()
    assert "You and ann have played 5 rated matches" in page
    assert "sit-down" not in page
    assert "sit-down" in client_of(cid).get(table.get_absolute_url()).content.decode()
    client_of(ann).post(f"/tables/{table.slug}/casual/")
    assert "enough-note" not in client_of(ann).get(table.get_absolute_url()).content.decode()
    assert "sit-down" in client_of(bob).get(table.get_absolute_url()).content.decode()


def test_the_form_states_the_number() -> None:
    page = client_of(person()).get("/tables/new/?game=shifting-stones").content.decode()
    assert "up to 5 rated matches with each other in 24 hours" in page


# --- after no-shows ---------------------------------------------------------------------------------------------------


def absent(user: User, times: int, **ago: int) -> User:
    """Give a user this many matches that they left before their first action."""
    for _ in range(times):
        match = running_match([user, person()])
        ended = timezone.now() - timedelta(**ago)
        Match.objects.filter(pk=match.pk).update(status=Match.Status.ABORTED, ended_at=ended)
        Seat.objects.filter(match=match, user=user).update(no_show=True, ended_at=ended, to_move=False)
    return user


def test_the_first_no_show_is_forgiven(opened: Opened) -> None:
    assert opened(absent(person(), 1)).is_open


@pytest.mark.parametrize(
    ("times", "words"), [(2, "10\xa0minutes"), (3, "1\xa0hour"), (4, "6\xa0hours"), (9, "1\xa0day")]
)
def test_each_further_no_show_makes_the_wait_longer(opened: Opened, times: int, words: str) -> None:
    user = absent(person(), times)
    text = refused("must-wait", lambda: opened(user))
    assert f"In the last week you left {times} matches before everyone had moved" in text
    assert f"in {words}." in text


def test_the_wait_comes_to_an_end(opened: Opened) -> None:
    assert opened(absent(person(), 2, minutes=11)).is_open
    assert opened(absent(person(), 5, hours=25)).is_open
    assert opened(absent(person(), 5, days=8)).is_open


def test_every_way_to_a_seat_with_others_is_closed_meanwhile(opened: Opened) -> None:
    user = absent(person(), len(WAITS))
    former = over(user, person())
    invited = opened(person(), visibility="private", invited=(user,))
    refused("must-wait", lambda: tables.join(invited.pk, user))
    refused("must-wait", lambda: rematch(former.pk, user))
    assert tables.start(opened(user, seats=1).pk, user).is_running


def test_a_table_filled_with_bots_is_opened_to_nobody_meanwhile(opened: Opened) -> None:
    user = absent(person(), len(WAITS))
    table = opened(user, bots=Level.NOVICE)
    refused("must-wait", lambda: tables.remove_bot(table.pk, user, 1))


def test_seats_taken_before_are_lost_when_the_match_would_begin(opened: Opened) -> None:
    host, user = person(), person()
    first, second, own = opened(host, seats=3), opened(host, seats=3), opened(user)
    for table in (first, second):
        tables.join(table.pk, user)
    absent(user, len(WAITS))
    tables.join(first.pk, person())
    tables.start(second.pk, host)
    tables.join(own.pk, host)
    for table, seats in ((first, 3), (second, 3), (own, 2)):
        table.refresh_from_db()
        assert (table.is_open, table.host, table.seat_count) == (True, host, seats)
        assert user.pk not in table.seats.values_list("user", flat=True)


def test_a_host_who_has_to_wait_begins_with_nobody_but_bots(opened: Opened) -> None:
    user = person()
    table, alone = opened(user, seats=3), opened(user, seats=3)
    tables.join(table.pk, person())
    absent(user, len(WAITS))
    refused("must-wait", lambda: tables.start(table.pk, user))
    refused("must-wait", lambda: tables.add_bot(table.pk, user, "novice"))
    tables.add_bot(alone.pk, user, "novice")
    assert tables.start(alone.pk, user).is_running


def test_the_last_seat_of_a_bot_begins_no_match_with_somebody_who_has_to_wait(opened: Opened) -> None:
    user, host = person(), person()
    table = opened(host, seats=3)
    tables.join(table.pk, user)
    absent(user, len(WAITS))
    assert tables.add_bot(table.pk, host, "novice").is_open
    assert [seat.user for seat in table.seats.order_by("number")] == [host, None]


def test_lobby_form_and_table_say_why_and_how_long(opened: Opened) -> None:
    user, match = absent(person(), 2), opened(person())
    for address in ("/lobby/", "/tables/new/?game=shifting-stones", match.get_absolute_url()):
        page = client_of(user).get(address).content.decode()
        assert "In the last week you left 2 matches before everyone had moved, or did not come." in page
        assert "before everyone had moved" not in client_of(person()).get(address).content.decode()
    table = client_of(user).get(match.get_absolute_url()).content.decode()
    assert 'id="sit-down"' not in table
    assert "before everyone had moved" not in Client().get("/lobby/").content.decode()


def test_the_wait_is_told_in_german_too() -> None:
    with translation.override("de"):
        assert "In 10\xa0Minuten" in no_show_wait_in_words(absent(person(), 2))
