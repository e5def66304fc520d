"""The table of kinds and channels: turns, told by push and webhook, in emails and in secret rounds."""

from __future__ import annotations

from datetime import timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.notifications.models import Notice
from games.play import commands
from games.play.models import Level
from games.play.reducer import positions
from tests.clocked import MONDAY
from tests.people import act, bot_takes_turn, person, running_match
from tests.site.notifications.telling import Pair, Post, begun, look_at, minutes, noted, seconds

pytestmark = pytest.mark.django_db

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


def test_a_turn_that_was_seen_and_not_taken_is_told_later_once(clock: Traveller, post: Post, pair: Pair) -> None:
    """Pushed when its player counts as absent, mailed an hour after it began."""
    match = begun(pair)
    clock.shift(5)
    look_at(match, pair[0])
    clock.shift(59)
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("push", "turn", "ann"), ("webhook", "turn", "ann")]
    clock.shift(minutes(60) - seconds(66))
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("mail", "turn", "ann")]
    clock.shift(timedelta(days=1))
    assert post.work() == []


def test_a_turn_that_was_seen_and_taken_is_not_told(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    clock.shift(5)
    look_at(match, pair[0])
    clock.shift(30)
    act(match, "end")
    clock.shift(timedelta(days=1))
    assert {told for told in post.work() if told[2] == "ann"} == set()


def test_a_turn_seen_after_the_push_goes_by_mail_an_hour_after_it_began(
    clock: Traveller, post: Post, pair: Pair
) -> None:
    match = begun(pair)
    clock.shift(20)
    post.work()
    look_at(match, pair[0])
    clock.shift(minutes(60) - seconds(21))
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("mail", "turn", "ann")]


def test_a_mail_that_was_held_up_waits_on_when_the_turn_was_seen_meanwhile(
    clock: Traveller, post: Post, pair: Pair
) -> None:
    """The mail server did not answer for a while, and the player looked at the match."""
    match = begun(pair)
    clock.shift(minutes(10))
    post.plan()  # push and webhook
    post.plan()
    look_at(match, pair[0])
    clock.shift(minutes(2))
    assert ("mail", "turn", "ann") not in post.work()
    clock.shift(minutes(48))
    assert post.work() == [("mail", "turn", "ann")]


def test_whoever_is_there_is_never_mailed_and_never_forgotten(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    for _ in range(70):  # more than an hour
        look_at(match, pair[0])
        clock.shift(55)
        assert post.work() == []
    clock.shift(30)
    assert post.work() == [("mail", "turn", "ann"), ("push", "turn", "ann"), ("webhook", "turn", "ann")]


def test_who_was_there_just_before_is_told_when_they_count_as_absent(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    look_at(match, pair[1])
    clock.shift(1)
    act(match, "end")
    clock.shift(58)
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("push", "turn", "bob"), ("webhook", "turn", "bob")]


def test_a_turn_read_in_the_centre_is_mailed_an_hour_after_it_began(clock: Traveller, post: Post, pair: Pair) -> None:
    begun(pair)
    clock.shift(20)
    assert post.work() == [("push", "turn", "ann"), ("webhook", "turn", "ann")]
    Notice.objects.update(seen_at=MONDAY)
    clock.shift(minutes(60) - seconds(21))
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("mail", "turn", "ann")]


def test_who_plays_alone_is_not_told_of_turns(clock: Traveller, post: Post) -> None:
    running_match([person("ann")])
    clock.shift(timedelta(days=1))
    assert post.work() == []
    assert not Notice.objects.exists()


def test_who_has_left_is_not_told_of_turns(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun((*pair, person("cid")))
    commands.resign(match.pk, 1, "resignation")
    act(match, "end", seat=0)
    assert bot_takes_turn(match)
    act(match, "end", seat=2)
    act(match, "end", seat=0)
    assert bot_takes_turn(match)
    assert noted("turn") == ["ann", "cid", "ann", "cid"]


def test_a_turn_taken_back_and_done_again_begins_anew_until_it_was_told(
    clock: Traveller, post: Post, pair: Pair
) -> None:
    match = begun(pair)
    receipt = act(match, "end")
    clock.shift(15)
    commands.undo(match.pk, 0, receipt.version)
    receipt = act(match, "end")
    clock.shift(5)
    assert ("push", "turn", "bob") not in post.work()
    clock.shift(15)
    assert ("push", "turn", "bob") in post.work()
    commands.undo(match.pk, 0, receipt.version)
    act(match, "end")
    clock.shift(minutes(9))
    assert post.work() == []
    clock.shift(minutes(1))
    assert post.work() == [("mail", "turn", "bob")]


# --- emails about turns -----------------------------------------------------------------------------------------------


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
    assert post.messages("push")[-1].title == "Everyone is waiting for you: Sealed"


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


# --- against bots -----------------------------------------------------------------------------------------------------


def test_against_bots_alone_nobody_is_told_anything(clock: Traveller, post: Post) -> None:
    wish = TableSetup("shifting-stones", 3, bots=Level.NOVICE)
    match = tables.start(tables.open_table(person("ann"), wish).pk, User.objects.get())
    clock.shift(minutes(1))  # the page of the match is closed
    while bot_takes_turn(match):
        clock.shift(minutes(1))
    clock.shift(timedelta(days=1))
    assert post.work() == []
    commands.resign(match.pk, match.seats.get(bot=None).number, "resignation")
    clock.shift(timedelta(days=1))
    assert post.work() == []
    assert not Notice.objects.exists()


def test_people_who_play_with_each_other_and_a_bot_are_told_as_ever(clock: Traveller, post: Post, pair: Pair) -> None:
    match = tables.open_table(pair[0], TableSetup("shifting-stones", 3))
    tables.add_bot(match.pk, pair[0], Level.NOVICE)
    tables.join(match.pk, pair[1])
    while bot_takes_turn(match):
        pass
    clock.shift(minutes(11))
    told = post.work()
    (name,) = {name for _channel, kind, name in told if kind == "turn"}
    assert {channel for channel, kind, _name in told if kind == "turn"} == {"push", "webhook", "mail"}
    assert match.seats.get(to_move=True).name == name


def test_no_email_is_sent_while_the_page_of_the_match_is_open(clock: Traveller, post: Post, pair: Pair) -> None:
    match = begun(pair)
    for _ in range(30):
        look_at(match, pair[0])
        clock.shift(30)
        assert [told for told in post.work() if told[0] == "mail"] == []
