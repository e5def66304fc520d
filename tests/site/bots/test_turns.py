"""The turns of bots: claimed, thought about and played exactly once, whatever happens to the process meanwhile."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from games.bots import services as bots_services, thinking
from games.bots.models import Lease
from games.bots.services import Turn
from games.bots.worker import Thinker, work
from games.engine.bots import SoFar
from games.engine.protocol import AnyGame
from games.engine.record import verify
from games.history.replay import first_difference
from games.play import commands
from games.play.access import viewed_by
from games.play.models import Action, Match, Seat
from games.play.records import record_of
from games.play.reducer import positions
from games.play.store import lock, writing
from games.ratings.models import RatingChange
from games.titles import games
from tests.people import act, bot_acts, bot_takes_turn, client_of, open_table, person, play_out

pytestmark = pytest.mark.django_db


def against_bots(people: Sequence[User], levels: Sequence[str] = ("novice",), **fields: Any) -> Match:
    """Return a running match of people, who sit first, and bots."""
    count = len(people) + len(levels)
    match = open_table(people, seats=count, has_bots=True, seed=bytes(32), **fields)
    for number, level in enumerate(levels, len(people)):
        Seat.objects.create(match=match, number=number, bot=level, namesake=levels[: number - len(people)].count(level))
    with writing():
        locked = lock(match.pk)
        commands.begin(locked.match, locked.seats)
    match.refresh_from_db()
    return match


def claimed(match: Match) -> Turn:
    seat = bots_services.awaited_turns(timezone.now()).get(match=match)
    turn = bots_services.claim_turn(match.pk, seat.number)
    assert turn is not None
    return turn


def quick(turn: Turn) -> str:
    return thinking.by_policy(turn.question)


def by_bots(match: Match) -> list[int]:
    return list(Action.objects.filter(match=match, by_bot=True).values_list("number", flat=True))


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def match(ann: User) -> Match:
    """A match of Shifting Stones in which a bot is to move."""
    match = against_bots([ann])
    act(match, "end")
    return match


def test_a_claimed_turn_is_nobody_elses(match: Match) -> None:
    turn = claimed(match)
    assert bots_services.claim_turn(match.pk, turn.question.seat) is None
    assert bots_services.claim_next_turn(timezone.now()) is None


def test_a_turn_is_played_once(match: Match) -> None:
    turn = claimed(match)
    assert bots_services.play_answer(turn.answered(quick(turn)))
    assert not bots_services.play_answer(turn.answered(quick(turn)))
    assert by_bots(match) == [2]


def test_what_a_dead_process_claimed_is_claimed_again(clock: Traveller, match: Match) -> None:
    lost = claimed(match)
    clock.shift(timedelta(seconds=30))
    again = claimed(match)
    assert bots_services.play_answer(again.answered(quick(again)))
    assert not bots_services.play_answer(lost.answered(quick(lost)))  # it was only slow
    assert by_bots(match) == [2]
    assert not Lease.objects.filter(token__in=[lost.token, again.token]).exists()


def test_a_slow_process_that_has_lost_its_claim_plays_nothing(clock: Traveller, match: Match) -> None:
    lost = claimed(match)
    clock.shift(timedelta(seconds=30))
    again = claimed(match)
    assert not bots_services.play_answer(lost.answered(quick(lost)))
    assert bots_services.play_answer(again.answered(quick(again)))
    assert by_bots(match) == [2]


def test_an_answer_to_what_has_been_taken_back_is_thrown_away(match: Match) -> None:
    turn = claimed(match)
    match.refresh_from_db()
    commands.undo(match.pk, 0, match.version)
    assert not bots_services.play_answer(turn.answered(quick(turn)))
    assert not Lease.objects.exists()
    act(match, "end")
    assert bot_acts(match)
    match.refresh_from_db()
    assert first_difference(match) is None


def test_a_turn_that_has_changed_since_it_was_read_is_not_claimed(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = thinking.question_about

    def slowly(*told: Any) -> Any:
        match.refresh_from_db()
        commands.undo(match.pk, 0, match.version)
        return asked(*told)

    monkeypatch.setattr(thinking, "question_about", slowly)
    assert bots_services.claim_turn(match.pk, 1) is None
    assert not Lease.objects.exists()


def test_an_answer_to_a_match_that_has_ended_is_thrown_away(match: Match, caplog: pytest.LogCaptureFixture) -> None:
    turn = claimed(match)
    commands.resign(match.pk, 0, "resignation")
    assert not bots_services.play_answer(turn.answered(quick(turn)))
    assert caplog.records == []


def test_an_answer_is_played_after_the_time_in_which_people_can_follow(clock: Traveller, match: Match) -> None:
    turn = claimed(match)
    match.refresh_from_db()
    assert match.moved_at is not None
    assert turn.due == match.moved_at + bots_services.PACE
    thinker = Thinker()
    bots_services.give_back_turns([turn])
    assert thinker.step()
    assert by_bots(match) == []
    clock.shift(bots_services.PACE)
    thinker.step()
    assert by_bots(match) == [2]


@pytest.mark.parametrize("slug", sorted(games()))
def test_the_page_says_that_a_bot_is_thinking_as_long_as_it_is(ann: User, slug: str) -> None:
    """To its opponent and to a spectator."""
    match = against_bots([ann], game=slug)
    readers = (client_of(ann), client_of(person()), Client())

    def told() -> list[bool]:
        return ["Novice is thinking." in unescape(page_of(match, reader)) for reader in readers]

    while not match.seats.get(number=0).to_move:
        bot_takes_turn(match)
    assert told() == [False, False, False]
    while match.seats.get(number=0).to_move:
        texts = positions.legal_texts(Match.objects.get(pk=match.pk), 0)
        act(match, "end" if "end" in texts else texts[0], 0)
    assert told() == [True, True, True]
    bot_takes_turn(match)
    assert match.seats.get(number=0).to_move
    assert told() == [False, False, False]


def test_while_a_bot_thinks_the_page_says_why_a_turn_ended_by_itself(ann: User) -> None:
    match = against_bots([ann])
    while not match.seats.get(number=0).to_move:
        bot_takes_turn(match)
    while match.seats.get(number=0).to_move:
        texts = positions.legal_texts(Match.objects.get(pk=match.pk), 0)
        act(match, next(text for text in texts if text.startswith("flip")), 0)
    assert "You used your last card, so it is Novice’s turn." in unescape(page_of(match, client_of(ann)))
    assert "Novice is thinking." in unescape(page_of(match, Client()))
    bot_takes_turn(match)
    assert "Your turn: play cards" in unescape(page_of(match, client_of(ann)))


def page_of(match: Match, reader: Client) -> str:
    return reader.get(match.get_absolute_url()).content.decode()


def test_a_page_names_all_bots_that_are_thinking(ann: User) -> None:
    match = against_bots([ann], ["novice", "master"], game="card-chess")
    assert "thinking" not in page_of(match, client_of(ann))
    act(match, positions.legal_texts(match, 0)[0], 0)
    assert "Novice and Master are thinking." in page_of(match, client_of(ann))


def test_a_secret_action_needs_no_pace(ann: User) -> None:
    match = against_bots([ann], game="card-chess")
    turn = claimed(match)
    assert turn.due <= timezone.now()
    act(match, positions.legal_texts(match, 0)[0], 0)
    assert bots_services.play_answer(turn.answered(quick(turn)))
    match.refresh_from_db()
    assert match.opened == match.length == 2


@pytest.mark.parametrize("slug", sorted(games()))
def test_bots_play_a_whole_match_of_every_game(ann: User, slug: str) -> None:
    match = play_out(against_bots([ann], ["novice"], game=slug))
    assert match.is_over
    assert not match.rated
    assert not RatingChange.objects.exists()
    assert first_difference(match) is None
    viewed = viewed_by(ann, match)
    assert viewed is not None
    record = record_of(viewed)
    assert [(seat.name, seat.bot) for seat in record.seats] == [("ann", None), ("novice", "novice")]
    assert {action.by for action in record.actions if action.seat == 1} == {"bot"}
    assert verify(record, games()[slug]) is None


def broken(game: AnyGame, view: Any, seat: int, chance: Any, seconds: float) -> Any:
    raise ZeroDivisionError


def illegal(game: AnyGame, view: Any, seat: int, chance: Any, seconds: float) -> Any:
    return game.parse("score 1 a1 a2 a3")


@pytest.mark.parametrize("bot", [broken, illegal])
def test_a_bot_that_fails_wedges_no_match_and_is_reported_once(
    match: Match, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, bot: Any
) -> None:
    monkeypatch.setitem(thinking.LEVELS, "novice", bot)
    monkeypatch.setattr(bots_services, "PACE", timedelta(0))
    thinker = Thinker()
    with caplog.at_level(logging.ERROR):
        while thinker.step():
            pass
    match.refresh_from_db()
    assert match.seats.get(to_move=True).number == 0
    assert len(by_bots(match)) >= 1
    assert len([entry for entry in caplog.records if entry.levelno >= logging.ERROR]) == 1


def test_a_bot_has_so_many_seconds(match: Match, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BOT_SECONDS = 0.25
    given: list[float] = []

    def listening(game: AnyGame, view: Any, seat: int, chance: Any, seconds: float, *_: Any) -> Any:
        given.append(seconds)
        return game.parse("end")

    monkeypatch.setitem(thinking.LEVELS, "novice", listening)
    turn = claimed(match)
    assert thinking.answer(turn.question) == "end"
    assert given == [0.25]
    lease = Lease.objects.get()
    assert lease.until <= timezone.now() + timedelta(seconds=0.25) + bots_services.SPARE


def test_a_bot_that_slips_is_told_how_its_turn_began_and_what_it_has_done_since(match: Match) -> None:
    first = claimed(match)
    begun = first.question.turn
    assert begun == SoFar(first.question.view, (), begun.seed)
    flip = next(text for text in positions.legal_texts(match, 1) if text.startswith("flip"))
    assert bots_services.play_answer(first.answered(flip))
    assert claimed(match).question.turn == replace(begun, done=(match.rules.parse(flip),))


def test_the_same_question_has_the_same_answer(match: Match) -> None:
    question = claimed(match).question
    assert thinking.answer(question) == thinking.answer(question)


@pytest.mark.django_db(transaction=True)
def test_a_process_that_is_asked_to_end_gives_its_claims_back(match: Match) -> None:
    ended = threading.Event()

    class Ends(Thinker):
        def step(self) -> bool:
            found = super().step()
            ended.set()
            return found

    work(ended, Ends())
    assert not Lease.objects.exists()
    assert bots_services.claim_turn(match.pk, 1) is not None


def test_two_bots_of_a_level_have_different_names(ann: User) -> None:
    match = against_bots([ann], ["companion", "companion", "master"])
    assert [seat.name for seat in match.seats.all()] == ["ann", "Companion", "Companion 2", "Master"]


def test_when_the_last_person_leaves_the_bots_follow(ann: User) -> None:
    match = against_bots([ann], ["novice", "master"])
    act(match, "end")
    commands.resign(match.pk, 0, "resignation")
    match.refresh_from_db()
    assert (match.is_over, match.reason) == (True, "resign")
    assert match.seats.get(number=0).place == 3
    assert not match.seats.get(number=0).no_show
    assert first_difference(match) is None
    assert not bot_acts(match)


def test_a_match_against_bots_is_called_off_without_blame(ann: User) -> None:
    match = against_bots([ann])
    commands.offer_abort(match.pk, 0)
    match.refresh_from_db()
    assert match.status == Match.Status.ABORTED
    assert not match.seats.filter(no_show=True).exists()


def test_bots_agree_to_abort(ann: User) -> None:
    match = against_bots([ann])
    act(match, "end")
    while bot_acts(match):
        pass
    commands.offer_abort(match.pk, 0)
    match.refresh_from_db()
    assert match.status == Match.Status.ABORTED


def test_a_bot_has_no_clock_and_nobody_has_one_against_bots_alone(ann: User) -> None:
    alone = against_bots([ann], clock="300+10/900")
    assert set(alone.seats.values_list("bank", flat=True)) == {None}
    both = against_bots([ann, person()], clock="300+10/900")
    assert [seat.bank is None for seat in both.seats.all()] == [False, False, True]


# --- what a bot may know ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_question_holds_the_view_and_nothing_else(ann: User, slug: str) -> None:
    match = against_bots([ann], game=slug)
    while not bots_services.awaited_turns(timezone.now()).filter(match=match).exists():
        act(match, positions.legal_texts(match, 0)[0], 0)
    question = claimed(match).question
    assert question.view == match.rules.view_for(positions.decode_state(match), question.seat)
