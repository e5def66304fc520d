"""The site's own events follow each other in time: a live evening every week, and a league a week before it ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

from games.events import formats, lines, rounds, services
from games.events.formats.clock import Clock, fits
from games.events.jobs import Seasons
from games.events.models import Entry, Event
from games.play import commands
from games.play.clocks import read_control
from games.play.models import Match, Speed
from games.titles import titles
from tests.people import person
from tests.site.events.conftest import FRIDAY, START
from tests.site.events.test_pages import buttons, shown
from tests.site.events.test_tournaments import played, running

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

THURSDAY = datetime(2026, 12, 3, 18, tzinfo=UTC)
WEEK = timedelta(weeks=1)


def evening(number: int = 1) -> Event:
    return Event.objects.get(format="swiss", season=number)


def league(number: int = 1) -> Event:
    return Event.objects.get(game="shifting-stones", format="league", season=number)


def test_there_is_a_live_evening_every_week_with_the_games_in_turn_and_the_next_opens_as_one_begins(clock: Any) -> None:
    for number, game in enumerate([*titles(), *titles()], start=1):
        clock.move_to(FRIDAY + (number - 1) * WEEK)
        assert Seasons().look(FRIDAY + (number - 1) * WEEK) >= 1
        found = evening(number)
        assert (found.game, found.starts_at, found.speed, found.rounds) == (
            *(game, THURSDAY + (number - 1) * WEEK),
            *(Speed.LIVE, 3),
        )
        Seasons().look(found.starts_at - timedelta(minutes=1))
        assert not Event.objects.filter(format="swiss", season=number + 1).exists()
    assert evening(2).before == evening(1)
    last = evening(6)
    Seasons().look(last.starts_at)
    assert evening(7).starts_at == last.starts_at + WEEK


def test_an_evening_is_at_its_hour_in_summer_too_and_not_before_a_day_has_passed(clock: Any) -> None:
    morning = datetime(2026, 7, 1, 18, tzinfo=UTC)  # a Wednesday
    Seasons().look(morning)
    assert evening().starts_at == datetime(2026, 7, 9, 17, tzinfo=UTC)


def test_the_clocks_of_the_site_let_every_round_and_season_end() -> None:
    rows: Any = settings.EVENTS
    for row in rows:
        clock = Clock(read_control(row["clock"]).start, read_control(row["clock"]).increment)
        for title in titles().values():
            turns, live = title.insight.turns_of_a_seat(row["seats"]), "minutes" in row
            # A league has five matches for each, two at a time.
            length = timedelta(minutes=row["minutes"]) if live else timedelta(weeks=row["weeks"] or 52) / 2.5
            assert fits(row["seats"], turns, clock, length, nights=not live), (row["format"], title.slug)


def test_an_evening_from_its_line_to_its_end(works: Any, clock: Any) -> None:
    Seasons().look(FRIDAY)
    event = evening()
    people = [person() for _ in range(3)]
    page = shown(people[0], reverse("events"))
    assert page.count("Live evening") == 1
    assert f'id="event-{event.slug}"' in page
    assert "Every week another game. Whoever is left over plays a bot." in page
    clock.move_to(THURSDAY - timedelta(hours=2))
    for user in people:
        services.enter(user, event.slug)
    page = shown(people[0], event.get_absolute_url())
    for words in ("Evening 1", "Ends at the latest", "at most 40 min", "Be there when a round begins"):
        assert (words in page) == (words != "Be there when a round begins")
    assert "Be there when a round begins" in shown(person(), event.get_absolute_url())
    works(THURSDAY)
    assert Match.objects.filter(has_bots=True, rated=False, fills__event=event).count() == 1
    for minutes in (20, 40, 60):
        for match in running(event):
            played(match)
        works(THURSDAY + timedelta(minutes=minutes))
    event.refresh_from_db()
    assert event.state == Event.State.OVER
    assert [len(each["in"]) for each in event.drawn] == [3, 3, 3]


def test_whoever_comes_alone_to_an_evening_plays_a_bot(works: Any, clock: Any) -> None:
    Seasons().look(FRIDAY)
    clock.move_to(THURSDAY - timedelta(hours=2))
    ada = person("ada")
    services.enter(ada, evening().slug)
    works(THURSDAY)
    event = evening()
    assert event.state == Event.State.CANCELLED
    match = Match.objects.get(fills__event=event)
    assert (match.has_bots, match.rated, match.is_running) == (True, False, True)
    assert f'href="{match.get_absolute_url()}"' in shown(ada, event.get_absolute_url())


def test_the_line_invites_to_the_evening_where_there_is_nothing_of_ones_own(works: Any, clock: Any) -> None:
    Seasons().look(FRIDAY)
    zoe = person("zoe")
    assert lines.one_line(zoe).starts_at == START
    works(START)
    page = shown(zoe, "/")
    assert f"Live evening, {'Swiss tournament of'}" in page
    assert f'href="{evening().get_absolute_url()}"' in page
    services.enter(zoe, evening().slug)
    assert "Live evening," not in shown(zoe, "/")


def test_the_next_season_of_a_league_opens_a_week_before_the_last_ends_and_places_by_the_standings_at_its_start(
    works: Any, clock: Any
) -> None:
    Seasons().look(FRIDAY)
    first = league()
    assert first.ends_at is not None
    clock.move_to(START - timedelta(hours=3))
    people = [person(f"player{number}") for number in range(12)]
    for user in people:
        services.enter(user, first.slug)
    works(START)
    entries = list(first.entries.all())
    lower = {entry.number: entry for entry in entries if entry.division == 2}
    heat = next(it for it in first.heats.filter(begun_at__isnull=False) if set(it.people) <= lower.keys())
    assert heat.match is not None
    heat.match.seats.update(acted=True)
    commands.resign(heat.match.pk, 1, "resigns-at-once")
    winner = lower[heat.people[0]]
    Seasons().look(first.ends_at - WEEK - timedelta(minutes=1))
    assert not Event.objects.filter(before=first).exists()
    clock.move_to(first.ends_at - WEEK)
    Seasons().look(first.ends_at - WEEK)
    Seasons().look(first.ends_at - WEEK)
    after = league(2)
    assert (after.before, after.starts_at) == (first, first.ends_at)
    assert {entry.user_id for entry in after.entries.all()} == {user.pk for user in people}
    assert "enter" in buttons(shown(person("new"), after.get_absolute_url()))
    page = shown(people[0], reverse("events"))
    assert f'id="event-{first.slug}"' in page
    assert f'id="event-{after.slug}"' in page
    clock.move_to(first.ends_at - timedelta(hours=3))
    for user in people:
        services.confirm(user, after.slug)
    works(first.ends_at)
    after.refresh_from_db()
    assert after.is_running
    earned = formats.next_divisions(
        formats.standings(rounds.plan_of(first, entries), rounds.players_of(entries), rounds.heats_of(first))
    )
    assert earned[winner.number] == 1
    assert Entry.objects.get(event=after, user=winner.user_id).division == 1
