"""Two workers at once, one that is killed, and matches that end meanwhile: each heat begins once and is counted."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from multiprocessing import get_context

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from accounts.relations import lock_people
from games.events import rounds
from games.events.jobs import Rounds
from games.events.models import Entry, Event, Heat, committed_event
from games.play import commands
from games.play.models import Match, Seat
from tests.meeting import somebody_waits, together
from tests.site.pairing.test_concurrency import locks, people
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

PEOPLE = 12


@pytest.fixture(autouse=True)
def _postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")


def started(format_: str = "swiss", rounds_: int | None = 4) -> Event:
    """Return an event that starts now, with `PEOPLE` in it."""
    now = timezone.now()
    event = committed_event(
        format=format_,
        game="shifting-stones",
        clock="86400+14400/259200",
        want=2,
        least=2,
        rounds=rounds_,
        starts_at=now,
        next_at=now,
    )
    event.save()
    entries = (Entry(event=event, user=user, number=n, rating=1500) for n, user in enumerate(people(PEOPLE)))
    Entry.objects.bulk_create(entries)
    return event


def goes_on(event: Event) -> Callable[[], object]:
    return partial(rounds.go_on, event.pk)


def resigns(match: Match) -> Callable[[], object]:
    return partial(commands.resign, match.pk, match.pk % 2, f"resigns-{match.pk}")


def damages(event: Event) -> list[str]:
    """Return whatever is not whole: somebody twice in a round, a heat without a match, or a match without a heat."""
    heats = list(Heat.objects.filter(event=event))
    seats = Counter((heat.round, number) for heat in heats for number in heat.people)
    known = {heat.match_id for heat in heats if heat.match_id is not None}
    return [
        *(f"{number} is {count} times in round {round_}" for (round_, number), count in seats.items() if count > 1),
        *(f"{heat} has no match" for heat in heats if heat.begun_at and heat.match_id is None),
        *(f"{match} has no heat" for match in Match.objects.exclude(pk__in=known)),
        *(f"{heat} is not counted" for heat in heats if heat.over_at and not heat.counted),
    ]


def test_two_workers_begin_each_heat_once_while_matches_end() -> None:
    event = started()
    together([goes_on(event)] * 4)
    for round_ in range(1, 5):
        running = list(Match.objects.filter(heat__event=event, heat__round=round_))
        assert len(running) == PEOPLE // 2
        Seat.objects.update(acted=True)  # whoever resigns has come
        together([*(resigns(match) for match in running), *([goes_on(event)] * 3)])
        together([goes_on(event)] * 2)
        assert damages(event) == []
    event.refresh_from_db()
    assert event.state == Event.State.OVER
    assert all(heat.places for heat in event.heats.all())


def test_no_shows_are_written_while_the_event_goes_on() -> None:
    event = started("league", None)
    Entry.objects.update(at_a_time=2)
    rounds.go_on(event.pk)
    for _ in range(3):
        running = list(Match.objects.filter(heat__event=event, status=Match.Status.RUNNING))
        Entry.objects.update(state=Entry.State.IN, no_shows=0, confirmed_at=timezone.now() - timedelta(days=1))
        together([*(resigns(match) for match in running), *([goes_on(event)] * 2)])
        rounds.go_on(event.pk)
        assert damages(event) == []


def test_what_refers_to_an_event_is_written_while_the_event_waits_for_its_players() -> None:
    event, locked = started("league", None), threading.Event()

    def write() -> None:
        entry = Entry.objects.filter(event=event, number=0)
        with transaction.atomic():
            lock_people(event.entries.values_list("user", flat=True))
            locked.set()
            wait_until(somebody_waits, 30)
            for times in (1, 0):  # the second time PostgreSQL looks up the event
                entry.update(no_shows=times)

    def go_on() -> None:
        locked.wait(30)
        rounds.go_on(event.pk)

    together([write, go_on])
    assert Heat.objects.filter(event=event).exists()


def _goes_on_for_ever(key: int) -> None:
    while True:
        rounds.go_on(key)


@pytest.mark.parametrize("after", [0.0, 0.01, 0.03, 0.08])
def test_a_worker_killed_between_draws_leaves_the_rest_to_the_next_one(after: float) -> None:
    event = started()
    for _ in range(2):
        connections.close_all()  # so that the two do not share one
        worker = get_context("fork").Process(target=_goes_on_for_ever, args=(event.pk,))
        worker.start()
        time.sleep(after)  # somewhere in what it does
        os.kill(worker.pid or 0, signal.SIGKILL)
        worker.join()
        wait_until(lambda: not locks(), 30)
        while Rounds().run_due(timezone.now()):
            pass
        assert damages(event) == []
        Seat.objects.update(acted=True)
        for match in Match.objects.filter(heat__event=event, status=Match.Status.RUNNING):
            resigns(match)()
    while Rounds().run_due(timezone.now()):
        pass
    assert damages(event) == []
    assert {heat.round for heat in event.heats.all()} == {1, 2, 3}
