"""The loop of a process that thinks for bots. It plays the answers that are due before it begins with the next turn."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
from collections.abc import Callable
from datetime import datetime

from django.db import Error, close_old_connections, connections
from django.utils import timezone

from games.bots import hints
from games.bots.services import Answer, Turn, claim_next_turn, give_back_turns, play_answer
from games.bots.thinking import Mind

log = logging.getLogger(__name__)

LOOK = 0.2
"""Seconds between two looks at the database: too short to be noticed beside the pace of bots."""

AWAY = 1.0
"""Seconds between two tries while there is no connection to the database."""


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
        """Play what is due, and think about one turn or, if there is none, one hint; return whether there was any."""
        self._play_due()
        now = timezone.now()
        if hints.comes_first(now) and hints.find_one(now, self._mind.answer):
            return True
        turn = claim_next_turn(now)
        if turn is None:
            return hints.find_one(now, self._mind.answer)
        text = self._mind.answer(turn.question)
        heapq.heappush(self._waiting, (turn.due, next(self._number), turn, text))
        self._play_due()
        return True

    def _play_due(self) -> None:
        while self._waiting and self._waiting[0][0] <= timezone.now():
            _due, _number, turn, text = heapq.heappop(self._waiting)
            self._play(turn.answered(text))

    def give_back(self) -> None:
        """Give up what waits for its moment: another process thinks about it at once."""
        give_back_turns(turn for _due, _number, turn, _text in self._waiting)

    def pause(self) -> float:
        """Return for how many seconds there is nothing to do but to look."""
        if not self._waiting:
            return LOOK
        return min(LOOK, max(0.0, (self._waiting[0][0] - timezone.now()).total_seconds()))


def work(ended: threading.Event, thinker: Thinker | None = None) -> None:
    """Think for bots until `ended`; keep trying while there is no connection to the database."""
    thinker = thinker or Thinker()
    while not ended.is_set():
        close_old_connections()
        try:
            if not thinker.step():
                ended.wait(thinker.pause())
        except Error as error:
            log.warning("the bots wait for the database: %s", error)
            connections.close_all()
            ended.wait(AWAY)
    thinker.give_back()
