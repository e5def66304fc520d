"""Events: who takes part, how heats are drawn and begun, what their results do, and how seasons follow each other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.relations import block
from games.engine.protocol import RuleViolation
from games.events import formats, rounds, services
from games.events.jobs import Seasons
from games.events.models import Entry, Event, Heat
from games.play.models import Match
from games.play.timekeeping import Timeouts
from tests.people import person, play_out
from tests.site.events.conftest import FRIDAY, START

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def opened(format_: str, game: str = "shifting-stones") -> Event:
    """Return the first event of the site in this format and game."""
    Seasons().look(FRIDAY)
    return Event.objects.get(game=game, format=format_, season=1)


def entered(event: Event, *names: str) -> list[Entry]:
    return [services.enter(person(name), event.slug) for name in names]


def refused(*args: Any, doing: Callable[..., Any] = services.enter, **more: Any) -> str:
    with pytest.raises(RuleViolation) as refusal:
        doing(*args, **more)
    return refusal.value.code


def test_each_game_has_a_league_and_a_ladder_from_the_first_day() -> None:
    assert Seasons().look(FRIDAY) == 7
    assert {(event.game, event.format, event.starts_at) for event in Event.objects.filter(speed="days")} == {
        (game, format_, START)
        for game in ("card-chess", "shifting-stones", "small-islands")
        for format_ in ("league", "ladder")
    }
    assert Seasons().look(FRIDAY) == 0


def test_a_league_of_six_begins_two_matches_for_each_and_ranks_them(works: Any, clock: Any) -> None:
    event = opened("league")
    clock.move_to(START - timedelta(hours=20))
    for name in ("ada", "bob", "cyd", "dan", "eve", "fay"):
        services.enter(person(name), event.slug, at_a_time=2)
    works(START - timedelta(seconds=1))
    assert not event.heats.exists()
    works(START)
    event.refresh_from_db()
    assert event.is_running
    assert event.heats.count() == 15
    running = Match.objects.filter(heat__event=event)
    assert running.count() == 6
    assert {match.rated and match.excludes_vacations for match in running} == {True}
    for match in running:
        play_out(match)
    works(START + timedelta(days=1))
    assert Match.objects.filter(heat__event=event).count() > 6
    while (left := Match.objects.filter(heat__event=event, status=Match.Status.RUNNING)).exists():
        for match in left:
            play_out(match)
        works(START + timedelta(days=2))
    event.refresh_from_db()
    assert event.state == Event.State.OVER
    entries = list(event.entries.all())
    rows = formats.standings(rounds.plan_of(event, entries), rounds.players_of(entries), rounds.heats_of(event))
    assert [row.place for row in rows] == [1, 2, 3, 4, 5, 6]
    assert sum(row.points for row in rows) == 15 * formats.WHOLE

    Seasons().look(START + timedelta(days=3))
    after = Event.objects.get(before=event)
    assert after.season == 2
    assert {entry.user_id for entry in after.entries.all()} == {entry.user_id for entry in entries}


def test_who_has_entered_early_and_does_not_confirm_is_not_paired(works: Any, clock: Any) -> None:
    event = opened("ladder")
    ada, bob, cyd = entered(event, "ada", "bob", "cyd")
    clock.move_to(START - timedelta(hours=3))
    services.confirm(ada.user, event.slug)
    services.confirm(bob.user, event.slug)
    works(START)
    assert [sorted(heat.people) for heat in event.heats.all()] == [[ada.number, bob.number]]
    assert Entry.objects.get(pk=cyd.pk).is_paused
    services.enter(cyd.user, event.slug)
    assert Entry.objects.get(pk=cyd.pk).is_in


def test_a_league_of_fewer_than_four_begins_as_a_ladder_and_bots_fill_it(works: Any, clock: Any) -> None:
    event = opened("league")
    clock.move_to(START - timedelta(hours=3))
    entered(event, "ada")
    works(START)
    event.refresh_from_db()
    assert event.played_as == "ladder"
    works(START + timedelta(days=1))
    match = Match.objects.get()
    assert (match.has_bots, match.rated) == (True, False)


def test_blocked_people_never_meet(works: Any, clock: Any) -> None:
    event = opened("ladder")
    clock.move_to(START - timedelta(hours=3))
    ada, bob = entered(event, "ada", "bob")
    assert ada.user is not None
    assert bob.user is not None
    block(ada.user, bob.user)
    for day in range(3):
        works(START + timedelta(days=day))
    assert not any(len(heat.people) == 2 for heat in event.heats.all())


def test_who_does_not_come_is_paused_and_the_second_time_kept_out(works: Any, clock: Any) -> None:
    event = opened("ladder")
    clock.move_to(START - timedelta(hours=3))
    entered(event, "ada", "bob")
    works(START)
    match = Match.objects.get(heat__event=event)
    nobody = match.seats.get(to_move=True)
    heat = Heat.objects.get(match=match)
    absent = event.entries.get(number=heat.people[nobody.number])
    clock.move_to(START + timedelta(days=20))
    assert Timeouts().run_due(START + timedelta(days=20)) == 1
    heat.refresh_from_db()
    absent.refresh_from_db()
    assert heat.places is not None
    assert heat.places[nobody.number] == 2
    assert absent.is_paused
    assert absent.no_shows == 1
    assert not match.rating_changes.exists()


def test_refusals(clock: Any) -> None:
    event = opened("ladder")
    ada = person("ada")
    assert refused(ada, event.slug, at_a_time=5) == "event-at-a-time"
    assert refused(ada, event.slug, doing=services.pause) == "not-entered"
    assert refused(ada, event.slug, doing=services.leave) == "not-entered"
    assert refused(ada, event.slug, doing=services.confirm) == "not-entered"
    Event.objects.filter(pk=event.pk).update(state=Event.State.OVER)
    assert refused(ada, event.slug) == "entries-closed"
