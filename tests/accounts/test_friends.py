"""Friends: both agree, nobody is told of a refusal, and nobody is asked again and again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts import blocks, friends, limits
from accounts.friends import Standing
from accounts.models import Friendship, User
from accounts.signals import befriended, friend_asked
from tests.people import names, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def bob() -> User:
    return person("bob")


def refused(call: Any, *people: User) -> str:
    """Return the code with which a service refuses."""
    with pytest.raises(ValidationError) as error:
        call(*people)
    return str(error.value.code)


def seen_by(one: User, other: User) -> tuple[Standing, Standing]:
    return friends.standing(one, other), friends.standing(other, one)


def test_two_are_friends_when_one_asks_and_the_other_accepts(ann: User, bob: User) -> None:
    assert friends.ask(ann, bob) == Standing.ASKED_BY_ME
    assert seen_by(ann, bob) == (Standing.ASKED_BY_ME, Standing.ASKS_ME)
    assert names(friends.asking(bob)) == ["ann"]
    assert names(friends.asked_by(ann)) == ["bob"]
    assert not friends.are_friends(ann, bob)
    friends.accept(bob, ann)
    assert friends.are_friends(ann, bob)
    assert friends.are_friends(bob, ann)
    assert names(friends.friends_of(ann)) == ["bob"]
    assert names(friends.friends_of(bob)) == ["ann"]
    assert not friends.asking(bob).exists()
    assert not friends.asked_by(ann).exists()


def test_asking_back_accepts(ann: User, bob: User) -> None:
    friends.ask(ann, bob)
    assert friends.ask(bob, ann) == Standing.FRIEND
    assert friends.ask(ann, bob) == Standing.FRIEND
    assert Friendship.objects.count() == 1


def test_who_is_declined_is_not_told_and_cannot_ask_again(ann: User, bob: User) -> None:
    friends.ask(ann, bob)
    friends.decline(bob, ann)
    assert seen_by(ann, bob) == (Standing.ASKED_BY_ME, Standing.STRANGER)
    assert names(friends.asked_by(ann)) == ["bob"]
    assert not friends.asking(bob).exists()
    assert friends.ask(ann, bob) == Standing.ASKED_BY_ME
    assert not friends.asking(bob).exists()
    assert refused(friends.accept, bob, ann) == "gone"


def test_who_declined_can_change_their_mind(ann: User, bob: User) -> None:
    friends.ask(ann, bob)
    friends.decline(bob, ann)
    assert friends.ask(bob, ann) == Standing.FRIEND


def test_a_request_taken_back_can_be_made_again_after_a_week(ann: User, bob: User) -> None:
    friends.ask(ann, bob)
    friends.remove(ann, bob)
    assert seen_by(ann, bob) == (Standing.STRANGER, Standing.STRANGER)
    assert refused(friends.accept, bob, ann) == "gone"
    assert refused(friends.ask, ann, bob) == "again"
    with time_machine.travel(timezone.now() + limits.AGAIN + timedelta(minutes=1), tick=False):
        assert friends.ask(ann, bob) == Standing.ASKED_BY_ME


def test_either_friend_can_end_it(ann: User, bob: User) -> None:
    for leaving, asker in ((ann, ann), (bob, bob)):
        other = bob if asker is ann else ann
        Friendship.objects.all().delete()
        friends.ask(asker, other)
        friends.accept(other, asker)
        friends.remove(leaving, other)
        assert seen_by(ann, bob) == (Standing.STRANGER, Standing.STRANGER)
        assert not friends.friends_of(ann).exists()


def test_nobody_ends_a_request_to_them_by_removing_or_their_own_by_declining(ann: User, bob: User) -> None:
    friends.ask(ann, bob)
    friends.remove(bob, ann)
    friends.decline(ann, bob)
    assert seen_by(ann, bob) == (Standing.ASKED_BY_ME, Standing.ASKS_ME)


def test_the_number_of_requests_a_day_is_limited(ann: User) -> None:
    for _ in range(limits.REQUESTS):
        friends.ask(ann, person())
    assert refused(friends.ask, ann, person()) == "too-many"
    with time_machine.travel(timezone.now() + limits.PERIOD + timedelta(minutes=1), tick=False):
        friends.ask(ann, person())


def test_guests_have_no_friends_and_follow_nobody(ann: User) -> None:
    guest = person("Guest-Amber-Otter", guest=True)
    for call in (friends.ask, friends.follow):
        assert refused(call, ann, guest) == "guest"
        assert refused(call, guest, ann) == "guest"
        assert refused(call, ann, ann) == "self"


def test_signals_tell_of_requests_and_of_those_accepted(ann: User, bob: User) -> None:
    told: list[tuple[str, User, User]] = []

    def hear(signal: Any, **rest: Any) -> None:
        told.append(("asked" if signal is friend_asked else "befriended", rest["asker"], rest["asked"]))

    for signal in (friend_asked, befriended):
        signal.connect(hear)
    try:
        friends.ask(ann, bob)
        friends.ask(ann, bob)
        friends.accept(bob, ann)
        friends.accept(bob, ann)
    finally:
        for signal in (friend_asked, befriended):
            signal.disconnect(hear)
    assert told == [("asked", ann, bob), ("befriended", ann, bob)]


def test_following_needs_no_consent(ann: User, bob: User) -> None:
    friends.follow(ann, bob)
    friends.follow(ann, bob)
    assert names(friends.followed_by(ann)) == ["bob"]
    assert names(friends.followers_of(bob)) == ["ann"]
    assert friends.is_following(ann, bob)
    assert not friends.is_following(bob, ann)
    friends.unfollow(ann, bob)
    assert not friends.is_following(ann, bob)


def test_the_number_of_people_followed_is_limited(ann: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FOLLOWED", 1)
    friends.follow(ann, bob)
    assert refused(friends.follow, ann, person()) == "too-many"


def test_visitors_have_no_friends(ann: User) -> None:
    from django.contrib.auth.models import AnonymousUser

    for visitor in (None, AnonymousUser()):
        assert not friends.friends_of(visitor).exists()
        assert not friends.followed_by(visitor).exists()
        assert not friends.are_friends(ann, visitor)
        assert not friends.are_friends(visitor, visitor)


def test_who_is_deleted_leaves_no_trace(ann: User, bob: User) -> None:
    friends.ask(ann, bob)
    friends.accept(bob, ann)
    friends.follow(bob, ann)
    blocks.block(person(), ann)
    ann.delete()
    assert not Friendship.objects.exists()
    assert not friends.followed_by(bob).exists()
    assert blocks.blocked_with(bob) == set()
