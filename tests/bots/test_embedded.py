"""`python -m config.serve` has processes that think as its children: pages are told, and they end with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from games.bots import thinking
from games.history.verification import first_difference
from games.play.models import Action, Match
from tests.bots.test_killed import is_awaited, is_claimed
from tests.bots.test_turns import against_bots
from tests.config.processes import serving
from tests.people import act, client_of, person
from tests.serving import Site, dialled
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


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
        act(match, "end")
        wait_until(lambda: is_claimed(match) or not is_awaited(match))
        os.kill(bot, signal.SIGKILL)
        wait_until(lambda: any(pid != bot for pid in children_of(site.process.pid)))  # it is started again
        wait_until(lambda: not is_awaited(match))
        assert first_difference(Match.objects.get(pk=match.pk)) is None
        (again,) = children_of(site.process.pid)
        site.process.kill()
        wait_until(lambda: not is_running(again))
