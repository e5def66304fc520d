"""Blocks: they part people both ways, and whoever is blocked sees what a stranger would see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError

from accounts import blocks, friends, guests, limits
from accounts.friends import Standing
from accounts.models import Block, User
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
    friends.ask(one, other)
    friends.accept(other, one)


def test_a_block_works_both_ways_until_it_is_lifted(ann: User, bob: User) -> None:
    other = person()
    blocks.block(ann, bob)
    blocks.block(ann, bob)
    assert blocks.is_blocked_between(ann, bob)
    assert blocks.is_blocked_between(bob, ann)
    assert not blocks.is_blocked_between(ann, other)
    assert blocks.blocked_with(ann) == {bob.pk}
    assert blocks.blocked_with(bob) == {ann.pk}
    assert blocks.blocked_with(other) == set()
    assert blocks.is_blocked_with_any(bob, [None, other.pk, ann.pk])
    assert not blocks.is_blocked_with_any(bob, [None, other.pk])
    assert blocks.blocked_pairs([ann.pk, bob.pk, other.pk]) == {(ann.pk, bob.pk)}
    assert blocks.blocked_pairs([ann.pk, other.pk]) == set()
    blocks.unblock(ann, bob)
    assert not blocks.is_blocked_between(ann, bob)


def test_only_who_blocked_knows(ann: User, bob: User) -> None:
    blocks.block(ann, bob)
    assert names(blocks.blocked_by(ann)) == ["bob"]
    assert not blocks.blocked_by(bob).exists()
    assert blocks.has_blocked(ann, bob)
    assert not blocks.has_blocked(bob, ann)
    blocks.unblock(bob, ann)
    assert blocks.is_blocked_between(ann, bob)


def test_nobody_is_blocked_with_visitors(ann: User) -> None:
    for visitor in (None, AnonymousUser()):
        assert not blocks.is_blocked_between(ann, visitor)
        assert not blocks.is_blocked_between(visitor, ann)
        assert blocks.blocked_with(visitor) == set()
        assert not blocks.is_blocked_with_any(visitor, [ann.pk])


def test_nobody_blocks_themselves_or_people_without_end(ann: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    assert code_of(lambda: blocks.block(ann, ann)) == "self"
    monkeypatch.setattr(limits, "BLOCKED", 1)
    blocks.block(ann, bob)
    assert code_of(lambda: blocks.block(ann, person())) == "too-many"


def test_a_block_ends_friendship_whoever_asked_for_it(ann: User, bob: User) -> None:
    cid = person("cid")
    befriend(ann, bob)
    befriend(cid, ann)
    for other in (bob, cid):
        blocks.block(ann, other)
        assert not friends.are_friends(ann, other)
        assert friends.standing(other, ann) == Standing.STRANGER
        blocks.unblock(ann, other)
        assert not friends.are_friends(ann, other)


def test_a_request_of_who_is_blocked_seems_to_wait(ann: User, bob: User) -> None:
    friends.ask(bob, ann)
    blocks.block(ann, bob)
    assert friends.standing(bob, ann) == Standing.ASKED_BY_ME
    assert not friends.asking(ann).exists()


def test_who_is_blocked_can_ask_and_follow_in_vain(ann: User, bob: User) -> None:
    blocks.block(ann, bob)
    assert friends.ask(bob, ann) == Standing.ASKED_BY_ME
    friends.follow(bob, ann)
    assert friends.standing(bob, ann) == Standing.ASKED_BY_ME
    assert names(friends.asked_by(bob)) == names(friends.followed_by(bob)) == ["ann"]
    assert not friends.asking(ann).exists()
    assert not friends.followers_of(ann).exists()
    assert code_of(lambda: friends.accept(ann, bob)) == "gone"


def test_limits_on_requests_hold_for_who_is_blocked_as_for_others(ann: User, bob: User) -> None:
    blocks.block(ann, bob)
    friends.ask(bob, ann)
    friends.remove(bob, ann)
    assert code_of(lambda: friends.ask(bob, ann)) == "again"


def test_whoever_blocked_must_lift_it_before_asking_or_following(ann: User, bob: User) -> None:
    friends.ask(ann, bob)
    friends.follow(ann, bob)
    blocks.block(ann, bob)
    assert friends.standing(bob, ann) == Standing.STRANGER
    assert not friends.is_following(ann, bob)
    assert code_of(lambda: friends.ask(ann, bob)) == "blocked"
    assert code_of(lambda: friends.follow(ann, bob)) == "blocked"


def test_a_guest_can_block_and_an_account_takes_the_blocks_over(ann: User, bob: User) -> None:
    guest, cid = person("Guest-Amber-Otter", guest=True), person("cid")
    befriend(ann, bob)
    blocks.block(guest, bob)
    blocks.block(guest, ann)
    blocks.block(cid, guest)
    blocks.block(cid, ann)
    guests.take_over(guest, ann)
    assert names(blocks.blocked_by(ann)) == ["bob"]
    assert names(blocks.blocked_by(cid)) == ["ann"]
    assert not friends.are_friends(ann, bob)
    assert Block.objects.count() == 2
