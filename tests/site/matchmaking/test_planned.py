"""Tables planned for a time: who comes, what happens when the time has come, and who is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from time_machine import Traveller

from accounts import relations
from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import planned as matchmaking_planned, tables
from games.matchmaking.invitations import invite_more, remove_player
from games.matchmaking.jobs import KeptSeats, PlannedTables
from games.matchmaking.limits import AHEAD, GRACE, PLANNED_TABLES, PROMISES, RATED
from games.matchmaking.models import Use
from games.matchmaking.tables import TableSetup
from games.notifications.models import Channel, Kind
from games.notifications.services import notices_of
from games.play import jobs
from games.play.models import Match
from games.play.reliability import no_shows, reliability_of
from tests.clocked import MONDAY
from tests.people import client_of, names, person, running_match
from tests.site.notifications.telling import Post

pytestmark = pytest.mark.django_db

SUNDAY = MONDAY + timedelta(days=6, hours=7)
Planned = Callable[..., Match]


@pytest.fixture
def planned(clock: Traveller) -> Planned:
    """Return a function that plans a table for Sunday evening."""

    def plan(host: User, seats: int = 3, at: datetime = SUNDAY, **wish: Any) -> Match:
        return matchmaking_planned.plan_table(host, TableSetup("shifting-stones", seats, **wish), at)

    return plan


def refused(code: str, job: Callable[[], Any]) -> str:
    with pytest.raises(RuleViolation) as refusal:
        job()
    assert refusal.value.code == code
    return refusal.value.text


def work() -> int:
    """Let the worker do what is due with planned tables; return how much there was."""
    return jobs.run_due([PlannedTables(), KeptSeats()])


def coming(match: Match) -> list[str]:
    return names(promise.user for promise in match.promises.select_related("user"))


def opened(clock: Traveller, match: Match) -> Match:
    clock.move_to(SUNDAY, tick=False)
    assert work() == 1
    match.refresh_from_db()
    return match


# --- planning, coming, and taking it back ----------------------------------------------------------------------------


def test_a_seat_is_kept_for_the_host_and_for_everybody_who_comes(planned: Planned) -> None:
    host, ann = person("host"), person("ann")
    match = planned(host)
    matchmaking_planned.come(match.pk, ann)
    matchmaking_planned.come(match.pk, ann)
    assert coming(match) == ["host", "ann"]
    assert not match.seats.exists()


def test_seats_run_out(planned: Planned) -> None:
    match = planned(person(), seats=2)
    matchmaking_planned.come(match.pk, person())
    refused("table-full", lambda: matchmaking_planned.come(match.pk, person()))


def test_who_takes_it_back_frees_the_seat(planned: Planned) -> None:
    match, ann = planned(person("host"), seats=2), person("ann")
    matchmaking_planned.come(match.pk, ann)
    matchmaking_planned.take_back(match.pk, ann)
    refused("not-coming", lambda: matchmaking_planned.take_back(match.pk, ann))
    matchmaking_planned.come(match.pk, person("bob"))
    assert coming(match) == ["host", "bob"]


def test_when_the_host_takes_it_back_the_next_one_is_host_and_the_last_one_closes_it(planned: Planned) -> None:
    host, ann = person(), person()
    match = planned(host)
    matchmaking_planned.come(match.pk, ann)
    matchmaking_planned.take_back(match.pk, host)
    match.refresh_from_db()
    assert match.host == ann
    matchmaking_planned.take_back(match.pk, ann)
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED
    refused("table-closed", lambda: matchmaking_planned.come(match.pk, host))


@pytest.mark.parametrize("ahead", [timedelta(0), AHEAD[0] - timedelta(seconds=1), AHEAD[1] + timedelta(days=1)])
def test_a_time_too_near_or_too_far_away_is_refused(planned: Planned, ahead: timedelta) -> None:
    assert "at least 15 minutes" in refused("moment", lambda: planned(person(), at=MONDAY + ahead))


def test_there_must_be_somebody_to_meet(planned: Planned) -> None:
    refused("plan-alone", lambda: planned(person(), seats=1))
    refused("plan-alone", lambda: planned(person(), bots="novice"))


def test_guests_plan_nothing_and_come_to_nothing(planned: Planned) -> None:
    guest = person(guest=True)
    refused("guest-plans", lambda: planned(guest, rated=False))
    refused("guest-plans", lambda: matchmaking_planned.come(planned(person(), rated=False).pk, guest))


def test_what_the_table_requires_holds_for_who_comes(planned: Planned) -> None:
    friend = person()
    match = planned(person(), rating_from=1600, invited=(friend,))
    refused("rating", lambda: matchmaking_planned.come(match.pk, person()))
    assert matchmaking_planned.come(match.pk, friend).is_planned
    private = planned(person(), visibility="private", invited=(friend,))
    refused("invited-only", lambda: matchmaking_planned.come(private.pk, person()))


def test_nobody_has_more_than_a_few_planned_tables_or_seats(planned: Planned) -> None:
    host, eager = person(), person()
    for _ in range(PLANNED_TABLES):
        planned(host)
    assert f"already have {PLANNED_TABLES} planned tables" in refused("too-many-planned", lambda: planned(host))
    for _ in range(PROMISES):
        matchmaking_planned.come(planned(person()).pk, eager)
    refused("too-many-promises", lambda: matchmaking_planned.come(planned(person()).pk, eager))


def test_nobody_sits_at_it_or_starts_it_before_it_opens(planned: Planned) -> None:
    host = person()
    match = planned(host)
    for job in (
        lambda: tables.join(match.pk, person()),
        lambda: tables.start(match.pk, host),
        lambda: tables.leave(match.pk, host),
    ):
        refused("table-planned", job)


def test_the_host_removes_people_who_then_come_back_only_if_invited(planned: Planned) -> None:
    host, ann = person("host"), person("ann")
    match = planned(host)
    matchmaking_planned.come(match.pk, ann)
    remove_player(match.pk, host, "ann")
    assert coming(match) == ["host"]
    refused("removed", lambda: matchmaking_planned.come(match.pk, ann))
    invite_more(match.pk, host, [ann])
    assert matchmaking_planned.come(match.pk, ann).is_planned
    refused("not-host", lambda: remove_player(match.pk, ann, "host"))


# --- when the time has come ------------------------------------------------------------------------------------------


def test_it_opens_at_its_time_once_and_begins_when_all_are_there(planned: Planned, clock: Traveller) -> None:
    host, ann = person(), person()
    match = planned(host, seats=2)
    matchmaking_planned.come(match.pk, ann)
    clock.move_to(SUNDAY - timedelta(seconds=1), tick=False)
    assert work() == 0
    assert opened(clock, match).is_open
    assert work() == 0
    tables.join(match.pk, ann)
    assert tables.join(match.pk, host).is_running
    clock.shift(GRACE)
    assert work() == 0
    assert not no_shows(host, MONDAY)


def test_a_guest_is_not_the_first_to_sit_at_a_rated_table(planned: Planned, clock: Traveller) -> None:
    match = planned(person(), rated=True)
    matchmaking_planned.come(match.pk, person())
    opened(clock, match)
    refused("guest-rated", lambda: tables.join(match.pk, person(guest=True)))


def test_seats_that_are_kept_are_for_those_who_come(planned: Planned, clock: Traveller) -> None:
    host, ann = person(), person()
    match = planned(host, seats=3)
    matchmaking_planned.come(match.pk, ann)
    opened(clock, match)
    tables.join(match.pk, person())
    assert "kept for players who said they would come" in refused("seats-kept", lambda: tables.join(match.pk, person()))
    tables.join(match.pk, host)
    refused("still-coming", lambda: tables.start(match.pk, host))
    assert tables.join(match.pk, ann).is_running


def test_who_does_not_come_in_time_loses_the_seat_and_it_counts(planned: Planned, clock: Traveller) -> None:
    host, ann = person(), person()
    match = planned(host, seats=3)
    for user in (ann, person()):
        matchmaking_planned.come(match.pk, user)
    opened(clock, match)
    tables.join(match.pk, host)
    clock.shift(GRACE - timedelta(seconds=1))
    assert work() == 0
    clock.shift(1)
    assert work() == 1
    assert (no_shows(ann, MONDAY), reliability_of(ann).missed) == ([SUNDAY + GRACE], 1)
    assert (no_shows(host, MONDAY), reliability_of(host).missed) == ([], 0)
    assert tables.join(match.pk, person()).seats.count() == 2
    assert work() == 0


def test_a_second_table_missed_within_a_week_makes_somebody_wait(planned: Planned, clock: Traveller) -> None:
    ann = person()
    for _ in range(2):
        matchmaking_planned.come(planned(person()).pk, ann)
    clock.move_to(SUNDAY, tick=False)
    assert work() == 2
    clock.shift(GRACE)
    assert work() == 2
    open_now = tables.open_table(person(), TableSetup("shifting-stones", 2))
    assert "you left 2 matches before everyone had moved, or did not come" in refused(
        "must-wait", lambda: tables.join(open_now.pk, ann)
    )


def test_if_the_host_does_not_come_who_came_first_is_host(planned: Planned, clock: Traveller) -> None:
    host, ann = person(), person()
    match = planned(host)
    matchmaking_planned.come(match.pk, ann)
    opened(clock, match)
    tables.join(match.pk, ann)
    clock.shift(GRACE)
    work()
    match.refresh_from_db()
    assert (match.host, match.is_open) == (ann, True)


def test_if_nobody_comes_it_closes(planned: Planned, clock: Traveller) -> None:
    host, ann = person(), person()
    match = planned(host)
    matchmaking_planned.come(match.pk, ann)
    opened(clock, match)
    clock.shift(GRACE)
    work()
    match.refresh_from_db()
    assert match.status == Match.Status.CLOSED
    assert [reliability_of(user).missed for user in (host, ann)] == [1, 1]


def test_a_table_that_nobody_joined_disappears_and_counts_against_nobody(planned: Planned, clock: Traveller) -> None:
    host = person()
    match = planned(host)
    assert opened(clock, match).status == Match.Status.CLOSED
    assert not no_shows(host, MONDAY)


def test_whoever_came_first_and_left_does_not_close_it_for_those_still_to_come(
    planned: Planned, clock: Traveller
) -> None:
    host, ann = person(), person()
    match = planned(host, seats=2)
    matchmaking_planned.come(match.pk, ann)
    opened(clock, match)
    tables.join(match.pk, host)
    tables.leave(match.pk, host)
    assert tables.join(match.pk, ann).is_open
    match.refresh_from_db()
    assert match.host == ann


def test_coming_counts_even_if_two_have_played_enough_rated_matches(planned: Planned, clock: Traveller) -> None:
    host, ann = person(), person()
    match = planned(host, seats=3)
    matchmaking_planned.come(match.pk, ann)
    opened(clock, match)
    for _ in range(RATED.most):
        running_match([host, ann], rated=True)
    tables.join(match.pk, host)
    refused("rated-enough", lambda: tables.join(match.pk, ann))
    clock.shift(GRACE)
    assert work() == 0
    assert not no_shows(ann, MONDAY)


def test_a_seat_that_was_kept_is_not_counted_again(planned: Planned, clock: Traveller) -> None:
    host, ann = person(), person()
    match = planned(host)
    matchmaking_planned.come(match.pk, ann)
    opened(clock, match)
    before = Use.objects.count()
    tables.join(match.pk, ann)
    tables.join(match.pk, host)
    assert Use.objects.count() == before


# --- who is told -----------------------------------------------------------------------------------------------------


def told(post: Post) -> set[tuple[str, str]]:
    """Let the worker tell what is due; return whom, and through which channel."""
    found = post.work()
    assert len(found) == len(set(found))
    return {(channel, name) for channel, kind, name in found if kind == Kind.PLANNED}


EVERYWHERE = (Channel.PUSH, Channel.MAIL, Channel.WEBHOOK)


def test_reminders_come_a_day_and_ten_minutes_before_once(planned: Planned, clock: Traveller, post: Post) -> None:
    match = planned(person("host"))
    matchmaking_planned.come(match.pk, person("ann"))
    assert told(post) == set()
    for before in (timedelta(hours=24), timedelta(minutes=10)):
        clock.move_to(SUNDAY - before - timedelta(seconds=1), tick=False)
        assert told(post) == set()
        clock.shift(1)
        assert told(post) == {(channel, name) for channel in EVERYWHERE for name in ("host", "ann")}
        assert told(post) == set()
    message = post.messages(Channel.PUSH)[-1]
    assert message.title == "Shifting Stones: a seat is kept for you"
    assert "opens on Sun, 15 Mar, 19:00 UTC" in message.text


def test_the_page_shows_a_reminder_when_its_moment_has_come(planned: Planned, clock: Traveller) -> None:
    host = person()
    planned(host)
    assert not notices_of(host).exists()
    clock.move_to(SUNDAY - timedelta(hours=24), tick=False)
    page = client_of(host).get("/notices/").content.decode()
    assert "a seat is kept for you" in page
    assert 'data-kind="planned"' in page


def test_who_comes_late_is_reminded_of_what_is_still_ahead(planned: Planned, clock: Traveller, post: Post) -> None:
    match, ann = planned(person("host")), person("ann")
    clock.move_to(SUNDAY - timedelta(hours=2), tick=False)
    told(post)
    matchmaking_planned.come(match.pk, ann)
    assert told(post) == set()
    clock.move_to(SUNDAY - timedelta(minutes=10), tick=False)
    assert (Channel.PUSH, "ann") in told(post)


def test_who_took_it_back_is_not_reminded_and_who_comes_again_is_once(
    planned: Planned, clock: Traveller, post: Post
) -> None:
    match, ann, bob = planned(person("host"), seats=4), person("ann"), person("bob")
    for user in (ann, bob):
        matchmaking_planned.come(match.pk, user)
        matchmaking_planned.take_back(match.pk, user)
    matchmaking_planned.come(match.pk, bob)
    clock.move_to(SUNDAY - timedelta(hours=24), tick=False)
    assert told(post) == {(channel, name) for channel in EVERYWHERE for name in ("host", "bob")}
    assert not notices_of(ann).exists()


def test_when_the_host_calls_it_off_the_others_are_told_and_nobody_is_reminded(
    planned: Planned, clock: Traveller, post: Post
) -> None:
    host = person("host")
    match = planned(host)
    matchmaking_planned.come(match.pk, person("ann"))
    tables.close_table(match.pk, host)
    assert told(post) == {(channel, "ann") for channel in EVERYWHERE}
    assert "host has called off the table planned for Sun, 15 Mar, 19:00 UTC" in post.messages(Channel.MAIL)[-1].text
    clock.move_to(SUNDAY - timedelta(minutes=10), tick=False)
    assert told(post) == set()
    clock.move_to(SUNDAY, tick=False)
    assert work() == 0


def test_only_the_host_calls_it_off(planned: Planned) -> None:
    match, ann = planned(person()), person()
    matchmaking_planned.come(match.pk, ann)
    refused("not-host", lambda: tables.close_table(match.pk, ann))


def test_the_host_is_told_that_nobody_joined(planned: Planned, clock: Traveller, post: Post) -> None:
    match = planned(person("host"))
    opened(clock, match)
    told(post)
    assert "Nobody else wanted to come" in post.messages(Channel.PUSH)[-1].text


# --- blocks ----------------------------------------------------------------------------------------------------------


def test_blocked_people_do_not_come_to_one_table_and_nobody_counts_as_absent(
    planned: Planned, clock: Traveller, django_capture_on_commit_callbacks: Any
) -> None:
    host, ann, bob = person("host"), person("ann"), person("bob")
    match = planned(host)
    matchmaking_planned.come(match.pk, ann)
    with django_capture_on_commit_callbacks(execute=True):
        relations.block(host, ann)
    assert coming(match) == ["host"]
    refused("invited-only", lambda: matchmaking_planned.come(match.pk, ann))
    matchmaking_planned.come(match.pk, bob)
    opened(clock, match)
    relations.block(bob, host)
    refused("invited-only", lambda: tables.join(match.pk, host))
    clock.shift(GRACE)
    work()
    assert not no_shows(host, MONDAY)


def test_a_visitor_who_is_told_no_days_meets_headings_in_their_order(planned: Planned) -> None:
    planned(person(), at=MONDAY + timedelta(days=1))
    page = Client().get(reverse("planned_tables")).content.decode()
    levels = [int(level) for level in re.findall(r"<h(\d)", page)]
    assert 3 in levels
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
