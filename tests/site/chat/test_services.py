"""Messages are written once, in order, not too fast, and can be taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import relations
from accounts.models import User
from games.chat import services
from games.chat.models import LENGTH, Message, Room
from games.chat.services import PACE, ROOMS
from games.engine.protocol import RuleViolation
from games.notifications.models import Kind, Notice
from games.play.live import news
from games.play.models import Match
from tests.people import person, play_out, running_match
from tests.site.chat.rooms import befriend, read_in, say, write
from tests.unit.accounts.test_texts import UNSEEN

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(ann: User, bob: User) -> Match:
    return running_match([ann, bob])


def refused(author: User, match: Match, text: str = "", **more: str) -> str:
    with pytest.raises(RuleViolation) as refusal:
        say(author, match, text, **more)
    return refusal.value.code


def unread_of(user: User) -> int:
    return news.news_of([user.pk])[user.pk].counts["messages"]


def test_a_request_sent_again_writes_nothing_twice(match: Match, ann: User, bob: User) -> None:
    first = say(ann, match, "Hello", client_id="same")
    assert say(ann, match, "Hello", client_id="same") == first
    assert read_in(match, bob) == {"players": ["Hello"]}
    assert unread_of(bob) == 1


def test_two_people_may_name_their_requests_alike(match: Match, ann: User, bob: User) -> None:
    say(ann, match, "Hello", client_id="same")
    say(bob, match, "Hi", client_id="same")
    assert read_in(match, bob) == {"players": ["Hello", "Hi"]}


@pytest.mark.parametrize("text", ["", "  \n ", "\u202e\u2066", *UNSEEN])
def test_a_message_that_cannot_be_seen_is_empty(match: Match, ann: User, text: str) -> None:
    assert refused(ann, match, text) == "empty"


def test_the_longest_message_is_accepted_and_a_longer_one_is_not(match: Match, ann: User) -> None:
    assert say(ann, match, "é" * LENGTH).text == "é" * LENGTH
    assert refused(ann, match, "é" * (LENGTH + 1)) == "too-long"


def test_a_message_is_one_line_and_turns_nothing_around(match: Match, ann: User) -> None:
    assert say(ann, match, " a\tb\r\nc \u202ed\x07 ").text == "a b c d"


def test_an_emoji_of_several_people_stays_whole(match: Match, ann: User) -> None:
    family = "👩\u200d👩\u200d👧"
    assert say(ann, match, family).text == family


def test_there_are_no_other_phrases(match: Match, ann: User) -> None:
    assert refused(ann, match, phrase="insult") == "no-such-phrase"


def test_who_writes_too_fast_has_to_wait(match: Match, ann: User, bob: User) -> None:
    most, within = PACE[0]
    for number in range(most):
        say(ann, match, str(number))
    assert refused(ann, match, "one more") == "too-fast"
    say(bob, match, "I can still write")
    Message.objects.update(at=timezone.now() - within)
    say(ann, match, "one more")


def test_nobody_begins_to_write_to_very_many_people_in_a_day(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.chat.services.PACE", ())
    others = [person() for _ in range(ROOMS + 1)]
    for other in others:
        befriend(other, ann)
    for other in others[:-1]:
        write(ann, other, "Hello")
    with pytest.raises(RuleViolation) as refusal:
        write(ann, others[-1], "Hello")
    assert refusal.value.code == "too-many-people"
    write(ann, others[0], "Hello again")


def test_one_takes_back_only_ones_own_messages_and_only_for_two_minutes(match: Match, ann: User, bob: User) -> None:
    said = say(ann, match, "Oh no")
    with pytest.raises(RuleViolation) as refusal:
        services.take_back(bob, said)
    assert refusal.value.code == "not-yours"
    services.take_back(ann, said)
    services.take_back(ann, said)
    assert read_in(match, bob) == {"players": []}
    late = say(ann, match, "This stays")
    late.at -= services.REGRET + timedelta(seconds=1)
    late.save()
    with pytest.raises(RuleViolation) as refusal:
        services.take_back(ann, late)
    assert refusal.value.code == "too-late"
    assert read_in(match, bob) == {"players": ["This stays"]}


def test_unread_messages_are_counted_until_they_are_read(match: Match, ann: User, bob: User) -> None:
    said = say(ann, match, "one")
    say(ann, match, "two")
    assert (unread_of(ann), unread_of(bob)) == (0, 2)
    services.mark_as_read(bob, said.room)
    assert unread_of(bob) == 0


def test_what_is_taken_back_is_not_counted_any_more(match: Match, ann: User, bob: User) -> None:
    read = say(ann, match, "one")
    services.mark_as_read(bob, read.room)
    first, second = say(ann, match, "two"), say(ann, match, "three")
    services.take_back(ann, read)
    assert unread_of(bob) == 2
    for left, said in ((1, second), (1, second), (0, first)):
        services.take_back(ann, said)
        assert unread_of(bob) == left
    assert not Notice.objects.filter(user=bob, kind=Kind.CHAT).exists()


def test_a_message_that_somebody_does_not_hear_is_not_counted_less(match: Match, ann: User, bob: User) -> None:
    unheard = say(ann, match, "one")
    services.mute_person(bob, ann, muted=True)
    services.mark_as_read(bob, unheard.room)
    unheard = say(ann, match, "two")
    services.mute_person(bob, ann, muted=False)
    heard = say(ann, match, "three")
    services.take_back(ann, unheard)
    assert unread_of(bob) == 1
    services.take_back(ann, heard)
    assert unread_of(bob) == 0


def test_what_is_not_read_is_not_counted(match: Match, ann: User, bob: User) -> None:
    said = say(ann, match, "one")
    services.mute_room(bob, said.room, muted=True)
    assert unread_of(bob) == 0
    say(ann, match, "two")
    assert unread_of(bob) == 0
    services.mute_room(bob, said.room, muted=False)
    relations.block(bob, ann)
    say(ann, match, "three")
    assert unread_of(bob) == 0


def test_links_of_new_accounts_cannot_be_clicked(match: Match, ann: User, bob: User) -> None:
    say(ann, match, "see https://example.org/x")
    assert read_in(match, bob) == {"players": ["see https://example.org/x"]}
    _joined(ann, days=8)
    for _ in range(4):
        play_out(running_match([ann, bob], game="shifting-stones"))
    assert "<a" not in str(read_in(match, bob)), "four matches are too few"
    play_out(running_match([ann, bob], game="shifting-stones"))
    _joined(ann, days=6)
    assert "<a" not in str(read_in(match, bob)), "too young"
    _joined(ann, days=8)
    assert '<a href="https://example.org/x" rel="nofollow"' in str(read_in(match, bob))


def _joined(user: User, days: int) -> None:
    User.objects.filter(pk=user.pk).update(date_joined=timezone.now() - timedelta(days=days))


def test_messages_of_a_deleted_person_stay_without_a_name(match: Match, ann: User, bob: User) -> None:
    said = say(ann, match, "Hello")
    said.author = None
    said.save()
    assert read_in(match, bob) == {"players": ["Hello"]}


def test_a_room_is_of_a_match_or_of_two_people() -> None:
    assert str(Room(kind="players", match_id=3)) == "players 3"
