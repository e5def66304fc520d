"""The worker as a process: killed at any moment, it loses and repeats nothing; it needs no other service."""

from __future__ import annotations

import json
import os
import random
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.db.models import Count, F
from django.utils import timezone
from websockets.sync.client import connect

from config import background
from games.play import store
from games.play.models import Action, Match, Outage, Seat, Watch
from tests.clocked import LIVE
from tests.people import act, person, running_match
from tests.site.config.processes import at_work, no_outage, output_of, serving
from tests.site.config.test_crash import damages
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = int(os.environ.get("TESSERA_CRASH_ROUNDS", "1"))
"""How often the process is killed; the nightly run asks for 100."""

MATCHES = 12


def due(count: int = 1, seconds: float = -1) -> list[Match]:
    """Return matches in which the time of seat 0 is up, or will be."""
    matches = [running_match([person(), person()], clock=LIVE, rated=True) for _ in range(count)]
    for match in matches:
        act(match, "end")
        act(match, "end")
    deadline = timezone.now() + timedelta(seconds=seconds)
    Seat.objects.filter(match__in=matches, number=0).update(
        running_since=deadline - timedelta(minutes=1), bank=timedelta(minutes=1), deadline=deadline
    )
    return matches


def timed_out() -> int:
    return Match.objects.filter(status=Match.Status.OVER, reason="timeout").count()


def killed_while_at_work(folder: Path, rounds: int) -> None:
    for _ in range(rounds):
        due(MATCHES)
        before = timed_out()
        no_outage()
        with at_work(folder) as process:
            wait_until(lambda before=before: timed_out() > before)  # type: ignore[misc]  # mypy does not follow the default
            time.sleep(random.uniform(0, 0.05))
            process.kill()
            process.wait(60)
        assert damages(set()) == []


def every_match_was_ended_once() -> bool:
    """Return whether each match has exactly one timeout and no running clock."""
    timeouts = Action.objects.filter(text="timeout").values("match").annotate(times=Count("pk"))
    once = {row["times"] for row in timeouts} == {1} and len(timeouts) == Match.objects.count()
    return once and not Seat.objects.filter(deadline__isnull=False).exists()


def test_a_worker_that_is_killed_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    killed_while_at_work(tmp_path, ROUNDS)
    no_outage()
    with at_work(tmp_path), at_work(tmp_path):
        wait_until(every_match_was_ended_once)
    assert damages(set()) == []


@pytest.mark.services
def test_workers_that_are_killed_lose_nothing_and_repeat_nothing_on_postgresql(tmp_path: Path) -> None:
    killed_while_at_work(tmp_path, ROUNDS)
    due(2 * MATCHES)
    no_outage()
    with at_work(tmp_path), at_work(tmp_path), at_work(tmp_path):
        wait_until(every_match_was_ended_once)
    assert damages(set()) == []


def test_a_deadline_that_passes_while_no_worker_is_there_costs_nobody_the_match(tmp_path: Path) -> None:
    """Instead of waiting an hour, everything is moved back by one: an outage (games/play/timekeeping.py)."""
    left = 100
    with at_work(tmp_path):
        wait_until(Watch.objects.filter(name=store.WORKER).exists)
        match = due(seconds=left)[0]
    hour = timedelta(hours=1)
    Watch.objects.update(seen_at=F("seen_at") - hour)
    Seat.objects.filter(match=match, number=0).update(
        running_since=F("running_since") - hour, deadline=F("deadline") - hour
    )
    with at_work(tmp_path):
        wait_until(Seat.objects.filter(match=match, number=0, deadline__gt=timezone.now()).exists)
        wait_until(Watch.objects.filter(name=store.WORKER, seen_at__gt=timezone.now() - hour / 2).exists)
    match.refresh_from_db()
    assert match.is_running
    deadline = match.seats.get(number=0).deadline
    assert deadline is not None
    assert deadline < timezone.now() + timedelta(seconds=left)


def test_the_single_process_carries_out_timeouts_and_tells_open_pages(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        site.wait()
        match = due(seconds=2)[0]
        address = f"{site.origin.replace('http', 'ws')}/ws/match/{match.slug}/"
        with connect(
            address, additional_headers={"Origin": site.origin}, compression=None, max_size=None, open_timeout=60
        ) as socket:
            while 'data-status="over"' not in json.loads(socket.recv(timeout=60)).get("content", ""):
                pass
    assert every_match_was_ended_once()


def test_one_of_several_processes_leaves_it_to_the_worker(tmp_path: Path) -> None:
    match = due()[0]
    with serving(tmp_path, EMBEDDED_WORKER="0") as site:
        site.wait(path="/healthz?live")
        time.sleep(2)
        match.refresh_from_db()
        assert match.is_running


def test_the_thread_ends_with_its_block() -> None:
    due()
    with background.working():
        wait_until(every_match_was_ended_once)
    assert timed_out() == 1


BUSY = """
import django
django.setup()
import sys, time
from contextlib import nullcontext
from datetime import datetime, timedelta
from django.core.management import call_command
from games.play import jobs, timekeeping
timekeeping.BEAT = timedelta(seconds=0.3)
BEATING
class Busy:
    name = "busy"
    def run_due(self, now):
        print("at work", flush=True)
        time.sleep(600)
        return 1
    def next_due(self):
        return None
jobs.register(Busy())
call_command("worker", skip_checks=True)
"""
"""A worker with a job that takes ten minutes."""


def check_busy(folder: Path, beating: str, seconds: float) -> None:
    """Check that a worker is seen again and again while it has much to do."""
    seen: set[datetime] = set()

    def is_seen_again() -> bool:
        seen.update(Watch.objects.filter(name=store.WORKER).values_list("seen_at", flat=True))
        return len(seen) >= 4

    with at_work(folder, BUSY.replace("BEATING", beating)):
        wait_until(lambda: "at work" in output_of(folder))
        wait_until(is_seen_again, seconds)
    assert not Outage.objects.exists()


def test_a_worker_that_has_much_to_do_is_not_taken_for_absent(tmp_path: Path) -> None:
    no_outage()
    check_busy(tmp_path, "", 90)


def test_the_check_would_notice_a_heartbeat_that_waits_for_the_work(tmp_path: Path) -> None:
    no_outage()
    with pytest.raises(AssertionError):
        check_busy(tmp_path, "timekeeping.beating = nullcontext", 2)
