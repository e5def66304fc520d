"""`python -m config.serve` has processes that think as its children: pages are told, and they end with it.

`kill -9` of either, while a bot thinks, loses nothing and plays nothing twice.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from django.db import transaction

from games.bots import thinking
from games.bots.models import Lease
from games.history.replay import first_difference
from games.play.models import Action, Match
from tests.people import act, client_of, person
from tests.serving import Site, dialled
from tests.site.bots.test_killed import assert_each_turn_was_played_once, is_awaited, let_the_person_act
from tests.site.bots.test_turns import against_bots
from tests.site.config.processes import Running, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("TESSERA_CRASH_ROUNDS", "2"))
"""How often a process that thinks is killed."""

THINKS = 0.3

# A process that thinks as always, but without a pace, for longer, and with leases that soon run out.
PONDERS = f"""
import time
from datetime import timedelta
import config.wsgi
from django.core.management import call_command
from games.bots import services, thinking
real = thinking.LEVELS["novice"]
thinking.LEVELS["novice"] = lambda *asked: (time.sleep({THINKS}), real(*asked))[1]
services.PACE, services.SPARE = timedelta(0), timedelta(seconds=1)
call_command("bots", for_parent=True)
"""

SERVES = f"""
import sys
import config.wsgi
import config.background
config.background.COMMAND = [sys.executable, "-c", {PONDERS!r}]
from config.serve import main
main()
"""


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started and that still run."""
    found = subprocess.run(["ps", "-o", "pid=,stat=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line.split()[0]) for line in found.stdout.splitlines() if not line.split()[1].startswith("Z")]


def is_running(pid: int) -> bool:
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(found.stdout.strip()) and not found.stdout.strip().startswith("Z")


def threads_of(pid: int) -> list[int]:
    """Return how nice each thread of a process is."""
    found = subprocess.run(["ps", "-L", "-o", "ni=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return [int(line) for line in found.stdout.split()]


def test_an_open_page_is_shown_what_a_bot_thought_of_in_another_process_once(tmp_path: Path) -> None:
    ann = person("ann")
    match = against_bots([ann])
    with serving(tmp_path, SINGLE_PROCESS="1", BOT_PROCESSES="1", BOT_SECONDS="0.1") as site:
        site.wait()
        with dialled(Site(site.origin), f"match/{match.slug}/", client_of(ann)) as socket:
            socket.send(json.dumps({"kind": "hello"}))
            act(match, "end")
            bots = Action.objects.filter(match=match, by_bot=True)
            wait_until(bots.exists)
            while True:
                message = json.loads(socket.recv(timeout=60))
                if "content" in message and (message.get("version") or 0) > match.version:
                    break  # brought by the hint of the other process: a heartbeat names a version and has no content
        (bot,) = children_of(site.process.pid)
        assert thinking.NICENESS in {niceness - os.getpriority(os.PRIO_PROCESS, 0) for niceness in threads_of(bot)}
        assert os.getpriority(os.PRIO_PROCESS, bot) == os.getpriority(os.PRIO_PROCESS, 0)
        wait_until(lambda: not is_awaited(match))
        site.process.kill()
        wait_until(lambda: not is_running(bot))


def claims_of(match: Match) -> set[str]:
    return set(Lease.objects.filter(match=match).values_list("token", flat=True))


def is_whole(match: Match) -> bool:
    """Return whether a match is what its actions make of it, even if the site plays what it was told before a kill."""
    with transaction.atomic():  # so that nothing is written between two of the reads
        return first_difference(Match.objects.get(pk=match.pk)) is None


def wait_for_a_thinker(site: Running, match: Match, known: set[str]) -> int:
    """Wait until a process thinks about the match that has not been known to, or the turn is played; return it."""
    wait_until(lambda: bool(claims_of(match) - known) or not is_awaited(match))
    wait_until(lambda: bool(children_of(site.process.pid)))
    (bot,) = children_of(site.process.pid)
    return bot


def test_a_child_or_the_whole_site_that_is_killed_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    match, caught = against_bots([person()]), 0
    with serving(tmp_path, SERVES, SINGLE_PROCESS="1", BOT_PROCESSES="1", BOT_SECONDS="0.1") as site:
        site.wait()
        for _ in range(ROUNDS):
            known = claims_of(match)
            match = let_the_person_act(match)
            bot = wait_for_a_thinker(site, match, known)
            time.sleep(random.uniform(0, THINKS))
            os.kill(bot, signal.SIGKILL)
            wait_until(lambda bot=bot: not is_running(bot))  # type: ignore[misc]  # mypy does not follow the default
            caught += is_awaited(match)
            assert is_whole(match)
        match = let_the_person_act(match)
        wait_for_a_thinker(site, match, claims_of(match))
    with serving(tmp_path, SERVES, SINGLE_PROCESS="1", BOT_PROCESSES="1", BOT_SECONDS="0.1"):
        wait_until(lambda: not is_awaited(match))
    assert caught  # some were killed while they thought
    assert_each_turn_was_played_once()
