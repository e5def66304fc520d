"""Blocks: they part people both ways, and whoever is blocked sees what a stranger would see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError

from accounts import limits, relations
from accounts.joining import guests
from accounts.models import Block, User
from accounts.relations import Relation
from tests.people import names, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def bob() -> User:
    return person("bob")


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(ValidationError) as error:
        call()
    return str(error.value.code)


def befriend(one: User, other: User) -> None:
    relations.request_friendship(one, other)
    relations.accept_request(other, one)


def test_a_block_works_both_ways_until_it_is_lifted(ann: User, bob: User) -> None:
    other = person()
    relations.block(ann, bob)
    relations.block(ann, bob)
    assert relations.is_blocked_between(ann, bob)
    assert relations.is_blocked_between(bob, ann)
    assert not relations.is_blocked_between(ann, other)
    assert relations.blocked_with(ann) == {bob.pk}
    assert relations.blocked_with(bob) == {ann.pk}
    assert relations.blocked_with(other) == set()
    assert relations.is_blocked_with_any(bob, [None, other.pk, ann.pk])
    assert not relations.is_blocked_with_any(bob, [None, other.pk])
    assert relations.blocked_pairs([ann.pk, bob.pk, other.pk]) == {(ann.pk, bob.pk)}
    assert relations.blocked_pairs([ann.pk, other.pk]) == set()
    relations.unblock(ann, bob)
    assert not relations.is_blocked_between(ann, bob)


def test_only_who_blocked_knows(ann: User, bob: User) -> None:
    relations.block(ann, bob)
    assert names(relations.blocked_by(ann)) == ["bob"]
    assert not relations.blocked_by(bob).exists()
    assert relations.has_blocked(ann, bob)
    assert not relations.has_blocked(bob, ann)
    relations.unblock(bob, ann)
    assert relations.is_blocked_between(ann, bob)


def test_nobody_is_blocked_with_visitors(ann: User) -> None:
    for visitor in (None, AnonymousUser()):
        assert not relations.is_blocked_between(ann, visitor)
        assert not relations.is_blocked_between(visitor, ann)
        assert relations.blocked_with(visitor) == set()
        assert not relations.is_blocked_with_any(visitor, [ann.pk])


def test_nobody_blocks_themselves_or_people_without_end(ann: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    assert code_of(lambda: relations.block(ann, ann)) == "self"
    monkeypatch.setattr(limits, "BLOCKED", 1)
    relations.block(ann, bob)
    assert code_of(lambda: relations.block(ann, person())) == "too-many"


def test_a_block_ends_friendship_whoever_asked_for_it(ann: User, bob: User) -> None:
    cid = person("cid")
    befriend(ann, bob)
    befriend(cid, ann)
    for other in (bob, cid):
        relations.block(ann, other)
        assert not relations.are_friends(ann, other)
        assert relations.relation_between(other, ann) == Relation.STRANGER
        relations.unblock(ann, other)
        assert not relations.are_friends(ann, other)


def test_a_request_of_who_is_blocked_seems_to_wait(ann: User, bob: User) -> None:
    relations.request_friendship(bob, ann)
    relations.block(ann, bob)
    assert relations.relation_between(bob, ann) == Relation.ASKED_BY_ME
    assert not relations.requests_to(ann).exists()


def test_who_is_blocked_can_ask_and_follow_in_vain(ann: User, bob: User) -> None:
    relations.block(ann, bob)
    assert relations.request_friendship(bob, ann) == Relation.ASKED_BY_ME
    relations.follow(bob, ann)
    assert relations.relation_between(bob, ann) == Relation.ASKED_BY_ME
    assert names(relations.requests_by(bob)) == names(relations.followed_by(bob)) == ["ann"]
    assert not relations.requests_to(ann).exists()
    assert not relations.followers_of(ann).exists()
    assert code_of(lambda: relations.accept_request(ann, bob)) == "gone"


def test_limits_on_requests_hold_for_who_is_blocked_as_for_others(ann: User, bob: User) -> None:
    relations.block(ann, bob)
    relations.request_friendship(bob, ann)
    relations.end_friendship(bob, ann)
    assert code_of(lambda: relations.request_friendship(bob, ann)) == "again"


def test_whoever_blocked_must_lift_it_before_asking_or_following(ann: User, bob: User) -> None:
    relations.request_friendship(ann, bob)
    relations.follow(ann, bob)
    relations.block(ann, bob)
    assert relations.relation_between(bob, ann) == Relation.STRANGER
    assert not relations.is_following(ann, bob)
    assert code_of(lambda: relations.request_friendship(ann, bob)) == "blocked"
    assert code_of(lambda: relations.follow(ann, bob)) == "blocked"


def test_a_guest_can_block_and_an_account_takes_the_blocks_over(ann: User, bob: User) -> None:
    guest, cid = person("Guest-Amber-Otter", guest=True), person("cid")
    befriend(ann, bob)
    relations.block(guest, bob)
    relations.block(guest, ann)
    relations.block(cid, guest)
    relations.block(cid, ann)
    guests.take_over(guest, ann)
    assert names(relations.blocked_by(ann)) == ["bob"]
    assert names(relations.blocked_by(cid)) == ["ann"]
    assert not relations.are_friends(ann, bob)
    assert Block.objects.count() == 2
