"""Tournaments from their opening to their end: Swiss, robin, knockout and arena, live and over days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.engine.protocol import RuleViolation
from games.events import formats, rounds, services
from games.events.formats import proof
from games.events.models import Entry, Event
from games.notifications.models import Kind, Notice
from games.play import commands
from games.play.models import Match, Seat, Speed
from games.play.timekeeping import Timeouts
from games.titles import verification
from tests.people import client_of, person, play_out
from tests.site.events.test_going_on import fresh, opened, user_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

LIVE = {"speed": Speed.LIVE, "clock": "600+10/1200", "round_length": timedelta(minutes=40)}
MINUTE = timedelta(minutes=1)
ROUND: dict[str, dict[str, Any]] = {
    "swiss": {"rounds": 3},
    "robin": {"rounds": None},
    "knockout": {"rounds": None, "lives": 2},
    "arena": {"rounds": None},
}


def live(format_: str, people: int, **fields: Any) -> tuple[Event, list[Entry]]:
    """Return a live event of an hour that starts soon, and the entries of so many people."""
    fields = {**LIVE, **ROUND[format_], **fields}
    if format_ == "arena":
        fields |= {"ends_at": timezone.now() + timedelta(hours=2), "round_length": None}
    return opened(format_, *[""] * people, **fields)


def running(event: Event) -> list[Match]:
    return list(Match.objects.filter(heat__event=event, status=Match.Status.RUNNING).order_by("pk"))


def played(match: Match) -> None:
    """End a match to which everybody came: of two, whoever sits first gives up."""
    if match.seat_count > 2:
        play_out(match)
        return
    Seat.objects.filter(match=match).update(acted=True)
    commands.resign(match.pk, 0, f"resigns-{match.pk}")


def played_on(event: Event, works: Callable[[datetime], None], every: timedelta = 10 * MINUTE) -> Event:
    """Play an event to its end, all matches of it that run at once; it ends by itself."""
    moment = event.starts_at
    for _ in range(60):
        works(moment)
        event.refresh_from_db()
        if event.has_ended:
            return event
        for match in running(event):
            played(match)
        moment += every
    raise AssertionError(f"{event} never ends")


def rows_of(event: Event) -> list[formats.Row]:
    entries = list(event.entries.all())
    return formats.standings(rounds.plan_of(event, entries), rounds.players_of(entries), rounds.heats_of(event))


def shown(reader: Entry, event: Event) -> str:
    response = client_of(user_of(reader)).get(event.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("format_", list(ROUND))
def test_a_live_tournament_goes_from_its_opening_to_its_end_and_is_drawn_again_from_its_file(
    format_: str, works: Any
) -> None:
    event, people = live(format_, 9)
    played_on(event, works)
    assert event.state == Event.State.OVER
    matches = Match.objects.filter(heat__event=event)
    assert {(match.speed, match.clock, match.rated) for match in matches} == {(Speed.LIVE, "600+10/1200", True)}
    assert all(len(heat.people) == 1 or heat.places for heat in event.heats.all())
    rows = rows_of(event)
    assert [row.place for row in rows] == list(range(1, 10))
    assert Notice.objects.filter(kind=Kind.SEASON, details__event=event.slug).count() == 9
    assert Notice.objects.filter(kind=Kind.STARTED).count() == 2 * matches.count()
    path = f"{event.get_absolute_url()}proof.json"
    text = client_of(user_of(people[0])).get(path).content.decode()
    checked = proof.check(proof.read(text))
    assert checked[1].startswith(f"{len(event.drawn)} draws, with 9 nonces")
    page = shown(people[0], event)
    assert 'id="podium"' in page
    assert {
        "swiss": event.heats.filter(round=3).count() == 5 and event.drawn[-1]["round"] == 3,
        "robin": Counter(row.heats for row in rows) == {8: 9},
        "knockout": [row.lives for row in rows].count(0) == 8,
        "arena": min(row.heats for row in rows) > 3,
    }[format_]


def test_a_tournament_over_days_with_heats_of_three(works: Any) -> None:
    event, people = opened(
        "swiss", *[""] * 7, want=4, least=3, rounds=2, round_length=timedelta(days=20), ends_at=None, rated=False
    )
    works(event.starts_at)
    page = shown(people[0], event)
    for words in ("3–4", "at most 20 days", "1 of 2", "when this one is over, at the latest"):
        assert words in page
    played_on(event, works, timedelta(days=2))
    assert event.state == Event.State.OVER
    assert {len(heat.people) for heat in event.heats.all()} == {3, 4}
    assert not any(match.rated for match in Match.objects.filter(heat__event=event))


def test_whoever_has_a_bye_in_a_swiss_plays_a_bot_for_nothing_meanwhile(works: Any) -> None:
    event, people = live("swiss", 3)
    works(event.starts_at)
    bye = event.heats.get(number=2)
    alone = fresh(people[bye.people[0]])
    assert alone.filler is not None
    assert (alone.filler.rated, alone.filler.has_bots) == (False, True)
    assert "against a bot, casual" in shown(alone, event)
    assert all(entry.filler is None for entry in map(fresh, people) if entry.number != alone.number)
    played_on(event, works)
    assert sum(row.points for row in rows_of(event)) == 3 * 2 * formats.WHOLE


def test_whoever_is_not_there_when_a_live_round_begins_is_paused_and_the_next_one_begins_without_them(
    works: Any,
) -> None:
    event, people = live("swiss", 4)
    works(event.starts_at)
    absent, there = running(event)
    nobody = absent.seats.get(to_move=True)
    played(there)
    works(event.starts_at + 9 * MINUTE)
    assert running(event) == [absent]
    late = event.starts_at + 11 * MINUTE
    works(late)
    Timeouts().run_due(late)
    works(late)
    assert [fresh(it).is_paused for it in people] == [it.user_id == nobody.user_id for it in people]
    second = event.heats.filter(round=2)
    assert sorted(len(heat.people) for heat in second) == [1, 2]
    assert not absent.rating_changes.exists()
    assert rows_of(event)[-1].person == next(it.number for it in people if it.user_id == nobody.user_id)


def refused(name: str, event: Event, **fields: Any) -> str:
    with pytest.raises(RuleViolation) as refusal:
        services.enter(person(name), event.slug, **fields)
    return refusal.value.code


def test_late_a_swiss_lets_in_until_half_of_its_rounds_with_half_a_point_once(works: Any) -> None:
    event, _ = live("swiss", 4, rounds=4)
    works(event.starts_at)
    late = services.enter(person("late"), event.slug)
    for match in running(event):
        played(match)
    works(event.starts_at + 10 * MINUTE)
    row = next(row for row in rows_of(event) if row.person == late.number)
    assert row.points == formats.WHOLE // 2 + row.byes * formats.WHOLE
    assert any(late.number in heat.people for heat in event.heats.filter(round=2))
    assert refused("later", event) == "entries-closed"


def test_late_an_arena_always_lets_in_and_robin_and_knockout_never_do(works: Any) -> None:
    arena, _ = live("arena", 8)
    robin, knockout = live("robin", 4)[0], live("knockout", 4)[0]
    works(arena.starts_at)
    for event in (robin, knockout):
        assert refused(f"late-{event.format}", event) == "entries-closed"
    late = [services.enter(person(""), arena.slug) for _ in range(2)]
    works(arena.starts_at + 2 * MINUTE)
    assert any(sorted(heat.people) == [it.number for it in late] for heat in arena.heats.all())


def test_an_arena_opens_when_eight_are_there_and_is_called_off_if_they_never_come(works: Any, clock: Any) -> None:
    event, people = live("arena", 6)
    other, _ = live("arena", 1)
    works(event.starts_at)
    event.refresh_from_db()
    assert event.is_running
    assert not event.heats.exists()
    assert "when 2 more players are there" in shown(people[0], event)
    services.enter(person("seventh"), event.slug)
    services.enter(person("eighth"), event.slug)
    works(event.starts_at + 5 * MINUTE)
    assert len(running(event)) == 4
    assert 'id="missing"' not in shown(people[0], event)
    works(timezone.now() + timedelta(hours=3))
    other.refresh_from_db()
    assert other.state == Event.State.CANCELLED


def test_a_knockout_shows_lives_and_counts_a_round_missed_as_one(works: Any) -> None:
    event, people = live("knockout", 4)
    services.pause(people[3].user, event.slug)
    works(event.starts_at)
    assert {row.person: row.lives for row in rows_of(event)} == {0: 2, 1: 2, 2: 2, 3: 1}
    page = shown(people[0], event)
    assert "You are out when you have not been in the better half twice." in page
    assert ">Lives</th>" in page


def test_a_robin_is_full_at_its_most_and_ends_even_if_somebody_never_comes_back(works: Any, monkeypatch: Any) -> None:
    event, people = live("robin", 5)
    monkeypatch.setattr("games.events.formats.robin.MOST", 5)
    assert refused("sixth", event) == "event-full"
    works(event.starts_at)
    services.pause(people[0].user, event.slug)
    event.refresh_from_db()
    assert event.ends_at == event.starts_at + 9 * 40 * MINUTE
    played_on(event, works)
    assert event.state == Event.State.OVER
    assert event.heats.filter(places__isnull=True).count() >= 3, "nobody lost because somebody else was away"


def test_in_rounds_and_live_one_plays_one_match_at_a_time(works: Any) -> None:
    for event in (live("swiss", 1)[0], live("robin", 1)[0], opened("knockout")[0]):
        assert refused("", event, at_a_time=2) == "event-at-a-time"


def test_the_file_of_an_event_is_checked_by_the_program(works: Any, tmp_path: Any, capsys: Any) -> None:
    event, people = live("swiss", 5)
    played_on(event, works)
    file = tmp_path / "event.json"
    file.write_bytes(client_of(user_of(people[0])).get(f"{event.get_absolute_url()}proof.json").content)
    assert verification.main([str(file)]) == 0
    assert "come out as recorded" in capsys.readouterr().out
