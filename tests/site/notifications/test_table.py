"""The table of kinds and channels: deadlines, invitations, beginnings and results."""

from __future__ import annotations

from datetime import time, timedelta

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.matchmaking import tables
from games.matchmaking.invitations import invite as invite_again
from games.matchmaking.tables import TableSetup
from games.notifications.models import Kind, Notice
from games.play import commands
from games.play.models import Match
from tests.clocked import LIVE, MONDAY
from tests.people import act, person
from tests.site.notifications.telling import Pair, Post, begun, look_at, minutes, noted, over_days, prefer, seconds

pytestmark = pytest.mark.django_db

# --- deadlines --------------------------------------------------------------------------------------------------------

HALF_AN_HOUR = timedelta(minutes=30)
THREE_DAYS = timedelta(days=3)


def test_of_a_deadline_push_and_webhook_tell_twice_and_mail_once(clock: Traveller, post: Post, pair: Pair) -> None:
    over_days(pair)
    clock.shift(THREE_DAYS * 0.8 - seconds(1))
    assert {kind for _channel, kind, _name in post.work()} == {"turn"}
    clock.shift(1)
    everywhere = [("mail", "deadline", "ann"), ("push", "deadline", "ann"), ("webhook", "deadline", "ann")]
    assert post.work() == everywhere
    clock.shift(THREE_DAYS * 0.15 - seconds(1))
    assert post.work() == []
    clock.shift(1)
    assert post.work() == everywhere[1:]


def test_a_deadline_warns_whoever_looks_and_has_not_acted(clock: Traveller, post: Post, pair: Pair) -> None:
    match = over_days(pair)
    clock.shift(THREE_DAYS * 0.8)
    look_at(match, pair[0])
    everywhere = [("mail", "deadline", "ann"), ("push", "deadline", "ann"), ("webhook", "deadline", "ann")]
    assert [told for told in post.work() if told[1] == "deadline"] == everywhere
    clock.shift(THREE_DAYS * 0.15)
    look_at(match, pair[0])
    Notice.objects.update(seen_at=MONDAY)
    assert [told for told in post.work() if told[1] == "deadline"] == everywhere[1:]


def test_a_deadline_seen_between_planning_and_sending_is_told(clock: Traveller, post: Post, pair: Pair) -> None:
    match = over_days(pair)
    clock.shift(THREE_DAYS * 0.8)
    post.plan()
    post.plan()
    look_at(match, pair[0])
    assert ("mail", "deadline", "ann") in post.work()


@pytest.mark.parametrize("answered", [True, False])
def test_an_invitation_that_was_seen_in_quiet_hours_is_told_when_they_end_unless_it_was_answered(
    clock: Traveller, post: Post, pair: Pair, answered: bool
) -> None:
    ann, bob = pair
    prefer(bob, quiet_from=time(12), quiet_until=time(14))
    table = tables.open_table(ann, TableSetup("shifting-stones", 3, visibility="private", invited=(bob,)))
    assert post.work() == []
    Notice.objects.update(seen_at=timezone.now())
    if answered:
        tables.join(table.pk, bob)
    clock.shift(timedelta(hours=2))
    told = [] if answered else [(way, "invitation", "bob") for way in ("mail", "push", "webhook")]
    assert post.work() == told


def test_a_deadline_is_on_the_page_when_so_much_is_left_and_not_before(pair: Pair) -> None:
    over_days(pair)
    at = dict(Notice.objects.filter(kind=Kind.DEADLINE).values_list("part", "created_at"))
    assert at == {20: MONDAY + THREE_DAYS * 0.8, 5: MONDAY + THREE_DAYS * 0.95}


def test_live_clocks_warn_on_the_page_of_the_match_alone(pair: Pair) -> None:
    begun(pair, clock=LIVE)
    assert noted("deadline") == []


def test_of_a_turn_that_is_taken_no_deadline_is_told(clock: Traveller, post: Post, pair: Pair) -> None:
    match = over_days(pair)
    act(match, "end")
    clock.shift(THREE_DAYS * 0.79)
    post.work()
    act(match, "end")
    clock.shift(THREE_DAYS * 0.2)
    assert {kind for _channel, kind, name in post.work() if name == "bob"} == set()


def test_a_deadline_that_is_moved_is_told_when_it_comes(clock: Traveller, post: Post, pair: Pair) -> None:
    from games.play import timekeeping

    over_days(pair)
    clock.shift(minutes(10))
    post.work()
    clock.shift(20)
    post.work()
    timekeeping.start_vacation(pair[0], 2)
    clock.shift(timedelta(days=2) + THREE_DAYS * 0.8 - minutes(11))
    assert post.work() == []
    clock.shift(minutes(1))
    assert ("push", "deadline", "ann") in post.work()


def test_of_two_warnings_that_are_late_one_is_given(clock: Traveller, post: Post, pair: Pair) -> None:
    over_days(pair)
    clock.shift(THREE_DAYS * 0.96)
    told = [told for told in post.work() if told[1] == "deadline"]
    assert told == [("mail", "deadline", "ann"), ("push", "deadline", "ann"), ("webhook", "deadline", "ann")]


def test_after_the_deadline_no_warning_is_given(clock: Traveller, post: Post, pair: Pair) -> None:
    over_days(pair)
    clock.shift(THREE_DAYS)
    assert "deadline" not in {kind for _channel, kind, _name in post.work()}


# --- invitation, table full, started ----------------------------------------------------------------------------------


def invite(host: User, *people: User) -> Match:
    return tables.open_table(host, TableSetup("shifting-stones", 3, invited=people))


def test_an_invitation_goes_everywhere_at_once(post: Post, pair: Pair) -> None:
    invite(*pair)
    assert noted("invitation") == ["bob"]
    everywhere = [("mail", "invitation", "bob"), ("push", "invitation", "bob"), ("webhook", "invitation", "bob")]
    assert post.work() == everywhere
    assert post.messages("mail")[0].title == "ann invites you to Shifting Stones"


def test_who_is_invited_twice_is_told_once(post: Post, pair: Pair) -> None:
    match = invite(*pair)
    post.work()
    invite_again(match, [pair[1]], by=pair[0])
    assert post.work() == []


def test_an_invitation_that_was_accepted_or_came_to_nothing_is_not_told(post: Post, pair: Pair) -> None:
    accepted, closed = invite(*pair), invite(*pair)
    tables.join(accepted.pk, pair[1])
    tables.close_table(closed.pk, pair[0])
    assert post.work() == []


def test_that_a_match_has_begun_goes_everywhere_at_once(post: Post, pair: Pair) -> None:
    cid = person("cid")
    match = invite(*pair)
    tables.join(match.pk, pair[1])
    tables.join(match.pk, cid)
    assert sorted(noted("started")) == ["ann", "bob", "cid"]
    assert post.work() == [("mail", "started", "bob"), ("push", "started", "bob"), ("webhook", "started", "bob")]


def test_who_let_it_begin_is_on_the_page_and_told_only_if_not(clock: Traveller, post: Post, pair: Pair) -> None:
    cid = person("cid")
    match = invite(*pair)
    tables.join(match.pk, pair[1])
    tables.join(match.pk, cid)
    clock.shift(3)
    look_at(match, cid)
    clock.shift(7)
    assert [told for told in post.work() if told[0] == "mail"] == [
        ("mail", "started", "ann"),
        ("mail", "started", "bob"),
    ]


# --- match over -------------------------------------------------------------------------------------------------------


def finished(pair: Pair) -> Match:
    """Return a rated match that ann has won, and about which there is nothing else to tell."""
    match = begun(pair, rated=True)
    match.seats.update(acted=True)
    commands.resign(match.pk, 1, "resignation")
    Notice.objects.exclude(kind=Kind.OVER).delete()
    match.refresh_from_db()
    return match


def test_a_result_is_on_the_page_at_once_with_the_change_of_the_rating(post: Post, pair: Pair) -> None:
    from games.notifications.messages import message_of

    finished(pair)
    texts = {notice.user.username: message_of(notice).text for notice in Notice.objects.all()}
    assert texts == {
        "ann": "You beat bob. bob has resigned. Your rating: 1520 (+20).",
        "bob": "ann has won. Your rating: 1480 (−20).",
    }


def test_a_result_goes_by_push_and_webhook_after_twenty_seconds_to_the_absent(
    clock: Traveller, post: Post, pair: Pair
) -> None:
    match = finished(pair)
    clock.shift(10)
    look_at(match, pair[1])
    clock.shift(9)
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("push", "over", "ann"), ("webhook", "over", "ann")]


def test_a_result_is_never_a_mail_of_its_own(clock: Traveller, post: Post, pair: Pair) -> None:
    finished(pair)
    clock.shift(timedelta(days=3))
    assert "mail" not in {channel for channel, _kind, _name in post.work()}


def test_of_a_match_that_was_aborted_those_are_told_who_did_not_do_it(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    commands.offer_abort(match.pk, 0)
    clock.shift(timedelta(days=1))
    assert post.work() == [("push", "over", "bob"), ("webhook", "over", "bob")]
