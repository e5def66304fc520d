"""What holds a notice back: muted matches, quiet hours, preferences; checked again at the moment of sending."""

from __future__ import annotations

from datetime import time, timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.notifications import delivery, validity
from games.notifications.models import Delivery, Kind, Mute, Notice
from games.play import commands
from games.play.models import Match
from tests.clocked import DAYS, MONDAY
from tests.people import act, person, running_match
from tests.site.notifications.telling import Post, look_at, minutes, prefer, seconds

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(clock: Traveller) -> User:
    return person("ann", time_zone="Europe/Berlin")  # where it is one o'clock when the tests begin


@pytest.fixture
def match(ann: User) -> Match:
    """A match about which there is only one thing to tell: it is ann's turn."""
    made = running_match([ann, person("bob")])
    Notice.objects.exclude(kind=Kind.TURN).delete()
    return made


def states() -> set[str]:
    return set(Delivery.objects.values_list("state", flat=True))


# --- looked at again at the moment of sending -------------------------------------------------------------------------


def taken_between(clock: Traveller, post: Post, match: Match) -> None:
    """Let ann take her turn after her notice was planned and before it is sent."""
    clock.shift(20)
    post.plan()
    act(match, "end")
    Notice.objects.filter(user__username="bob").delete()


def test_a_turn_taken_between_planning_and_sending_is_not_told(clock: Traveller, post: Post, match: Match) -> None:
    taken_between(clock, post, match)
    assert post.work() == []
    assert states() == {"dropped"}


def test_sending_without_a_second_look_is_noticed(
    clock: Traveller, post: Post, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sabotaged variant."""
    monkeypatch.setattr(delivery, "judge", lambda *_: validity.TELL)
    taken_between(clock, post, match)
    assert post.work() != []


def test_a_turn_seen_between_planning_and_sending_is_not_told(
    clock: Traveller, post: Post, match: Match, ann: User
) -> None:
    clock.shift(20)
    post.plan()
    look_at(match, ann)
    assert post.work() == []


def test_a_match_muted_between_planning_and_sending_is_not_told(
    clock: Traveller, post: Post, match: Match, ann: User
) -> None:
    clock.shift(20)
    post.plan()
    Mute.objects.create(user=ann, match=match)
    assert post.work() == []


def test_a_channel_switched_off_between_planning_and_sending_is_silent(
    clock: Traveller, post: Post, match: Match, ann: User
) -> None:
    clock.shift(20)
    post.plan()
    prefer(ann, off=["turn.push"])
    assert post.work() == [("webhook", "turn", "ann")]


def test_quiet_hours_that_began_between_planning_and_sending_are_kept(
    clock: Traveller, post: Post, match: Match, ann: User
) -> None:
    clock.shift(20)
    post.plan()
    prefer(ann, quiet_from=time(13), quiet_until=time(14))
    assert post.work() == []
    clock.move_to(MONDAY + timedelta(hours=1))
    assert post.work()


def test_who_is_no_longer_active_is_told_nothing(clock: Traveller, post: Post, match: Match, ann: User) -> None:
    clock.shift(20)
    post.plan()
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert post.work() == []
    clock.shift(minutes(10))
    assert post.work() == []


def test_a_mail_goes_as_long_as_any_match_waits_that_stood_in_none(
    clock: Traveller, post: Post, match: Match, ann: User
) -> None:
    other = running_match([ann, person()])
    Notice.objects.exclude(kind=Kind.TURN).delete()
    clock.shift(minutes(10))
    post.plan()  # push and webhook
    post.plan()
    mail = Delivery.objects.get(channel="mail")
    assert mail.notice is not None
    act(mail.notice.about, "end")
    assert ("mail", "turn", "ann") in post.work()
    assert post.messages("mail")[-1].match == ({match.slug, other.slug} - {mail.notice.about.slug}).pop()


def test_a_mail_does_not_go_for_what_the_last_one_listed(clock: Traveller, post: Post, match: Match, ann: User) -> None:
    clock.shift(minutes(10))
    post.work()
    other = running_match([ann, person()])
    Notice.objects.filter(match=other).exclude(kind=Kind.TURN).delete()
    Notice.objects.filter(match=other).update(created_at=MONDAY + minutes(11))
    clock.shift(minutes(61))
    post.plan()
    post.plan()
    act(other, "end")
    assert "mail" not in {channel for channel, _kind, name in post.work() if name == "ann"}


# --- muted ------------------------------------------------------------------------------------------------------------


def test_of_a_muted_match_nothing_is_told(clock: Traveller, post: Post, ann: User) -> None:
    match = running_match([ann, person("bob")], clock=DAYS, speed="days")
    Mute.objects.create(user=ann, match=match)
    clock.shift(timedelta(days=3) * 0.96)
    post.work()
    commands.resign(match.pk, 1, "resignation")
    clock.shift(minutes(10))
    assert {message.match for user, message in post.toys["push"].told if user == ann} == set()
    assert {name for _channel, _kind, name in post.work()} <= {"bob"}


def test_a_mate_of_somebody_who_muted_the_match_is_told(clock: Traveller, post: Post, match: Match, ann: User) -> None:
    bob = match.seats.get(number=1).user
    assert bob is not None
    Mute.objects.create(user=bob, match=match)
    clock.shift(20)
    assert ("push", "turn", "ann") in post.work()


def test_a_muted_match_stands_in_no_list(match: Match, ann: User) -> None:
    assert [seat.match for seat in validity.waiting(ann)] == [match]
    Mute.objects.create(user=ann, match=match)
    assert list(validity.waiting(ann)) == []


# --- preferences ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("channel", ["push", "mail", "webhook"])
def test_what_is_switched_off_is_told_by_the_others(
    clock: Traveller, post: Post, match: Match, ann: User, channel: str
) -> None:
    prefer(ann, off=[f"turn.{channel}"])
    clock.shift(minutes(10))
    post.work()
    told = {channel for channel, toy in post.toys.items() if toy.told}
    assert told == {"push", "mail", "webhook"} - {channel}


# --- quiet hours ------------------------------------------------------------------------------------------------------


def test_what_comes_up_in_quiet_hours_is_told_when_they_end(
    clock: Traveller, post: Post, match: Match, ann: User
) -> None:
    prefer(ann, quiet_from=time(12), quiet_until=time(15))
    clock.shift(minutes(30))
    assert post.work() == []
    clock.move_to(MONDAY + timedelta(hours=2) - seconds(1))
    assert post.work() == []
    clock.shift(1)
    assert post.work() == [("mail", "turn", "ann"), ("push", "turn", "ann"), ("webhook", "turn", "ann")]


def test_what_was_done_in_quiet_hours_is_not_told(clock: Traveller, post: Post, match: Match, ann: User) -> None:
    prefer(ann, quiet_from=time(12), quiet_until=time(15))
    clock.shift(minutes(30))
    post.work()
    act(match, "end")
    clock.move_to(MONDAY + timedelta(hours=2))
    assert "ann" not in {name for _channel, _kind, name in post.work()}


@pytest.mark.parametrize(
    ("begin", "end", "hours"),
    [
        (time(13), time(14), 1),
        (time(22), time(13, 30), 0.5),
        (time(12, 59), time(12, 58), 23 + 58 / 60),
        (time(13, 1), time(14), None),
        (time(12), time(13), None),
        (time(13), time(13), None),
        (None, time(14), None),
        (time(12), None, None),
    ],
)
def test_quiet_hours_are_those_of_the_persons_wall_clock(
    clock: Traveller, ann: User, begin: time | None, end: time | None, hours: float | None
) -> None:
    prefer(ann, quiet_from=begin, quiet_until=end)
    expected = None if hours is None else MONDAY + timedelta(hours=hours)
    assert validity.quiet_until(ann.notice_preferences, ann, MONDAY) == expected


def test_quiet_hours_end_by_the_wall_clock_when_the_clocks_change(clock: Traveller, ann: User) -> None:
    prefer(ann, quiet_from=time(22), quiet_until=time(7))
    saturday = MONDAY.replace(day=28, hour=22)  # 23:00 in Berlin, where summer time begins in this night
    assert validity.quiet_until(ann.notice_preferences, ann, saturday) == MONDAY.replace(day=29, hour=5)
