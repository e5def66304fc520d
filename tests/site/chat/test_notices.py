"""Messages that nobody has read for ten minutes: told by push once for each match or friend, and in the digest."""

from __future__ import annotations

import pytest
from time_machine import Traveller

from games.chat.models import Room
from games.chat.services import mark_as_read, mute_person
from games.notifications.models import Channel, Kind, Notice, Preferences
from games.notifications.planning import daily_kinds
from games.notifications.services import notices_of
from games.play.models import Match
from tests.site.chat.rooms import befriend, say, write
from tests.site.notifications.telling import Pair, Post, begun, minutes, prefer

pytestmark = pytest.mark.django_db

PUSH = ("push", "chat", "bob")


@pytest.fixture
def match(pair: Pair) -> Match:
    found = begun(pair)
    Notice.objects.all().delete()
    return found


def test_what_is_unread_after_ten_minutes_is_pushed_once(
    post: Post, pair: Pair, match: Match, clock: Traveller
) -> None:
    ann, _bob = pair
    say(ann, match, "are you there?")
    clock.shift(minutes(9))
    say(ann, match, "hello?")
    assert post.work() == []
    clock.shift(minutes(2))
    assert post.work() == [PUSH]
    say(ann, match, "well then")
    clock.shift(minutes(30))
    assert post.work() == []
    (told,) = post.messages("push")
    assert (told.title, told.text) == ("New messages from ann", "2 unread messages.")
    assert told.url.endswith(f"/match/{match.slug}/chat/")


def test_what_was_read_in_time_is_told_nowhere(post: Post, pair: Pair, match: Match, clock: Traveller) -> None:
    ann, bob = pair
    say(ann, match, "are you there?")
    mark_as_read(bob, Room.objects.get())
    clock.shift(minutes(20))
    assert post.work() == []
    say(ann, match, "another one")
    clock.shift(minutes(11))
    assert post.work() == [PUSH]


def test_a_friend_is_told_once_and_led_to_the_conversation(post: Post, pair: Pair, clock: Traveller) -> None:
    ann, bob = pair
    befriend(ann, bob)
    Notice.objects.all().delete()
    write(ann, bob, "come and play")
    clock.shift(minutes(11))
    assert post.work() == [PUSH]
    assert post.messages("push")[0].url.endswith("/messages/with/ann/")


def test_of_somebody_who_is_muted_nothing_is_told(post: Post, pair: Pair, match: Match, clock: Traveller) -> None:
    ann, bob = pair
    say(ann, match, "are you there?")
    mute_person(bob, ann, muted=True)
    clock.shift(minutes(11))
    assert post.work() == []


def test_webhooks_are_told_if_that_is_wanted_and_mail_never(
    post: Post, pair: Pair, match: Match, clock: Traveller
) -> None:
    ann, bob = pair
    off = [name for name in Preferences().off if name != f"{Kind.CHAT}.{Channel.WEBHOOK}"]
    prefer(bob, off=off)
    say(ann, match, "are you there?")
    clock.shift(minutes(11))
    assert post.work() == [PUSH, ("webhook", "chat", "bob")]


def test_the_list_of_notices_leaves_it_to_the_badge(pair: Pair, match: Match, clock: Traveller) -> None:
    ann, bob = pair
    say(ann, match, "are you there?")
    clock.shift(minutes(11))
    assert Notice.objects.filter(user=bob, kind=Kind.CHAT).exists()
    assert not notices_of(bob).exists()


def test_the_digest_has_a_line_about_them(pair: Pair, match: Match) -> None:
    ann, bob = pair
    digest = daily_kinds()[Kind.DIGEST]
    assert not digest.is_due(bob)
    for text in ("one", "two", "three"):
        say(ann, match, text)
    assert digest.is_due(bob)
    told = digest.message(bob)
    assert "3 unread messages from ann." in told.text
    assert told.subject == "Your daily digest: 3 unread messages from ann"
