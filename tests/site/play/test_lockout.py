"""Nothing a player sends, and no bug of ours, may keep the others in a match for ever."""

from __future__ import annotations

from typing import Any

import pytest
from time_machine import Traveller

from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.play import commands, jobs, timekeeping
from games.play.models import AbortReason, Action, Match, Setback
from games.play.reducer import actions, advance
from games.play.reducer.actions import Stale
from games.play.reducer.draft import Draft
from games.ratings import services as ratings_services
from games.ratings.models import RatingChange
from tests.clocked import LIVE
from tests.people import act, client_of, open_table, person, running_match

pytestmark = pytest.mark.django_db


def duel(**fields: Any) -> Match:
    """Return a match in which both have acted and seat 0 is to move."""
    match = running_match([person(), person()], clock=LIVE, **fields)
    act(match, "end")
    act(match, "end")
    return match


def ended(match: Match) -> tuple[str, str]:
    match.refresh_from_db()
    return match.status, match.reason


@pytest.fixture
def no_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every timeout fail half-way."""

    def fails(draft: Draft, *_: object) -> None:
        draft.match.reason = "half"
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(advance, "leave", fails)


# --- names of requests ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["timeout-0", "timeout-1", "bot-0123456789abcdef"])
def test_no_name_of_a_request_stands_in_the_way_of_a_timeout(clock: Traveller, name: str) -> None:
    match = duel()
    act(match, "end", client_id=name)
    act(match, "end")
    clock.shift(600)
    assert timekeeping.expire(match.pk)
    assert ended(match) == (Match.Status.OVER, "timeout")


def test_the_opponents_page_answers_after_such_a_request(clock: Traveller) -> None:
    match = duel()
    act(match, "end", client_id="timeout-1")
    clock.shift(600)
    opponent = match.seats.get(number=0).user
    assert opponent is not None
    response = client_of(opponent).post(f"/match/{match.slug}/resign/", {"client_id": "resign-12345"})
    assert response.status_code == 409
    assert ended(match) == (Match.Status.OVER, "timeout")


def test_actions_of_the_site_have_no_name_to_clash_with(clock: Traveller) -> None:
    match = duel()
    clock.shift(600)
    timekeeping.expire(match.pk)
    assert Action.objects.get(match=match, text="timeout").client_id is None


# --- mistakes of ours -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_timeouts")
def test_one_can_resign_although_the_timeout_of_the_other_fails(clock: Traveller) -> None:
    match = duel()
    clock.shift(600)
    commands.resign(match.pk, 1, "resign-12345")
    assert ended(match) == (Match.Status.OVER, "resign")


@pytest.mark.usefixtures("no_timeouts")
def test_all_can_agree_to_abort_although_a_timeout_fails(clock: Traveller) -> None:
    match = duel()
    clock.shift(600)
    for seat in (0, 1):
        commands.offer_abort(match.pk, seat)
    assert ended(match) == (Match.Status.ABORTED, AbortReason.AGREED)


@pytest.mark.usefixtures("no_timeouts")
def test_a_timeout_that_fails_gives_nobody_time(clock: Traveller) -> None:
    match = duel()
    clock.shift(600)
    with pytest.raises(RuleViolation, check=lambda error: error.code == "out-of-time"):
        act(match, "end")
    assert ended(match) == (Match.Status.RUNNING, "")


def test_one_can_resign_although_the_timeout_of_the_other_cannot_be_stored(
    clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = duel(rated=True)
    clock.shift(600)
    rate, failures = ratings_services.rate, iter([1])

    def fails_once(*about: Any) -> tuple[RatingChange, ...]:
        if next(failures, 0):
            Match.objects.update(reason="half")
            raise RuntimeError("a mistake of ours")
        return rate(*about)

    monkeypatch.setattr(ratings_services, "rate", fails_once)
    commands.resign(match.pk, 1, "resign-12345")
    assert ended(match) == (Match.Status.OVER, "resign")
    assert RatingChange.objects.filter(match=match).count() == 2


def test_a_timeout_that_failed_works_later(clock: Traveller, monkeypatch: pytest.MonkeyPatch) -> None:
    match = duel()
    clock.shift(600)
    with monkeypatch.context() as broken:
        broken.setattr(advance, "leave", lambda *_: 1 / 0)
        for _ in range(jobs.MOST_FAILURES):
            jobs.run_due([timekeeping.Timeouts()])
            clock.shift(3600)
    assert Setback.objects.get().not_before is None
    with pytest.raises(Stale):
        commands.offer_abort(match.pk, 1)
    assert ended(match) == (Match.Status.OVER, "timeout")


def test_a_match_that_can_no_longer_be_read_is_aborted_when_a_player_resigns(clock: Traveller) -> None:
    match = duel()
    Match.objects.filter(pk=match.pk).update(state="{}")
    clock.shift(600)
    commands.resign(match.pk, 1, "resign-12345")
    assert ended(match) == (Match.Status.ABORTED, AbortReason.FAULT)


def fails(*_: object, **_more: object) -> None:
    raise RuntimeError("a mistake of ours")


def test_one_can_resign_although_what_follows_from_it_cannot_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    match = duel(rated=True)
    monkeypatch.setattr(ratings_services, "rate", fails)
    commands.resign(match.pk, 1, "resign-12345")
    assert ended(match) == (Match.Status.ABORTED, AbortReason.FAULT)
    assert not RatingChange.objects.exists()


def test_one_can_resign_although_neither_a_timeout_nor_that_can_be_stored(
    clock: Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = duel(rated=True)
    monkeypatch.setattr(ratings_services, "rate", fails)
    clock.shift(600)
    commands.resign(match.pk, 1, "resign-12345")
    assert ended(match) == (Match.Status.ABORTED, AbortReason.FAULT)


def test_one_can_resign_although_the_bots_cannot_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table([person()], seats=2)
    tables.add_bot(table.pk, table.host, "novice")
    monkeypatch.setattr(actions, "bots_follow", fails)
    seat = table.seats.get(bot=None).number
    commands.resign(table.pk, seat, "resign-12345")
    assert ended(table) == (Match.Status.ABORTED, AbortReason.FAULT)


def test_an_action_that_cannot_be_stored_ends_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    match = duel()
    with monkeypatch.context() as broken:
        broken.setattr(actions, "set_position", fails)
        with pytest.raises(RuntimeError):
            act(match, "end")
    assert ended(match) == (Match.Status.RUNNING, "")


@pytest.mark.parametrize("part", ["solo_result", "counts"])
def test_a_mistake_in_the_numbers_of_a_game_does_not_keep_a_match_from_ending(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = running_match([person()])
    monkeypatch.setattr(match.title.board, part, lambda *_: 1 / 0)
    commands.resign(match.pk, 0, "resign-12345")
    assert ended(match) == (Match.Status.OVER, "resign")
