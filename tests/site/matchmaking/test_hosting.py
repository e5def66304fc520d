"""Getting up, starting, closing, waiting too long, and every refusal of these."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.play import jobs
from games.play.models import Match
from tests.people import person

Opened = Callable[..., Match]
pytestmark = pytest.mark.django_db


def sitting(match: Match) -> list[User | None]:
    return [seat.user for seat in match.seats.order_by("number")]


def refused(code: str, service: Callable[[], object]) -> None:
    """Check that a service refuses with this code and a sentence for the player."""
    with pytest.raises(RuleViolation) as caught:
        service()
    assert caught.value.code == code
    assert caught.value.text.endswith(".")


# --- getting up -----------------------------------------------------------------------------------------------------


def test_getting_up_frees_the_seat_and_moves_those_behind_up(opened: Opened) -> None:
    host, second, third = person(), person(), person()
    match = opened(host, seats=4)
    tables.join(match.pk, second)
    tables.join(match.pk, third)
    tables.leave(match.pk, second)
    assert list(match.seats.values_list("number", "user")) == [(0, host.pk), (1, third.pk)]


def test_when_the_host_leaves_the_one_who_has_sat_longest_is_host(opened: Opened) -> None:
    host, second, third = person(), person(), person()
    match = opened(host, seats=4)
    tables.join(match.pk, second)
    tables.join(match.pk, third)
    tables.leave(match.pk, host)
    match.refresh_from_db()
    assert (match.host, match.status) == (second, "open")


def test_the_last_one_who_leaves_closes_the_table(opened: Opened) -> None:
    host = person()
    match = opened(host)
    tables.leave(match.pk, host)
    match.refresh_from_db()
    assert match.status == "closed"


def test_only_who_sits_can_get_up(opened: Opened) -> None:
    match = opened(person())
    refused("not-seated", lambda: tables.leave(match.pk, person()))


def test_nobody_gets_up_from_a_running_match(opened: Opened) -> None:
    host = person()
    match = opened(host)
    tables.join(match.pk, person())
    refused("table-begun", lambda: tables.leave(match.pk, host))


# --- starting and closing -------------------------------------------------------------------------------------------


def test_the_host_starts_with_fewer_and_the_match_is_one_for_so_many(opened: Opened) -> None:
    host = person()
    match = opened(host, seats=5)
    tables.join(match.pk, person())
    begun = tables.start(match.pk, host)
    assert (begun.status, begun.seat_count, begun.rated) == ("running", 2, True)


def test_starting_alone_makes_it_casual(opened: Opened) -> None:
    host = person()
    begun = tables.start(opened(host, seats=5).pk, host)
    assert (begun.status, begun.seat_count, begun.rated) == ("running", 1, False)


def test_options_that_do_not_exist_for_fewer_are_dropped(opened: Opened, with_options: str) -> None:
    host = person()
    match = opened(host, seats=4, game=with_options, options={"teams": "pairs", "length": "long"})
    tables.join(match.pk, person())
    begun = tables.start(match.pk, host)
    assert begun.options == {"open-hands": False, "length": "long", "colour": "red"}


def test_an_option_that_must_be_chosen_for_so_many_forbids_the_start(opened: Opened, with_options: str) -> None:
    host = person()
    match = opened(host, seats=4, game=with_options)
    tables.join(match.pk, person())
    tables.join(match.pk, person())
    refused("option", lambda: tables.start(match.pk, host))
    match.refresh_from_db()
    assert (match.status, match.seat_count) == ("open", 4)


def test_too_few_for_the_game_cannot_start(opened: Opened, with_options: str) -> None:
    host = person()
    match = opened(host, seats=4, game=with_options)
    refused("too-few", lambda: tables.start(match.pk, host))


def test_only_the_host_starts_and_closes(opened: Opened) -> None:
    mate = person()
    match = opened(person(), seats=3)
    tables.join(match.pk, mate)
    refused("not-host", lambda: tables.start(match.pk, mate))
    refused("not-host", lambda: tables.close_table(match.pk, mate))


def test_a_match_that_has_begun_is_neither_started_nor_closed(opened: Opened) -> None:
    host = person()
    match = opened(host)
    tables.join(match.pk, person())
    refused("table-begun", lambda: tables.start(match.pk, host))
    refused("table-begun", lambda: tables.close_table(match.pk, host))


def test_a_closed_table_is_neither_left_nor_started_nor_closed(opened: Opened) -> None:
    host = person()
    match = opened(host)
    tables.close_table(match.pk, host)
    for service in (tables.leave, tables.start, tables.close_table):
        refused("table-closed", lambda service=service: service(match.pk, host))  # type: ignore[misc]  # a default argument


# --- waiting too long -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "age_of_table", "status"),
    [
        ("live", {"hours": 23}, "open"),
        ("live", {"hours": 25}, "closed"),
        ("days", {"hours": 25}, "open"),
        ("days", {"days": 13}, "open"),
        ("days", {"days": 15}, "closed"),
    ],
)
def test_tables_are_closed_when_they_have_waited_too_long(
    opened: Opened, age: Opened, speed: str, age_of_table: dict[str, int], status: str
) -> None:
    match = age(opened(person(), speed=speed), **age_of_table)
    jobs.run_due()
    match.refresh_from_db()
    assert match.status == status


def test_a_running_match_is_never_stale(opened: Opened, age: Opened) -> None:
    match = opened(person())
    tables.join(match.pk, person())
    age(match, days=30)
    jobs.run_due()
    match.refresh_from_db()
    assert match.is_running


def test_sitting_down_at_a_stale_table_closes_it(opened: Opened, age: Opened) -> None:
    match = age(opened(person()), hours=25)
    refused("table-closed", lambda: tables.join(match.pk, person()))
    match.refresh_from_db()
    assert match.status == "closed"
    assert len(sitting(match)) == 1
