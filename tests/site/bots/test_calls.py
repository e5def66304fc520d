"""A process that thinks rests until there may be work, and finds it soon, even if nobody says so."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connections

from games.bots import hints, worker
from games.bots.worker import Calls, Thinker, work
from games.play import commands
from games.play.models import Action, Match
from tests.people import act, bot_takes_turn, person, running_match
from tests.site.bots.test_turns import against_bots
from tests.site.play.test_pubsub import spoken
from tests.waiting import wait_until

__all__ = ["spoken"]

pytestmark = pytest.mark.django_db(transaction=True)

QUIET = 1.0
"""Seconds in which a process that rests would have looked five times."""


class Counting(Thinker):
    """Counts its looks at the database."""

    looks = 0

    def step(self) -> bool:
        self.looks += 1
        return super().step()


@contextmanager
def resting() -> Iterator[Counting]:
    """Let a thread think for bots until the end of the block, which begins when it has found nothing to do."""
    ended, thinker = threading.Event(), Counting()

    def think() -> None:
        try:
            work(ended, thinker)
        finally:
            connections.close_all()

    thread = threading.Thread(target=think)
    thread.start()
    try:
        wait_until(lambda: thinker.looks > 0)
        time.sleep(QUIET)
        yield thinker
    finally:
        ended.set()
        thread.join(60)


def has_acted(match: Match) -> bool:
    return Action.objects.filter(match=match, by_bot=True).exists()


def test_it_does_not_look_while_nothing_changes_and_finds_a_turn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "AT_LATEST", 600.0)
    match = against_bots([person()])
    with resting() as thinker:
        looks = thinker.looks
        assert looks <= 3  # what was committed while it began
        time.sleep(QUIET)
        assert thinker.looks == looks
        act(match, "end")
        wait_until(lambda: has_acted(match))


def test_it_finds_its_turn_though_nobody_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Calls, "came", lambda _: False)
    monkeypatch.setattr(worker, "AT_LATEST", 0.2)
    match = against_bots([person()])
    with resting():
        act(match, "end")
        wait_until(lambda: has_acted(match), worker.AT_LATEST + 5)


def test_whoever_makes_work_for_bots_says_so(spoken: list[list[str]]) -> None:
    """A turn of theirs, a hint, and a seat whose player leaves while it is to move."""
    match = against_bots([person()])
    left = running_match([person(), person(), person()])
    spoken.clear()
    act(match, "end")
    assert ["bots.wanted"] in spoken
    bot_takes_turn(match)
    spoken.clear()
    act(left, "end")
    assert ["bots.wanted"] not in spoken
    commands.resign(left.pk, 1, "resignation")
    assert ["bots.wanted"] in spoken
    spoken.clear()
    hints.ask(match.pk, 0)
    assert ["bots.wanted"] in spoken
