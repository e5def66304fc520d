"""Friends: both agree, nobody is told of a refusal, and nobody is asked again and again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts import limits, relations
from accounts.models import Friendship, User
from accounts.relations import Relation
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


def seen_by(one: User, other: User) -> tuple[Relation, Relation]:
    return relations.relation_between(one, other), relations.relation_between(other, one)


def test_two_are_friends_when_one_asks_and_the_other_accepts(ann: User, bob: User) -> None:
    assert relations.request_friendship(ann, bob) == Relation.ASKED_BY_ME
    assert seen_by(ann, bob) == (Relation.ASKED_BY_ME, Relation.ASKS_ME)
    assert names(relations.requests_to(bob)) == ["ann"]
    assert names(relations.requests_by(ann)) == ["bob"]
    assert not relations.are_friends(ann, bob)
    relations.accept_request(bob, ann)
    assert relations.are_friends(ann, bob)
    assert relations.are_friends(bob, ann)
    assert names(relations.friends_of(ann)) == ["bob"]
    assert names(relations.friends_of(bob)) == ["ann"]
    assert not relations.requests_to(bob).exists()
    assert not relations.requests_by(ann).exists()


def test_asking_back_accepts(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    assert relations.request_friendship(bob, ann) == Relation.FRIEND
    assert relations.request_friendship(ann, bob) == Relation.FRIEND
    assert Friendship.objects.count() == 1


def test_who_is_declined_is_not_told_and_cannot_ask_again(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    relations.decline_request(bob, ann)
    assert seen_by(ann, bob) == (Relation.ASKED_BY_ME, Relation.STRANGER)
    assert names(relations.requests_by(ann)) == ["bob"]
    assert not relations.requests_to(bob).exists()
    assert relations.request_friendship(ann, bob) == Relation.ASKED_BY_ME
    assert not relations.requests_to(bob).exists()
    assert refused(relations.accept_request, bob, ann) == "gone"


def test_who_declined_can_change_their_mind(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    relations.decline_request(bob, ann)
    assert relations.request_friendship(bob, ann) == Relation.FRIEND


def test_a_request_taken_back_can_be_made_again_after_a_week(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    relations.end_friendship(ann, bob)
    assert seen_by(ann, bob) == (Relation.STRANGER, Relation.STRANGER)
    assert refused(relations.accept_request, bob, ann) == "gone"
    assert refused(relations.request_friendship, ann, bob) == "again"
    with time_machine.travel(timezone.now() + limits.AGAIN + timedelta(minutes=1), tick=False):
        assert relations.request_friendship(ann, bob) == Relation.ASKED_BY_ME


def test_either_friend_can_end_it(ann: User, bob: User) -> None:
    for leaving, asker in ((ann, ann), (bob, bob)):
        other = bob if asker is ann else ann
        Friendship.objects.all().delete()
        relations.request_friendship(asker, other)
        relations.accept_request(other, asker)
        relations.end_friendship(leaving, other)
        assert seen_by(ann, bob) == (Relation.STRANGER, Relation.STRANGER)
        assert not relations.friends_of(ann).exists()


def test_nobody_ends_a_request_to_them_by_removing_or_their_own_by_declining(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    relations.end_friendship(bob, ann)
    relations.decline_request(ann, bob)
    assert seen_by(ann, bob) == (Relation.ASKED_BY_ME, Relation.ASKS_ME)


def test_the_number_of_requests_a_day_is_limited(ann: User) -> None:
    for _ in range(limits.REQUESTS):
        relations.request_friendship(ann, person())
    assert refused(relations.request_friendship, ann, person()) == "too-many"
    with time_machine.travel(timezone.now() + limits.PERIOD + timedelta(minutes=1), tick=False):
        relations.request_friendship(ann, person())


def test_guests_have_no_friends_and_follow_nobody(ann: User) -> None:
    guest = person("Guest-Amber-Otter", guest=True)
    for call in (relations.request_friendship, relations.follow):
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
        relations.request_friendship(ann, bob)
        relations.request_friendship(ann, bob)
        relations.accept_request(bob, ann)
        relations.accept_request(bob, ann)
    finally:
        for signal in (friend_asked, befriended):
            signal.disconnect(hear)
    assert told == [("asked", ann, bob), ("befriended", ann, bob)]


def test_following_needs_no_consent(ann: User, bob: User) -> None:
    relations.follow(ann, bob)
    relations.follow(ann, bob)
    assert names(relations.followed_by(ann)) == ["bob"]
    assert names(relations.followers_of(bob)) == ["ann"]
    assert relations.is_following(ann, bob)
    assert not relations.is_following(bob, ann)
    relations.unfollow(ann, bob)
    assert not relations.is_following(ann, bob)


def test_the_number_of_people_followed_is_limited(ann: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FOLLOWED", 1)
    relations.follow(ann, bob)
    assert refused(relations.follow, ann, person()) == "too-many"


def test_visitors_have_no_friends(ann: User) -> None:
    from django.contrib.auth.models import AnonymousUser

    for visitor in (None, AnonymousUser()):
        assert not relations.friends_of(visitor).exists()
        assert not relations.followed_by(visitor).exists()
        assert not relations.are_friends(ann, visitor)
        assert not relations.are_friends(visitor, visitor)


def test_who_is_deleted_leaves_no_trace(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    relations.accept_request(bob, ann)
    relations.follow(bob, ann)
    relations.block(person(), ann)
    ann.delete()
    assert not Friendship.objects.exists()
    assert not relations.followed_by(bob).exists()
    assert relations.blocked_with(bob) == set()
