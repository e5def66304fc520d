"""Bots play whole seasons on PostgreSQL while two workers let them go on, and are killed: each heat begins once."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from time import monotonic, sleep

import pytest
from django.db import connection, connections
from django.utils import timezone

from games.bots import thinking
from games.engine.protocol import Seat
from games.events import rounds
from games.events.formats import proof
from games.events.jobs import Rounds
from games.events.models import Entry, Event, committed_event
from games.play import jobs
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games
from tests.people import as_stored, go_on
from tests.site.events.test_concurrency import damages
from tests.site.pairing.test_concurrency import locks, people
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

PEOPLE = int(os.environ.get("TESSERA_SEASON", "8"))
"""How many bots play; the nightly run asks for 60, and then for all rounds."""
ROUNDS = {"swiss": 3, "league": 2} if PEOPLE < 60 else {"swiss": 5, "league": None}

LONGEST = 0.1
"""Most seconds between the beginning of what a worker does and its end by force."""


@pytest.fixture(autouse=True)
def _postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")


@pytest.mark.timeout(60 * PEOPLE)
@pytest.mark.parametrize("format_", ["swiss", "league"])
def test_bots_play_a_season_although_workers_are_killed_between_rounds(format_: str) -> None:
    event, chance = opened(format_), random.Random(format_)
    killed = caught = 0
    while is_going_on(event):
        with a_worker() as one, a_worker() as other:
            wait_until_at_work(event)
            sleep(chance.uniform(0, LONGEST))  # somewhere in what they do
            caught += kill(one)
            killed += 1
            if chance.random() < 1 / 3:  # and the next ones find what both have left
                caught += kill(other)
                killed += 1
                continue
            wait_until(lambda: not is_due(event))
            last = play(event, chance)
        for match in last:  # as nobody is at work, two new workers find that the round is over
            novices_play(match)
        wait_until(lambda: not locks())
    print(f"{format_}: {event.heats.count()} heats, {killed} workers killed, {caught} of them in a transaction")
    assert killed >= len({heat.round for heat in event.heats.all()})
    check(event)


def check(event: Event) -> None:
    """Each heat has begun once, each match has been played to its end, and the season is drawn again from its file."""
    assert damages(event) == []
    event.refresh_from_db()
    heats = list(event.heats.select_related("match"))
    begun = [heat.match for heat in heats if len(heat.people) > 1]
    assert event.state == Event.State.OVER
    assert all(match is not None and match.is_over for match in begun)
    assert all(heat.places for heat in heats)
    assert len(begun) == Match.objects.count()
    if event.format == "swiss":
        assert len(begun) == (ROUNDS["swiss"] or 0) * (PEOPLE // 2)
    assert "come out as recorded" in proof.check(rounds.proof_of(event))[1]


def opened(format_: str) -> Event:
    """Return an event that starts now; whoever plays in a league plays two matches at a time."""
    now = timezone.now()
    event = committed_event(
        format=format_,
        game="card-chess",
        clock="86400+14400/259200",
        want=2,
        least=2,
        rounds=ROUNDS[format_],
        starts_at=now,
        next_at=now,
    )
    event.save()
    Entry.objects.bulk_create(
        Entry(event=event, user=user, number=n, rating=1500 + n, at_a_time=2 if format_ == "league" else 1)
        for n, user in enumerate(people(PEOPLE))
    )
    return event


# --- workers ----------------------------------------------------------------------------------------------------------


@contextmanager
def a_worker() -> Iterator[BaseProcess]:
    """Let a process do the job of events, as `manage.py worker` does, and kill it at the end of the block."""
    connections.close_all()  # so that the two do not share one
    process = get_context("fork").Process(target=jobs.work, args=(bool, [Rounds()]))
    process.start()
    try:
        yield process
    finally:
        kill(process)


def kill(worker: BaseProcess) -> bool:
    """Kill a worker; return whether a transaction was open at that moment, which may be the other's."""
    was_caught = locks() > 0
    worker.kill()
    worker.join()
    return was_caught


def is_going_on(event: Event) -> bool:
    return Event.objects.filter(pk=event.pk, state__in=[Event.State.OPEN, Event.State.RUNNING]).exists()


def is_due(event: Event) -> bool:
    return bool(rounds.due(timezone.now()).filter(pk=event.pk).exists())


def wait_until_at_work(event: Event) -> None:
    """Return as soon as a worker has begun with something, or has done it already."""
    deadline = monotonic() + 60
    while is_due(event) and not locks():  # nothing sleeps here: a transaction takes a few milliseconds
        assert monotonic() < deadline


# --- bots -------------------------------------------------------------------------------------------------------------


def play(event: Event, chance: random.Random) -> list[Match]:
    """Play as many matches as a round has, but for two, while the workers go on; return two that are left."""
    for _ in range(PEOPLE // 2 - 2):
        if running := list(Match.objects.filter(heat__event=event, status=Match.Status.RUNNING)):
            novices_play(chance.choice(running))
    return list(Match.objects.filter(heat__event=event, status=Match.Status.RUNNING)[:2])


def novices_play(match: Match) -> None:
    """Let bots play a match to its end for the people who sit there."""
    seen = as_stored(match)
    while seen.match.is_running:
        seat = next(seat.number for seat in seen.seats if seat.to_move)
        game, state = games()[match.game], positions.decode_state(seen.match)
        question = thinking.question_about(game, state, Seat(seat), "novice", 5, "a season")
        seen = go_on(seen, seat, thinking.answer(question))
