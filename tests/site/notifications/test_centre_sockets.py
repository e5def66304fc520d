"""What sockets push on every page: numbers at once, healed by the heartbeat, and each new notice once."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import transaction
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from accounts.models import User
from games.notifications.messages import message_of
from games.notifications.models import Kind, Mute, Notice, Preferences
from games.notifications.services import notices_changed
from games.play.live import heartbeat, news, presence, pubsub, sockets
from games.play.live.frames import Close
from games.play.models import Match
from tests.people import Kinds, act, client_of
from tests.serving import Site, dialled
from tests.site.notifications.noticed import notice, quiet_match

ME, LOBBY = "me/", "lobby/"
BEAT = 0.3
Opener = Callable[..., Any]


@pytest.fixture
def match(live_site: Site, kinds: Kinds) -> Match:
    """A match between `seated` and `mate` without any notices."""
    match = quiet_match(kinds.seated, kinds.mate)
    Notice.objects.all().delete()
    return match


@pytest.fixture
def opener(live_site: Site) -> Opener:
    """Open a socket as somebody (None: a visitor); by default that of pages without one of their own."""

    def open_socket(user: User | None, path: str = ME, language: str = "en") -> ClientConnection:
        query = "" if "?" in path else f"?language={language}"
        return dialled(live_site, f"{path}{query}", client_of(user) if user else None)

    return open_socket


def of(match: Match) -> str:
    return f"match/{match.slug}/"


def heard(opened: ClientConnection, name: str, seconds: float = 60) -> Any:
    """Return what the next message of this name says."""
    deadline = time.monotonic() + seconds
    while name not in (message := json.loads(opened.recv(timeout=max(0.0, deadline - time.monotonic())))):
        pass
    return message[name]


def all_heard(opened: ClientConnection, name: str, seconds: float = 0.8) -> list[Any]:
    """Return what all messages of this name say within some seconds."""
    found = []
    with suppress(TimeoutError):
        while True:
            found.append(heard(opened, name, seconds))
    return found


def tell(user: User, match: Match, kind: Kind = Kind.TURN, **fields: Any) -> Notice:
    """Notify somebody as services do: in a transaction, announced once committed."""
    with transaction.atomic():
        made = notice(user, match, kind, **fields)
        notices_changed([user.pk])
    return made


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_the_number_of_unread_notices_is_told_at_once_on_every_page(
    opener: Opener, kinds: Kinds, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 3600)
    with ExitStack() as stack:
        pages = [stack.enter_context(opener(kinds.seated, path)) for path in (ME, LOBBY, of(kinds.match))]
        assert [heard(page, "notices") for page in pages] == [0, 0, 0]
        tell(kinds.seated, match)
        assert [heard(page, "notices") for page in pages] == [1, 1, 1]


def test_a_lost_announcement_is_made_good_by_the_heartbeat(
    opener: Opener, kinds: Kinds, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", BEAT)
    with opener(kinds.seated) as opened:
        assert heard(opened, "notices") == 0
        notice(kinds.seated, match)
        assert heard(opened, "notices") == 1


def test_without_a_heartbeat_nothing_is_told_that_is_not_announced_or_whose_announcement_is_taken_back(
    opener: Opener, kinds: Kinds, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sabotaged variant of the heartbeat; and announcements belong to what they announce."""
    monkeypatch.setattr(heartbeat, "EVERY", 3600)
    with opener(kinds.seated) as opened:
        assert heard(opened, "notices") == 0
        notice(kinds.seated, match)
        with suppress(ZeroDivisionError), transaction.atomic():
            notice(kinds.seated, match, turn=10)
            notices_changed([kinds.seated.pk])
            _ = 1 / 0
        assert all_heard(opened, "notices", 3 * BEAT) == []


def test_what_is_read_in_one_tab_is_read_in_the_other(
    opener: Opener, kinds: Kinds, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the list, or by looking at the match."""
    monkeypatch.setattr(heartbeat, "EVERY", BEAT)
    notice(kinds.seated, match)
    with opener(kinds.seated) as other, opener(kinds.seated, of(match)) as page:
        assert heard(other, "notices") == 1
        client_of(kinds.seated).post("/notices/seen/")
        assert heard(other, "notices") == 0
        tell(kinds.seated, match, turn=10)
        assert heard(other, "notices") == 1
        page.send('{"kind": "presence"}')
        assert heard(other, "notices") == 0
    assert not Notice.objects.filter(seen_at=None).exists()


def test_the_number_of_waiting_matches_is_told_where_there_is_no_match(
    opener: Opener, kinds: Kinds, match: Match
) -> None:
    with opener(kinds.mate) as opened:
        assert heard(opened, "waiting") == 0
        act(match, "end")
        assert heard(opened, "waiting") == 1


def test_one_look_at_the_database_answers_for_many_announcements(
    opener: Opener, kinds: Kinds, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 3600)
    looks: list[Collection[int]] = []
    honest = news.news_of

    def looking(people: Collection[int]) -> dict[int, news.News]:
        looks.append(people)
        return honest(people)

    monkeypatch.setattr(news, "news_of", looking)
    with opener(kinds.seated) as first, opener(kinds.mate) as second:
        heard(first, "notices"), heard(second, "notices")
        looks.clear()
        for turn in range(20):
            tell(kinds.seated, match, turn=turn + 10)
            tell(kinds.mate, match, turn=turn + 10)
        while heard(first, "notices") < 20:
            pass
    assert 1 <= len(looks) <= 10


# --- toasts -----------------------------------------------------------------------------------------------------------


def test_a_new_notice_is_told_in_words_and_once(opener: Opener, kinds: Kinds, match: Match) -> None:
    """What was there when the page was opened is no news."""
    notice(kinds.seated, match)
    with opener(kinds.seated) as opened:
        assert heard(opened, "notices") == 1
        told = tell(kinds.seated, match, turn=10)
        message = message_of(told)
        assert heard(opened, "toast") == {
            "title": message.title,
            "text": message.text,
            "url": match.get_absolute_url(),
            "key": told.pk,
        }
        notices_changed([kinds.seated.pk])
        assert all_heard(opened, "toast") == []


@pytest.mark.parametrize("path", [ME, LOBBY, "matches/"])
def test_what_came_while_a_page_was_loading_is_told(opener: Opener, kinds: Kinds, match: Match, path: str) -> None:
    """The page says in the address of its socket which notices it knows."""
    notice(kinds.seated, match)
    page = client_of(kinds.seated).get({ME: "/rules/", LOBBY: "/lobby/"}.get(path, "/matches/")).content.decode()
    (address,) = re.findall(r'hx-ws:connect="/ws/([^"]+)"', page)
    late = tell(kinds.seated, match, turn=10)
    with opener(kinds.seated, html.unescape(address)) as opened:
        assert heard(opened, "toast")["key"] == late.pk


def test_the_matchs_own_page_needs_no_words_and_other_people_hear_nothing(
    opener: Opener, kinds: Kinds, match: Match
) -> None:
    with ExitStack() as stack:
        other, *silent = (
            stack.enter_context(opener(user, path))
            for user, path in (
                (kinds.seated, of(kinds.match)),
                (kinds.seated, of(match)),
                (kinds.mate, ME),
                (kinds.stranger, of(match)),
                (None, LOBBY),
            )
        )
        for opened in (other, *silent[:3]):
            heard(opened, "notices")
        tell(kinds.seated, match)
        assert heard(other, "toast")["url"] == match.get_absolute_url()
        for opened in silent:
            assert all_heard(opened, "toast", 0.5) == []


def test_of_many_that_come_at_once_the_newest_three_are_told(opener: Opener, kinds: Kinds, match: Match) -> None:
    with opener(kinds.seated) as opened:
        heard(opened, "notices")
        with transaction.atomic():
            for number in range(5):
                notice(kinds.seated, match, Kind.TURN, turn=number + 10, ago=5 - number)
            notices_changed([kinds.seated.pk])
        assert heard(opened, "notices") == 5
        assert len(all_heard(opened, "toast")) == sockets.MOST_TOASTS


def test_there_is_no_toast_for_what_is_of_the_future_muted_or_unwanted(
    opener: Opener, kinds: Kinds, match: Match
) -> None:
    Preferences.objects.create(user=kinds.mate, off=["turn.page"])
    with opener(kinds.seated) as seated, opener(kinds.mate) as unwilling:
        heard(seated, "notices"), heard(unwilling, "notices")
        tell(kinds.seated, match, ago=-60)
        tell(kinds.mate, match)
        assert all_heard(seated, "toast") == []
        assert all_heard(unwilling, "toast", 0.1) == []
        Mute.objects.create(user=kinds.seated, match=match)
        tell(kinds.seated, match, turn=10)
        assert all_heard(seated, "toast") == []


def test_a_warning_is_told_when_its_moment_comes(
    opener: Opener, kinds: Kinds, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", BEAT)
    with opener(kinds.seated) as opened:
        heard(opened, "notices")
        notice(kinds.seated, match, Kind.DEADLINE, ago=-1, part=20)
        assert heard(opened, "toast")["url"] == match.get_absolute_url()


def test_who_just_went_to_another_page_is_told_at_once(opener: Opener, kinds: Kinds, match: Match) -> None:
    """A look at the match some seconds ago keeps the number down, but does not suppress the words."""
    presence.report(kinds.seated.pk, match.pk)
    presence.store_reports(presence.take_reports())
    with opener(kinds.seated) as opened:
        heard(opened, "notices")
        tell(kinds.seated, match)
        assert heard(opened, "toast")["url"] == match.get_absolute_url()


# --- the socket of all other pages ------------------------------------------------------------------------------------


def test_it_is_for_people_who_are_logged_in(opener: Opener, match: Match) -> None:
    with opener(None) as opened, pytest.raises(ConnectionClosed):
        opened.recv(timeout=60)
    assert opened.close_code == Close.NO_ACCESS


def test_it_accepts_no_presence_and_closes_when_its_person_logs_out(
    opener: Opener, kinds: Kinds, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", BEAT)
    with opener(kinds.seated) as opened:
        heard(opened, "notices")
        opened.send('{"kind": "presence"}')
        assert heard(opened, "error")
        Session.objects.all().delete()
        with pytest.raises(ConnectionClosed):
            heard(opened, "toast")
    assert opened.close_code == Close.SESSION_ENDED


def test_pages_left_open_never_take_the_room_of_matches(
    opener: Opener, kinds: Kinds, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "MAX_SOCKETS", 4)
    with ExitStack() as stack:
        for _ in range(2):
            heard(stack.enter_context(opener(kinds.seated)), "notices")
        with pytest.raises(InvalidStatus), opener(kinds.seated):
            pass
        for _ in range(2):
            heard(stack.enter_context(opener(kinds.seated, of(match))), "content")


def test_a_hint_has_no_content(match: Match, kinds: Kinds, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(pubsub, "_send", lambda *hint: sent.append(hint))
    tell(kinds.seated, match)
    assert sent == [(pubsub.user_topic(kinds.seated.pk), {"type": "notices.changed"})]
