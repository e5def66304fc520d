"""The table of kinds and channels: who is told what by which way, and when."""

from __future__ import annotations

from datetime import timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.matchmaking import services as tables
from games.notifications.models import Kind, Notice
from games.play import positions, services
from games.play.models import Match
from tests.clocked import DAYS, LIVE, MONDAY
from tests.notifications.telling import Post, look_at, minutes, seconds
from tests.people import act, person, running_match

pytestmark = pytest.mark.django_db

Pair = tuple[User, User]


@pytest.fixture
def pair(clock: Traveller) -> Pair:
    return person("ann"), person("bob")


def begun(people: tuple[User, ...], **fields: object) -> Match:
    """Return a match of which it need not be told that it has begun; the first of these people is to move."""
    match = running_match(people, **fields)
    Notice.objects.filter(match=match, kind=Kind.STARTED).delete()
    return match


def over_days(people: tuple[User, ...]) -> Match:
    """Return a match with three days for each turn."""
    return begun(people, clock=DAYS, speed="days")


def noted(kind: str) -> list[str]:
    """Return of whom there is a notice of a kind, in the order in which they came about."""
    return list(Notice.objects.filter(kind=kind).order_by("pk").values_list("user__username", flat=True))


# --- your turn --------------------------------------------------------------------------------------------------------


def test_a_turn_is_on_the_page_at_once(pair: Pair) -> None:
    match = begun(pair)
    assert noted("turn") == ["ann"]
    act(match, "end")
    assert noted("turn") == ["ann", "bob"]
    assert {notice.created_at for notice in Notice.objects.all()} == {MONDAY}


def test_a_turn_goes_by_push_and_webhook_after_twenty_seconds(clock: Traveller, post: Post, pair: Pair) -> None:
    begun(pair)
    clock.shift(19)
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("push", "turn", "ann"), ("webhook", "turn", "ann")]
    assert post.work() == []


def test_a_turn_goes_by_mail_after_ten_minutes(clock: Traveller, post: Post, pair: Pair) -> None:
    begun(pair)
    clock.shift(20)
    post.work()
    clock.shift(579)
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("mail", "turn", "ann")]
    clock.shift(timedelta(days=1))
    assert post.work() == []


def test_a_turn_taken_in_time_is_not_told_and_leaves_no_trace(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    clock.shift(19)
    act(match, "end")
    clock.shift(1)
    assert post.work() == []
    assert noted("turn") == ["bob"]


def test_a_turn_taken_after_the_push_goes_by_no_mail(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    clock.shift(20)
    post.work()
    act(match, "end")
    clock.shift(minutes(10))
    assert {told for told in post.work() if told[2] == "ann"} == set()


def test_a_turn_is_not_told_to_whom_sees_the_match(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    clock.shift(5)
    look_at(match, pair[0])
    clock.shift(15)
    assert post.work() == []
    clock.shift(timedelta(days=1))
    assert post.work() == []


def test_a_turn_seen_after_the_push_goes_by_no_mail(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    clock.shift(20)
    post.work()
    look_at(match, pair[0])
    clock.shift(minutes(10))
    assert post.work() == []


def test_who_was_there_just_before_is_told_when_they_count_as_absent(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    look_at(match, pair[1])
    clock.shift(1)
    act(match, "end")
    clock.shift(58)
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("push", "turn", "bob"), ("webhook", "turn", "bob")]


def test_a_turn_read_in_the_centre_is_not_told(clock: Traveller, post: Post, pair: Pair) -> None:
    begun(pair)
    Notice.objects.update(seen_at=MONDAY)
    clock.shift(minutes(10))
    assert post.work() == []


def test_who_plays_alone_is_not_told_of_turns(clock: Traveller, post: Post) -> None:
    running_match([person("ann")])
    clock.shift(timedelta(days=1))
    assert post.work() == []
    assert not Notice.objects.exists()


def test_who_has_left_is_not_told_of_turns(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun((*pair, person("cid")))
    services.resign(match.pk, 1, "resignation")
    act(match, "end", seat=0)
    act(match, "end", seat=2)
    act(match, "end", seat=0)
    assert noted("turn") == ["ann", "cid", "ann", "cid"]


def test_a_turn_taken_back_and_done_again_begins_anew_until_it_was_told(
    clock: Traveller, post: Post, pair: Pair
) -> None:
    match = begun(pair)
    receipt = act(match, "end")
    clock.shift(15)
    services.undo(match.pk, 0, receipt.version)
    receipt = act(match, "end")
    clock.shift(5)
    assert ("push", "turn", "bob") not in post.work()
    clock.shift(15)
    assert ("push", "turn", "bob") in post.work()
    services.undo(match.pk, 0, receipt.version)
    act(match, "end")
    clock.shift(minutes(9))
    assert post.work() == []
    clock.shift(minutes(1))
    assert post.work() == [("mail", "turn", "bob")]


# --- mails about turns ------------------------------------------------------------------------------------------------


def test_one_mail_lists_all_matches_that_wait(clock: Traveller, post: Post, pair: Pair) -> None:
    for _ in range(3):
        begun(pair)
    clock.shift(20)
    assert len(post.work()) == 6
    clock.shift(minutes(10))
    assert post.work() == [("mail", "turn", "ann")]
    assert post.messages("mail")[0].waiting == 3
    clock.shift(timedelta(days=1))
    assert post.work() == []


def test_of_mails_about_turns_there_is_one_an_hour(clock: Traveller, post: Post, pair: Pair) -> None:
    begun(pair)
    clock.shift(minutes(10))
    assert ("mail", "turn", "ann") in post.work()
    clock.shift(minutes(1))
    begun(pair)
    clock.shift(minutes(10))
    assert ("mail", "turn", "ann") not in post.work()
    clock.shift(minutes(48))
    assert post.work() == []
    clock.shift(minutes(1))
    assert post.work() == [("mail", "turn", "ann")]


def test_a_match_which_a_mail_has_listed_is_not_told_again(clock: Traveller, post: Post, pair: Pair) -> None:
    begun(pair)
    clock.shift(minutes(9))
    begun(pair)
    clock.shift(minutes(1))
    assert ("mail", "turn", "ann") in post.work()
    clock.shift(timedelta(days=1))
    assert "mail" not in {channel for channel, _kind, _name in post.work()}


# --- secret turns at the same time ------------------------------------------------------------------------------------


def test_when_a_round_opens_everybody_is_told_once(clock: Traveller, post: Post, pair: Pair, sealed_game: str) -> None:
    begun((*pair, person("cid")), game=sealed_game)
    clock.shift(20)
    assert [name for channel, _kind, name in post.work() if channel == "push"] == ["ann", "bob", "cid"]


def test_the_last_one_missing_is_told_once_more(clock: Traveller, post: Post, pair: Pair, sealed_game: str) -> None:
    match = begun((*pair, person("cid")), game=sealed_game)
    clock.shift(20)
    post.work()
    act(match, positions.legal_texts(match, 0)[0], seat=0)
    clock.shift(20)
    assert post.work() == []
    act(match, positions.legal_texts(match, 2)[0], seat=2)
    clock.shift(20)
    assert post.work() == [("push", "turn", "bob"), ("webhook", "turn", "bob")]
    assert post.messages("push")[-1].title == "Only you are missing: Sealed"


def test_the_last_one_missing_is_not_told_twice_within_twenty_seconds(
    clock: Traveller, post: Post, pair: Pair, sealed_game: str
) -> None:
    match = begun(pair, game=sealed_game)
    clock.shift(10)
    act(match, positions.legal_texts(match, 0)[0], seat=0)
    clock.shift(timedelta(days=1))
    assert [told for told in post.work() if told[0] == "push"] == [("push", "turn", "bob")]


def test_an_opponents_secret_action_is_never_told(clock: Traveller, post: Post, pair: Pair, sealed_game: str) -> None:
    match = begun((*pair, person("cid")), game=sealed_game)
    act(match, positions.legal_texts(match, 1)[0], seat=1)
    assert noted("turn") == ["ann", "bob", "cid"]


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
    from games.play import vacations

    over_days(pair)
    clock.shift(minutes(10))
    post.work()
    clock.shift(20)
    post.work()
    vacations.start(pair[0], 2)
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
    return tables.open_table(host, tables.Wish("shifting-stones", 3, invited=people))


def test_an_invitation_goes_everywhere_at_once(post: Post, pair: Pair) -> None:
    invite(*pair)
    assert noted("invitation") == ["bob"]
    everywhere = [("mail", "invitation", "bob"), ("push", "invitation", "bob"), ("webhook", "invitation", "bob")]
    assert post.work() == everywhere
    assert post.messages("mail")[0].title == "ann invites you to Shifting Stones"


def test_who_is_invited_twice_is_told_once(post: Post, pair: Pair) -> None:
    match = invite(*pair)
    post.work()
    tables.invite(match, [pair[1]], by=pair[0])
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
    """Return a rated match which ann has won, and of which nothing else is to be told."""
    match = begun(pair, rated=True)
    services.resign(match.pk, 1, "resignation")
    Notice.objects.exclude(kind=Kind.OVER).delete()
    match.refresh_from_db()
    return match


def test_a_result_is_on_the_page_at_once_with_the_change_of_the_rating(post: Post, pair: Pair) -> None:
    from games.notifications.messages import message_of

    finished(pair)
    texts = {notice.user.username: message_of(notice).text for notice in Notice.objects.all()}
    assert texts == {
        "ann": "You have won against bob. Your rating: 1520 (+20).",
        "bob": "Winner: ann. You are number 2 of 2. Your rating: 1480 (-20).",
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


def test_of_a_match_that_was_aborted_nothing_is_told(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    services.offer_abort(match.pk, 0)
    clock.shift(timedelta(days=1))
    assert post.work() == []
