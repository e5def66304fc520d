"""How reliable somebody is: turns in time and matches finished, over their latest matches with others."""

from __future__ import annotations

import pytest
from django.test import Client
from time_machine import Traveller

from accounts.models import User
from games.play import commands, reliability, timekeeping
from games.play.models import Match, Seat
from games.play.reducer import positions
from games.play.reliability import Reliability, reliability_of
from tests.clocked import LIVE
from tests.people import act, person, running_match

pytestmark = pytest.mark.django_db


def turns(match: Match, number: int) -> int:
    return Seat.objects.get(match=match, number=number).turns


def away(users: list[User], clock: Traveller, after: int = 2) -> Match:
    """Play this many turns, then let the time of the next one run out."""
    match = running_match(users, clock=LIVE)
    for _ in range(after):
        act(match, "end")
    clock.shift(400)
    assert timekeeping.expire(match.pk)
    return match


# --- what is counted --------------------------------------------------------------------------------------------------


def test_a_turn_that_is_ended_counts() -> None:
    match = running_match([person(), person()])
    act(match, "end")
    assert (turns(match, 0), turns(match, 1)) == (1, 0)


def test_a_turn_that_goes_on_does_not_count_yet() -> None:
    match = running_match([person(), person()], seed=bytes(32))
    act(match, next(text for text in positions.legal_texts(match, 0) if text.startswith("flip")))
    assert turns(match, 0) == 0


def test_a_turn_that_is_taken_back_and_ended_again_counts_once() -> None:
    match = running_match([person(), person()], seed=bytes(32))
    commands.undo(match.pk, 0, act(match, "end").version)
    assert turns(match, 0) == 0
    act(match, "end")
    assert turns(match, 0) == 1


def test_each_secret_turn_counts(sealed_game: str) -> None:
    match = running_match([person(), person(), person()], game=sealed_game)
    for seat in (0, 1, 2):
        act(match, positions.legal_texts(match, seat)[0], seat=seat)
    assert [turns(match, seat) for seat in (0, 1, 2)] == [1, 1, 1]


def test_being_away_counts_as_a_turn_out_of_time(clock: Traveller) -> None:
    ann, bob = person(), person()
    away([ann, bob], clock)
    assert reliability_of(ann) == Reliability(turns=1, missed=1, matches=1)
    assert reliability_of(bob) == Reliability(turns=1, missed=0, matches=1)


def test_being_away_from_the_beginning_counts_although_the_match_is_aborted(clock: Traveller) -> None:
    ann, bob = person(), person()
    away([ann, bob], clock, after=0)
    assert (reliability_of(ann).missed, reliability_of(bob).missed) == (1, 0)


def test_resigning_is_no_being_away() -> None:
    ann, bob = person(), person()
    match = running_match([ann, bob])
    act(match, "end")
    act(match, "end")
    commands.resign(match.pk, 0, "resign-12345")
    assert reliability_of(ann) == Reliability(turns=1, missed=0, matches=1)


def test_matches_alone_and_running_ones_do_not_count() -> None:
    ann = person()
    running_match([ann, person()])
    commands.resign(running_match([ann]).pk, 0, "resign-12345")
    assert reliability_of(ann) == Reliability(0, 0, 0)


def test_only_the_latest_matches_count(clock: Traveller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reliability, "LATEST", 2)
    ann, bob = person(), person()
    away([ann, bob], clock)
    for _ in range(2):
        clock.shift(60)
        match = running_match([ann, bob])
        act(match, "end")
        act(match, "end")
        commands.resign(match.pk, 0, "resign-12345")
    assert reliability_of(ann) == Reliability(2, 0, 2)


# --- what it comes to -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "missed", "in_time"), [(19, 0, None), (20, 0, 100), (199, 1, 99), (18, 2, 90), (0, 0, None)]
)
def test_turns_in_time_are_told_in_a_hundred_rounded_down(turns: int, missed: int, in_time: int | None) -> None:
    assert Reliability(turns, missed, matches=5).in_time == in_time


def test_whoever_has_played_too_little_suffices() -> None:
    assert Reliability(turns=3, missed=3, matches=3).suffices(95)
    assert not Reliability(turns=90, missed=10, matches=10).suffices(95)
    assert Reliability(turns=90, missed=10, matches=10).suffices(90)


# --- where it is shown ------------------------------------------------------------------------------------------------


def test_a_profile_shows_it_to_everybody(client: Client, clock: Traveller) -> None:
    ann, bob = person("Ann"), person()
    match = away([ann, bob], clock)
    Seat.objects.filter(match=match, user=ann).update(turns=24)
    page = client.get("/@Ann/").content.decode()
    assert "96 %" in page
    assert "0 of 1" in page


def test_a_profile_without_matches_says_nothing_of_it(client: Client) -> None:
    person("Ann")
    assert 'id="reliability"' not in client.get("/@Ann/").content.decode()
