"""What a page asks for over its socket: done, refused or stale, by the same rules as a posted form."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from functools import partial
from itertools import product
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db.models import F
from prometheus_client import REGISTRY
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from accounts.models import User
from games.matchmaking.tables import join
from games.play import commands
from games.play.live import sockets, workers
from games.play.live.frames import Close
from games.play.models import Action, Match
from games.play.reducer import positions
from tests.clocked import LIVE
from tests.people import Kinds, act, client_of, open_table, person, running_match
from tests.serving import Site
from tests.site.play.tabs import Tab, following
from tests.waiting import wait_until


def flip(match: Match) -> str:
    return next(text for text in positions.legal_texts(match, 0) if text.startswith("flip"))


def closing_code(socket: ClientConnection) -> int:
    try:
        while True:
            socket.recv(timeout=60)
    except ConnectionClosed as closed:
        return 0 if closed.rcvd is None else int(closed.rcvd.code)


def test_an_action_is_answered_with_what_changed(live_site: Site, kinds: Kinds) -> None:
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        answer = mine.ask("act", action=flip(kinds.match))
        assert (answer["status"], answer["version"]) == ("done", kinds.match.version)
        assert answer["base"] == kinds.match.version - 1
        assert mine.shows(kinds.table(kinds.seated))
    assert Action.objects.filter(match=kinds.match).count() == 1


def test_the_time_to_the_last_push_is_measured(live_site: Site, kinds: Kinds) -> None:
    counted = partial(REGISTRY.get_sample_value, "tessera_push_seconds_count")
    before = counted() or 0
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        mine.ask("act", action=flip(kinds.match))
    wait_until(lambda: counted() == before + 1)


def test_everybody_else_is_pushed_it(live_site: Site, kinds: Kinds) -> None:
    with (
        Tab(live_site, kinds.match, kinds.seated) as mine,
        Tab(live_site, kinds.match, kinds.mate) as mate,
        Tab(live_site, kinds.match, None) as visitor,
    ):
        mine.ask("act", action=flip(kinds.match))
        for tab, user in ((mate, kinds.mate), (visitor, None)):
            tab.board.take(tab.next("content"))
            assert tab.shows(kinds.table(user))


def test_what_changes_nothing_is_pushed_to_nobody(live_site: Site, kinds: Kinds) -> None:
    """It was, to every page: what somebody withdraws who has offered nothing."""
    act(kinds.match, "end", 0)
    with Tab(live_site, kinds.match, kinds.seated) as mine, Tab(live_site, kinds.match, kinds.mate) as mate:
        answers = [mine.ask("abort", f"request-{number}", offer="0") for number in range(3)]
        assert {answer["status"] for answer in answers} == {"done"}
        mate.send("nonsense")  # answered after whatever was pushed before
        received = json.loads(mate.socket.recv(timeout=60))
        while "error" not in received:
            assert "content" not in received
            received = json.loads(mate.socket.recv(timeout=60))


def test_a_posted_form_that_is_overtaken_does_not_set_back_what_its_page_shows(live_site: Site, kinds: Kinds) -> None:
    first, idle = kinds.match.version, threading.Event()
    with Tab(live_site, kinds.match, kinds.seated, page="one") as mine, Tab(live_site, kinds.match, kinds.mate) as mate:
        workers.post(kinds.match.slug, idle.wait)
        mate.send("act", version=str(first + 1), action="end")
        mate.send("nonsense")
        assert following(mate.socket, "error")  # so what was sent before waits for the worker thread
        form = {"action": "end", "version": first, "client_id": "request-two", "page": "one"}
        posted = client_of(kinds.seated).post(f"/match/{kinds.match.slug}/act/", form, headers={"HX-Request": "true"})
        assert posted.status_code == 200
        idle.set()
        assert following(mate.socket, "answer")["status"] == "done"
        assert following(mine.socket, "content")["version"] == first + 2
        act(kinds.match, "end")
        assert following(mine.socket, "content")["base"] == first + 2


def test_the_boards_fields_are_understood(live_site: Site, kinds: Kinds) -> None:
    verb, card, cell = flip(kinds.match).split()
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        assert mine.ask("act", verb=verb, card=card, cell=cell)["status"] == "done"


def test_ending_a_turn_on_which_nothing_was_done_is_asked_first(live_site: Site, kinds: Kinds) -> None:
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        asked = mine.ask("act", verb="end")
        assert (asked["status"], 'id="sure"' in asked["content"]) == ("refused", True)
        assert not Action.objects.filter(match=kinds.match).exists()
        assert mine.ask("act", "request-two", action="end")["status"] == "done"


def test_what_the_rules_refuse_is_answered_in_words_and_changes_nothing(live_site: Site, kinds: Kinds) -> None:
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        answer = mine.ask("act", action="flip 99 a1")
        assert answer["status"] == "refused"
        assert 'id="notice"' in answer["content"]
        assert not Action.objects.filter(match=kinds.match).exists()
        assert mine.ask("act", "request-two", action=flip(kinds.match))["status"] == "done"
        assert mine.shows(kinds.table(kinds.seated))


def test_a_refusal_speaks_the_language_of_the_page(live_site: Site, kinds: Kinds) -> None:
    with Tab(live_site, kinds.match, kinds.mate, language="de") as mate:
        assert "Du bist nicht am Zug." in mate.ask("act", action="end")["content"]


def test_an_old_version_is_stale_and_brings_the_current_board(live_site: Site, kinds: Kinds) -> None:
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        answer = mine.ask("act", action=flip(kinds.match), version="0")
    assert (answer["status"], answer["version"]) == ("stale", kinds.match.version)
    assert "Something else happened" in answer["content"]


def test_the_same_request_again_is_done_once(live_site: Site, kinds: Kinds) -> None:
    text, version = flip(kinds.match), str(kinds.match.version)
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        for _ in range(2):
            assert mine.ask("act", action=text, version=version)["status"] == "done"
    assert Action.objects.filter(match=kinds.match).count() == 1


def test_it_is_done_once_even_if_the_first_answer_was_lost_with_its_socket(live_site: Site, kinds: Kinds) -> None:
    text, version = flip(kinds.match), str(kinds.match.version)
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        mine.send("act", action=text, version=version)
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        assert mine.ask("act", action=text, version=version)["status"] == "done"
        assert mine.shows(kinds.table(kinds.seated))
    assert Action.objects.filter(match=kinds.match).count() == 1


def test_somebody_who_sat_down_while_the_socket_was_open_can_play_over_it(live_site: Site) -> None:
    ann, bob = person(), person()
    table = open_table([ann], seats=2)
    with Tab(live_site, table, bob) as tab:
        join(table.pk, bob)
        tab.board.take(tab.next("content"))
        table.refresh_from_db()
        seat = table.seats.get(user=bob)
        status = tab.ask("act", action="end")["status"]
        assert status == ("done" if seat.to_move else "refused")


def test_undo_restart_and_offers_go_the_same_way(live_site: Site, kinds: Kinds) -> None:
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        for kind in ("undo", "restart"):
            mine.ask("act", f"request-{kind}", action=flip(kinds.match))
            assert mine.ask(kind)["status"] == "done"
            assert kinds.match.length == 0
        act(kinds.match, "end")
        act(kinds.match, "end")
        assert mine.ask("abort", offer="1")["status"] == "done"
        assert kinds.match.seats.get(number=0).offers_abort


def test_time_that_is_up_is_up_over_the_socket_too(live_site: Site) -> None:
    ann, bob = person(), person()
    match = running_match([ann, bob], clock=LIVE)
    for _ in range(2):
        act(match, "end")
    match.seats.filter(number=0).update(deadline=match.started_at)
    Match.objects.filter(pk=match.pk).update(version=F("version") + 1)
    match.refresh_from_db()
    with Tab(live_site, match, ann) as mine:
        answer = mine.ask("act", action="end")
    assert answer["status"] == "refused"
    assert "Your time was up" in answer["content"]
    assert match.reason == "timeout"


def test_only_players_may_ask_for_anything(live_site: Site, kinds: Kinds) -> None:
    with Tab(live_site, kinds.match, kinds.stranger) as stranger, Tab(live_site, kinds.match, None) as visitor:
        for tab, kind in product((stranger, visitor), sorted(commands.KINDS)):
            tab.send(kind, action="end")
            assert following(tab.socket, "error")["error"] == "this is not understood", kind
    assert not Action.objects.filter(match=kinds.match).exists()


def test_nothing_is_done_for_somebody_who_has_logged_out(live_site: Site, kinds: Kinds) -> None:
    act(kinds.match, flip(kinds.match))
    version = kinds.match.version
    with ExitStack() as open_tabs:
        tabs = {
            kind: open_tabs.enter_context(Tab(live_site, kinds.match, kinds.seated)) for kind in sorted(commands.KINDS)
        }
        Session.objects.all().delete()
        for kind, tab in tabs.items():
            tab.send(kind, action="end")
            assert closing_code(tab.socket) == Close.SESSION_ENDED, kind
    kinds.match.refresh_from_db()
    assert kinds.match.version == version


def test_nothing_is_done_for_somebody_who_may_no_longer_log_in(live_site: Site, kinds: Kinds) -> None:
    for change in ({"password": "another"}, {"is_active": False}):
        with Tab(live_site, kinds.match, kinds.seated) as mine:
            User.objects.filter(pk=kinds.seated.pk).update(**change)
            mine.send("act", action=flip(kinds.match))
            assert closing_code(mine.socket) == Close.SESSION_ENDED, change
        kinds.seated.refresh_from_db()
    assert not Action.objects.filter(match=kinds.match).exists()


NOT_QUITE_FORMS: tuple[dict[str, Any], ...] = (
    {"kind": "act"},
    {"kind": "act", "form": 1},
    {"kind": "act", "form": {"action": "end"}},
    {"kind": "act", "form": "action=end%00"},
    {"kind": "act", "form": "action=end\0"},
    {"kind": "act", "form": "&".join(["a=1"] * 1_100)},
    {"kind": "resign", "form": "action=end"},
    {"kind": ["act"], "form": "action=end"},
    {"kind": {"act": 1}, "form": "action=end"},
)


def test_what_is_not_quite_a_form_is_refused(live_site: Site, kinds: Kinds) -> None:
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        for frame in NOT_QUITE_FORMS:
            mine.socket.send(json.dumps(frame))
            assert following(mine.socket, "error"), frame
        assert mine.ask("act", action=flip(kinds.match))["status"] == "done"


def test_asking_counts_for_the_limit_of_messages(
    live_site: Site, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tab(live_site, kinds.match, kinds.mate) as mate:
        for _ in range(sockets.MAX_MESSAGES + 1):
            mate.send("act", action="end")
        assert closing_code(mate.socket) == Close.TOO_MANY


def test_a_mistake_of_ours_is_answered_and_the_socket_stays_open(
    live_site: Site, kinds: Kinds, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tab(live_site, kinds.match, kinds.seated) as mine:
        with monkeypatch.context() as broken:
            broken.setattr(commands, "advance", None)
            assert mine.ask("act", action=flip(kinds.match))["status"] == "broken"
        assert mine.ask("act", action=flip(kinds.match))["status"] == "done"
