"""Actions taken back: what is kept of them, never without bound; and the seals of secret ones."""

from __future__ import annotations

import pytest

from games.engine.fair import SALT_BYTES, seal
from games.engine.protocol import RuleViolation
from games.play import commands, store
from games.play.models import Action, Match
from games.play.reducer import actions, positions
from tests.people import act, person, running_match
from tests.unit.engine.toys import Sealed

pytestmark = pytest.mark.django_db


def withdrawn(match: Match) -> int:
    return Action.objects.filter(match=match, withdrawn=True).count()


def flip_and_undo(match: Match, client_id: str = "") -> None:
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")), client_id=client_id)
    commands.undo(match.pk, 0, match.version)
    match.refresh_from_db()


def test_acting_and_undoing_again_and_again_fills_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "UNDONE_KEPT", 3)
    match = running_match([person(), person()], seed=bytes(32))
    for _ in range(6):
        flip_and_undo(match)
    assert withdrawn(match) == 3


def test_an_undo_that_comes_again_takes_nothing_more_back() -> None:
    """Its answer was lost, and the page sends it again under the same name (`Seat.asked`)."""
    match = running_match([person(), person()], seed=bytes(32))
    for cell in ("a1", "b2"):
        act(match, f"flip {positions.decode_state(match).hands[0][0]} {cell}", 0)
    version = match.version
    commands.undo(match.pk, 0, version, "undo-it-once")
    assert commands.undo(match.pk, 0, version, "undo-it-once").repeated
    assert commands.undo(match.pk, 0, version + 1, "undo-it-once").repeated
    match.refresh_from_db()
    assert match.length == 1
    commands.undo(match.pk, 0, match.version, "another-one")
    match.refresh_from_db()
    assert match.length == 0


def test_an_offer_that_comes_again_changes_nothing() -> None:
    match = running_match([person(), person()], seed=bytes(32))
    for text in ("end", "end"):
        act(match, text)
    commands.offer_abort(match.pk, 0, True, "the-offer")
    assert match.seats.get(number=0).offers_abort
    match.refresh_from_db()
    version = match.version
    commands.offer_abort(match.pk, 0, True, "the-offer")
    match.refresh_from_db()
    assert match.version == version


def test_a_request_that_comes_again_after_its_undo_is_known() -> None:
    match = running_match([person(), person()], seed=bytes(32))
    version = match.version
    flip_and_undo(match, "the-same-id")
    assert commands.submit(match.pk, 0, "end", version, "the-same-id").repeated


def secret(match: Match, seat: int) -> None:
    match.refresh_from_db()
    act(match, positions.legal_texts(match, seat)[0], seat)


def test_seals_that_were_taken_back_stay_and_so_there_is_a_limit_in_each_turn(
    monkeypatch: pytest.MonkeyPatch, sealed_game: str
) -> None:
    monkeypatch.setattr(store, "UNDONE_KEPT", 0)
    monkeypatch.setattr(actions, "MOST_SEALS_TAKEN_BACK", 2)
    match = running_match([person(), person()], game=sealed_game)
    for _ in range(2):
        secret(match, 0)
        commands.undo(match.pk, 0, match.version)
    secret(match, 0)
    with pytest.raises(RuleViolation, check=lambda error: error.code == "undo-limit"):
        commands.undo(match.pk, 0, match.version)
    assert withdrawn(match) == 2
    secret(match, 1)
    secret(match, 1)
    commands.undo(match.pk, 1, match.version)
    match.refresh_from_db()
    secret(match, 0)
    commands.undo(match.pk, 0, match.version)
    assert withdrawn(match) == 4


def test_the_seal_is_of_the_canonical_text_however_the_action_was_written(
    monkeypatch: pytest.MonkeyPatch, sealed_game: str
) -> None:
    parse = Sealed.parse
    monkeypatch.setattr(Sealed, "parse", lambda game, text: parse(game, text.strip()))
    match = running_match([person(), person()], game=sealed_game)
    act(match, "2 ", 0)
    action = Action.objects.get(match=match)
    assert action.text == "2"
    assert len(bytes(action.salt)) == SALT_BYTES
    assert action.seal == seal(match.commit, 0, 0, "2", bytes(action.salt))
