"""Turns in which everybody acts in secret: what others learn, what seals prove, what may be taken back."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine import record
from games.engine.protocol import RuleViolation, Seat
from games.history.replay import first_difference, seals_of
from games.play import commands
from games.play.access import ViewedMatch, viewed_by
from games.play.boards.fragments import match_fragment
from games.play.boards.log import log_lines
from games.play.models import Action, Match
from games.play.records import record_of, standing_actions
from games.play.reducer import positions
from games.play.reducer.actions import Stale
from games.titles import games
from tests.people import act, bot_takes_turn, client_of, person, play_out, running_match

pytestmark = pytest.mark.django_db


def challenge(seats: int = 2, **fields: Any) -> tuple[Match, list[User]]:
    """Return a match of 3D cardChess, one challenge long, and its people in the order of their seats."""
    people = [person() for _ in range(seats)]
    options = {"length": "one_challenge"}
    return running_match(people, game="card-chess", options=options, seed=bytes([seats]) * 32, **fields), people


def table_of(match: Match, user: Any) -> ViewedMatch:
    table = viewed_by(user, Match.objects.get(pk=match.pk))
    assert table is not None
    return table


def confirm(match: Match, seat: int, choice: int = 0) -> str:
    """Let a seat confirm one of its plays; return the play."""
    text = positions.legal_texts(match, seat)[choice]
    act(match, text, seat)
    return text


def standing(match: Match) -> list[tuple[int, int]]:
    return list(standing_actions(match).values_list("number", "seat"))


# --- what others are told -------------------------------------------------------------------------------------------


def test_of_a_sealed_play_others_get_the_seal_alone() -> None:
    match, (ann, bob) = challenge()
    text = confirm(match, 0)
    theirs = record_of(table_of(match, bob)).actions[0]
    assert (theirs.text, theirs.salt) == ("", None)
    own = record_of(table_of(match, ann)).actions[0]
    assert own.text == text
    assert own.seal == theirs.seal
    assert record.read(record.write(record_of(table_of(match, bob)))).actions[0] == theirs


def test_no_page_tells_others_of_a_sealed_play() -> None:
    match, (ann, bob) = challenge()
    text = confirm(match, 0)
    salt = bytes(Action.objects.get(match=match).salt).hex()
    for address in ("", "log/", "seals/", "replay/", "record.json"):
        own, others, strangers = (
            client.get(f"/match/{match.slug}/{address}").content.decode()
            for client in (client_of(ann), client_of(bob), Client())
        )
        for secret in (text, salt):
            assert secret not in others + strangers, address
        assert address not in {"seals/", "record.json"} or text in own


def test_the_log_says_that_somebody_confirmed() -> None:
    match, (_, bob) = challenge()
    text = confirm(match, 0)
    (line,) = log_lines(table_of(match, bob), Seat(1))
    assert line.seat == 0
    assert not set(text.split()[1:]) & set(line.text.split())


def test_the_seal_of_a_play_is_shown_to_everybody_at_once() -> None:
    match, people = challenge()
    confirm(match, 0)
    seal = Action.objects.get(match=match).seal
    address = reverse("seals", args=[match.slug])
    for user in people:
        assert seal in client_of(user).get(address).content.decode()
        assert address in client_of(user).get(match.get_absolute_url()).content.decode()
        assert seal[:8] not in match_fragment(table_of(match, user), user)


# --- what seals prove -----------------------------------------------------------------------------------------------


def test_a_seal_is_the_hash_that_was_promised() -> None:
    match, (ann, _) = challenge()
    for _ in range(2):
        confirm(match, 0), confirm(match, 1)
    for shown, turn in zip(seals_of(table_of(match, ann)), (0, 0, 2, 2), strict=True):
        words = ["tessera-seal-v1", match.commit, str(turn), str(shown.seat), shown.text]
        told = b"\0".join([*(word.encode() for word in words), bytes.fromhex(shown.salt)])
        assert hashlib.sha256(told).hexdigest() == shown.seal


def test_seals_open_when_the_last_has_confirmed() -> None:
    match, (ann, bob) = challenge()
    mine, theirs = confirm(match, 0), confirm(match, 1)
    match.refresh_from_db()
    assert match.opened == 2
    for user in (ann, bob):
        assert [entry.text for entry in record_of(table_of(match, user)).actions] == [mine, theirs]


def test_seals_are_open_when_a_match_has_ended_before_the_reveal() -> None:
    match, (_, bob) = challenge()
    text = confirm(match, 0)
    commands.resign(match.pk, 1, "bob-resigns")
    entries = record_of(table_of(match, bob)).actions
    assert [entry.text for entry in entries] == [text, "resign"]
    assert entries[0].salt is not None


def test_the_record_of_a_match_verifies_with_its_seals() -> None:
    match, (ann, _) = challenge()
    play_out(match)
    whole = record_of(table_of(match, ann))
    assert all(entry.seal and entry.salt for entry in whole.actions)
    assert record.verify(whole, games()["card-chess"]) is None
    assert first_difference(match) is None


def test_seals_that_were_taken_back_stay_listed_and_marked() -> None:
    match, (ann, bob) = challenge()
    confirm(match, 0), confirm(match, 1)
    confirm(match, 0, 3)
    commands.undo(match.pk, 0, match.version)
    match.refresh_from_db()
    confirm(match, 1), confirm(match, 0)
    taken_back = Action.objects.get(match=match, withdrawn=True)
    for reader in (ann, bob):
        shown = next(seal for seal in seals_of(table_of(match, reader)) if seal.withdrawn)
        assert (shown.turn, shown.seat, shown.seal, shown.text, shown.salt) == (2, 0, taken_back.seal, "", "")
        page = client_of(reader).get(f"/match/{match.slug}/seals/").content.decode()
        assert page.count("taken back") == 1
        assert taken_back.seal in page
    play_out(match)
    whole = record_of(table_of(match, ann))
    assert whole.withdrawn_seals == (record.WithdrawnSeal(2, 0, taken_back.seal),)
    assert record.verify(record.read(record.write(whole)), games()["card-chess"]) is None
    assert first_difference(match) is None
    draws = client_of(ann).get(f"/match/{match.slug}/draws.json").json()
    assert taken_back.seal not in {seal["seal"] for seal in draws["seals"]}


def test_a_withdrawn_seal_that_was_exchanged_is_found() -> None:
    match, _ = challenge()
    confirm(match, 0)
    commands.undo(match.pk, 0, match.version)
    Action.objects.filter(match=match).update(seal="0" * 64)
    assert "a withdrawn action of seat 0" in (first_difference(match) or "")


def test_a_seal_that_was_exchanged_is_found() -> None:
    match, _ = challenge()
    confirm(match, 0), confirm(match, 1)
    Action.objects.filter(match=match, number=2).update(seal="0" * 64)
    assert "the stored seal" in (first_difference(match) or "")


# --- what may be taken back -----------------------------------------------------------------------------------------


def test_a_play_may_be_taken_back_until_the_reveal() -> None:
    match, _ = challenge(3)
    confirm(match, 0), confirm(match, 1)
    before = match.version
    commands.undo(match.pk, 0, before)
    match.refresh_from_db()
    assert standing(match) == [(1, 1)]
    assert set(match.seats.filter(to_move=True).values_list("number", flat=True)) == {0, 2}
    confirm(match, 0, choice=5), confirm(match, 2)
    match.refresh_from_db()
    assert (match.turn, match.opened) == (3, 3)
    assert first_difference(match) is None


def test_who_has_confirmed_is_offered_to_take_it_back() -> None:
    match, (ann, bob, cat) = challenge(3)
    confirm(match, 0), confirm(match, 1)
    offered = ['id="undo"' in match_fragment(table_of(match, user), user) for user in (ann, bob, cat)]
    assert offered == [True, True, False]


def test_after_the_reveal_nothing_can_be_taken_back() -> None:
    match, _ = challenge()
    confirm(match, 0), confirm(match, 1)
    for seat in (0, 1):
        with pytest.raises(RuleViolation) as refusal:
            commands.undo(match.pk, seat, match.version)
        assert refusal.value.code == "nothing-to-undo"


def test_a_play_of_the_turn_before_cannot_be_taken_back_by_who_waits() -> None:
    match, _ = challenge()
    confirm(match, 0), confirm(match, 1), confirm(match, 0)
    with pytest.raises(RuleViolation, match="nothing you can take back"):
        commands.undo(match.pk, 1, match.version)


# --- who may act when ------------------------------------------------------------------------------------------------


def test_a_play_sent_while_another_confirms_is_not_stale() -> None:
    match, _ = challenge()
    seen = match.version
    texts = [positions.legal_texts(match, seat)[0] for seat in (0, 1)]
    for seat, text in enumerate(texts):
        commands.submit(match.pk, seat, text, seen, f"seat-{seat}-confirms")
    match.refresh_from_db()
    assert match.opened == 2


def test_a_play_sent_while_another_takes_back_is_not_stale() -> None:
    match, _ = challenge(3)
    confirm(match, 0)
    seen, text = match.version, positions.legal_texts(match, 1)[0]
    commands.undo(match.pk, 0, seen)
    commands.submit(match.pk, 1, text, seen, "seat-1-confirms")
    assert standing(match) == [(1, 1)]


def test_a_play_for_a_turn_that_is_over_is_stale() -> None:
    match, _ = challenge()
    seen = match.version
    confirm(match, 0), confirm(match, 1)
    with pytest.raises(Stale):
        commands.submit(match.pk, 0, positions.legal_texts(match, 0)[0], seen, "too-late-for-it")


def test_nobody_plays_twice_in_a_turn() -> None:
    match, _ = challenge()
    texts = positions.legal_texts(match, 0)
    seen = match.version
    act(match, texts[0], 0)
    with pytest.raises(RuleViolation) as refusal:
        commands.submit(match.pk, 0, texts[1], seen, "another-tab-of-it")
    assert refusal.value.code == "not-your-turn"


def test_a_bot_confirms_for_who_left_and_the_turn_goes_on() -> None:
    match, people = challenge(3)
    confirm(match, 0)
    commands.resign(match.pk, 1, "bob-resigns")
    assert bot_takes_turn(match)
    match.refresh_from_db()
    assert standing(match) == [(1, 0), (2, 1), (3, 1)]
    assert match.turn == 0
    commands.undo(match.pk, 0, match.version)
    assert standing(match) == [(1, 1), (2, 1)]
    match.refresh_from_db()
    confirm(match, 0), confirm(match, 2)
    assert first_difference(match) is None
    play_out(match)
    assert record.verify(record_of(table_of(match, people[0])), games()["card-chess"]) is None
