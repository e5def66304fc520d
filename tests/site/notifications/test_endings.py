"""Notices of matches that end before their game is over, and of vacations that make others wait."""

from __future__ import annotations

from datetime import timedelta

import pytest
from time_machine import Traveller

from accounts.models import User
from games.notifications.messages import message_of
from games.notifications.models import Kind, Notice
from games.play import commands, timekeeping
from games.play.models import Match
from tests.clocked import LIVE
from tests.people import act, person, running_match
from tests.site.notifications.telling import Pair, Post, begun, over_days

pytestmark = pytest.mark.django_db


def told(name: str, kind: Kind = Kind.OVER) -> list[tuple[str, str]]:
    """Return title and text of the notices of a kind to somebody."""
    notices = Notice.objects.filter(user__username=name, kind=kind).select_related("user", "match")
    return [(message.title, message.text) for message in map(message_of, notices)]


def late(pair: Pair, clock: Traveller, turns: int) -> Match:
    match = begun(pair, clock=LIVE)
    for _ in range(turns):
        act(match, "end")
    clock.shift(600)
    assert timekeeping.expire(match.pk)
    return match


def test_both_are_told_that_a_match_was_aborted_and_why(pair: Pair, clock: Traveller, post: Post) -> None:
    late(pair, clock, 1)
    reason = "bob did not make a first move; the match was aborted and does not count."
    assert told("ann") == told("bob") == [("Aborted: Shifting Stones", reason)]
    clock.shift(60)
    assert ("push", "over", "ann") in post.work()
    assert reason in [message.text for message in post.messages("webhook")]


def test_whoever_aborts_a_match_alone_need_not_be_told(pair: Pair) -> None:
    commands.offer_abort(begun(pair).pk, 0)
    assert told("ann") == []
    assert told("bob") == [
        ("Aborted: Shifting Stones", "ann aborted the match before the first move; it does not count.")
    ]


def test_a_loss_on_time_is_told_as_one(pair: Pair, clock: Traveller) -> None:
    late(pair, clock, 2)
    assert told("ann")[0][1].startswith("bob has won. You ran out of time.")
    assert told("bob")[0][1].startswith("You beat ann. ann ran out of time.")


def test_whoever_shares_first_place_is_told_with_whom(ann: User, bob: User) -> None:
    match = running_match([ann, bob, person("cid")])
    for seat in range(3):
        commands.resign(match.pk, seat, f"resign-{seat:05}")
    match.seats.exclude(user__username="cid").update(place=1)
    match.seats.filter(user__username="cid").update(place=3)
    assert told("ann")[0][1].startswith("You share first place with bob.")
    assert told("cid")[0][1].startswith("ann and bob have won.")


def test_whoever_is_away_is_told_that_an_offer_was_declined_unless_the_match_has_gone_on(
    pair: Pair, clock: Traveller, post: Post
) -> None:
    match = begun(pair)
    act(match, "end")
    for goes_on in (False, True):
        commands.offer_abort(match.pk, 0)
        commands.decline_abort(match.pk, 1)
        said = ("bob plays on: Shifting Stones", "Your offer to abort the match was declined.")
        assert told("ann", Kind.DECLINED)[0] == said
        if goes_on:
            act(match, "end")
        clock.shift(60)
        assert (("push", "declined", "ann") in post.work()) == (not goes_on)
        if not goes_on:
            act(match, "end")


def test_opponents_are_told_of_a_vacation_for_which_they_have_to_wait(pair: Pair, clock: Traveller, post: Post) -> None:
    over_days(pair)
    timekeeping.start_vacation(pair[0], 5)
    title, text = told("bob", Kind.AWAY)[0]
    assert title == "ann is on vacation: Shifting Stones"
    assert text.startswith("The vacation ends on ")
    assert told("ann", Kind.AWAY) == []
    clock.shift(60)
    assert ("push", "away", "bob") in post.work()


def test_of_a_vacation_that_ended_at_once_nobody_is_told_outside(pair: Pair, clock: Traveller, post: Post) -> None:
    over_days(pair)
    timekeeping.start_vacation(pair[0], 5)
    timekeeping.end_vacation(pair[0])
    clock.shift(60)
    assert [it for it in post.work() if it[1] == "away"] == []


def test_of_a_vacation_for_which_nobody_waits_nobody_is_told(pair: Pair, clock: Traveller) -> None:
    over_days(pair)
    clock.shift(timedelta(hours=1))
    timekeeping.start_vacation(pair[1], 5)
    assert not Notice.objects.filter(kind=Kind.AWAY).exists()
