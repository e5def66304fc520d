"""Many people who come at once, workers that pair the same people, and workers that are killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from accounts.joining import guests
from accounts.models import User
from accounts.relations import block
from games.pairing import services
from games.pairing.models import Offer, Wait
from games.pairing.search import Search
from games.play.models import Match, Seat
from tests.meeting import together
from tests.people import person
from tests.site.config.processes import at_work, database_url
from tests.site.pairing.waits import GAME, waiting, work
from tests.unit.config.environment import ROOT, bare
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = int(os.environ.get("TESSERA_PEOPLE", "48"))
"""How many come at once; the nightly run asks for 500."""
LIVELY = 20
"""How many play live: each keeps answering."""

PROCESSES = 2

# What a web process does for those who press the button, on several threads.
JOINS = """
import sys
from concurrent.futures import ThreadPoolExecutor
import django
django.setup()
from django.db import connections
from accounts.models import User
from games.pairing import services
from games.pairing.search import Search

def join(user):
    try:
        for _press in range(2):  # as people do
            services.wait(user, Search("shifting-stones", (2,), speed="days", rated=False))
    finally:
        connections.close_all()

first, last = map(int, sys.argv[1:])
with ThreadPoolExecutor(4) as pool:
    list(pool.map(join, User.objects.filter(pk__range=(first, last))))
"""

# The same for a live match: they keep a page open, say that they are there when they are asked, and whoever was not
# quick enough presses the button again, until each of them plays.
ANSWERS = """
import sys
from concurrent.futures import ThreadPoolExecutor
from time import sleep
import django
django.setup()
from django.db import connections
from accounts.models import User
from games.pairing import services
from games.pairing.search import Search
from games.pairing.models import Wait

def play(users):
    try:
        waiting = {user.pk: user for user in users}
        while waiting:
            here = list(waiting.values())[:3]  # the others come later
            services.mark_seen({user.pk for user in here})
            for user in here:
                if answered(user):
                    del waiting[user.pk]
            sleep(0.25)
    finally:
        connections.close_all()

def answered(user):
    latest = Wait.objects.filter(user=user).order_by("pk").last()
    if latest is not None and latest.state == Wait.State.PAIRED:
        return True
    if latest is None or latest.state == Wait.State.WITHDRAWN:
        services.wait(user, Search("shifting-stones", (2,), speed="live", rated=False))
    elif latest.is_asked:
        services.go(user, latest.pk, latest.offer_id)
    return False

first, last = map(int, sys.argv[1:])
users = list(User.objects.filter(pk__range=(first, last)).order_by("pk"))
with ThreadPoolExecutor(2) as pool:
    list(pool.map(play, (users[::2], users[1::2])))
"""


def people(count: int) -> list[User]:
    """Create many users quickly, without email addresses or passwords."""
    names = [f"guest{number}" for number in range(count)]
    return User.objects.bulk_create([User(username=name, name_key=name, skeleton=name, password="!") for name in names])


def from_processes(code: str, folder: Path, users: list[User]) -> list[subprocess.Popen[bytes]]:
    """Run code in several processes, each for its share of these people."""
    environment = bare(
        folder,
        DATABASE_URL=database_url(),
        SECRET_KEY=settings.SECRET_KEY,
        DJANGO_SETTINGS_MODULE="config.settings",
        PYTHONPATH=str(ROOT),
    )
    share = len(users) // PROCESSES
    spans = [(users[n * share].pk, users[(n + 1) * share - 1].pk) for n in range(PROCESSES)]
    return [
        subprocess.Popen([sys.executable, "-c", code, str(first), str(last)], cwd=ROOT, env=environment)
        for first, last in spans
    ]


def damages() -> list[str]:
    """Return whatever is not whole: a person in two matches, a match without somebody, a pair of waits without one."""
    seats = Counter(Seat.objects.values_list("user", flat=True))
    sizes = Counter(Seat.objects.values_list("match", flat=True))
    waits = Counter(Wait.objects.exclude(state=Wait.State.WITHDRAWN).values_list("user", flat=True))
    matches = Counter(Wait.objects.filter(state=Wait.State.PAIRED).values_list("match", flat=True))
    return [
        *(f"{user} sits {count} times" for user, count in seats.items() if count > 1),
        *(f"{user} waits {count} times" for user, count in waits.items() if count > 1),
        *(f"match {match} has {count} players" for match, count in sizes.items() if count != 2),
        *(f"match {match} has {count} waits" for match, count in matches.items() if count != 2),
        *(f"{match} has not begun" for match in Match.objects.exclude(status=Match.Status.RUNNING)),
        *(f"{wait} lost its match" for wait in Wait.objects.filter(state=Wait.State.PAIRED, match=None)),
    ]


@pytest.mark.services
def test_all_who_come_at_once_are_paired_once_although_a_worker_is_killed(tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")
    users = people(PEOPLE)
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    joins = from_processes(JOINS, tmp_path, users)
    with at_work(tmp_path / "first") as first, at_work(tmp_path / "second"):
        wait_until(lambda: Match.objects.count() > 10, 120)
        first.kill()
        assert [process.wait(120) for process in joins] == [0] * PROCESSES
        wait_until(lambda: not Wait.objects.current().exists(), 180)
    assert damages() == []
    assert Match.objects.count() == PEOPLE // 2
    assert Wait.objects.filter(state=Wait.State.PAIRED).count() == PEOPLE


@pytest.mark.services
def test_everybody_plays_live_although_workers_are_killed_while_they_ask_and_answer(tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")
    users = people(LIVELY)
    playing = from_processes(ANSWERS, tmp_path, users)
    try:
        for number in range(2):
            with at_work(made(tmp_path / f"worker{number}")) as worker:
                wait_until(partial(asked_or_done, Match.objects.count()), 120)
                worker.kill()  # while some are asked, some have answered, and some play already
                worker.wait(60)
        with at_work(made(tmp_path / "last")):
            assert [process.wait(240) for process in playing] == [0] * PROCESSES
    finally:
        for process in playing:
            process.kill()
            process.wait(60)
    assert damages() == []
    assert Match.objects.count() == LIVELY // 2
    assert not Wait.objects.current().exists()
    assert not Offer.objects.exists()


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def asked_or_done(before: int) -> bool:
    """Return whether somebody is being asked after a match has begun, or everybody plays."""
    begun = Match.objects.count()
    return begun == LIVELY // 2 or (begun > before and Offer.objects.exists())


@pytest.mark.services
@pytest.mark.parametrize("speed", ["live", "days"])
def test_a_guest_who_logs_in_at_the_moment_of_being_paired_plays_or_waits_on(speed: str) -> None:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")
    for _ in range(10):
        bob, ann = person(), person()
        guest = User.objects.create_user(f"Guest-{bob.pk}", guest=True)
        waits = waiting(guest, speed=speed), waiting(bob, speed=speed)
        together([pairing_of(*waits), partial(guests.take_over, guest, ann)])
        assert not User.objects.filter(guest=True).exists()
        assert set(Wait.objects.values_list("user", flat=True)) == {ann.pk, bob.pk}
        assert set(Seat.objects.values_list("user", flat=True)) in ({ann.pk, bob.pk}, set())
        assert damages() == []
        Match.objects.all().delete()
        Wait.objects.all().delete()


def pairing_of(guest: Wait, other: Wait) -> Callable[[], object]:
    """Return what begins the match of two who wait; live, the other has said that they are there."""
    if not guest.is_live:
        return partial(services.unite, [guest.pk, other.pk])
    work()
    for wait in (guest, other):
        wait.refresh_from_db()
    assert guest.offer_id
    assert guest.offer_id == other.offer_id
    services.go(other.user, other.pk, guest.offer_id)
    return partial(services.go, guest.user, guest.pk, guest.offer_id)


@pytest.mark.services
def test_a_worker_killed_alone_leaves_everybody_to_the_next_one(tmp_path: Path) -> None:
    if connection.vendor != "postgresql":
        pytest.skip(f"the database is {connection.vendor}")
    for user in people(60):
        services.wait(user, Search(GAME, (2,), speed="days", rated=False))
    for round_ in range(2):
        before = Match.objects.count()
        folder = tmp_path / f"worker{round_}"
        folder.mkdir()
        with at_work(folder) as worker:
            wait_until(partial(begun_beyond, before), 120)
            worker.kill()
            worker.wait(60)
        wait_until(lambda: not locks(), 30)
        assert damages() == []
    while work():
        pass
    assert Match.objects.count() == 30
    assert damages() == []


def begun_beyond(count: int) -> bool:
    return Match.objects.count() > count


def locks() -> int:
    """Return how many transactions of others are open: PostgreSQL may still be ending those of a killed process."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()"
                       " AND datname = current_database()")  # fmt: skip
        return int(cursor.fetchone()[0])


# --- on both databases ------------------------------------------------------------------------------------------------


@pytest.fixture(params=[pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.services)])
def _either(request: pytest.FixtureRequest) -> None:
    if connection.vendor != request.param:
        pytest.skip(f"the database is {connection.vendor}")


@pytest.mark.usefixtures("_either")
def test_workers_that_pair_the_same_people_make_one_match() -> None:
    for _round in range(5):
        keys = [waiting(person(), speed="days").pk for _ in range(2)]
        before = Match.objects.count()
        united = sum(map(bool, together([partial(services.unite, keys)] * 4)))
        if not united:  # each has locked one of the two, and left them to the next
            united = services.unite(keys)
        assert (united, Match.objects.count()) == (1, before + 1)


@pytest.mark.usefixtures("_either")
def test_workers_that_pair_somebody_with_different_people_make_one_match() -> None:
    for _round in range(5):
        ann, *others = [waiting(person(), speed="days").pk for _ in range(4)]
        assert sum(map(bool, together(partial(services.unite, [ann, other]) for other in others))) == 1
        Wait.objects.all().delete()


@pytest.mark.usefixtures("_either")
def test_withdrawing_while_being_asked_leaves_nobody_in_an_offer_of_one() -> None:
    for _round in range(10):
        ann, bob = waiting(person()), waiting(person())
        together([partial(services.unite, [ann.pk, bob.pk]), partial(services.withdraw, ann.user, ann.pk)])
        ann.refresh_from_db()
        bob.refresh_from_db()
        assert (ann.state, ann.offer, bob.state, bob.offer) == ("withdrawn", None, "waiting", None)
        assert not Offer.objects.exists()
        services.withdraw(bob.user, bob.pk)


@pytest.mark.usefixtures("_either")
def test_the_last_answer_and_a_refusal_together_make_a_match_or_none() -> None:
    for _round in range(10):
        ann, bob = waiting(person()), waiting(person())
        work()
        ann.refresh_from_db()
        offer, before = ann.offer_id or 0, Match.objects.count()
        services.go(ann.user, ann.pk, offer)
        together([
            partial(services.go, bob.user, bob.pk, offer),
            partial(services.decline, ann.user, ann.pk, offer),
            partial(services.withdraw, bob.user, bob.pk),
        ])  # fmt: skip
        begun = Match.objects.count() - before
        ann.refresh_from_db()
        bob.refresh_from_db()
        assert [ann.state, bob.state] in (["paired"] * 2, ["waiting", "withdrawn"])
        assert begun == (ann.state == "paired")
        assert not Offer.objects.exists()
        services.withdraw(ann.user, ann.pk)


@pytest.mark.usefixtures("_either")
def test_all_answers_at_once_begin_one_match() -> None:
    for _round in range(5):
        waits = [waiting(person(), seats=(3,)) for _ in range(3)]
        work()
        waits[0].refresh_from_db()
        offer, before = waits[0].offer_id or 0, Match.objects.count()
        together([partial(services.go, it.user, it.pk, offer) for it in waits] * 2)
        assert Match.objects.count() == before + 1


@pytest.mark.usefixtures("_either")
def test_pressing_the_button_in_many_tabs_is_one_wait() -> None:
    ann = person()
    together([partial(services.wait, ann, Search(GAME, (2,), rated=False))] * 8)
    assert Wait.objects.filter(user=ann).count() == 1


@pytest.mark.usefixtures("_either")
def test_a_block_during_the_pairing_comes_after_the_match_or_prevents_it() -> None:
    for _round in range(10):
        ann, bob = waiting(person(), speed="days"), waiting(person(), speed="days")
        together([partial(services.unite, [ann.pk, bob.pk]), partial(block, ann.user, bob.user)])
        begun = Match.objects.filter(seats__user=ann.user).count()
        ann.refresh_from_db()
        bob.refresh_from_db()
        assert [ann.state, bob.state] == (["paired"] * 2 if begun else ["waiting"] * 2)
        assert not services.unite([ann.pk, bob.pk])
        assert Match.objects.filter(seats__user=ann.user).count() == begun
