"""The loop of a process that thinks for bots. It plays the answers that are due before it begins with the next turn."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import Error, close_old_connections, connections
from django.utils import timezone

from games.bots import hints
from games.bots.services import (
    WANTED,
    Answer,
    Turn,
    claim_next_turn,
    give_back_turns,
    is_any_to_move,
    play_answer,
)
from games.bots.thinking import Mind
from games.play import database
from games.play.live import pubsub

log = logging.getLogger(__name__)

LOOK = 0.2
"""Seconds between two questions whether there may be work: too short to be noticed beside the pace of bots."""

AT_LATEST = 5.0
"""Most seconds between two looks at the database: what tells of work may fail, and leases run out unheard."""

AWAY = 1.0
"""Seconds between two tries while there is no connection to the database."""


class Calls:
    """Tells whether there may be work, without a look at what there is.

    SQLite says whether anybody has changed anything. Otherwise processes that serve pages say so over Redis. With
    neither there always may be.
    """

    def __init__(self) -> None:
        self._heard = threading.Event()
        self._seen: tuple[int, int] | None = None
        if pubsub.has_others():
            threading.Thread(target=lambda: asyncio.run(self._listen()), name="calls", daemon=True).start()

    def forget(self) -> None:
        """Forget what was told, before a look at what there is: what is told meanwhile counts."""
        self._heard.clear()
        self._seen = database.data_version()

    def came(self) -> bool:
        """Return whether there may be work since it was last forgotten."""
        if self._seen is not None:
            return database.data_version() != self._seen
        return self._heard.is_set() or not pubsub.has_others()

    async def _listen(self) -> None:
        pubsub.subscribe(self, [WANTED])
        await asyncio.Event().wait()

    def on_hint(self, _hint: dict[str, Any]) -> None:
        self._heard.set()


_spare: list[Callable[[Mind], bool]] = []


def register_spare_work(work: Callable[[Mind], bool]) -> None:
    """Let processes that think for bots also do something else whenever neither a bot nor a hint waits for them.

    Args:
        work: does a little of it, for a moment, and returns whether there was anything to do. Long thoughts belong to
            the mind it is given, whose thread has a low priority.
    """
    _spare.append(work)


class Thinker:
    """One process's work: answers that wait for their moment, the earliest first.

    Args:
        play: plays an answer, or has another process play it.
    """

    def __init__(self, play: Callable[[Answer], object] = play_answer) -> None:
        self._play = play
        self._waiting: list[tuple[datetime, int, Turn, str]] = []
        self._number = itertools.count()
        self._mind = Mind()

    def step(self) -> bool:
        """Play what is due, and think about a turn, else a hint, else do spare work; return whether there was any."""
        self._play_due()
        now = timezone.now()
        if not (is_any_to_move() or hints.is_any_asked(now)):  # what follows takes nine times as long to find nothing
            return self._do_spare_work()
        if hints.comes_first(now) and hints.find_one(now, self._mind.answer):
            return True
        turn = claim_next_turn(now)
        if turn is None:
            return hints.find_one(now, self._mind.answer) or self._do_spare_work()
        text = self._mind.answer(turn.question)
        heapq.heappush(self._waiting, (turn.due, next(self._number), turn, text))
        self._play_due()
        return True

    def _do_spare_work(self) -> bool:
        """Do a little of what can wait, unless an answer is soon to be played; return whether there was any."""
        return not self._waiting and any(work(self._mind) for work in _spare)

    def _play_due(self) -> None:
        while self._waiting and self._waiting[0][0] <= timezone.now():
            _due, _number, turn, text = heapq.heappop(self._waiting)
            self._play(turn.answered(text))

    def give_back(self) -> None:
        """Give up what waits for its moment: another process thinks about it at once."""
        give_back_turns(turn for _due, _number, turn, _text in self._waiting)

    def pause(self) -> float:
        """Return for how many seconds there is nothing to do but to ask for work; 0 if an answer is due."""
        if not self._waiting:
            return LOOK
        return min(LOOK, max(0.0, (self._waiting[0][0] - timezone.now()).total_seconds()))


def work(ended: threading.Event, thinker: Thinker | None = None) -> None:
    """Think for bots until `ended`; keep trying while there is no connection to the database."""
    thinker, calls = thinker or Thinker(), Calls()
    while not ended.is_set():
        close_old_connections()
        try:
            calls.forget()
            if not thinker.step():
                _rest(ended, thinker, calls)
        except Error as error:
            log.warning("the bots wait for the database: %s", error)
            connections.close_all()
            ended.wait(AWAY)
    thinker.give_back()


def _rest(ended: threading.Event, thinker: Thinker, calls: Calls) -> None:
    """Wait until an answer is due or there may be work, but for `AT_LATEST` at most."""
    until = time.monotonic() + AT_LATEST
    while (pause := thinker.pause()) > 0 and not ended.wait(pause) and time.monotonic() < until:
        if calls.came():
            return
