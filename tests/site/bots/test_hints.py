"""Hints: only against bots alone, from the seat's own view, marked on the board and in the record; and no bot peeks."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.bots import hints, thinking
from games.bots.models import Hint
from games.bots.services import claim_turn
from games.bots.thinking import Begun, Question
from games.bots.worker import Thinker
from games.engine.contract.playouts import option_combinations
from games.engine.fair import FairChance
from games.engine.protocol import AnyGame, RuleViolation, Seat
from games.engine.runner import act as acted, begin
from games.play.access import viewed_by
from games.play.models import Match
from games.play.records import record_of
from games.play.reducer import positions
from games.titles import games, titles
from tests.people import act, bot_takes_turn, client_of, person, running_match
from tests.site.bots.test_turns import against_bots
from tests.traits import has_lines, is_open

GAMES = sorted(games())
SEED = bytes(32)


@pytest.fixture
def ann(db: None) -> User:
    return person("ann")


def ready(match: Match) -> Match:
    """Return the match when its person, in seat 0, is to move."""
    while not match.seats.get(number=0).to_move:
        bot_takes_turn(match)
    match.refresh_from_db()
    return match


@pytest.mark.parametrize("slug", GAMES)
def test_a_hint_is_found_and_marks_an_action_that_the_rules_allow(ann: User, slug: str, settings: Any) -> None:
    settings.BOT_SECONDS = 0.05
    match, client = ready(against_bots([ann], game=slug)), client_of(ann)
    found = reverse("match_hint_found", args=[match.slug])
    assert 'id="ask-hint"' in client.get(match.get_absolute_url()).content.decode()
    assert client.get(f"{found}?as=json").json() == {"found": False, "wanted": False}
    client.post(reverse("match_hint", args=[match.slug]))
    assert client.get(f"{found}?as=json").json() == {"found": False, "wanted": True}
    assert 'http-equiv="refresh"' in client.get(found).content.decode()  # without a script the page asks again
    assert hints.find_one(timezone.now())
    assert not hints.find_one(timezone.now())
    answer = client.get(f"{found}?as=json").json()
    hint = Hint.objects.get()
    assert hint.text in positions.legal_texts(match, 0)
    assert answer["marks"] == [[mark.name, *mark.values] for mark in titles()[slug].board.marks(hint.text)]
    shown = client.get(found)
    if has_lines(slug):
        assert shown.context["action"].endswith(".")
        assert hint.text not in shown.content.decode()
    else:
        assert shown.context["action"] == hint.text
    page = client.get(match.get_absolute_url()).content.decode()
    for name, *values in answer["marks"]:
        assert any(f'name="{name}"' in page and f'value="{value}' in page for value in values), (name, values)
    fields = {"version": match.version, "client_id": "plays-the-hint"}
    for _again in range(2):  # the same request does nothing twice
        assert client.post(reverse("match_hint_play", args=[match.slug]), fields).status_code in {302, 422}
    assert match.actions.filter(seat=0, text=hint.text).count() == 1


def test_a_match_says_that_there_were_hints(ann: User) -> None:
    match = ready(against_bots([ann]))
    viewed = viewed_by(ann, match)
    assert viewed is not None
    assert not record_of(viewed).hints
    hints.ask(match.pk, 0)
    viewed = viewed_by(ann, Match.objects.get(pk=match.pk))
    assert viewed is not None
    assert record_of(viewed).hints
    act(match, positions.legal_texts(match, 0)[0], 0)
    match.refresh_from_db()
    assert match.hints


def test_there_are_no_hints_against_people(ann: User) -> None:
    for match in (running_match([ann, person()]), against_bots([ann, person()])):
        with pytest.raises(RuleViolation, match="only on your turn"):
            hints.ask(match.pk, 0)
        assert 'id="ask-hint"' not in client_of(ann).get(match.get_absolute_url()).content.decode()
        client_of(ann).post(reverse("match_hint", args=[match.slug]))
    assert not Hint.objects.exists()


def test_there_is_no_hint_for_a_position_that_has_passed(ann: User) -> None:
    match = ready(against_bots([ann]))
    hints.ask(match.pk, 0)
    act(match, "end", 0)
    assert hints.find_one(timezone.now())
    assert not Hint.objects.exists()


def test_two_processes_do_not_look_for_the_same_hint(ann: User) -> None:
    match = ready(against_bots([ann]))
    hints.ask(match.pk, 0)
    Hint.objects.update(until=timezone.now() + hints.LEASE)
    assert not hints.find_one(timezone.now())
    assert hints.find_one(timezone.now() + 2 * hints.LEASE)


def test_a_title_that_cannot_explain_still_gives_a_hint(
    ann: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.BOT_SECONDS = 0.01
    match = ready(against_bots([ann]))
    hints.ask(match.pk, 0)
    monkeypatch.setitem(vars(match.title), "advice", None)
    assert hints.find_one(timezone.now())
    assert (Hint.objects.get().text != "", Hint.objects.get().why) == (True, "")


@pytest.mark.parametrize("broken", ["decode_state", "question_about"])
def test_a_hint_that_fails_is_reported_once_and_the_page_says_that_there_is_none(
    ann: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    match, client = ready(against_bots([ann])), client_of(ann)
    hints.ask(match.pk, 0)
    with monkeypatch.context() as patched:
        patched.setattr(positions if broken == "decode_state" else thinking, broken, lambda *_: 1 / 0)
        assert Thinker().step()
        assert not hints.find_one(timezone.now() + 2 * hints.LEASE)
    assert [entry.message for entry in caplog.records if entry.levelno >= logging.ERROR] == [f"no hint in {match}"]
    found = reverse("match_hint_found", args=[match.slug])
    assert client.get(f"{found}?as=json").json() == {"found": False, "wanted": False}
    assert "There is no hint for this position." in client.get(found).content.decode()


def test_a_hint_waits_while_the_database_is_away(ann: User) -> None:
    hints.ask(ready(against_bots([ann])).pk, 0)

    def away(_question: Question) -> str:
        raise OperationalError

    with pytest.raises(OperationalError):
        hints.find_one(timezone.now(), away)
    assert Hint.objects.exists()


# --- no bot peeks -----------------------------------------------------------------------------------------------------


def positions_of(game: AnyGame, count: int) -> list[tuple[Any, Seat]]:
    """Return states of a match, and a seat that is to move in each."""
    play = begin(game, 2, option_combinations(game, 2)[0], SEED)
    found = []
    for number in range(count * 3):
        if play.outcome is not None:
            break
        seat = max(play.to_move)
        if number % 3 == 0:
            found.append((play.state, seat))
        action = titles()[game.slug].insight.policy(play.state, seat, FairChance(SEED, number))
        play = acted(game, play.position, seat, action, SEED)
    return found


Asked = Callable[[AnyGame, Any, Seat, str], Question]


def honest(game: AnyGame, state: Any, seat: Seat, level: str) -> Question:
    begun = Begun(state, (), SEED)
    return replace(thinking.question_about(game, state, seat, level, 60.0, "a match", begun), seed=SEED)


def tells_worlds_apart(game: AnyGame, level: str, asked: Asked) -> bool:
    """Return whether a bot answers differently in two states that its seat cannot tell from each other."""
    for number, (state, seat) in enumerate(positions_of(game, 3)):
        other = game.imagine(game.view_for(state, seat), FairChance(bytes([number]) * 32, 0))
        if thinking.answer(asked(game, state, seat, level)) != thinking.answer(asked(game, other, seat, level)):
            return True
    return False


@pytest.mark.parametrize("level", sorted(thinking.LEVELS))
@pytest.mark.parametrize("slug", GAMES)
def test_a_bot_and_a_hint_do_the_same_in_all_worlds_that_look_the_same(slug: str, level: str) -> None:
    assert not tells_worlds_apart(games()[slug], level, honest)


@pytest.mark.parametrize("slug", [slug for slug in GAMES if not is_open(slug)])
def test_a_bot_that_peeks_is_caught(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sabotaged variant: it is given the state instead of the view, and acts by what is hidden in it."""

    def peeks(game: AnyGame, state: Any, seat: Seat, *_: Any) -> Any:
        legal = sorted(game.legal_actions(state, seat), key=game.notate)
        return legal[zlib.crc32(repr(state).encode()) % len(legal)]

    def sabotaged(game: AnyGame, state: Any, seat: Seat, level: str) -> Question:
        return replace(honest(game, state, seat, level), view=state)

    monkeypatch.setitem(thinking.LEVELS, "novice", peeks)
    assert tells_worlds_apart(games()[slug], "novice", sabotaged)


@pytest.mark.django_db
def test_turns_and_hints_ask_in_the_same_way(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    match = against_bots([ann])
    asked: list[str] = []
    real = thinking.question_about

    def listening(*about: Any) -> Question:
        asked.append(about[3])
        return real(*about)

    monkeypatch.setattr(thinking, "question_about", listening)
    hints.question_of(match, 0)
    act(match, "end")
    claim_turn(match.pk, 1)
    assert asked == ["master", "novice"]
