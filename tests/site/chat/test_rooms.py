"""Who reads what: rooms of a match, friends, blocks, mutes, and the choice of each reader."""

from __future__ import annotations

import pytest
from django.http import Http404
from django.test import Client
from django.urls import reverse

from accounts import relations
from accounts.models import User
from games.chat.models import Openness
from games.chat.services import mute_person, open_to
from games.engine.protocol import RuleViolation
from games.play import commands as playing
from games.play.models import Match
from tests.people import client_of, open_table, person, running_match
from tests.site.chat.rooms import befriend, read_in, read_with, say, write

pytestmark = pytest.mark.django_db
To = Openness.To


@pytest.fixture
def eve() -> User:
    return person("eve")


@pytest.fixture
def match(ann: User, bob: User) -> Match:
    return running_match([ann, bob])


def end(match: Match) -> None:
    playing.resign(match.pk, 0, "resigned-at-last")


def test_players_read_each_other(match: Match, ann: User, bob: User) -> None:
    say(ann, match, "Hello, Bob")
    say(bob, match, "Hi")
    assert read_in(match, ann) == read_in(match, bob) == {"players": ["Hello, Bob", "Hi"]}


def test_spectators_have_a_room_that_players_see_only_after_the_end(
    match: Match, ann: User, bob: User, eve: User
) -> None:
    say(ann, match, "for Bob alone")
    say(eve, match, "Ann should have taken the fish", "watchers")
    assert read_in(match, eve) == {"watchers": ["Ann should have taken the fish"]}
    assert read_in(match, ann) == {"players": ["for Bob alone"]}
    with pytest.raises(Http404):
        say(ann, match, "I see you", "watchers")
    end(match)
    assert read_in(match, bob) == {"players": ["for Bob alone"], "watchers": ["Ann should have taken the fish"]}
    assert read_in(match, eve) == {"watchers": ["Ann should have taken the fish"]}


def test_those_who_sit_at_a_table_can_write_before_the_match_begins(ann: User, bob: User, eve: User) -> None:
    table = open_table([ann, bob], seats=3)
    say(ann, table, "Shall we wait?")
    assert read_in(table, bob) == {"players": ["Shall we wait?"]}
    assert read_in(table, eve) == {"watchers": []}


def test_nobody_writes_where_one_person_plays_alone(ann: User, eve: User) -> None:
    alone = running_match([ann])
    assert read_in(alone, ann) == read_in(alone, eve) == {}


def test_guests_and_visitors_read_and_write_nothing(match: Match, ann: User) -> None:
    guest = person("gast", guest=True)
    say(ann, match, "Hello")
    assert read_in(match, guest) == {}
    for client in (client_of(guest), Client()):
        answer = client.post(f"/match/{match.slug}/chat/", {"room": "watchers", "text": "me too"})
        assert answer.status_code == (404 if client.cookies else 302)
    assert read_in(match, ann) == {"players": ["Hello"]}


def test_a_guest_who_plays_cannot_write(ann: User) -> None:
    guest = person("gast", guest=True)
    match = running_match([ann, guest])
    assert client_of(guest).get(f"/match/{match.slug}/chat/").status_code == 404
    assert "open-chat" not in client_of(guest).get(match.get_absolute_url()).content.decode()


def test_only_friends_write_to_each_other(ann: User, bob: User) -> None:
    with pytest.raises(Http404):
        write(ann, bob, "Hello")
    befriend(ann, bob)
    write(ann, bob, "Hello")
    assert read_with(bob, ann) == ["Hello"]


def test_what_former_friends_wrote_stays_readable(ann: User, bob: User) -> None:
    befriend(ann, bob)
    write(ann, bob, "Hello")
    relations.end_friendship(bob, ann)
    assert read_with(bob, ann) == ["Hello"]
    with pytest.raises(RuleViolation) as refusal:
        write(ann, bob, "Are you still there?")
    assert refusal.value.code == "not-here"


def refused(author: User, other: User) -> tuple[str, str]:
    """Return the code and the words in which a message to somebody is refused, without the other's name."""
    with pytest.raises(RuleViolation) as refusal:
        write(author, other, "Are you still there?")
    return refusal.value.code, refusal.value.text.replace(other.username, "NAME")


def test_after_a_block_both_are_refused_as_former_friends_are(ann: User, bob: User, eve: User) -> None:
    for other in (bob, eve):
        befriend(ann, other)
        write(ann, other, "Hello")
        write(other, ann, "Hi")
    relations.end_friendship(ann, eve)
    relations.block(ann, bob)
    plain = refused(ann, eve)
    assert plain[0] == "not-here"
    assert [refused(eve, ann), refused(ann, bob), refused(bob, ann)] == [plain] * 3


def test_the_page_of_a_blocked_former_friend_says_what_that_of_any_former_friend_says(
    ann: User, bob: User, eve: User
) -> None:
    for other in (bob, eve):
        befriend(ann, other)
        write(ann, other, "Hello")
    relations.end_friendship(ann, eve)
    relations.block(ann, bob)
    path = reverse("conversation", args=[ann.username])
    fields = {"room": "with", "text": "Are you still there?", "client_id": "page0001"}
    answers = [client_of(author).post(path, fields) for author in (bob, eve)]
    assert [answer.status_code for answer in answers] == [422, 422]
    told = [answer.context["refusal"] for answer in answers]
    assert told[0] == told[1] != ""


def test_a_blocked_person_is_not_read_and_not_told(match: Match, ann: User, bob: User) -> None:
    relations.block(bob, ann)
    say(ann, match, "Can you hear me?")
    say(bob, match, "La la la")
    assert read_in(match, bob) == {"players": ["La la la"]}
    assert read_in(match, ann) == {"players": ["Can you hear me?"]}


def test_a_muted_person_is_not_read_until_that_is_undone(match: Match, ann: User, bob: User) -> None:
    mute_person(bob, ann, muted=True)
    say(ann, match, "Can you hear me?")
    assert read_in(match, bob) == {"players": []}
    mute_person(bob, ann, muted=False)
    assert read_in(match, bob) == {"players": ["Can you hear me?"]}


def test_nobody_mutes_themselves(ann: User) -> None:
    with pytest.raises(RuleViolation) as refusal:
        mute_person(ann, ann, muted=True)
    assert refusal.value.code == "self"


@pytest.mark.parametrize(
    ("to", "heard"),
    [
        (To.EVERYBODY, ["Hello", "Good luck!", "Hello from a friend"]),
        (To.FRIENDS, ["Hello from a friend"]),
        (To.PHRASES, ["Good luck!"]),
        (To.NOBODY, []),
    ],
)
def test_each_reader_chooses_who_may_write_to_them(ann: User, bob: User, eve: User, to: To, heard: list[str]) -> None:
    match = running_match([ann, bob, eve])
    befriend(bob, eve)
    open_to(bob, to)
    say(ann, match, "Hello")
    say(ann, match, phrase="good-luck")
    say(eve, match, "Hello from a friend")
    assert read_in(match, bob) == {"players": heard}
    assert len(read_in(match, eve)["players"]) == 3


@pytest.mark.parametrize(
    ("to", "words", "code"),
    [
        (To.PHRASES, {"text": "Hello"}, "phrases-only"),
        (To.FRIENDS, {"phrase": "hello"}, "not-wanted"),
        (To.NOBODY, {"phrase": "hello"}, "not-wanted"),
    ],
)
def test_the_author_is_told_when_the_only_reader_does_not_want_it(to: To, words: dict[str, str], code: str) -> None:
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob])
    open_to(bob, to)
    with pytest.raises(RuleViolation) as refusal:
        say(ann, match, **words)
    assert refusal.value.code == code
    assert "bob" in refusal.value.text


def test_everybody_reads_a_phrase_in_their_own_language(match: Match, ann: User, bob: User) -> None:
    say(ann, match, phrase="good-luck")
    bob.language = "de"
    bob.save()
    assert "Viel Glück!" in client_of(bob).get(f"/match/{match.slug}/chat/").content.decode()
    assert "Good luck!" in client_of(ann).get(f"/match/{match.slug}/chat/").content.decode()


def test_messages_are_in_no_record(match: Match, ann: User) -> None:
    say(ann, match, "a secret between us")
    end(match)
    record = client_of(ann).get(f"/match/{match.slug}/record.json")
    assert record.status_code == 200
    assert "a secret between us" not in record.content.decode()
