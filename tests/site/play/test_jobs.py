"""What is due is done once, whatever fails meanwhile; time during an outage counts against nobody."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
import time_machine
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from django.utils import timezone
from time_machine import Traveller

from games.engine.protocol import RuleViolation
from games.play import commands, jobs, store, timekeeping
from games.play.models import Action, Match, Outage, Seat, Setback, Watch
from games.play.reducer import advance, positions
from tests.clocked import DAYS, LIVE, MONDAY
from tests.people import act, client_of, person, running_match
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db

START = timedelta(minutes=5)


def a_match(clock: str = LIVE, speed: str = "live") -> Match:
    """Return a match in which both have acted and seat 0 is to move."""
    match = running_match([person(), person()], clock=clock, speed=speed)
    act(match, "end")
    act(match, "end")
    return match


def status(match: Match) -> str:
    match.refresh_from_db()
    return match.reason or match.status


# --- finding what is due ----------------------------------------------------------------------------------------------


def test_the_worker_carries_out_what_is_due_and_nothing_else(clock: Traveller) -> None:
    late = a_match()
    clock.shift(START)
    early, without = a_match(), a_match(clock="")
    clock.shift(timedelta(seconds=10))
    assert jobs.run_due([timekeeping.Timeouts()]) == 1
    assert [status(match) for match in (late, early, without)] == ["timeout", "running", "running"]
    assert jobs.run_due([timekeeping.Timeouts()]) == 0


def test_the_worker_knows_when_the_next_thing_is_due(clock: Traveller) -> None:
    job = timekeeping.Timeouts()
    assert job.next_due() is None
    a_match(DAYS, "days")
    match = a_match()
    assert job.next_due() == Seat.objects.get(match=match, number=0).deadline


def test_what_is_due_is_found_by_an_index(clock: Traveller) -> None:
    if connection.vendor == "postgresql":  # which reads a table so small as a whole
        connection.cursor().execute("SET LOCAL enable_seqscan = off")
    due = Seat.objects.filter(deadline__isnull=False, deadline__lte=MONDAY).order_by("deadline")
    assert "seat_deadline" in due.explain()


# --- failing ----------------------------------------------------------------------------------------------------------


def break_rules(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(state="{}")


def test_one_broken_match_does_not_stop_the_clocks_of_others(clock: Traveller) -> None:
    broken, sound = a_match(), a_match()
    break_rules(broken)
    clock.shift(2 * START)
    assert jobs.run_due([timekeeping.Timeouts()]) == 1
    assert (status(broken), status(sound)) == ("running", "timeout")


def test_what_failed_is_tried_again_later_and_later_and_then_left_to_a_person(clock: Traveller) -> None:
    match = a_match()
    break_rules(match)
    clock.shift(2 * START)
    pauses: list[timedelta | None] = []
    for _ in range(jobs.MOST_FAILURES):
        jobs.run_due([timekeeping.Timeouts()])
        setback = Setback.objects.get(job="timeouts", key=match.pk)
        pauses.append(None if setback.not_before is None else setback.not_before - timezone.now())
        jobs.run_due([timekeeping.Timeouts()])
        assert Setback.objects.get().failures == len(pauses)
        clock.shift(pauses[-1] or timedelta(days=1))
    assert pauses == [*(timedelta(seconds=10 * 2**n) for n in range(jobs.MOST_FAILURES - 1)), None]
    assert timekeeping.Timeouts().next_due() is None


def test_a_setback_is_forgotten_when_it_works_at_last(clock: Traveller) -> None:
    match = a_match()
    state = match.state
    break_rules(match)
    clock.shift(2 * START)
    jobs.run_due([timekeeping.Timeouts()])
    Match.objects.filter(pk=match.pk).update(state=state)
    clock.shift(10)
    assert jobs.run_due([timekeeping.Timeouts()]) == 1
    assert not Setback.objects.exists()


def test_setbacks_of_other_duties_and_other_pieces_of_work_play_no_part(clock: Traveller) -> None:
    broken, sound = a_match(), a_match()
    break_rules(broken)
    Setback.objects.create(job="another", key=sound.pk)
    clock.shift(2 * START)
    assert jobs.run_due([timekeeping.Timeouts()]) == 1
    assert status(sound) == "timeout"
    assert set(Setback.objects.values_list("job", "key")) == {("another", sound.pk), ("timeouts", broken.pk)}


@contextmanager
def clocked(moment: datetime) -> Iterator[None]:
    """Put the clock to another moment."""
    with time_machine.travel(moment, tick=False):
        yield


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_an_outage_of_the_database_sets_no_work_back(error: type[Exception]) -> None:
    def fail() -> bool:
        raise error

    with pytest.raises(error):
        jobs.attempt("timeouts", 1, fail)
    assert not Setback.objects.exists()


# --- outages ----------------------------------------------------------------------------------------------------------


def everything() -> int:
    return jobs.run_due([timekeeping.Watching(), timekeeping.Timeouts()])


def left(match: Match) -> timedelta:
    deadline = Seat.objects.get(match=match, number=0).deadline
    assert deadline is not None
    return deadline - timezone.now()


def test_a_deadline_that_passed_while_the_site_was_down_is_moved(clock: Traveller) -> None:
    match = a_match()
    everything()
    clock.shift(10)
    everything()
    before = left(match)
    clock.shift(timedelta(hours=3))
    everything()
    assert status(match) == "running"
    assert left(match) == before


def test_who_had_next_to_nothing_left_gets_a_grace(clock: Traveller) -> None:
    live, days = a_match(), a_match(DAYS, "days")
    for _ in range(31):
        everything()
        clock.shift(10)
    soon = Seat.objects.get(match=days, number=0)
    soon.bank, soon.deadline = timedelta(seconds=311), MONDAY + timedelta(seconds=311)
    soon.save()
    clock.shift(timedelta(hours=3))
    everything()
    assert left(live) == timedelta(minutes=1)
    assert left(days) == timedelta(hours=1)


def test_an_action_that_comes_before_the_worker_is_back_is_not_too_late(clock: Traveller) -> None:
    match = a_match()
    everything()
    clock.shift(timedelta(hours=3))
    act(match, "end")
    assert status(match) == "running"


@pytest.mark.parametrize("is_worker_back", [True, False])
def test_a_page_from_before_an_outage_is_not_stale(clock: Traveller, is_worker_back: bool) -> None:
    """Forgiving time does not change the position: what its reader chose, or takes back, still holds."""
    match = a_match()
    everything()
    player = match.seats.get(number=0).user
    assert player is not None
    browser = client_of(player)
    flip = next(text for text in positions.legal_texts(match, 0) if text.startswith("flip"))
    for path, form in (("act", {"action": flip}), ("undo", {}), ("act", {"action": "end"})):
        shown = Match.objects.get(pk=match.pk).version
        clock.shift(timedelta(hours=1))
        if is_worker_back:
            everything()
            assert Match.objects.get(pk=match.pk).version > shown
        sent = {**form, "version": str(shown), "client_id": f"from-before-{path}-{shown}"}
        assert browser.post(f"/match/{match.slug}/{path}/", sent, headers={"HX-Request": "true"}).status_code == 200
    assert list(Action.objects.filter(match=match, withdrawn=False).values_list("text", flat=True))[2:] == ["end"]


def test_whose_time_was_up_before_the_outage_is_not_helped(clock: Traveller) -> None:
    match = a_match()
    clock.shift(2 * START)
    timekeeping.Watching().run_due(timezone.now())
    clock.shift(timedelta(hours=3))
    with pytest.raises(RuleViolation):
        act(match, "end")
    assert status(match) == "timeout"


def test_a_restart_of_a_few_seconds_is_no_outage(clock: Traveller) -> None:
    match = a_match()
    everything()
    before = left(match)
    clock.shift(store.OUTAGE)
    everything()
    assert left(match) == before - store.OUTAGE


def test_undo_after_an_outage_costs_nothing_of_it(clock: Traveller) -> None:
    match = a_match()
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")))
    everything()
    before = left(match)
    clock.shift(timedelta(hours=3))
    everything()
    match.refresh_from_db()
    commands.undo(match.pk, 0, match.version)
    assert left(match) == before


@pytest.mark.parametrize("is_worker_back", [True, False])
def test_a_secret_action_taken_back_after_an_outage_costs_nothing_of_it(
    clock: Traveller, sealed_game: str, is_worker_back: bool
) -> None:
    """The clock stood still during the outage; put back, it would run through it."""
    match = running_match([person(), person()], game=sealed_game, clock=LIVE)
    everything()
    clock.shift(20)
    everything()
    act(match, positions.legal_texts(match, 0)[0], 0)
    clock.shift(10)
    everything()
    clock.shift(timedelta(hours=3))
    if is_worker_back:
        everything()
    clock.shift(10)
    match.refresh_from_db()
    commands.undo(match.pk, 0, match.version)
    everything()
    assert left(match) == START - timedelta(seconds=40 if is_worker_back else 30)


def test_an_outage_noticed_twice_is_forgiven_once(clock: Traveller) -> None:
    match = a_match()
    everything()
    before = left(match)
    clock.shift(timedelta(hours=1))
    everything()
    clock.shift(5)
    Outage.objects.update(pending=True)  # whoever forgave the others was killed before noting that
    everything()
    assert left(match) == before - timedelta(seconds=5)


def test_the_worker_notes_that_it_is_at_work(clock: Traveller) -> None:
    everything()
    clock.shift(timekeeping.BEAT)
    everything()
    assert Watch.objects.get().seen_at == MONDAY + timekeeping.BEAT


def check_a_clock_that_is_put_back(client: Client) -> None:
    """Check that the worker of before, which has ended, is not taken for running an hour earlier by the new clock."""
    everything()
    with clocked(MONDAY - timedelta(hours=1)):
        assert not timekeeping.is_watched(timezone.now())
        assert client.get("/healthz").json()["worker"] is False
        timekeeping.beat(timezone.now())
        assert client.get("/healthz").json()["worker"] is True
        assert Watch.objects.get().seen_at == timezone.now()
        assert not Outage.objects.exists()


def test_what_was_noted_by_a_clock_that_has_been_put_back_says_nothing(clock: Traveller, client: Client) -> None:
    check_a_clock_that_is_put_back(client)


def test_the_check_would_notice_that_the_future_is_believed(
    clock: Traveller, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timekeeping, "AHEAD", timedelta(days=1))
    with pytest.raises(AssertionError):
        check_a_clock_that_is_put_back(client)


def test_the_clock_of_another_machine_may_be_a_little_ahead(clock: Traveller) -> None:
    everything()
    with clocked(MONDAY - timedelta(seconds=2)):
        assert timekeeping.is_watched(timezone.now())
        assert timekeeping.beat(timezone.now()) == 0


def test_an_outage_is_forgiven_in_batches_and_nobody_is_late_before_their_turn(
    clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timekeeping, "FORGIVEN_AT_ONCE", 2)
    matches = [a_match() for _ in range(5)]
    everything()
    before = left(matches[0])
    clock.shift(timedelta(hours=3))
    watching = timekeeping.Watching()
    assert [watching.run_due(timezone.now()) for _ in range(2)] == [3, 2]  # with the heartbeat
    next_due = watching.next_due()
    assert next_due is not None
    assert next_due <= timezone.now()
    assert jobs.run_due([timekeeping.Timeouts()]) == 0
    assert watching.run_due(timezone.now()) <= 1
    assert [status(match) for match in matches] == ["running"] * 5
    assert {left(match) for match in matches} == {before}
    assert not Outage.objects.filter(pending=True).exists()


def test_a_match_whose_clocks_cannot_be_moved_holds_up_no_others(
    clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = a_match(), a_match()
    everything()
    before = left(sound)
    clock.shift(timedelta(hours=3))
    with monkeypatch.context() as patch:
        forgive = advance.forgive
        patch.setattr(
            timekeeping, "forgive", lambda before, *rest: 1 / 0 if before.match == broken else forgive(before, *rest)
        )
        timekeeping.Watching().run_due(timezone.now())
        assert left(sound) == before
    clock.shift(10)
    everything()
    assert left(broken) == before
    assert not Outage.objects.filter(pending=True).exists()


def test_a_duty_with_much_to_do_lets_the_others_have_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PASS", 0.0)
    done: list[int] = []

    def job(key: int) -> bool:
        time.sleep(0.01)
        done.append(key)
        return True

    assert jobs.attempt_each("much", range(100), job) == 1
    assert done == [0]


# --- the loop ---------------------------------------------------------------------------------------------------------


class Alarm:
    """A job that is due once, at a moment that may be brought forward."""

    name = "alarm"

    def __init__(self, due: datetime) -> None:
        self.due: datetime | None = due
        self.rung = threading.Event()

    def run_due(self, now: datetime) -> int:
        if self.due is None or now < self.due:
            return 0
        self.due = None
        self.rung.set()
        return 1

    def next_due(self) -> datetime | None:
        return self.due


@pytest.mark.django_db(transaction=True)
def test_an_earlier_deadline_wakes_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "EVERY", 60.0)
    alarm = Alarm(timezone.now() + timedelta(minutes=1))
    ended = threading.Event()
    worker = threading.Thread(target=jobs.work, args=(ended.is_set, [alarm]))
    worker.start()
    try:
        while jobs._sleeping_until is None or jobs._sleeping_until <= timezone.now():
            pass
        alarm.due = timezone.now()
        jobs.wake_for(alarm.due)
        assert alarm.rung.wait(60)
    finally:
        ended.set()
        jobs.stop_sleeping()
        worker.join(60)
    assert not worker.is_alive()


class Counting:
    """A job that counts the looks at it; nothing is ever due."""

    name = "counting"
    looks = 0

    def run_due(self, now: datetime) -> int:
        self.looks += 1
        return Setback.objects.filter(job=self.name).count()

    def next_due(self) -> datetime | None:
        return None


@pytest.mark.django_db(transaction=True)
def test_the_worker_looks_again_only_when_others_have_changed_something(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "EVERY", 0.05)
    counting, ended = Counting(), threading.Event()
    worker = threading.Thread(target=jobs.work, args=(ended.is_set, [counting]))
    worker.start()
    try:
        wait_until(lambda: counting.looks > 0)
        time.sleep(1)
        looks = counting.looks
        if connection.vendor == "sqlite":
            assert looks <= 3
        Setback.objects.create(job="another", key=1)
        wait_until(lambda: counting.looks > looks, jobs.AT_LATEST / 2)
    finally:
        ended.set()
        jobs.stop_sleeping()
        worker.join(60)


def test_a_timeout_is_in_the_log_of_the_match_once(clock: Traveller) -> None:
    match = a_match()
    clock.shift(2 * START)
    everything()
    everything()
    assert Action.objects.filter(match=match, text="timeout").count() == 1


def test_the_worker_of_the_site_watches_before_it_handles_timeouts() -> None:
    names = [job.name for job in jobs._jobs]
    assert names.index("watching") < names.index("timeouts")
    assert {"pairing", "presences"} <= set(names)
