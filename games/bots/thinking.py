"""What a bot does in a position: pure, from what its seat may know. Nothing here sees a match or a database."""

from __future__ import annotations

import logging
import os
import secrets
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeVar

from games.engine.bots import SoFar
from games.engine.dice import dice_from
from games.engine.fair import FairChance
from games.engine.insight import Plan, Policy, any_action
from games.engine.protocol import AnyGame, Seat
from games.titles import titles
from games.titles.bots import AtLevel, companion, grandmaster, master, novice

log = logging.getLogger(__name__)

T = TypeVar("T")

LEVELS: dict[str, AtLevel] = {"novice": novice, "companion": companion, "master": master, "grandmaster": grandmaster}
"""By the values of `games.play.models.Level`."""

NICENESS = 10
"""Added to the nice value of the thread that thinks, so that requests come first."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a bot is asked.

    Args:
        game: the rules.
        view: what the seat may know.
        seat: to move.
        level: of the bot.
        seed: 32 bytes for all its chance; the same question has the same answer, unless the seconds run out.
        seconds: of a processor, the most it may think: a last resort, as levels count futures.
        about: names the question in the log.
        turn: how far its turn has come.
    """

    game: AnyGame
    view: Any
    seat: Seat
    level: str
    seed: bytes
    seconds: float
    about: str
    turn: SoFar


@dataclass(frozen=True, slots=True)
class Begun:
    """The state in which a turn began, what its seat has done since, and a secret seed of the turn, of 32 bytes."""

    state: Any
    done: Plan
    seed: bytes


def question_about(  # noqa: PLR0917  # a position, who is asked, and how
    game: AnyGame, state: Any, seat: Seat, level: str, seconds: float, about: str, begun: Begun | None = None
) -> Question:
    """Return what a bot is asked in a position: the one place where a state becomes what its seat may know.

    Args:
        begun: how its turn began, and with what; None if it begins now.
    """
    view = game.view_for(state, seat)
    begun = begun or Begun(state, (), secrets.token_bytes(32))
    turn = SoFar(game.view_for(begun.state, seat), begun.done, begun.seed)
    return Question(game, view, seat, level, secrets.token_bytes(32), seconds, about, turn)


def answer(question: Question) -> str:
    """Return what the bot does, in the game's notation; if its search fails, what the game's policy does."""
    chance = FairChance(question.seed, 0)
    try:
        bot = LEVELS[question.level]
        action = bot(question.game, question.view, question.seat, chance, question.seconds, question.turn)
        return question.game.notate(action)
    except Exception:  # noqa: BLE001  # reported; a mistake of ours must not keep anybody waiting
        complain(question)
        return by_policy(question)


class Mind:
    """Thinks on a thread of its own, of low priority.

    The rest of the process keeps its priority: what holds the lock of the database must be done with it soon.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="thinks", initializer=_lower_priority)

    def answer(self, question: Question) -> str:
        """Return `answer`, found on that thread."""
        return self.do(partial(answer, question))

    def do(self, work: Callable[[], T]) -> T:
        """Return what some work, which touches no database, returns on that thread."""
        return self._thread.submit(work).result()


def _lower_priority() -> None:
    if sys.platform == "linux":  # elsewhere a thread has no priority of its own
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)


def by_policy(question: Question) -> str:
    """Return what a quick, sensible player does, in the notation; if the game's policy fails, any legal action."""
    game = question.game
    try:
        return _action_of(titles()[game.slug].insight.policy, question)
    except Exception:  # noqa: BLE001  # as above
        complain(question)
        return _action_of(any_action(game), question)


def _action_of(policy: Policy, question: Question) -> str:
    game, dice = question.game, dice_from(FairChance(question.seed, 1))
    return game.notate(policy(game.imagine(question.view, dice), question.seat, dice))


def complain(question: Question) -> None:
    """Log the failure being handled, once for each match and level."""
    _complain_once(question.level, question.about, question.game.slug)


@lru_cache(maxsize=1_000)
def _complain_once(level: str, about: str, game: str) -> None:
    log.exception("%s in %s fails at %s: the policy plays instead", level, about, game)
