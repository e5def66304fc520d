"""No event stands still: heats nobody can play, people who leave or do not come, bots, and what moderators rule."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Sanction, User
from accounts.relations import block
from accounts.sanctions import impose
from games.bots.accounts import become_bot
from games.events import formats, rounds, services
from games.events.jobs import Rounds, Seasons
from games.events.models import Entry, Event, Heat, committed_event
from games.play import commands
from games.play.models import Match, Setback
from games.play.timekeeping import Timeouts
from games.privacy import deletions
from tests.people import person, play_out
from tests.site.events.conftest import FRIDAY, START

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

CLOCK = "86400+14400/259200"


def opened(format_: str, *names: str, **fields: Any) -> tuple[Event, list[Entry]]:
    """Return an event that starts soon, and its entries: of people with these names."""
    fields = {"game": "shifting-stones", "clock": CLOCK, "want": 2, "least": 2, "rounds": 3, **fields}
    start = timezone.now() + timedelta(hours=1)
    event = committed_event(format=format_, **{"starts_at": start, "next_at": start, **fields})
    event.save()
    return event, [services.enter(person(name), event.slug) for name in names]


def resigned(match: Match, seat: int = 0) -> None:
    play = commands.resign(match.pk, seat, f"resigns-{match.pk}")
    assert not play.viewed.match.is_running


def user_of(entry: Entry) -> User:
    assert entry.user is not None
    return entry.user


def fresh(entry: Entry) -> Entry:
    return Entry.objects.get(pk=entry.pk)


def test_a_round_goes_on_when_people_block_each_other_between_its_draw_and_their_heat(works: Any) -> None:
    event, people = opened("swiss", "ada", "bob", "cyd", "dan")
    now = event.starts_at
    for other in people[1:3]:
        block(user_of(people[0]), user_of(other))
        block(user_of(people[3]), user_of(other))
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    Heat.objects.create(event=event, round=1, number=1, people=[0, 1], drawn_at=now)
    Heat.objects.create(event=event, round=1, number=2, people=[2, 3], drawn_at=now)
    works(now)
    assert all(heat.places is None and heat.match is None for heat in event.heats.filter(round=1))
    assert {frozenset(heat.people) for heat in event.heats.filter(round=2)} == {frozenset({0, 3}), frozenset({1, 2})}
    assert Match.objects.filter(heat__round=2).count() == 2


def test_a_suspended_person_is_paused_and_holds_up_nobody(works: Any) -> None:
    event, people = opened("swiss", "ada", "bob", "cyd")
    impose(user_of(people[0]), Sanction.Kind.SUSPENSION, "Insults", timezone.now() + timedelta(days=9))
    works(event.starts_at)
    assert fresh(people[0]).is_paused
    assert [sorted(heat.people) for heat in event.heats.all()] == [[1, 2]]


def test_a_suspended_person_gets_no_match_against_a_bot(works: Any, clock: Any) -> None:
    Seasons().look(FRIDAY)
    event = Event.objects.get(game="shifting-stones", format="ladder")
    clock.move_to(START - timedelta(hours=3))
    ada = services.enter(person("ada"), event.slug)
    impose(user_of(ada), Sanction.Kind.SUSPENSION, "Insults", START + timedelta(days=9))
    works(START)
    assert not Match.objects.exists()


def test_an_event_in_rounds_with_too_few_people_is_cancelled(works: Any) -> None:
    event, _ = opened("swiss", "ada")
    works(event.starts_at)
    event.refresh_from_db()
    assert (event.state, event.next_at) == (Event.State.CANCELLED, None)


def test_a_cancelled_event_is_never_due() -> None:
    event, _ = opened("swiss", "ada", "bob")
    Event.objects.filter(pk=event.pk).update(state=Event.State.CANCELLED)
    later = event.starts_at + timedelta(days=9)
    assert list(rounds.due(later)) == []
    with pytest.raises(Event.DoesNotExist):
        services.enter(person(), event.slug)


def test_a_swiss_whose_people_have_left_is_over(works: Any) -> None:
    event, people = opened("swiss", "ada", "bob")
    works(event.starts_at)
    services.leave(people[1].user, event.slug)
    resigned(Match.objects.get())
    works(event.starts_at + timedelta(hours=1))
    event.refresh_from_db()
    assert event.state == Event.State.OVER


def test_a_league_goes_on_to_its_end_by_forfeits_alone(works: Any) -> None:
    event, people = opened("league", "ada", "bob", "cyd", "dan", rounds=None)
    works(event.starts_at)
    for match in Match.objects.filter(heat__event=event):
        resigned(match)
    for entry in people[1:]:
        services.leave(entry.user, event.slug)
    works(event.starts_at + timedelta(days=4))
    for match in Match.objects.filter(status=Match.Status.RUNNING):
        resigned(match)
    works(event.starts_at + timedelta(days=5))
    event.refresh_from_db()
    assert event.state == Event.State.OVER
    assert not event.heats.filter(over_at=None).exists()


def test_who_takes_a_place_in_a_league_is_in_its_division(works: Any) -> None:
    event, people = opened("league", *[""] * 12, rounds=None)
    works(event.starts_at)
    gone = max(map(fresh, people), key=lambda entry: (entry.division or 0, entry.number))
    assert gone.division == 2
    services.leave(gone.user, event.slug)
    new = services.enter(person("new"), event.slug)
    works(event.starts_at + timedelta(hours=1))
    assert fresh(new).division == 2


def test_somebody_paused_from_the_start_is_in_no_division_until_they_take_a_place(works: Any) -> None:
    event, people = opened("league", *[""] * 13, rounds=None)
    Entry.objects.filter(pk=people[0].pk).update(division=1, state=Entry.State.PAUSED)
    works(event.starts_at)
    assert fresh(people[0]).division is None
    gone = max(map(fresh, people), key=lambda entry: (entry.division or 0, entry.number))
    services.leave(gone.user, event.slug)
    services.enter(people[0].user, event.slug)
    works(event.starts_at + timedelta(hours=1))
    assert fresh(people[0]).division == 2
    entries = list(event.entries.all())
    rows = formats.standings(rounds.plan_of(event, entries), rounds.players_of(entries), rounds.heats_of(event))
    assert next(row.division for row in rows if row.person == people[0].number) == 2


# --- who does not come ------------------------------------------------------------------------------------------------


def absent(works: Any, event: Event, at: Any) -> None:
    """Let the time of everybody who is to move run out."""
    works(at)
    Timeouts().run_due(at)
    works(at)


def test_several_heats_missed_at_once_are_one_absence(works: Any, clock: Any) -> None:
    event, people = opened("league", *[""] * 6, rounds=None)
    Entry.objects.update(at_a_time=2)
    works(event.starts_at)
    absent(works, event, event.starts_at + timedelta(days=20))
    entries = [fresh(entry) for entry in people]
    assert max(entry.no_shows for entry in entries) == 1
    assert not any(entry.is_out for entry in entries)


def test_the_second_absence_ends_it_and_each_further_one_closes_events_for_twice_as_long(clock: Any) -> None:
    event, (ada, _bob) = opened("ladder", "ada", "bob")
    closed = []
    for _ in range(4):
        now = timezone.now()
        heat = Heat.objects.create(
            event=event, round=1 + Heat.objects.count(), number=1, people=[0, 1], drawn_at=now, begun_at=now
        )
        clock.shift(timedelta(days=3))
        rounds._record_no_show(heat, ada.number)
        now = timezone.now()
        until = services.barred_until(ada.user, now)
        closed.append(until and (until - now) // timedelta(hours=1))
        if until is not None:
            clock.move_to(until + timedelta(seconds=1))
        services.enter(ada.user, event.slug)
        clock.shift(timedelta(seconds=1))
    assert closed == [None, 24, 48, 96]


def test_whoever_does_not_even_come_to_a_bot_is_paused(works: Any, clock: Any) -> None:
    Seasons().look(FRIDAY)
    event = Event.objects.get(game="shifting-stones", format="ladder")
    clock.move_to(START - timedelta(hours=3))
    ada = services.enter(person("ada"), event.slug)
    works(START)
    filler = fresh(ada).filler
    assert filler is not None
    later = START + timedelta(days=20)
    for seat in filler.seats.filter(bot=None):
        seat.to_move, seat.deadline = True, START + timedelta(days=6)
        seat.save()
    clock.move_to(later)
    Timeouts().run_due(later)
    assert fresh(ada).is_paused
    works(later)
    assert Match.objects.count() == 1


def test_coming_back_overwrites_nothing_that_was_written_meanwhile(works: Any) -> None:
    event, (ada, _) = opened("ladder", "ada", "bob")
    assert ada.no_shows == 0
    Entry.objects.filter(pk=ada.pk).update(no_shows=1)
    services.pause(ada.user, event.slug)
    services.enter(ada.user, event.slug)
    assert fresh(ada).no_shows == 1


# --- bots, rulings, accounts ------------------------------------------------------------------------------------------


def test_a_bot_sits_in_for_somebody_who_left_a_heat_of_three_and_is_placed_last(works: Any) -> None:
    event, people = opened("robin", *[""] * 6, want=3, least=3, rounds=None)
    works(event.starts_at)
    gone, now = people[2], event.starts_at + timedelta(hours=1)
    services.leave(gone.user, event.slug)
    for match in Match.objects.filter(heat__event=event):
        play_out(match)
    works(now)
    match = Match.objects.filter(heat__event=event, has_bots=True).get()
    heat = Heat.objects.get(match=match)
    assert not match.rated
    seats = list(match.seats.order_by("number"))
    assert [seat.is_bot for seat in seats] == [number == gone.number for number in heat.people]
    for seat in seats:
        if not seat.is_bot:
            commands.resign(match.pk, seat.number, f"leaves-{seat.number}")
    heat.refresh_from_db()
    assert sorted(heat.places or ()) == [1, 2, 3]
    assert (heat.places or ())[heat.people.index(gone.number)] == 3


def test_a_ruling_after_the_end_changes_the_standings_and_nothing_else(works: Any) -> None:
    event, _ = opened("swiss", "ada", "bob", rounds=1)
    works(event.starts_at)
    match = Match.objects.get()
    resigned(match, 0)
    works(event.starts_at + timedelta(hours=1))
    event.refresh_from_db()
    assert event.state == Event.State.OVER
    heat = Heat.objects.get(match=match)
    assert heat.places == [2, 1]
    match.refresh_from_db()
    seats = list(match.seats.order_by("number"))
    seats[0].place, seats[1].place = 1, 2
    rounds.keep_result(match, seats)
    heat.refresh_from_db()
    assert heat.places == [1, 2]
    assert not rounds.due(timezone.now() + timedelta(days=1)).filter(pk=event.pk).exists()
    assert Match.objects.count() == 1


def test_an_account_that_becomes_a_bot_leaves_its_events() -> None:
    event, (ada,) = opened("ladder", "ada")
    become_bot(ada.user)
    assert fresh(ada).is_out
    assert event.is_open


def test_an_account_that_leaves_all_events_leaves_those_that_go_on_alone(works: Any) -> None:
    ended, (ada, *_) = opened("swiss", "ada", "bob")
    Event.objects.filter(pk=ended.pk).update(state=Event.State.OVER)
    event, (mine,) = opened("ladder", "abe")
    going_on = services.enter(ada.user, event.slug)
    services.leave_all(ada.user)
    assert fresh(going_on).is_out
    assert fresh(ada).is_in
    assert fresh(mine).is_in
    user_of(ada).delete()
    assert fresh(going_on).name == "—"


# --- seasons and the job ----------------------------------------------------------------------------------------------


def test_the_next_season_takes_no_one_to_whom_events_are_closed() -> None:
    Seasons().look(FRIDAY)
    event = Event.objects.get(game="shifting-stones", format="league")
    ada, bob = (services.enter(person(name), event.slug) for name in ("ada", "bob"))
    elsewhere = Event.objects.get(game="shifting-stones", format="ladder")
    barred = services.enter(ada.user, elsewhere.slug)
    Entry.objects.filter(pk=barred.pk).update(no_shows=2, barred_at=timezone.now(), state=Entry.State.OUT)
    Event.objects.filter(pk=event.pk).update(state=Event.State.OVER)
    Seasons().look(FRIDAY)
    after = Event.objects.get(before=event)
    assert [entry.user_id for entry in after.entries.all()] == [bob.user_id]


def test_an_event_that_fails_does_not_keep_the_worker_awake() -> None:
    event, _ = opened("swiss", "ada", "bob")
    assert Rounds().next_due() == event.starts_at
    Setback.objects.create(job="events", key=event.pk, failures=8)
    assert Rounds().next_due() is None


def test_going_on_asks_no_more_questions_the_more_heats_there_were(works: Any, clock: Any) -> None:
    event, _ = opened("ladder", "ada", "bob", "cyd", "dan")
    works(event.starts_at)

    def questions() -> int:
        Event.objects.filter(pk=event.pk).update(next_at=timezone.now())
        with CaptureQueriesContext(
            connection,
        ) as asked:
            rounds.go_on(event.pk)
        return len(asked)

    before = questions()
    now = timezone.now()
    Heat.objects.bulk_create(
        Heat(event=event, round=2, number=n, people=[n % 3, 3], places=[1, 2], drawn_at=now, over_at=now, counted=True)
        for n in range(1, 40)
    )
    questions()  # they stand elsewhere now
    assert questions() == before


def test_an_account_that_ends_is_out_of_its_event_and_leaves_the_standings_as_they_were(works: Any, clock: Any) -> None:
    event, people = opened("swiss", "ada", "bob", "cyd", "dan", rounds=2)
    works(event.starts_at)
    gone = people[0]
    for match in Match.objects.filter(heat__event=event):
        play_out(match)
    places = {heat.number: heat.places for heat in event.heats.filter(round=1)}
    deletion = deletions.ask(user_of(gone))
    deletions.confirm(deletion)
    clock.shift(deletions.GRACE + timedelta(seconds=1))
    assert deletions.end(deletion.pk)
    works(timezone.now())
    entry = fresh(gone)
    assert (entry.is_out, entry.user, entry.name) == (True, None, "—")
    assert {heat.number: heat.places for heat in event.heats.filter(round=1)} == places
    assert not any(gone.number in heat.people for heat in event.heats.filter(round=2))
    entries = list(event.entries.all())
    rows = formats.standings(rounds.plan_of(event, entries), rounds.players_of(entries), rounds.heats_of(event))
    assert {row.person for row in rows} == {0, 1, 2, 3}
