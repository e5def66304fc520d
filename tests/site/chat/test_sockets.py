"""Messages over the socket of the page."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from websockets.sync.client import ClientConnection

from accounts import relations
from accounts.models import User
from games.chat.models import Message
from games.play.models import Match
from tests.people import client_of, person, running_match
from tests.serving import Site, dialled
from tests.site.chat.rooms import befriend, say, write

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 20
"""Messages that may come before the one that is waited for; one of them is a heartbeat every four seconds."""


@pytest.fixture
def ann(live_site: Site) -> User:
    return person("ann")


@pytest.fixture
def bob(live_site: Site) -> User:
    return person("bob")


@pytest.fixture
def match(ann: User, bob: User) -> Match:
    return running_match([ann, bob])


def told(connection: ClientConnection, name: str) -> dict[str, Any]:
    """Return the next message over a socket that has something of this name."""
    seen: list[list[str]] = []
    while len(seen) < MOST:
        message: dict[str, Any] = json.loads(connection.recv(timeout=60))
        if name in message:
            return message
        seen.append(list(message))
    raise AssertionError(f"{name} was not told, only {seen}")


def ask(connection: ClientConnection, kind: str, **form: str) -> None:
    connection.send(json.dumps({"kind": kind, "form": urlencode(form)}))


def page_of(site: Site, match: Match, user: User | None) -> ClientConnection:
    return dialled(site, f"match/{match.slug}/?language=en", client_of(user) if user else None)


def test_a_message_over_the_socket_reaches_the_other_player(
    live_site: Site, match: Match, ann: User, bob: User
) -> None:
    with page_of(live_site, match, ann) as anns, page_of(live_site, match, bob) as bobs:
        ask(bobs, "chat")
        assert "Nobody has written" in told(bobs, "chat")["chat"]
        ask(anns, "say", room="players", text="Hello, Bob", client_id="one")
        assert told(anns, "said") == {"said": "one", "refused": ""}
        assert "Hello, Bob" in told(bobs, "chat")["chat"]


def test_a_page_with_the_messages_closed_is_told_how_many_are_unread(
    live_site: Site, match: Match, ann: User, bob: User
) -> None:
    with page_of(live_site, match, bob) as bobs:
        told(bobs, "content")
        say(ann, match, "one")
        assert told(bobs, "unread") == {"unread": 1}
        ask(bobs, "chat")
        told(bobs, "chat")
        ask(bobs, "hush")
        assert told(bobs, "unread") == {"unread": 0}


def test_a_refusal_is_told_to_the_author_alone(live_site: Site, match: Match, ann: User) -> None:
    with page_of(live_site, match, ann) as anns:
        ask(anns, "say", room="players", text="", client_id="one")
        assert told(anns, "said") == {"said": "one", "refused": "Write something first."}
        ask(anns, "say", room="watchers", text="let me in", client_id="two")
        assert told(anns, "said") == {"said": "two", "refused": "You can’t write here."}
    assert not Message.objects.exists()


def test_a_spectator_is_pushed_nothing_that_players_write(live_site: Site, match: Match, ann: User) -> None:
    with page_of(live_site, match, person("eve")) as eves:
        ask(eves, "chat")
        told(eves, "chat")
        say(ann, match, "for Bob alone")
        say(person("dan"), match, "What a turn!", "watchers")
        pushed = told(eves, "chat")["chat"]
        assert "What a turn!" in pushed, "nothing is pushed of what others write for themselves"
        assert "for Bob alone" not in pushed


def test_a_page_hears_nothing_of_what_a_block_keeps_from_its_reader(
    live_site: Site, match: Match, ann: User, bob: User
) -> None:
    relations.block(ann, bob)
    with page_of(live_site, match, bob) as bobs:
        ask(bobs, "chat")
        told(bobs, "chat")
        say(ann, match, "La la la")
        say(bob, match, "Can you hear me?")
        assert "Can you hear me?" in told(bobs, "chat")["chat"], "nothing was pushed before"


def test_visitors_and_guests_are_not_understood(live_site: Site, match: Match) -> None:
    for user in (None, person("gast", guest=True)):
        with page_of(live_site, match, user) as connection:
            for kind in ("chat", "say", "hush"):
                ask(connection, kind, room="watchers", text="Hello", client_id="one")
                assert "error" in told(connection, "error")
    assert not Message.objects.exists()


def test_who_has_logged_out_writes_nothing_more(live_site: Site, match: Match, ann: User) -> None:
    client = client_of(ann)
    with dialled(live_site, f"match/{match.slug}/?language=en", client) as anns:
        told(anns, "content")
        client.logout()
        ask(anns, "say", room="players", text="me again", client_id="one")
        with pytest.raises(Exception, match="4401"):
            told(anns, "said")
    assert not Message.objects.exists()


def test_friends_write_over_the_socket_of_their_page(live_site: Site, ann: User, bob: User) -> None:
    befriend(ann, bob)
    with dialled(live_site, "messages/ann/?language=en", client_of(bob)) as bobs:
        ask(bobs, "chat")
        told(bobs, "chat")
        write(ann, bob, "Fancy a match?")
        assert "Fancy a match?" in told(bobs, "chat")["chat"]


@pytest.mark.parametrize("name", ["ann", "nobody-at-all", "%00"])
def test_a_stranger_gets_no_socket(live_site: Site, ann: User, name: str) -> None:
    with (
        pytest.raises(Exception, match=r"4404|403"),
        dialled(live_site, f"messages/{name}/?language=en", client_of(person("eve"))) as eves,
    ):
        told(eves, "chat")
