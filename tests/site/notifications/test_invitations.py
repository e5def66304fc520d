"""Inviting the same person again and again rings their bell only a few times, whatever the entry point."""

from __future__ import annotations

import pytest
from time_machine import Traveller

from accounts.models import User
from games.matchmaking.invitations import invite as invite_again
from games.matchmaking.limits import table_expires_at
from games.matchmaking.models import Invitation
from games.matchmaking.signals import invited
from games.notifications.models import Delivery, Kind, Notice
from games.notifications.services import MOST_INVITATIONS
from games.play import commands
from games.play.models import Match
from games.play.store import writing
from tests.people import person
from tests.site.notifications.telling import Pair, Post, minutes

pytestmark = pytest.mark.django_db


def invite(host: User, guest: User) -> Match:
    """Invite one person to a new table, closing the earlier ones, below all limits on tables."""
    Match.objects.filter(host=host, status=Match.Status.OPEN).update(status=Match.Status.CLOSED)
    with writing():
        match = commands.prepare_match("shifting-stones", {}, 2, host=host, rated=False)
        match.save()
        Invitation.objects.create(match=match, user=guest, by=host, expires_at=table_expires_at(match))
        invited.send(Match, match=match, people=[guest], by=host)
    return match


def invitations(guest: User) -> list[int]:
    found = Notice.objects.filter(user=guest, kind=Kind.INVITATION).order_by("pk")
    return list(found.values_list("match", flat=True))


def test_a_flood_of_invitations_is_a_few_notices_and_one_mail(post: Post, pair: Pair) -> None:
    ann, bob = pair
    opened = []
    for _ in range(12):
        opened.append(invite(ann, bob))
        post.work()
    assert len(invitations(bob)) == MOST_INVITATIONS
    assert len(post.messages("push")) == MOST_INVITATIONS
    assert len(post.messages("mail")) == 1
    assert invitations(bob)[-1] == opened[-1].pk, "the last notice leads to the table that is open"


def test_invitations_before_the_worker_looks_are_folded_too(post: Post, pair: Pair) -> None:
    ann, bob = pair
    for _ in range(12):
        last = invite(ann, bob)
    assert [channel for channel, _kind, _name in post.work()] == ["mail", "push", "webhook"]
    assert post.messages("mail")[0].match == last.slug


def test_an_open_invitation_is_mailed_when_its_hour_has_come(post: Post, pair: Pair, clock: Traveller) -> None:
    ann, bob = pair
    invite(ann, bob)
    post.work()
    second = invite(ann, bob)
    assert [channel for channel, _kind, _name in post.work()] == ["push", "webhook"]
    clock.shift(minutes(60))
    assert post.work() == [("mail", "invitation", "bob")]
    assert post.messages("mail")[-1].match == second.slug


def test_others_may_invite_meanwhile(post: Post, pair: Pair) -> None:
    ann, bob = pair
    invite(ann, bob)
    post.work()
    invite(person("cid"), bob)
    assert ("mail", "invitation", "bob") in post.work()


def test_after_an_hour_invitations_are_told_again(post: Post, pair: Pair, clock: Traveller) -> None:
    ann, bob = pair
    for _ in range(5):
        invite(ann, bob)
    post.work()
    clock.shift(minutes(61))
    invite(ann, bob)
    assert len(invitations(bob)) == MOST_INVITATIONS + 1


def test_asking_twice_to_one_table_is_one_notice(post: Post, pair: Pair) -> None:
    ann, bob = pair
    match = invite(ann, bob)
    for _ in range(5):
        invite_again(match, [bob], by=ann)
    assert invitations(bob) == [match.pk]
    assert Delivery.objects.count() == 0
