"""The bot that acts for players who have left: seen by the others, until the last person leaves."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from time_machine import Traveller

from games.bots import thinking
from games.bots.services import PACE, claim_turn, play_answer
from games.engine.protocol import RuleViolation
from games.play import commands
from games.play.live import pubsub
from games.play.models import PLAYED_BY_BOT, Action, Match, Seat, Setback
from games.play.records import replay
from games.play.reducer import positions
from tests.clocked import MONDAY
from tests.people import act, bot_acts, bot_takes_turn, person, play_out, running_match
from tests.site.bots.test_turns import page_of

pytestmark = pytest.mark.django_db


def trio(game: str = "shifting-stones") -> Match:
    return running_match([person(), person(), person()], game=game, seed=bytes(32))


def resign(match: Match, *seats: int) -> None:
    for seat in seats:
        commands.resign(match.pk, seat, f"resign-{seat:05}")
    match.refresh_from_db()


def seats_of_bots(match: Match) -> list[int]:
    return list(Action.objects.filter(match=match, by_bot=True).order_by("number").values_list("seat", flat=True))


def to_move(match: Match) -> list[int]:
    return list(match.seats.filter(to_move=True).values_list("number", flat=True))


def test_the_request_of_the_one_who_leaves_takes_no_turns() -> None:
    match = trio()
    resign(match, 0)
    assert (seats_of_bots(match), to_move(match)) == ([], [0])


def test_a_companion_plays_on_at_a_pace_that_people_can_follow(clock: Traveller) -> None:
    match = trio()
    resign(match, 0)
    turn = claim_turn(match.pk, 0)
    assert turn is not None
    assert (turn.question.level, turn.due) == ("companion", MONDAY + PACE)


def test_the_page_says_who_is_thinking_for_who_has_left() -> None:
    match = running_match([person("ann"), person(), person()])
    resign(match, 0)
    assert "Companion for ann is thinking." in page_of(match, Client())
    assert bot_takes_turn(match)
    assert "thinking" not in page_of(match, Client())


def test_bots_play_for_one_after_the_other_who_has_left() -> None:
    match = trio()
    resign(match, 0, 1)
    assert bot_takes_turn(match)
    assert (set(seats_of_bots(match)), to_move(match)) == ({0}, [1])
    assert bot_takes_turn(match)
    assert to_move(match) == [2]
    assert not bot_takes_turn(match)


def test_the_others_see_every_action(monkeypatch: pytest.MonkeyPatch) -> None:
    match = trio()
    resign(match, 0)
    told: list[int] = []
    monkeypatch.setattr(pubsub, "match_changed", lambda _match, version: told.append(version))
    assert bot_acts(match)
    match.refresh_from_db()
    assert told[-1] == match.version


def test_in_a_secret_turn_a_bot_acts_once_for_each_seat(sealed_game: str) -> None:
    match = trio(sealed_game)
    resign(match, 0)
    turn = claim_turn(match.pk, 0)
    assert turn is not None
    act(match, positions.legal_texts(match, 1)[0], 1)
    assert play_answer(
        turn.answered(thinking.by_policy(turn.question))
    )  # what others did in secret makes no difference
    assert seats_of_bots(match) == [0]
    assert not bot_acts(match)
    act(match, positions.legal_texts(match, 2)[0], 2)
    assert bot_acts(match)


def test_whoever_has_left_cannot_act_for_their_seat_any_more() -> None:
    match = trio()
    resign(match, 0)
    with pytest.raises(RuleViolation, check=lambda error: error.code == "has-left"):
        act(match, "end", seat=0)


def test_nobody_acts_for_people_who_are_there() -> None:
    match = trio()
    assert not bot_acts(match)
    assert claim_turn(match.pk, 0) is None
    with pytest.raises(RuleViolation, check=lambda error: error.code == "not-a-bot"):
        commands.submit_for_bot(match.pk, 0, "end", match.version, "a-bot-at-my-seat")
    assert seats_of_bots(match) == []


def test_a_match_which_its_last_person_leaves_is_over_at_once() -> None:
    match = trio()
    for _ in range(3):
        act(match, "end")
    resign(match, 1, 0, 2)
    assert (match.status, match.reason) == (Match.Status.OVER, "resign")
    assert [seat.place for seat in match.seats.all()] == [2, 3, 1]
    assert not bot_acts(match)
    assert seats_of_bots(match) == []


def test_a_match_of_bots_and_one_person_ends_by_the_rules() -> None:
    match = trio()
    resign(match, 2, 0)
    play_out(match)
    assert [seat.place for seat in match.seats.all()] == [2, 1, 3]
    replayed = replay(match, list(match.seats.all()), match.length)
    assert replayed.position.state == positions.decode_state(match)


def test_a_match_that_no_bot_can_play_is_set_back_and_locks_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    match = trio()
    resign(match, 0)
    turn = claim_turn(match.pk, 0)
    assert turn is not None
    monkeypatch.setattr(commands, "submit_for_bot", lambda *_: 1 / 0)
    assert not play_answer(turn.answered("end"))
    assert Setback.objects.get().job == "bots"
    assert not bot_acts(match)
    resign(match, 1)
    resign(match, 2)
    assert match.is_over


def test_seats_of_bots_are_found_by_an_index() -> None:
    if connection.vendor == "postgresql":  # which reads a table so small as a whole
        connection.cursor().execute("SET LOCAL enable_seqscan = off")
    assert "seat_of_bot" in Seat.objects.filter(PLAYED_BY_BOT, to_move=True).explain()
