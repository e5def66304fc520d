"""`kill -9` of a process while it thinks: nothing is lost, nothing is played twice, and the match goes on."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from games.bots import services, thinking
from games.bots.models import Lease
from games.bots.worker import Thinker, work
from games.engine.dice import dice_from
from games.engine.protocol import AnyGame
from games.history.replay import first_difference
from games.play.models import Action, Match
from games.play.reducer import positions
from games.titles import titles
from tests.people import act, person
from tests.site.bots.test_turns import against_bots
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("TESSERA_CRASH_ROUNDS", "12"))
"""How often the process is killed; the nightly run asks for 50."""

THINKS = 0.02


def ponders(game: AnyGame, view: Any, seat: Any, chance: Any, seconds: float, turn: Any) -> Any:  # noqa: PLR0917  # as every bot
    """A bot that takes its time, so that it is killed while it thinks."""
    time.sleep(THINKS)
    dice = dice_from(chance)
    return titles()[game.slug].insight.policy(game.imagine(view, dice), seat, dice)


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """No pace, and leases that soon run out; what is forked inherits both."""
    settings.BOT_SECONDS = THINKS
    monkeypatch.setattr(services, "PACE", timedelta(0))
    monkeypatch.setattr(services, "SPARE", timedelta(seconds=0.2))
    monkeypatch.setitem(thinking.LEVELS, "novice", ponders)


@contextmanager
def a_process() -> Iterator[BaseProcess]:
    """Let a process think for bots, and kill it at the end of the block."""
    connections.close_all()  # so that the two do not share one
    process = get_context("fork").Process(target=work, args=(threading.Event(),))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def is_claimed(match: Match) -> bool:
    return Lease.objects.filter(match=match, until__gt=timezone.now()).exists()


def is_awaited(match: Match) -> bool:
    return match.seats.filter(bot__isnull=False, to_move=True).exists()


def let_the_person_act(match: Match) -> Match:
    """Act for the person until a bot is to move; return the match, or another one when it is over."""
    match.refresh_from_db()
    while match.is_running and not is_awaited(match):
        seat = match.seats.get(user__isnull=False).number
        texts = positions.legal_texts(match, seat)
        act(match, "end" if "end" in texts else texts[0], seat)
    return match if match.is_running else let_the_person_act(against_bots([person()], game=match.game))


def killed_while_thinking(game: str, rounds: int) -> None:
    match = let_the_person_act(against_bots([person()], game=game))
    Thinker().step()  # what thinks here must not be missing in a process forked from this one
    caught = tried = 0
    while tried < rounds or not caught:  # some are killed while they think
        tried += 1
        assert tried < 10 * rounds
        match = let_the_person_act(match)
        with a_process():
            while not is_claimed(match) and is_awaited(match):
                pass  # it may think for a few milliseconds only
            time.sleep(random.uniform(0, THINKS) if tried % 2 else 0)
        caught += is_awaited(match)
        assert first_difference(Match.objects.get(pk=match.pk)) is None
    match = let_the_person_act(match)
    with a_process(), a_process():
        wait_until(lambda: not is_awaited(match))
    assert_each_turn_was_played_once()


def assert_each_turn_was_played_once() -> None:
    """Every match is what its actions make of it, and every action of a bot comes from a claim of its own."""
    for played in Match.objects.all():
        assert first_difference(played) is None
    claims = list(Action.objects.filter(by_bot=True).values_list("client_id", flat=True))
    assert claims
    assert all(claims)
    assert len(set(claims)) == len(claims)
    assert not Action.objects.filter(by_bot=True, withdrawn=True).exists()


@pytest.mark.parametrize("game", ["card-chess", "shifting-stones"])
def test_a_process_that_is_killed_loses_nothing_and_repeats_nothing(game: str) -> None:
    killed_while_thinking(game, 3)


@pytest.mark.services
def test_processes_that_are_killed_lose_nothing_and_repeat_nothing_on_postgresql() -> None:
    killed_while_thinking("shifting-stones", ROUNDS)
