"""The bot that acts for players who have left: one turn at a time, seen by the others, until the last person leaves."""

from __future__ import annotations

import secrets
from datetime import timedelta

import pytest
from django.db import connection
from time_machine import Traveller

from games.engine.protocol import RuleViolation
from games.play import duties
from games.play.course import positions
from games.play.matches import actions, announce, placeholder, services
from games.play.models import Action, Match, Seat, Setback
from tests.clocked import MONDAY
from tests.people import act, person, play_out, running_match

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)


def trio(game: str = "shifting-stones") -> Match:
    return running_match([person(), person(), person()], game=game, seed=bytes(32))


def resign(match: Match, *seats: int) -> None:
    for seat in seats:
        services.resign(match.pk, seat, f"resign-{seat:05}")
    match.refresh_from_db()


def bots_go() -> int:
    return duties.run_due([placeholder.BotTurns()])


def seats_of_bots(match: Match) -> list[int]:
    return list(Action.objects.filter(match=match, by_bot=True).order_by("number").values_list("seat", flat=True))


def to_move(match: Match) -> list[int]:
    return list(match.seats.filter(to_move=True).values_list("number", flat=True))


def test_the_request_of_the_one_who_leaves_takes_no_turns(clock: Traveller) -> None:
    match = trio()
    resign(match, 0)
    assert (seats_of_bots(match), to_move(match)) == ([], [0])


def test_one_turn_is_taken_at_a_time_a_second_after_the_last_action(clock: Traveller) -> None:
    match = trio()
    resign(match, 0, 1)
    assert placeholder.BotTurns().next_due() == MONDAY + placeholder.THINKING
    assert bots_go() == 0
    clock.shift(SECOND)
    assert bots_go() == 1
    assert (set(seats_of_bots(match)), to_move(match)) == ({0}, [1])
    assert bots_go() == 0
    clock.shift(SECOND)
    assert bots_go() == 1
    assert to_move(match) == [2]
    clock.shift(SECOND)
    assert bots_go() == 0
    assert placeholder.BotTurns().next_due() is None


def test_the_others_see_every_turn(clock: Traveller, monkeypatch: pytest.MonkeyPatch) -> None:
    match = trio()
    resign(match, 0)
    told: list[int] = []
    monkeypatch.setattr(announce, "match_changed", lambda _match, version: told.append(version))
    clock.shift(SECOND)
    bots_go()
    match.refresh_from_db()
    assert told[-1] == match.version


def test_a_turn_of_many_actions_is_taken_in_several_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placeholder, "MOST_ACTIONS", 1)
    monkeypatch.setattr(secrets, "choice", lambda texts: texts[0])  # never the one that ends a turn
    match = trio()
    resign(match, 0)
    for number in (1, 2):
        assert placeholder.take_turn(match.pk)
        assert seats_of_bots(match) == [0] * number


def test_in_a_secret_turn_a_bot_acts_once_for_each_seat(sealed_game: str) -> None:
    match = trio(sealed_game)
    resign(match, 0)
    assert placeholder.take_turn(match.pk)
    assert seats_of_bots(match) == [0]
    assert not placeholder.take_turn(match.pk)
    for seat in (1, 2):
        act(match, positions.legal_texts(match, seat)[0], seat)
    assert placeholder.take_turn(match.pk)


def test_whoever_has_left_cannot_act_for_their_seat_any_more() -> None:
    match = trio()
    resign(match, 0)
    with pytest.raises(RuleViolation, check=lambda error: error.code == "has-left"):
        act(match, "end", seat=0)


def test_nobody_acts_for_people_who_are_there() -> None:
    match = trio()
    assert not placeholder.take_turn(match.pk)
    assert seats_of_bots(match) == []


def test_a_match_which_its_last_person_leaves_is_over_at_once(clock: Traveller) -> None:
    match = trio()
    for _ in range(3):
        act(match, "end")
    resign(match, 1, 0, 2)
    assert (match.status, match.reason) == (Match.Status.OVER, "resign")
    assert [seat.place for seat in match.seats.all()] == [2, 3, 1]
    clock.shift(60)
    assert bots_go() == 0
    assert seats_of_bots(match) == []


def test_a_match_of_bots_and_one_person_ends_by_the_rules() -> None:
    match = trio()
    resign(match, 2, 0)
    play_out(match)
    assert [seat.place for seat in match.seats.all()] == [2, 1, 3]
    replayed = actions.replay(match, list(match.seats.all()), match.length)
    assert replayed.position.state == positions.decode_state(match)


def test_a_bot_that_fails_is_set_back_and_locks_nobody_in(clock: Traveller, monkeypatch: pytest.MonkeyPatch) -> None:
    match = trio()
    resign(match, 0)
    clock.shift(SECOND)
    monkeypatch.setattr(positions, "legal_texts", lambda *_: 1 / 0)
    bots_go()
    assert Setback.objects.get().duty == "bots"
    assert placeholder.BotTurns().next_due() is None
    resign(match, 1)
    resign(match, 2)
    assert match.is_over


def test_seats_of_bots_are_found_by_an_index() -> None:
    if connection.vendor == "postgresql":  # which reads a table so small as a whole
        connection.cursor().execute("SET LOCAL enable_seqscan = off")
    assert "seat_of_bot" in Seat.objects.filter(to_move=True, left__isnull=False).explain()
