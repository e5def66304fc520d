"""Every command: done once, in order, or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from games.engine.fair import commitment
from games.engine.protocol import RuleViolation
from games.play import commands
from games.play.models import Action, Match
from games.play.records import replay, standing_actions
from games.play.reducer import positions
from games.play.reducer.actions import Stale
from tests.people import Kinds, act, bot_takes_turn, open_table, person, play_out, running_match

pytestmark = pytest.mark.django_db


def _first(match: Match, seat: int, verb: str) -> str:
    """Return the first legal action of a kind in the current position."""
    match.refresh_from_db()
    return next(text for text in positions.legal_texts(match, seat) if text.startswith(verb))


def test_an_action_is_stored_and_the_state_advances(kinds: Kinds) -> None:
    text = _first(kinds.match, 0, "flip")
    receipt = act(kinds.match, text)
    action = Action.objects.get(match=kinds.match)
    assert (action.number, action.seat, action.text) == (1, 0, text)
    assert (receipt.version, receipt.repeated) == (kinds.match.version, False)
    assert kinds.match.length == 1


def test_the_cached_state_equals_a_replay_of_the_actions(kinds: Kinds) -> None:
    play_out(kinds.match, most=5_000)
    replayed = replay(kinds.match, list(kinds.match.seats.all()), kinds.match.length)
    assert replayed.position.state == positions.decode_state(kinds.match)


def test_the_same_client_id_acts_once(kinds: Kinds) -> None:
    text = _first(kinds.match, 0, "flip")
    version = kinds.match.version
    first = commands.submit(kinds.match.pk, 0, text, version, "the-same-id")
    again = commands.submit(kinds.match.pk, 0, text, version, "the-same-id")
    assert (first.repeated, again.repeated) == (False, True)
    assert Action.objects.filter(match=kinds.match).count() == 1


def test_a_stale_page_is_refused(kinds: Kinds) -> None:
    act(kinds.match, _first(kinds.match, 0, "flip"))
    with pytest.raises(Stale):
        commands.submit(kinds.match.pk, 0, _first(kinds.match, 0, "flip"), kinds.match.version - 1, "another-id")
    assert kinds.match.length == 1


@pytest.mark.parametrize("client_id", ["", "short", "x" * 41, "späte-id-123", "new\nline-id"])
def test_a_request_without_a_proper_name_is_refused(kinds: Kinds, client_id: str) -> None:
    with pytest.raises(RuleViolation) as refusal:
        commands.submit(kinds.match.pk, 0, "end", kinds.match.version, client_id)
    assert refusal.value.code == "client-id"


def test_nobody_acts_off_turn(kinds: Kinds) -> None:
    with pytest.raises(RuleViolation) as refusal:
        act(kinds.match, "end", seat=1)
    assert refusal.value.code == "not-your-turn"
    assert kinds.match.version == Match.objects.get(pk=kinds.match.pk).version


def test_undo_takes_back_the_latest_action(kinds: Kinds) -> None:
    before = positions.decode_state(kinds.match)
    act(kinds.match, _first(kinds.match, 0, "flip"))
    commands.undo(kinds.match.pk, 0, kinds.match.version)
    kinds.match.refresh_from_db()
    assert positions.decode_state(kinds.match) == before
    assert (kinds.match.length, Action.objects.get(match=kinds.match).withdrawn) == (0, True)


def test_an_action_after_undo_takes_the_freed_number(kinds: Kinds) -> None:
    act(kinds.match, _first(kinds.match, 0, "flip"))
    commands.undo(kinds.match.pk, 0, kinds.match.version)
    act(kinds.match, _first(kinds.match, 0, "shift"))
    assert [action.number for action in standing_actions(kinds.match)] == [1]


def test_restart_turn_takes_back_everything_of_the_turn(kinds: Kinds) -> None:
    for _ in range(2):
        act(kinds.match, _first(kinds.match, 0, "flip"))
    commands.restart_turn(kinds.match.pk, 0, kinds.match.version)
    kinds.match.refresh_from_db()
    assert kinds.match.length == 0


def test_undo_stops_where_cards_were_drawn(kinds: Kinds) -> None:
    act(kinds.match, _first(kinds.match, 0, "flip"))
    act(kinds.match, "end")
    with pytest.raises(RuleViolation) as refusal:
        commands.undo(kinds.match.pk, 0, kinds.match.version)
    assert refusal.value.code == "nothing-to-undo"


def test_nobody_undoes_what_another_did(kinds: Kinds) -> None:
    act(kinds.match, _first(kinds.match, 0, "flip"))
    with pytest.raises(RuleViolation) as refusal:
        commands.undo(kinds.match.pk, 1, kinds.match.version)
    assert refusal.value.code == "nothing-to-undo"


def test_undo_from_a_stale_page_is_refused(kinds: Kinds) -> None:
    act(kinds.match, _first(kinds.match, 0, "flip"))
    with pytest.raises(Stale):
        commands.undo(kinds.match.pk, 0, kinds.match.version - 1)


def test_resigning_ends_a_match_of_two(kinds: Kinds) -> None:
    commands.resign(kinds.match.pk, 0, "resign-once")
    kinds.match.refresh_from_db()
    assert kinds.match.is_over
    assert [seat.place for seat in kinds.match.seats.all()] == [2, 1]
    assert not kinds.match.seats.filter(to_move=True).exists()


def test_resigning_twice_is_refused(kinds: Kinds) -> None:
    commands.resign(kinds.match.pk, 0, "resign-once")
    with pytest.raises(RuleViolation) as refusal:
        commands.resign(kinds.match.pk, 0, "resign-twice")
    assert refusal.value.code == "match-over"


def test_a_bot_plays_on_for_who_leaves_a_match_of_three() -> None:
    match = running_match([person(), person(), person()])
    commands.resign(match.pk, 0, "resign-once")
    assert bot_takes_turn(match)
    match.refresh_from_db()
    assert match.is_running
    assert match.seats.get(to_move=True).number == 1
    bot_actions = Action.objects.filter(match=match, by_bot=True)
    assert set(bot_actions.values_list("seat", flat=True)) == {0}


def test_who_left_a_match_of_three_cannot_leave_again() -> None:
    match = running_match([person(), person(), person()])
    commands.resign(match.pk, 0, "resign-once")
    with pytest.raises(RuleViolation) as refusal:
        commands.resign(match.pk, 0, "resign-twice")
    assert refusal.value.code == "has-left"


def test_leavers_stand_behind_everybody_else() -> None:
    match = running_match([person(), person(), person()])
    commands.resign(match.pk, 2, "resign-third")
    commands.resign(match.pk, 0, "resign-first")
    play_out(match)
    assert [seat.place for seat in match.seats.all()] == [2, 1, 3]


def test_one_wish_aborts_a_match_in_which_not_everybody_has_acted(kinds: Kinds) -> None:
    commands.offer_abort(kinds.match.pk, 0)
    kinds.match.refresh_from_db()
    assert kinds.match.status == Match.Status.ABORTED
    assert [seat.place for seat in kinds.match.seats.all()] == [None, None]


def _both_have_acted(match: Match) -> None:
    act(match, "end")
    act(match, "end")


def test_later_everybody_must_agree_to_abort(kinds: Kinds) -> None:
    _both_have_acted(kinds.match)
    commands.offer_abort(kinds.match.pk, 0)
    kinds.match.refresh_from_db()
    assert kinds.match.is_running
    commands.offer_abort(kinds.match.pk, 1)
    kinds.match.refresh_from_db()
    assert kinds.match.status == Match.Status.ABORTED


def test_an_offer_to_abort_can_be_taken_back(kinds: Kinds) -> None:
    _both_have_acted(kinds.match)
    commands.offer_abort(kinds.match.pk, 0)
    commands.offer_abort(kinds.match.pk, 0, offered=False)
    commands.offer_abort(kinds.match.pk, 1)
    kinds.match.refresh_from_db()
    assert kinds.match.is_running


def test_nothing_can_be_done_after_the_end(kinds: Kinds) -> None:
    commands.offer_abort(kinds.match.pk, 0)
    kinds.match.refresh_from_db()
    attempts: list[Callable[[], object]] = [
        lambda: commands.submit(kinds.match.pk, 0, "end", kinds.match.version, "after-the-end"),
        lambda: commands.undo(kinds.match.pk, 0, kinds.match.version),
        lambda: commands.resign(kinds.match.pk, 0, "after-the-end"),
        lambda: commands.offer_abort(kinds.match.pk, 0),
    ]
    for attempt in attempts:
        with pytest.raises(RuleViolation) as refusal:
            attempt()
        assert refusal.value.code == "match-over"


def test_a_finished_match_has_places_scores_and_a_time() -> None:
    match = play_out(running_match([person(), person()], seed=bytes(32)))
    seats = list(match.seats.all())
    assert match.is_over
    assert sorted(seat.place or 0 for seat in seats) in ([1, 1], [1, 2])
    assert all(seat.score is not None and seat.ended_at == match.ended_at for seat in seats)


def test_a_match_alone_has_a_rank_for_the_table_of_best_results() -> None:
    match = play_out(running_match([person()], seed=bytes(32)))
    assert match.seats.get().solo_rank is not None


def test_the_commitment_belongs_to_the_seed() -> None:
    match = open_table([person()], seats=2)
    assert match.commit == commitment(bytes(match.server_seed))


def test_no_time_of_a_match_runs_backwards_when_the_clock_of_the_machine_does(kinds: Kinds) -> None:
    later = timezone.now() + timedelta(minutes=5)
    Match.objects.filter(pk=kinds.match.pk).update(moved_at=later)
    act(kinds.match, positions.legal_texts(kinds.match, 0)[0])
    assert Action.objects.get(match=kinds.match).at == later
