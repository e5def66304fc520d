"""What concerns a match happens on its worker, one thing after the other, what is due included."""

from __future__ import annotations

import threading
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from games.play import jobs
from games.play.live import workers
from games.play.models import Match, Seat
from games.play.timekeeping import Timeouts
from tests.clocked import LIVE
from tests.people import act, person, running_match

pytestmark = pytest.mark.django_db(transaction=True)


def late_match() -> Match:
    match = running_match([person(), person()], clock=LIVE)
    act(match, "end")
    act(match, "end")
    past = timezone.now() - timedelta(seconds=1)
    Seat.objects.filter(match=match, number=0).update(
        running_since=past - timedelta(minutes=1), bank=timedelta(minutes=1), deadline=past
    )
    return match


def is_over(match: Match) -> bool:
    match.refresh_from_db()
    return match.is_over


def test_a_timeout_waits_for_what_its_match_is_doing() -> None:
    match, done = late_match(), threading.Event()
    workers.post(match.slug, partial(done.wait, 60))

    def work() -> None:
        jobs.run_due([Timeouts()])
        connections.close_all()

    worker = threading.Thread(target=work)
    worker.start()
    worker.join(0.3)
    assert worker.is_alive()
    assert not is_over(match)
    done.set()
    worker.join(60)
    assert is_over(match)


def test_whoever_waits_for_a_worker_gets_the_result_or_the_error() -> None:
    assert workers.result_of("slug", threading.current_thread) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        workers.result_of("slug", lambda: 1 / 0)
    assert workers.result_of("slug", lambda: "goes on") == "goes on"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="for PostgreSQL there is test_workers_on_postgresql.py")
def test_on_sqlite_one_worker_serves_all_matches() -> None:
    assert len({workers.result_of(f"match-{number}", threading.get_ident) for number in range(100)}) == 1


def test_whoever_is_in_a_transaction_waits_for_no_worker() -> None:
    with transaction.atomic():
        assert workers.result_of("slug", threading.current_thread) is threading.current_thread()
