"""Streams, as programs hear them: over the network, from a served site."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import msgspec
import pytest
from django.core.cache import cache
from django.test import Client
from redis.exceptions import RedisError

from accounts.limits import STREAMS
from accounts.models import Sighting, User
from config.protocol import UNANSWERED, LimitedConnection
from games.api.authentication import Caller
from games.api.models import Scope, Token
from games.api.streams import places, stream as streams
from games.api.streams.stream import MOST_UNSENT, Stream, line_of, say_bye
from games.bots.accounts import become_bot
from games.chat import rooms, services as chat
from games.matchmaking import invitations
from games.play import commands
from games.play.access import access_match
from games.play.live import heartbeat, pubsub
from games.play.models import Match
from games.play.store import writing
from tests.people import act, open_table, person, running_match
from tests.serving import Site
from tests.site.api.programs import Program, refusal, token_of
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


class Listener:
    """A program that listens: `next` waits for a line, `until` for one of a type, and returns all up to it."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.lines = answer.iter_lines()

    def next(self) -> Any:
        return msgspec.json.decode(next(line for line in self.lines if line))

    def until(self, kind: str) -> list[Any]:
        heard = [self.next()]
        while heard[-1]["type"] != kind:
            heard.append(self.next())
        return heard


Listening = Callable[[User | str, str], Any]


@pytest.fixture
def listen(live_site: Site, monkeypatch: pytest.MonkeyPatch) -> Listening:
    """Open a stream of somebody, or with a token; the heartbeat is quick."""
    monkeypatch.setattr(heartbeat, "EVERY", 0.3)

    @contextmanager
    def opened(whose: User | str, path: str) -> Iterator[Listener]:
        token = whose if isinstance(whose, str) else token_of(whose)
        address, headers = f"{live_site.url}/api/v1/stream/{path}", {"Authorization": f"Bearer {token}"}
        with httpx.stream("GET", address, headers=headers, timeout=60) as answer:
            yield Listener(answer)

    return opened


def end(match: Match, seat: int) -> None:
    commands.resign(match.pk, seat, "resign-12")


# --- stream/me --------------------------------------------------------------------------------------------------------


def test_what_is_so_comes_first_and_then_what_happens(listen: Listening) -> None:
    ann, bob = person("ann"), person("bob")
    match, table = running_match([ann, bob]), open_table([bob])
    with writing():
        invitations.invite(table, [ann], bob)
    with listen(ann, "me") as heard:
        started, invited, live = heard.until("live")
        assert (started["type"], started["match"], started["your_turn"]) == ("match_started", match.slug, True)
        assert (invited["type"], invited["match"], invited["by"]) == ("invitation", table.slug, "bob")
        assert live == {"type": "live"}
        act(match, "skip")
        act(match, "skip")
        turn = heard.next()
        assert (turn["type"], turn["match"], turn["your_turn"]) == ("your_turn", match.slug, True)
        other = running_match([bob, ann])
        pubsub.waiting_changed([ann.pk])
        begun = heard.next()
        assert (begun["type"], begun["match"], begun["your_turn"]) == ("match_started", other.slug, False)
        end(match, 1)
        assert heard.next() == {"type": "match_over", "match": match.slug}
        with writing():
            table.invitations.all().delete()
        assert heard.next() == {"type": "invitation_gone", "match": table.slug}


def test_an_action_within_ones_turn_begins_no_other(listen: Listening) -> None:
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob])
    with listen(ann, "me") as heard:
        heard.until("live")
        legal: Any = Program.of(ann).ask("GET", f"matches/{match.slug}/legal")
        lines = b"".join(legal.streaming_content).splitlines()
        actions = [msgspec.json.decode(line).get("action", "") for line in lines]
        act(match, next(text for text in actions if text.startswith("shift")))
        other = running_match([bob, ann])
        pubsub.waiting_changed([ann.pk])
        told = heard.next()
        assert (told["type"], told["match"]) == ("match_started", other.slug)
        act(match, "end")
        act(match, "skip")
        told = heard.next()
        assert (told["type"], told["match"], told["your_turn"]) == ("your_turn", match.slug, True)


def test_a_bot_that_listens_is_here_and_a_person_is_not(listen: Listening) -> None:
    ann, bot = person("ann"), person("bot")
    become_bot(bot)
    with listen(ann, "me") as heard, listen(bot, "me") as other:
        heard.until("live")
        other.until("live")
        Sighting.objects.all().delete()  # of the request itself
        wait_until(lambda: Sighting.objects.filter(user=bot).exists())
    assert not Sighting.objects.filter(user=ann).exists()


def test_of_others_nothing_is_told(listen: Listening) -> None:
    ann, bob, eve = person("ann"), person("bob"), person("eve")
    match = running_match([ann, bob])
    with listen(eve, "me") as heard:
        assert heard.next() == {"type": "live"}
        end(match, 0)
        own = running_match([eve, bob])
        pubsub.waiting_changed([eve.pk])
        assert heard.next()["match"] == own.slug


# --- stream/matches ---------------------------------------------------------------------------------------------------


def test_a_match_is_told_whole_then_state_by_state_and_closed_when_it_is_over(listen: Listening) -> None:
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob])
    with listen(ann, f"matches/{match.slug}") as heard:
        full = heard.next()
        assert full.pop("type") == "full"
        answer = Program.of(ann).get(f"matches/{match.slug}")
        assert full == {name: answer[name] for name in full}
        assert (full["viewer"], full["state"]["to_move"]) == (0, [0])
        act(match, "skip")
        state = heard.until("state")[-1]
        assert (state["version"], state["to_move"]) == (full["state"]["version"] + 1, [1])
        assert [happened["seat"] for happened in state["events"]] == [0]
        viewed = access_match(bob, match.slug)
        chat.say(bob, rooms.place_in(viewed, bob, "players"), text="Good luck", client_id="said1")
        assert heard.until("chat")[-1]["text"] == "Good luck"
        end(match, 1)
        *states, over = heard.until("over")
        assert states[-1]["status"] == "over"
        assert over["result"]["places"] == [1, 2]
        assert [line for line in heard.lines if line] == []  # closed


def test_whoever_comes_back_finds_the_state_of_the_opponent(listen: Listening) -> None:
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob])
    with listen(ann, f"matches/{match.slug}") as heard:
        assert heard.next()["presence"] == []
        with listen(bob, f"matches/{match.slug}") as other:
            assert other.next()["type"] == "full"
            assert heard.until("state")[-1]["presence"] == [1]
            with listen(ann, f"matches/{match.slug}") as again:
                assert again.next()["presence"] == [1]


def test_a_spectator_is_told_what_spectators_may_know(listen: Listening) -> None:
    ann, bob, eve = person("ann"), person("bob"), person("eve")
    match = running_match([ann, bob], game="card-chess")
    with listen(eve, f"matches/{match.slug}") as heard:
        full = heard.next()
    assert full["viewer"] is None
    assert full["state"] == Program.of(eve).get(f"matches/{match.slug}")["state"]


def test_a_hint_that_is_lost_is_made_good_by_the_heartbeat(listen: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "TOGETHER", 1)  # more streams than one query answers for
    ann, bob = person("ann"), person("bob")
    match = running_match([ann, bob])
    with listen(ann, f"matches/{match.slug}") as heard, listen(ann, "me") as own:
        heard.next()
        own.until("live")
        monkeypatch.setattr(pubsub, "pass_on", lambda hints: None)
        act(match, "skip")
        act(match, "skip")
        while heard.until("state")[-1]["to_move"] != [0]:
            pass  # the heartbeat came between the two
        assert own.next()["type"] == "your_turn"


# --- how long it lasts ------------------------------------------------------------------------------------------------


def test_the_ninth_is_refused_and_closes_none(listen: Listening) -> None:
    ann = person("ann")
    token, opened = token_of(ann), []
    match = running_match([ann, person("bob")])
    try:
        for _number in range(STREAMS):
            one = listen(token, "me")
            opened.append((one, one.__enter__()))
            opened[-1][1].until("live")
        with listen(token, "me") as refused:
            told = msgspec.json.decode(refused.answer.read())
        assert (told["status"], told["code"], told["limit"]["name"]) == (429, "too-many-streams", "streams")
        assert refused.answer.headers["Retry-After"] == str(told["limit"]["seconds"])
        end(match, 1)
        for _one, heard in opened:
            assert heard.next()["type"] == "match_over"
    finally:
        for one, _heard in opened:
            one.__exit__(None, None, None)
    wait_until(lambda: not places._own and not cache.has_key(f"stream:{ann.pk}:0"))
    with listen(token, "me") as heard:
        heard.until("live")


def test_other_processes_count_and_those_that_were_killed_no_more(
    listen: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert places.HELD + places.AGAIN < 60
    monkeypatch.setattr(places, "HELD", 1.0)
    monkeypatch.setattr(places, "RENEWED", 0.1)
    ann = person("ann")
    with listen(ann, "me") as heard:
        heard.until("live")
        elsewhere = [places.take(ann.pk) for _other in range(STREAMS - 1)]
        with listen(ann, "me") as refused:
            assert refused.answer.status_code == 429
        wait_until(lambda: not any(cache.has_key(place) for place in elsewhere))
        assert cache.has_key(f"stream:{ann.pk}:0"), "what is renewed stays"
        assert [places.take(ann.pk) for _other in elsewhere] == elsewhere


def test_without_redis_streams_open_uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_away(*_: Any) -> bool:
        raise RedisError("away")

    monkeypatch.setattr(cache, "add", is_away)
    assert [places.take(7) for _stream in range(STREAMS + 1)] == [""] * (STREAMS + 1)


def test_an_empty_line_says_that_it_lives(listen: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "QUIET", 0.1)
    with listen(person("ann"), "me") as heard:
        heard.until("live")
        assert [next(heard.lines), next(heard.lines)] == ["", ""]


def test_it_ends_with_its_token(listen: Listening) -> None:
    ann = person("ann")
    token = token_of(ann)
    with listen(token, "me") as heard:
        heard.until("live")
        Token.objects.all().delete()
        assert [line for line in heard.lines if line] == []
    with listen(token, "me") as heard:
        assert heard.answer.status_code == 401


def test_it_ends_with_the_right_to_watch(listen: Listening) -> None:
    ann, bob, eve = person("ann"), person("bob"), person("eve")
    match = running_match([ann, bob])
    with listen(eve, f"matches/{match.slug}") as heard:
        heard.next()
        Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.PRIVATE)
        match.refresh_from_db()
        act(match, "skip")
        assert [line for line in heard.lines if line] == []


def test_a_client_that_confirms_nothing_is_dead_within_twenty_seconds(
    listen: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    honest = LimitedConnection.connection_made

    def noting(connection: LimitedConnection, transport: Any) -> None:
        honest(connection, transport)
        made.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))

    monkeypatch.setattr(LimitedConnection, "connection_made", noting)
    with listen(person("ann"), "me") as heard:
        heard.until("live")
    assert made == [UNANSWERED]
    assert UNANSWERED / 1000 + streams.QUIET <= 20


class Clogged:
    """A connection that takes nothing until it is let go on."""

    def __init__(self) -> None:
        self.free = asyncio.Event()
        self.ended = asyncio.Event()
        self.sent: list[bytes] = []

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            await self.free.wait()
            self.sent.append(message["body"])
            if not message["more_body"]:
                self.ended.set()

    async def receive(self) -> dict[str, Any]:
        await self.ended.wait()
        return {"type": "http.disconnect"}


async def _clogged(caller: Caller) -> tuple[Stream, Clogged, asyncio.Task[None]]:
    stream, connection = Stream(caller), Clogged()
    serving = asyncio.create_task(stream.serve(connection.receive, connection.send))
    while stream not in streams._open:
        await asyncio.sleep(0)
    return stream, connection, serving


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Say bye as this process would at its end, which comes once."""
    monkeypatch.setattr(streams, "_is_ending", False)
    return say_bye


@pytest.mark.parametrize("bye", [False, True])
async def test_what_is_not_read_ends_it_and_always_after_a_whole_line(bye: bool, ending: Callable[[], None]) -> None:
    ann = await asyncio.to_thread(person, "ann")
    stream, connection, serving = await _clogged(Caller(ann, frozenset({Scope.READ}), "personal/1"))
    lines = [line_of("state", version=number) for number in range(2 if bye else MOST_UNSENT + 2)]
    for line in lines:
        stream.write(line)
    if bye:
        ending()
    connection.free.set()
    await serving
    said = b"".join(connection.sent)
    expected = [*lines, line_of("bye", retry=3)] if bye else lines[:MOST_UNSENT]
    assert said == b"".join(expected)
    assert not streams._open


async def test_a_stream_that_opens_while_the_server_ends_says_bye_as_well(ending: Callable[[], None]) -> None:
    ann = await asyncio.to_thread(person, "ann")
    ending()
    _stream, connection, serving = await _clogged(Caller(ann, frozenset({Scope.READ}), "personal/1"))
    connection.free.set()
    await serving
    assert b"".join(connection.sent) == line_of("bye", retry=3)


# --- the way in -------------------------------------------------------------------------------------------------------


def test_who_may_not_listen_is_told_why(live_site: Site) -> None:
    ann, bob = person("ann"), person("bob")
    private = running_match([ann, bob], visibility=Match.Visibility.PRIVATE)
    reader, player = token_of(person("eve")), token_of(ann, Scope.PLAY)
    rows = [
        ("", "me", 401, "token"),
        ("tes_x", "me", 401, "token"),
        (player, "me", 403, "scope"),
        (reader, f"matches/{private.slug}", 404, "not-found"),
        (reader, "matches/none", 404, "not-found"),
        (reader, "else", 404, "not-found"),
    ]
    for token, path, status, code in rows:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx.get(f"{live_site.url}/api/v1/stream/{path}", headers=headers)
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert (answer.status_code, answer.json()["code"]) == (status, code), path
    posted = httpx.post(f"{live_site.url}/api/v1/stream/me", headers={"Authorization": f"Bearer {reader}"})
    assert (posted.status_code, posted.json()["code"]) == (405, "method")


def test_refusals_are_told_in_the_language_that_is_asked_for(live_site: Site) -> None:
    for language, wanted in (("it", "Questo token"), ("de", "Dieser Token"), ("", "This token")):
        headers = {"Authorization": "Bearer tes_x", "Accept-Language": language}
        answer = httpx.get(f"{live_site.url}/api/v1/stream/me", headers=headers)
        assert answer.json()["detail"].startswith(wanted)


def test_without_a_server_of_streams_programs_are_told_to_come_back() -> None:
    headers = {"Authorization": f"Bearer {token_of(person('ann'))}"}
    for path in ("me", "matches/any"):
        assert refusal(Client().get(f"/api/v1/stream/{path}", headers=headers)) == (503, "unavailable")
