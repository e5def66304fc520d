"""Actions taken back: what is kept of them, never without bound; and the seals of secret ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import post_init
from django.test.utils import CaptureQueriesContext

from games.engine.codec import encode
from games.engine.fair import SALT_BYTES, seal
from games.engine.protocol import RuleViolation
from games.history.replay import first_difference
from games.play import access, commands, store
from games.play.access import ViewedMatch, newest_actions
from games.play.models import Action, Match
from games.play.records import plays
from games.play.reducer import actions, positions
from games.titles import games
from tests.people import act, as_stored, go_on, person, running_match
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


# --- how much is loaded -----------------------------------------------------------------------------------------------


def taken_back(seen: ViewedMatch, seat: int, all_of_turn: bool = False) -> ViewedMatch:
    """Take back an action, or all of a turn, of a match that was just read, as the site does; return what is left."""
    ask = commands.restart_turn if all_of_turn else commands.undo
    return ask(seen.match.pk, seat, seen.match.version, seen=seen).viewed


@contextmanager
def counted() -> Iterator[dict[str, int]]:
    """Count the statements of a block, and the actions that are read in it."""
    counts = {"statements": 0, "actions": 0}

    def read(instance: Any, **_: Any) -> None:
        counts["actions"] += instance.pk is not None

    post_init.connect(read, sender=Action)
    try:
        with CaptureQueriesContext(connection) as statements:
            yield counts
        counts["statements"] = len(statements)
    finally:
        post_init.disconnect(read, sender=Action)


def flipped(seen: ViewedMatch, seat: int) -> ViewedMatch:
    return go_on(seen, seat, next(text for text in positions.legal_texts(seen.match, seat) if text.startswith("flip")))


def test_an_undo_loads_no_more_after_many_actions_than_after_few() -> None:
    """Neither in the match itself nor from what can be taken back no more."""
    spent = []
    for turns in (2, 40):
        seen = as_stored(running_match([person(), person()], seed=bytes(32)))
        for number in range(turns):
            for _ in range(3):
                seen = flipped(seen, number % 2)
            seen = go_on(seen, number % 2, "end")
        for _ in range(2):
            seen = flipped(seen, 0)
            with counted() as counts:
                seen = taken_back(seen, 0)
        spent.append(counts)
        assert seen.match.length == 4 * turns
    assert spent[0] == spent[1]
    assert spent[1]["actions"] == 0


def test_a_process_that_has_just_begun_loads_all_actions_once() -> None:
    match = running_match([person(), person()], seed=bytes(32))
    seen = as_stored(match)
    for _ in range(3):
        seen = flipped(seen, 0)
    access._cache.clear()
    loaded = access.access_match(seen.seats[0].user, match.slug)
    for most in (3, 0):
        with counted() as counts:
            loaded = taken_back(loaded, 0)
        assert counts["actions"] == most
    assert loaded.match.length == 1
    assert first_difference(loaded.match) is None


def test_a_match_that_is_loaded_again_unchanged_knows_its_past(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(access, "CACHED_FOR", -1.0)
    with django_capture_on_commit_callbacks(execute=True):
        seen = flipped(as_stored(running_match([person(), person()], seed=bytes(32))), 0)
    loaded = access.access_match(seen.seats[0].user, seen.match.slug)
    with counted() as counts:
        assert taken_back(loaded, 0).match.length == 0
    assert counts["actions"] == 0


def assert_known_as_stored(seen: ViewedMatch) -> None:
    """Check everything that is kept of a match against its stored actions, played again from the start."""
    match = Match.objects.get(pk=seen.match.pk)
    reached = list(plays(match, seen.seats))
    assert (match.state, match.length) == (encode(reached[-1].state), reached[-1].number)
    assert (match.turn, match.state) == (reached[-1].position.turn, seen.match.state)
    stored = [(action.pk, action.number, action.text) for action in newest_actions(match, match.length)]
    if seen.newest is not None:
        known = [(action.pk, action.number, action.text) for action in seen.newest]
        assert known == stored[: len(known)]
        assert len(known) >= min(match.length, positions.TAIL)
    assert list(seen.past) == [play.position for play in reversed(reached[:-1])][: len(seen.past)]


def something(seen: ViewedMatch, number: int, dice: random.Random) -> ViewedMatch:
    """Let a seat take something back or act, as chance will have it and if it can; return the match after it."""
    match, seat = seen.match, seen.seats[number]
    if not seat.has_left and dice.random() < 0.5:
        try:
            return taken_back(seen, number, all_of_turn=dice.random() < 0.3)
        except RuleViolation as refused:
            if refused.code not in {"nothing-to-undo", "match-over"}:
                raise
    elif seat.to_move and match.is_running:
        play = commands.submit_for_bot if seat.has_left else commands.submit
        text = dice.choice(positions.legal_texts(match, number))
        return play(match.pk, number, text, match.version, f"random-{match.version:08}", seen).viewed
    return seen


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("slug", [*sorted(games()), "sealed"])
def test_whatever_is_taken_back_is_as_if_it_had_never_been(slug: str, seats: int, sealed_game: str) -> None:
    """Chosen at random: actions, undos, restarts of turns, and a cache that is lost; of three, one leaves.

    What is kept goes from match to match until the cache is lost, so it is checked now and then.
    """
    dice, undone = random.Random(slug), 0
    seen = as_stored(running_match([person() for _ in range(seats)], game=sealed_game if slug == "sealed" else slug))
    for step in range(90):
        if step == 40 and seats == 3 and seen.match.is_running:
            seen = commands.resign(seen.match.pk, 2, "resignation").viewed
        if step % 20 == 0:
            seen = as_stored(seen.match)
        for number in dice.sample(range(seats), seats):
            before, seen = seen.match.length, something(seen, number, dice)
            undone += seen.match.length < before
        if step % 20 in {3, 8, 13, 16, 19}:
            assert_known_as_stored(seen)
    assert undone
    assert first_difference(Match.objects.get(pk=seen.match.pk)) is None
