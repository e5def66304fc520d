"""Nobody sits in two seats and no table has too many players, whatever arrives together; on SQLite and PostgreSQL."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from datetime import timedelta
from functools import partial

import pytest
from django.db import IntegrityError, connection
from django.utils import timezone

from accounts.joining import guests
from accounts.models import User
from games.matchmaking import planned as matchmaking_planned, tables
from games.matchmaking.invitations import decline_invitation
from games.matchmaking.limits import GRACE, OPEN_TABLES, RATED
from games.matchmaking.tables import TableSetup, rematch
from games.play.models import Match, Seat
from tests.meeting import endings
from tests.people import person, running_match

pytestmark = pytest.mark.django_db(transaction=True)


ROUNDS = 10 if connection.vendor == "postgresql" else 5
"""How often a few people meet: on SQLite, where writers queue, a missing lock shows in fewer."""


@pytest.fixture(autouse=True, params=[pytest.param("sqlite"), pytest.param("postgresql", marks=pytest.mark.services)])
def _database(request: pytest.FixtureRequest) -> None:
    if connection.vendor != request.param:
        pytest.skip(f"the database is {connection.vendor}")


def people(count: int) -> list[User]:
    """Create many users quickly, without email addresses or passwords."""
    names = [f"guest{number}" for number in range(count)]
    return User.objects.bulk_create([User(username=name, name_key=name, skeleton=name, password="!") for name in names])


def test_two_hundred_joins_fill_the_seats_and_not_one_more() -> None:
    match = tables.open_table(person(), TableSetup("shifting-stones", 5))
    ends = endings(partial(tables.join, match.pk, user) for user in people(200))
    assert ends == {"done": 4, "table-begun": 196}
    match.refresh_from_db()
    assert match.is_running
    assert list(match.seats.values_list("number", flat=True)) == [0, 1, 2, 3, 4]
    assert match.seats.values("user").distinct().count() == 5


def test_one_person_joining_from_many_tabs_sits_once() -> None:
    match = tables.open_table(person(), TableSetup("shifting-stones", 5))
    eager = person()
    assert endings([partial(tables.join, match.pk, eager)] * 50) == {"done": 50}
    assert match.seats.count() == 2


def test_joining_leaving_and_closing_together_leave_no_gap() -> None:
    for _ in range(ROUNDS):
        host = person()
        match = tables.open_table(host, TableSetup("shifting-stones", 5))
        guests = [person() for _ in range(6)]
        tables.join(match.pk, guests[0])
        jobs = [partial(tables.join, match.pk, guest) for guest in guests[1:]]
        endings([*jobs, partial(tables.leave, match.pk, guests[0]), partial(tables.leave, match.pk, host)])
        match.refresh_from_db()
        numbers = list(match.seats.values_list("number", flat=True))
        assert numbers == list(range(len(numbers)))
        assert len(numbers) <= match.seat_count
        assert match.is_running == (len(numbers) == match.seat_count)


def test_a_host_who_leaves_while_somebody_joins_leaves_them_the_table_or_closes_it() -> None:
    for _ in range(ROUNDS):
        host, guest = person(), person()
        match = tables.open_table(host, TableSetup("shifting-stones", 3))
        ends = endings([partial(tables.leave, match.pk, host), partial(tables.join, match.pk, guest)])
        match.refresh_from_db()
        if ends == {"done": 2}:
            assert (match.is_open, match.host, match.seats.get().user) == (True, guest, guest)
        else:
            assert (ends, match.status) == ({"done": 1, "table-closed": 1}, Match.Status.CLOSED)
            assert not match.seats.exists()


def test_starting_and_joining_together_have_one_order() -> None:
    for _ in range(ROUNDS):
        host, guest = person(), person()
        match = tables.open_table(host, TableSetup("shifting-stones", 3))
        tables.join(match.pk, person())
        ends = endings([partial(tables.start, match.pk, host), partial(tables.join, match.pk, guest)])
        match.refresh_from_db()
        assert match.is_running
        assert ends == {"done": 1, "table-begun": 1}  # the second one finds that it has begun
        assert match.seat_count == match.seats.count() == (3 if match.seats.filter(user=guest) else 2)


def test_two_accept_the_last_seat_at_once_and_one_of_them_sits() -> None:
    for _ in range(ROUNDS):
        host, ann, bob = person(), person(), person()
        wish = TableSetup("shifting-stones", 2, rated=False, visibility="private", invited=(ann, bob))
        match = tables.open_table(host, wish)
        ends = endings(partial(tables.join, match.pk, user) for user in (ann, bob))
        assert ends == {"done": 1, "table-begun": 1}
        assert match.seats.count() == 2


def test_an_invitation_declined_while_the_host_starts_has_one_answer() -> None:
    for _ in range(ROUNDS):
        host, ann, bob = person(), person(), person()
        match = tables.open_table(host, TableSetup("shifting-stones", 3, rated=False, invited=(ann, bob)))
        tables.join(match.pk, ann)
        ends = endings([partial(tables.start, match.pk, host), partial(decline_invitation, match.pk, bob)])
        declined = match.invitations.get(user=bob).declined_at is not None
        assert ends == ({"done": 2} if declined else {"done": 1, "table-begun": 1})
        match.refresh_from_db()
        assert match.is_running


def test_accepting_and_declining_at_once_leave_somebody_seated_or_declined() -> None:
    for _ in range(ROUNDS):
        host, ann = person(), person()
        match = tables.open_table(host, TableSetup("shifting-stones", 3, rated=False, invited=(ann,)))
        ends = endings([partial(tables.join, match.pk, ann), partial(decline_invitation, match.pk, ann)])
        assert ends in ({"done": 2}, {"done": 1, "seated": 1})
        assert match.seats.filter(user=ann).exists()
        assert match.invitations.get().declined_at is None


def test_all_players_asking_for_a_rematch_at_once_meet_at_one_table() -> None:
    for _ in range(ROUNDS):
        users = [person(), person(), person()]
        former = running_match(users)
        Match.objects.filter(pk=former.pk).update(status="over")
        assert endings(partial(rematch, former.pk, user) for user in users) == {"done": 3}
        following = Match.objects.get(previous=former)
        assert following.is_running
        assert following.seats.count() == 3


def test_all_players_asking_for_the_next_match_of_a_series_at_once_play_one() -> None:
    for _ in range(5):
        ann, bob = person(), person()
        former = tables.open_table(ann, TableSetup("shifting-stones", 2, rated=False, first_to=3))
        tables.join(former.pk, bob)
        Match.objects.filter(pk=former.pk).update(status="over")
        assert endings(partial(rematch, former.pk, user) for user in (ann, bob) * 4) == {"done": 8}
        following = Match.objects.get(previous=former)
        assert list(former.in_series.series.matches.values_list("match", flat=True)) == [former.pk, following.pk]


def test_the_tenth_table_is_the_last_even_at_once() -> None:
    host = person()
    ends = endings([partial(tables.open_table, host, TableSetup("shifting-stones", 2))] * (OPEN_TABLES + 5))
    assert ends == {"done": OPEN_TABLES, "too-many-open": 5}


def test_the_last_rated_match_of_a_day_is_the_last_even_at_once() -> None:
    ann, bob = person(), person()
    for _ in range(RATED.most - 1):
        running_match([ann, bob], rated=True)
    opened = [tables.open_table(ann, TableSetup("shifting-stones", 2)) for _ in range(4)]
    ends = endings(partial(tables.join, match.pk, bob) for match in opened)
    assert ends == {"done": 1, "rated-enough": 3}


def planned(seats: int) -> Match:
    """Return a table planned for tomorrow."""
    return matchmaking_planned.plan_table(
        person(), TableSetup("shifting-stones", seats), timezone.now() + timedelta(days=1)
    )


def test_the_last_seat_at_a_planned_table_is_kept_for_one() -> None:
    match = planned(seats=3)
    matchmaking_planned.come(match.pk, person())
    ends = endings(partial(matchmaking_planned.come, match.pk, user) for user in people(20))
    assert ends == {"done": 1, "table-full": 19}
    assert match.promises.count() == 3


def test_a_host_who_goes_while_somebody_comes_leaves_them_the_table_or_closes_it() -> None:
    for _ in range(ROUNDS):
        match, guest = planned(seats=2), person()
        ends = endings(
            [
                partial(matchmaking_planned.take_back, match.pk, match.host),
                partial(matchmaking_planned.come, match.pk, guest),
            ]
        )
        match.refresh_from_db()
        if ends == {"done": 2}:
            assert (match.is_planned, match.host, match.promises.get().user) == (True, guest, guest)
        else:
            assert (ends, match.status) == ({"done": 1, "table-closed": 1}, Match.Status.CLOSED)
            assert not match.promises.exists()


def test_however_many_workers_a_planned_table_opens_once_and_nobody_is_absent_twice() -> None:
    for _ in range(5):
        match = planned(seats=2)
        matchmaking_planned.come(match.pk, person())
        Match.objects.filter(pk=match.pk).update(opens_at=timezone.now())
        opened = [partial(matchmaking_planned.open_planned, match.pk)] * 8
        assert sum(collected(opened)) == 1
        match.refresh_from_db()
        assert (match.is_open, match.version) == (True, 2)
        Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - GRACE)
        assert sum(collected([partial(matchmaking_planned.release_seats, match.pk)] * 8)) == 1
        assert match.absences.count() == 2


def test_who_sits_down_in_the_last_moment_sits_there_or_is_absent() -> None:
    for _ in range(ROUNDS):
        match = planned(seats=2)
        late, host = person(), match.host
        matchmaking_planned.come(match.pk, late)
        Match.objects.filter(pk=match.pk).update(opens_at=timezone.now())
        matchmaking_planned.open_planned(match.pk)
        tables.join(match.pk, host)
        Match.objects.filter(pk=match.pk).update(created_at=timezone.now() - GRACE)
        endings([partial(tables.join, match.pk, late), partial(matchmaking_planned.release_seats, match.pk)])
        match.refresh_from_db()
        assert match.is_running
        assert not match.promises.exists()


def collected(jobs: Iterable[Callable[[], bool]]) -> list[bool]:
    """Run the jobs together; return what each returned."""
    results: list[bool] = []
    endings([lambda job=job: results.append(job()) for job in jobs])  # type: ignore[misc]  # the default binds each job
    return results


def test_the_database_itself_refuses_a_second_seat_or_a_seat_twice() -> None:
    match = tables.open_table(person(), TableSetup("shifting-stones", 5))
    host = match.host
    with pytest.raises(IntegrityError):
        Seat.objects.create(match=match, number=1, user=host)
    with pytest.raises(IntegrityError):
        Seat.objects.create(match=match, number=0, user=person())


def test_without_the_lock_the_crowd_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sabotage: without lock and transaction people collide in one seat, or sit where there is none."""
    if connection.vendor != "sqlite":
        pytest.skip("the sabotage removes what SQLite relies on")

    def unlocked(match_id: int) -> tuple[Match, list[Seat]]:
        match = Match.objects.get(pk=match_id)
        seats = list(Seat.objects.filter(match=match).order_by("number"))
        time.sleep(0.01)  # so that they really meet
        return match, seats

    match = tables.open_table(person(), TableSetup("shifting-stones", 5))
    monkeypatch.setattr(tables, "_lock", unlocked)
    monkeypatch.setattr(tables, "writing", nullcontext)
    try:
        ends = endings(partial(tables.join, match.pk, user) for user in people(60))
    except IntegrityError:
        ends = Counter({"collided": 1})
    assert ends != {"done": 4, "table-begun": 56}


def test_a_guest_who_logs_in_while_somebody_sits_down_beside_them_keeps_the_seat() -> None:
    for _ in range(ROUNDS):
        guest, ann, bob = User.objects.create_user(f"Guest-{person().pk}", guest=True), person(), person()
        match = tables.open_table(guest, TableSetup("shifting-stones", 2, rated=False))
        jobs: list[Callable[[], object]] = [
            partial(tables.join, match.pk, bob),
            partial(guests.take_over, guest, ann),
        ]
        assert endings(jobs) == {"done": 2}
        match.refresh_from_db()
        assert match.is_running
        assert {seat.user for seat in match.seats.all()} == {ann, bob}


def test_a_guest_whom_two_accounts_claim_together_becomes_one_of_them() -> None:
    ann, bob, other = people(3)
    for round_ in range(5):
        guest = User.objects.create_user(f"claimed{round_}", guest=True)
        match = running_match([guest, other])
        same = User.objects.get(pk=guest.pk)  # as another request loads it
        claims = [partial(guests.take_over, guest, ann), partial(guests.take_over, same, bob)]
        assert endings(claims) == {"done": 2}
        assert match.seats.get(number=0).user in {ann, bob}
        assert not User.objects.filter(username=f"claimed{round_}").exists()
