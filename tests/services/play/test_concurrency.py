"""One legal serial order, whatever arrives together. On PostgreSQL, with real threads and connections."""

from __future__ import annotations

import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import combinations_with_replacement

import pytest
from django.db import IntegrityError
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.play import commands, sql, timekeeping
from games.play.models import Action, Match, Seat, Vacation
from games.play.records import replay, standing_actions
from games.play.reducer import positions
from games.play.reducer.actions import Stale
from games.play.store import Locked, lock
from tests import meeting
from tests.people import act, person, running_match

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

ROUNDS = int(os.environ.get("TESSERA_ROUNDS", "3"))
"""How often each pair of requests meets; the nightly run asks for 200."""


def together(*jobs: Callable[[], object]) -> list[str]:
    """Run the jobs at the same moment; return how each ended."""
    return meeting.together(partial(outcome, job) for job in jobs)


def outcome(job: Callable[[], object]) -> str:
    try:
        result = job()
    except Stale:
        return "stale"
    except RuleViolation as violation:
        return violation.code
    return "repeated" if getattr(result, "repeated", False) else "done"


def a_match() -> Match:
    return running_match([person(), person()], clock="300+10/600")


def a_flip(match: Match) -> str:
    return next(text for text in positions.legal_texts(match, 0) if text.startswith("flip"))


def is_whole(match: Match) -> bool:
    """Say whether the stored state is what the stored actions lead to, numbered without gaps."""
    match.refresh_from_db()
    numbers = [action.number for action in standing_actions(match)]
    seats = list(match.seats.all())
    replayed = replay(match, seats, match.length).position.state
    return numbers == list(range(1, match.length + 1)) and replayed == positions.decode_state(match)


def test_the_same_client_id_fifty_times_is_one_action() -> None:
    match = a_match()
    text, version = a_flip(match), match.version
    ends = together(*[lambda: commands.submit(match.pk, 0, text, version, "fifty-times")] * 50)
    assert Counter(ends) == {"done": 1, "repeated": 49}
    assert Action.objects.filter(match=match).count() == 1
    assert is_whole(match)


def test_two_tabs_make_one_action() -> None:
    for round_number in range(5 * ROUNDS):
        match = a_match()
        text, version = a_flip(match), match.version
        tabs = [f"tab-{round_number:04}-{tab}" for tab in "ab"]
        ends = together(*[partial(commands.submit, match.pk, 0, text, version, tab) for tab in tabs])
        assert sorted(ends) == ["done", "stale"]
        assert is_whole(match)


SEALED_ROUNDS = int(os.environ.get("TESSERA_CONFIRMATIONS", "50"))
"""How often both seats confirm at once; the nightly run asks for 1,000."""


def test_two_seats_that_confirm_in_the_same_instant_are_both_stored_and_revealed_once() -> None:
    match, rounds = a_sealed_match(), 0
    while rounds < SEALED_ROUNDS:
        if not match.is_running:
            match = a_sealed_match()
        turn, version = match.length, match.version
        texts = [positions.legal_texts(match, seat)[0] for seat in (0, 1)]
        assert together(*(partial(_confirm, match.pk, version, *each) for each in enumerate(texts))) == ["done"] * 2
        match.refresh_from_db()
        shown = list(Action.objects.filter(match=match, number__gt=turn))
        assert {(action.seat, action.text) for action in shown} == set(enumerate(texts))
        assert [action.reveals for action in shown] == [False, True]
        assert (match.turn, match.opened, match.version) == (turn + 2, turn + 2, version + 2)
        rounds += 1
    assert is_whole(match)


def a_sealed_match() -> Match:
    return running_match([person(), person()], game="card-chess")


def _confirm(match_id: int, version: int, seat: int, text: str) -> None:
    commands.submit(match_id, seat, text, version, f"seat-{seat}-at-{version:06}")


def _requests() -> Sequence[tuple[str, Callable[[Match], object]]]:
    return [
        ("move", lambda match: commands.submit(match.pk, 0, a_flip(match), match.version, "a-move-of-mine")),
        ("undo", lambda match: commands.undo(match.pk, 0, match.version)),
        ("restart", lambda match: commands.restart_turn(match.pk, 0, match.version)),
        ("resign", lambda match: commands.resign(match.pk, 0, "a-resignation")),
        ("other resigns", lambda match: commands.resign(match.pk, 1, "b-resignation")),
        ("abort", lambda match: commands.offer_abort(match.pk, 1)),
        ("timeout", lambda match: at_about(near_its_flag(match), lambda: timekeeping.expire(match.pk))),
    ]


def test_every_pair_of_requests_has_a_serial_order(subtests: pytest.Subtests) -> None:
    for (first, one), (second, other) in combinations_with_replacement(_requests(), 2):
        with subtests.test(f"{first} and {second}"):
            for _ in range(ROUNDS):
                match = a_match()
                act(match, a_flip(match))
                ends = together(partial(one, match), partial(other, match))
                assert "done" in ends
                assert is_whole(match)
                if match.is_over:
                    assert sorted(seat.place or 0 for seat in match.seats.all()) == [1, 2]


FLAGS = int(os.environ.get("TESSERA_FLAGS", "60"))
"""How often somebody acts at the last moment; the nightly run asks for 1,000."""

CLOSE = timedelta(milliseconds=50)


def near_its_flag(match: Match) -> datetime:
    """Let the clock of seat 0 run out in a moment; return when."""
    deadline = timezone.now() + CLOSE
    start = {"running_since": deadline - timedelta(minutes=1), "bank": timedelta(minutes=1), "deadline": deadline}
    Seat.objects.filter(match=match, number=0).update(**start)
    return deadline


def at_about(deadline: datetime, job: Callable[[], object]) -> object:
    """Do something within 50 ms of a deadline, before or after it."""
    moment = deadline + random.uniform(-1, 1) * CLOSE
    time.sleep(max(0.0, (moment - timezone.now()).total_seconds()))
    return job()


def test_an_action_at_the_flag_counts_or_the_timeout_does_and_never_both() -> None:
    ends: Counter[str] = Counter()
    pair = [person(), person()]
    for _ in range(FLAGS):
        match = running_match(pair, clock="60+10/120")
        act(match, "end")
        act(match, "end")
        length, version, deadline = match.length, match.version, near_its_flag(match)
        acting = partial(commands.submit, match.pk, 0, "end", version, "at-the-flag")
        how = together(
            partial(at_about, deadline, acting), partial(at_about, deadline, partial(timekeeping.expire, match.pk))
        )
        assert is_whole(match)
        done = list(Action.objects.filter(match=match, number__gt=length).values_list("text", flat=True))
        assert (how[0] == "done", done, match.is_over) in [(True, ["end"], False), (False, ["timeout"], True)]
        ends[how[0]] += 1
    assert ends["done"] > 0
    assert ends["out-of-time"] + ends["match-over"] > 0


def test_without_the_lock_two_tabs_break_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: reading without locking lets both tabs through, and the constraint has to stop one."""
    both_have_read = threading.Barrier(2)

    def unlocked(match_id: int, seen: object = None) -> Locked:
        match = Match.objects.get(pk=match_id)
        locked = Locked(match, list(match.seats.order_by("number")))
        both_have_read.wait(timeout=60)
        return locked

    match = a_match()
    text, version = a_flip(match), match.version
    monkeypatch.setattr(commands, "lock", unlocked)
    tabs = ["tab-one-1", "tab-two-2"]
    with pytest.raises(IntegrityError):
        together(*(partial(commands.submit, match.pk, 0, text, version, tab) for tab in tabs))
    monkeypatch.setattr(commands, "lock", lock)
    assert is_whole(match)


# --- vacations --------------------------------------------------------------------------------------------------------


def of_days() -> tuple[User, Match]:
    ann = person()
    return ann, running_match([ann, person()], clock="259200+86400/259200", speed="days")


def look_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let time pass between looking for a vacation and acting on what was found."""
    current = timekeeping.current_vacation

    def slowly(user: User) -> Vacation | None:
        found = current(user)
        time.sleep(0.3)
        return found

    monkeypatch.setattr(timekeeping, "current_vacation", slowly)


def test_two_requests_begin_one_vacation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the lock on the person, both would find that there is none yet."""
    ann, _match = of_days()
    look_slowly(monkeypatch)
    ends = together(*[partial(timekeeping.start_vacation, ann, 20)] * 2)
    assert sorted(ends) == ["done", "on-vacation"]
    assert Vacation.objects.filter(user=ann).count() == 1


def test_two_requests_end_a_vacation_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the lock on the person, both find it still going on."""
    ann, _match = of_days()
    timekeeping.start_vacation(ann, 20)
    look_slowly(monkeypatch)
    ends = together(*[partial(timekeeping.end_vacation, ann)] * 2)
    assert sorted(ends) == ["done", "not-on-vacation"]


def test_a_vacation_waits_for_an_action_that_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the lock on the match, a clock that is being stopped would get its deadline back."""
    ann, match = of_days()
    save, acting = sql.update, threading.Event()

    def slowly(row: Model, *names: str) -> None:
        save(row, *names)
        if "to_move" in names:
            acting.set()
            time.sleep(0.3)

    monkeypatch.setattr(sql, "update", slowly)

    def go() -> None:
        acting.wait(60)
        timekeeping.start_vacation(ann, 5)

    together(partial(commands.submit, match.pk, 0, "end", match.version, "an-action-of-mine"), go)
    seat = Seat.objects.get(match=match, number=0)
    assert (seat.running_since, seat.deadline, seat.away_until) == (None, None, None)
