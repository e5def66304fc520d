"""Nobody is told that somebody has blocked them: what they see is what somebody sees who is no longer a friend."""

from __future__ import annotations

import re

import pytest
from time_machine import Traveller

from accounts import relations
from accounts.models import User
from games.chat.models import LENGTH
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play.models import Match
from tests.people import client_of, person, running_match
from tests.site.chat.rooms import befriend, read_in, say, write

CHANGING = re.compile(
    r'name="(csrfmiddlewaretoken|client_id|page)" value="[^"]*"|told=\d+|(message-|messages?/|room/)\d+'
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def blocked(clock: Traveller) -> User:
    return person("OneOfThem")


@pytest.fixture
def former(clock: Traveller) -> User:
    return person("TheOther")


@pytest.fixture
def match(ann: User, blocked: User, former: User, clock: Traveller) -> Match:
    """A match of all three; Ann, who was a friend of both, has blocked one, and parted from the other."""
    found = running_match([ann, blocked, former])
    say(ann, found, "Good luck to both of you")
    for other in (blocked, former):
        befriend(other, ann)
        write(other, ann, "Hi, Ann")
        write(ann, other, "Hello")
    tables.open_table(ann, TableSetup("shifting-stones", 2, rated=False))
    clock.shift(60)
    relations.end_friendship(ann, former)
    relations.block(ann, blocked)
    clock.shift(60)
    return found


def plain(page: str, reader: User) -> str:
    """Return a page without what differs between any two people."""
    other = {"OneOfThem": "TheOther", "TheOther": "OneOfThem"}[reader.username]
    for name, word in ((reader.username, "READER"), (other, "OTHER")):
        page = page.replace(name, word).replace(f"/faces/{name.lower()}.svg", f"/faces/{word}.svg")
    return CHANGING.sub("", page)


SHOWN = [
    ("/messages/", "Hello"),
    ("/messages/with/ann/", "Hello"),
    ("/notices/", "ann has accepted your friend request"),
    ("/people/", "Friends"),
    ("/@ann/", "ann"),
    ("/people/find/?name=a", "ann"),
    ("/match/{slug}/chat/", "Good luck to both of you"),
]


def test_pages_of_who_is_blocked_are_those_of_a_former_friend(
    match: Match, blocked: User, former: User, subtests: pytest.Subtests
) -> None:
    for path, shows in SHOWN:
        with subtests.test(path):
            address = path.format(slug=match.slug)
            pages = [plain(client_of(reader).get(address).content.decode(), reader) for reader in (blocked, former)]
            assert shows in pages[0]
            assert pages[0] == pages[1]


@pytest.mark.parametrize("text", ["Are you still there?", "", "x" * (LENGTH + 1)])
def test_messages_of_who_is_blocked_are_refused_in_the_words_for_a_former_friend(
    match: Match, blocked: User, former: User, text: str
) -> None:
    form = {"room": "direct", "text": text, "client_id": "one"}
    answers = [client_of(author).post("/messages/with/ann/", form) for author in (blocked, former)]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert len({plain(answer.content.decode(), it) for answer, it in zip(answers, (blocked, former), strict=True)}) == 1


def test_of_what_is_written_after_a_block_nothing_is_to_be_seen(
    match: Match, ann: User, blocked: User, former: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.chat.services.PACE", ())
    path = f"/match/{match.slug}/chat/"
    before = plain(client_of(blocked).get(path).content.decode(), blocked)
    for number in range(50):
        say(ann, match, f"number {number}")
    assert read_in(match, former)["players"][-1] == "number 49"
    assert plain(client_of(blocked).get(path).content.decode(), blocked) == before


def test_who_only_writes_where_they_are_not_read_is_not_among_those_to_mute(ann: User, bob: User) -> None:
    watched = running_match([person(), person()])
    relations.block(ann, bob)
    say(ann, watched, "What a turn!", "watchers")
    page = client_of(bob).get(f"/match/{watched.slug}/chat/").content.decode()
    assert "Mute ann" not in page
    assert "Nobody has written anything yet." in page
