"""How a match ended, in words, on its page and in the archive: aborted and why, out of time, resigned, not rated."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from time_machine import Traveller

from accounts.models import User
from games.play import commands, timekeeping
from games.play.boards.endings import ending_in_words
from games.play.boards.fragments import _page
from games.play.models import Match
from games.play.reducer import positions
from tests.clocked import LIVE
from tests.people import act, bot_takes_turn, client_of, person, running_match

pytestmark = pytest.mark.django_db

NO_MOVE = "Bob did not make a first move; the match was aborted and does not count."


@pytest.fixture(autouse=True)
def _nothing_rendered_before() -> None:
    """Matches of one test have the ids and versions of those of another, which never happens on a site."""
    _page.cache_clear()


@pytest.fixture
def pair() -> list[User]:
    return [person("Ann"), person("Bob")]


def said(match: Match) -> str:
    match.refresh_from_db()
    return ending_in_words(match, list(match.seats.select_related("user")))


def expired(match: Match, clock: Traveller) -> Match:
    clock.shift(timedelta(hours=1))
    assert timekeeping.expire(match.pk)
    match.refresh_from_db()
    return match


def duel(pair: list[User], turns: int) -> Match:
    match = running_match(pair, clock=LIVE, rated=True)
    for _ in range(turns):
        act(match, "end")
    return match


@pytest.mark.parametrize("path", ["/match/{}/", "/match/{}/replay/"])
def test_page_and_replay_say_whose_first_move_was_missing(
    pair: list[User], clock: Traveller, client: Client, path: str
) -> None:
    match = expired(duel(pair, 1), clock)
    assert NO_MOVE in client.get(path.format(match.slug)).content.decode()


def test_somebody_who_moved_and_then_let_the_clock_run_out_is_named_too(pair: list[User], clock: Traveller) -> None:
    match = duel(pair, 0)
    match.seats.filter(number=0).update(acted=True)
    expired(match, clock)
    assert said(match) == ("Ann ran out of time before everyone had moved; the match was aborted and does not count.")


def test_an_abort_before_the_first_move_says_who_did_it(pair: list[User]) -> None:
    match = duel(pair, 0)
    commands.offer_abort(match.pk, 1)
    assert said(match) == "Bob aborted the match before the first move; it does not count."


def test_an_agreed_abort_says_so(pair: list[User]) -> None:
    match = duel(pair, 1)
    for seat in (0, 1):
        commands.offer_abort(match.pk, seat)
    assert said(match) == "Everyone agreed to abort the match; it does not count."


def test_a_fault_of_ours_is_owned(pair: list[User]) -> None:
    match = duel(pair, 2)
    Match.objects.filter(pk=match.pk).update(state="{}")
    commands.resign(match.pk, 0, "resign-12345")
    assert said(match) == "The match was aborted because of an error on our side; it does not count."


@pytest.mark.parametrize("reason", ["aborted", "agreed"])
def test_matches_aborted_long_ago_or_alone_say_no_more_than_is_known(reason: str) -> None:
    match = running_match([person()])
    Match.objects.filter(pk=match.pk).update(status=Match.Status.ABORTED, reason=reason)
    assert said(match) == "The match was aborted; it does not count."


@pytest.mark.parametrize("path", ["/match/{}/", "/match/{}/replay/"])
def test_a_loss_on_time_is_no_leaving(pair: list[User], clock: Traveller, client: Client, path: str) -> None:
    match = expired(duel(pair, 2), clock)
    page = client.get(path.format(match.slug)).content.decode()
    assert "Ann ran out of time. Bob wins." in page
    assert "left the match" not in page


def test_the_seat_says_it_as_well(pair: list[User], clock: Traveller, client: Client) -> None:
    match = expired(duel(pair, 2), clock)
    page = client.get(match.get_absolute_url()).content.decode()
    assert '<span class="badge bad">ran out of time</span>' in page


@pytest.mark.parametrize(("late", "words"), [(True, "out of time; a bot plays"), (False, "resigned; a bot plays")])
def test_of_a_seat_that_a_bot_plays_the_page_says_why(
    pair: list[User], clock: Traveller, client: Client, late: bool, words: str
) -> None:
    match = running_match([*pair, person()], clock=LIVE)
    for _ in range(3):
        act(match, "end")
    if late:
        expired(match, clock)
    else:
        commands.resign(match.pk, 0, "resign-12345")
    assert words in client.get(match.get_absolute_url()).content.decode()
    assert said(match) == ""


def test_resigning_names_the_winner(pair: list[User]) -> None:
    match = duel(pair, 2)
    commands.resign(match.pk, 0, "resign-12345")
    assert said(match) == "Ann has resigned. Bob wins."


def test_of_a_match_that_all_have_left_the_last_one_wins(pair: list[User]) -> None:
    match = running_match([*pair, person("Cleo")])
    for seat in (1, 2, 0):
        commands.resign(match.pk, seat, f"resign-{seat:05}")
    assert said(match) == "All players have left. Ann stayed longest and wins."


def test_a_match_ended_by_its_rules_needs_no_such_words() -> None:
    match = running_match([person(), person()])
    assert said(match) == ""


@pytest.mark.parametrize("path", ["/match/{}/", "/match/{}/replay/"])
def test_a_match_that_is_not_rated_says_why(pair: list[User], client: Client, path: str) -> None:
    match = duel(pair, 1)
    commands.resign(match.pk, 1, "resign-12345")
    assert not match.rating_changes.exists()
    page = client.get(path.format(match.slug)).content.decode()
    assert "The match is not rated, because Bob never made a move." in page


def test_a_rated_match_does_not_excuse_itself(pair: list[User], client: Client) -> None:
    match = duel(pair, 2)
    commands.resign(match.pk, 1, "resign-12345")
    assert match.rating_changes.count() == 2
    assert 'id="unrated"' not in client.get(match.get_absolute_url()).content.decode()


def test_what_a_bot_does_is_no_first_move_of_the_person(pair: list[User]) -> None:
    match = running_match([*pair, person()], rated=True)
    commands.resign(match.pk, 0, "resign-12345")
    assert bot_takes_turn(match)
    assert not match.seats.get(number=0).acted


def test_the_one_who_leaves_is_told_what_it_does_to_the_rating(pair: list[User]) -> None:
    match = duel(pair, 1)
    page = client_of(pair[1]).get(f"{match.get_absolute_url()}resign/").content.decode()
    assert "will not be rated" in page


def test_nobody_is_to_move_after_a_loss_on_time(pair: list[User], clock: Traveller, client: Client) -> None:
    match = running_match(pair, clock=LIVE, game="card-chess")
    for seat in (0, 1):
        act(match, positions.legal_texts(match, seat)[0], seat)
    assert 'class="player to-move"' in client.get(match.get_absolute_url()).content.decode()
    expired(match, clock)
    assert match.reason == "timeout"
    assert 'class="player to-move"' not in client.get(match.get_absolute_url()).content.decode()
    for path in ("", f"replay/?at={match.length}"):
        assert 'data-mode="over"' in client.get(match.get_absolute_url() + path).content.decode()
