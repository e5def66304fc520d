"""Several worker threads: on PostgreSQL matches are moved side by side, and each of them one thing after the other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from threading import Thread

import pytest
from django.db import connections

from games.play.live import workers
from games.play.models import Action, Match
from games.play.store import lock, writing
from tests.people import person, running_match
from tests.serving import Site
from tests.site.play.tabs import Tab

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def worker_of(match: Match) -> Thread:
    return workers.result_of(match.slug, threading.current_thread)


@contextmanager
def locked(match: Match) -> Iterator[None]:
    """Keep the row of a match locked, so that whoever would move in it waits."""
    is_locked, enough = threading.Event(), threading.Event()

    def keep() -> None:
        with writing():
            lock(match.pk)
            is_locked.set()
            enough.wait(120)
        connections.close_all()

    keeping = Thread(target=keep)
    keeping.start()
    try:
        assert is_locked.wait(120)
        yield
    finally:
        enough.set()
        keeping.join(120)


def on_another_worker_than(worker: Thread) -> Match:
    """Begin matches until one of them is on another worker."""
    begun = (running_match([person(), person()]) for _ in range(50))
    return next(match for match in begun if worker_of(match) is not worker)


def send(tab: Tab, client_id: str, version: int) -> None:
    """End a turn; return when that is on its worker: what comes over a socket is read in its order."""
    tab.send("act", client_id, action="end", version=str(version))
    tab.send("nonsense")
    tab.next("error")


def test_each_worker_has_matches_and_each_match_one_worker() -> None:
    slugs = [f"match-{number}" for number in range(100)]
    first, second = ([workers.result_of(slug, threading.get_ident) for slug in slugs] for _ in range(2))
    assert first == second
    assert len(set(first)) == workers.WORKERS


def test_a_match_that_waits_for_its_row_holds_up_none_on_another_worker_and_keeps_its_order(live_site: Site) -> None:
    slow = running_match([person(), person()])
    quick = on_another_worker_than(worker_of(slow))
    version = slow.version
    with ExitStack() as opened:
        ann, bob = (opened.enter_context(Tab(live_site, slow, seat.user)) for seat in slow.seats.order_by("number"))
        other = opened.enter_context(Tab(live_site, quick, quick.seats.get(to_move=True).user))
        with locked(slow):
            send(ann, "of-ann-first", version)
            send(bob, "of-bob-second", version + 1)
            assert other.ask("act", action="end")["status"] == "done"
            assert not Action.objects.filter(match=slow).exists()
        answers = [ann.next("answer"), bob.next("answer")]
    assert [answer["status"] for answer in answers] == ["done", "done"]
    assert [answer["version"] for answer in answers] == [version + 1, version + 2]
