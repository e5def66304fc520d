"""Deliveries: sent once, retried, finally given up; however many workers there are."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone
from time_machine import Traveller

from games.notifications import delivery, planning
from games.notifications.channels import Gone, Undeliverable
from games.notifications.jobs import Deliveries, Planning
from games.notifications.models import Channel, Delivery, Kind, Notice
from games.play import jobs
from games.play.models import Seat, Setback
from tests.clocked import MONDAY
from tests.people import person, running_match
from tests.site.notifications.telling import Post, seconds

pytestmark = pytest.mark.django_db


def planned(people: int = 1) -> None:
    """Let it be this many people's turn, each to be told now by push and webhook."""
    for _ in range(people):
        running_match([person(), person()])
    Notice.objects.exclude(kind=Kind.TURN).delete()
    Notice.objects.update(due_at=timezone.now(), created_at=timezone.now() - seconds(20))
    assert Planning().run_due(timezone.now()) == people


def claim(now: datetime) -> Delivery | None:
    """Claim what is due, whatever its channel."""
    claims = (delivery.claim(channel, now) for channel in delivery.channels_due(now))
    return next((it for it in claims if it is not None), None)


def the_push() -> Delivery:
    return Delivery.objects.get(channel="push")


# --- failing ----------------------------------------------------------------------------------------------------------


def test_what_failed_is_tried_again_later_and_later_and_then_given_up(clock: Traveller, post: Post) -> None:
    planned()
    post.toys["push"].failing = OSError("the server is away")
    moments = []
    while the_push().state == "waiting":
        clock.move_to(max(the_push().due_at, timezone.now()))
        moments.append(timezone.now())
        post.work()
    pauses = [later - earlier for earlier, later in pairwise(moments)]
    assert pauses[:7] == [timedelta(seconds=10 * 2**n) for n in range(7)]
    assert set(pauses[7:]) == {delivery.LONGEST_PAUSE}
    assert moments[-2] - moments[0] < delivery.GIVE_UP_AFTER[Channel.PUSH] <= moments[-1] - moments[0]
    assert (the_push().state, the_push().attempts) == ("dead", len(moments))
    assert "the server is away" in the_push().error
    assert Deliveries().next_due() is None


def test_what_failed_is_sent_when_the_server_is_back(clock: Traveller, post: Post) -> None:
    planned()
    post.toys["push"].failing = OSError("the server is away")
    post.work()
    post.toys["push"].failing = None
    clock.shift(9)
    assert post.work() == []
    clock.shift(1)
    assert [channel for channel, _kind, _name in post.work()] == ["push"]
    assert the_push().state == "sent"


@pytest.mark.parametrize("error", [Gone("no such device"), Undeliverable("too long")])
def test_what_nobody_will_ever_take_is_not_tried_again(clock: Traveller, post: Post, error: Exception) -> None:
    planned()
    post.toys["push"].failing = error
    post.work()
    assert (the_push().state, the_push().attempts) == ("dead", 1)


def test_one_channel_that_fails_does_not_stop_the_other(clock: Traveller, post: Post) -> None:
    planned()
    post.toys["push"].failing = OSError("the server is away")
    assert [channel for channel, _kind, _name in post.work()] == ["webhook"]


# --- leases -----------------------------------------------------------------------------------------------------------


def test_a_delivery_is_claimed_once(clock: Traveller, post: Post) -> None:
    planned()
    claims = [claim(MONDAY) for _ in range(3)]
    assert [it is not None for it in claims] == [True, True, False]


def test_what_a_worker_left_lying_is_claimed_again_when_its_lease_has_ended(clock: Traveller, post: Post) -> None:
    planned()
    first = {claim(MONDAY), claim(MONDAY)}
    clock.shift(delivery.LEASE)
    assert claim(timezone.now()) is None
    clock.shift(1)
    assert {claim(timezone.now()), claim(timezone.now())} == first


def test_who_was_too_slow_does_not_undo_what_another_noted(clock: Traveller, post: Post) -> None:
    planned()
    slow = claim(MONDAY)
    assert slow is not None
    clock.shift(delivery.LEASE + seconds(1))
    post.work()
    post.toys[slow.channel].failing = OSError("too late")
    delivery.deliver(slow)
    slow.refresh_from_db()
    assert (slow.state, slow.attempts) == ("sent", 0)


def test_the_worker_knows_when_the_next_delivery_is_due(clock: Traveller, post: Post) -> None:
    job = Deliveries()
    assert job.next_due() is None
    planned()
    assert job.next_due() == MONDAY
    claim(MONDAY)
    claim(MONDAY)
    assert job.next_due() == MONDAY + delivery.LEASE


def test_what_is_due_is_found_by_an_index(clock: Traveller) -> None:
    if connection.vendor == "postgresql":  # which reads a table so small as a whole
        connection.cursor().execute("SET LOCAL enable_seqscan = off")
    assert "delivery_due" in delivery.due(MONDAY).order_by("due_at", "pk").explain()
    due = Notice.objects.filter(due_at__isnull=False, due_at__lte=MONDAY)
    assert "notice_due" in due.order_by("due_at").explain()


# --- several workers --------------------------------------------------------------------------------------------------

PEOPLE = 20
WORKERS = 4


def told_by_many(post: Post) -> list[str]:
    """Let several workers at once plan and send what is due; return who was told, by which channel."""
    for _ in range(PEOPLE):
        running_match([person(), person()])
    Notice.objects.exclude(kind=Kind.TURN).delete()
    Notice.objects.update(due_at=timezone.now(), created_at=timezone.now() - seconds(20))
    barrier = threading.Barrier(WORKERS)

    def work(_: Any) -> None:
        barrier.wait()
        try:
            for _attempt in range(20):
                Planning().run_due(timezone.now())
                Deliveries(threaded=False).run_due(timezone.now())
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(work, range(WORKERS)))
    return sorted(f"{name} {user.pk}" for name, toy in post.toys.items() for user, _message in toy.told)


def everybody_once() -> list[str]:
    users = Notice.objects.values_list("user", flat=True)
    return sorted(f"{channel} {user}" for channel in ("push", "webhook") for user in users)


@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_tell_everybody_once(post: Post) -> None:
    assert told_by_many(post) == everybody_once()


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_tell_everybody_once_on_postgresql(post: Post) -> None:
    assert told_by_many(post) == everybody_once()


@pytest.mark.django_db(transaction=True)
def test_working_without_a_lease_is_noticed(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: whoever finds something due sends it."""

    def claim(channel: str, now: Any, **_: Any) -> Delivery | None:
        return delivery.due(now).filter(channel=channel).order_by("due_at", "pk").first()

    monkeypatch.setattr(delivery, "claim", claim)
    assert told_by_many(post) != everybody_once()


@pytest.mark.django_db(transaction=True)
def test_a_server_that_does_not_answer_does_not_hold_up_the_worker(post: Post) -> None:
    planned(people=10)
    begun = [delivery.BUDGETS[channel].workers for channel in (Channel.PUSH, Channel.WEBHOOK)]
    answer = threading.Event()
    threads = set()

    def wait(*_: Any) -> None:
        threads.add(threading.current_thread())
        answer.wait(60)

    for toy in post.toys.values():
        toy.send = wait  # type: ignore[method-assign, assignment]  # a server that is slow
    job = Deliveries()
    assert job.run_due(timezone.now()) == sum(begun)
    assert job.run_due(timezone.now()) == 0
    assert job.next_due() is None
    answer.set()
    job.finish()
    assert threading.current_thread() not in threads
    assert Delivery.objects.filter(state="sent").count() == sum(begun)


# --- planning while others drop what is outdated ----------------------------------------------------------------------


def outdated_while_planned(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Let one worker plan a turn while it is being taken, and another drop what is outdated at the same moment."""
    running_match([person(), person()])
    Notice.objects.exclude(kind=Kind.TURN).delete()
    Notice.objects.update(due_at=timezone.now(), created_at=timezone.now() - seconds(20))
    plan = planning._plan

    def drop_first(*arguments: Any) -> None:
        with ThreadPoolExecutor(1) as other:
            other.submit(take_and_drop).result(30)
        plan(*arguments)

    def take_and_drop() -> None:
        try:
            Seat.objects.update(to_move=False)
            planning.drop_outdated(timezone.now())
        finally:
            connections.close_all()

    monkeypatch.setattr(planning, "_plan", drop_first)
    (user,) = Notice.objects.values_list("user", flat=True)
    assert jobs.attempt("notices", user, lambda: planning.plan_for(user))
    assert not [it for it in caplog.records if it.levelname == "ERROR"]
    assert not Setback.objects.exists()
    assert not Notice.objects.filter(due_at__isnull=False).exists()


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_dropping_what_another_worker_plans_disturbs_neither_on_postgresql(
    post: Post, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    outdated_while_planned(monkeypatch, caplog)


@pytest.mark.django_db
def test_a_lease_of_a_clock_that_has_been_put_back_holds_nobody_up() -> None:
    now, ann = timezone.now(), person()
    Delivery.objects.create(
        user=ann, channel=Channel.MAIL, key="held", due_at=now, lease_until=now + timedelta(hours=1)
    )
    assert delivery.claim(Channel.MAIL, now) is not None
    assert delivery.claim(Channel.MAIL, now) is None
