"""What others did since a player's own last action: which steps are told, in what words, and nothing hidden."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.protocol import Seat
from games.play.access import access_match
from games.play.boards import fragments
from games.play.boards.fragments import board_at
from games.play.models import Match, Presence
from games.play.reducer import positions
from games.titles import games
from tests.people import Kinds, act, client_of, eager, person, play_out, running_match
from tests.traits import has_lines

pytestmark = pytest.mark.django_db


def told(client: Client, match: Match, first: str = "") -> list[tuple[int, str]]:
    """Return the steps of the answer, each with its words."""
    text = client.get(f"{match.get_absolute_url()}past/?from={first}").content.decode()
    return [(int(number), lines) for number, lines in re.findall(r'data-number="(\d+)" data-lines="([^"]*)"', text)]


def begins_with(client: Client, match: Match) -> str | None:
    """Return the action with which the page begins to tell what happened, None if it tells nothing."""
    found = re.search(r'data-from="(\d+)"', client.get(match.get_absolute_url()).content.decode())
    return found and found[1]


@pytest.fixture
def trio(db: None) -> tuple[Match, list[User]]:
    people = [person("Ann"), person("Bob"), person("Cid")]
    match = running_match(people, seed=bytes(32))
    for seat in range(3):
        act(match, "skip", seat)
    return match, people


def test_each_turn_of_the_others_is_a_step_from_the_board_before_them(trio: tuple[Match, list[User]]) -> None:
    match, people = trio
    steps = told(client_of(people[0]), match)
    assert [number for number, _ in steps] == [1, 2, 3]
    assert [words.split(".")[0] for _, words in steps] == ["", "Bob skips the turn", "Cid skips the turn"]


def test_only_what_others_did_after_ones_own_last_action_is_told(trio: tuple[Match, list[User]]) -> None:
    match, people = trio
    assert [number for number, _ in told(client_of(people[1]), match)] == [2, 3]
    assert told(client_of(people[2]), match) == []


def test_the_page_begins_with_what_was_done_after_its_reader_last_looked(trio: tuple[Match, list[User]]) -> None:
    match, people = trio
    ann = client_of(people[0])
    assert begins_with(ann, match) == "2"
    seen = Presence.objects.create(user=people[0], match=match, at=match.actions.get(number=2).at)
    assert begins_with(ann, match) == "3"
    assert [number for number, _ in told(ann, match, "3")] == [2, 3]
    Presence.objects.filter(pk=seen.pk).update(at=timezone.now() + timedelta(seconds=1))
    assert begins_with(ann, match) is None


def test_whoever_moved_last_and_whoever_does_not_play_are_told_nothing(kinds: Kinds) -> None:
    act(kinds.match, "skip", 0)
    for user in (kinds.seated, kinds.stranger):
        assert begins_with(client_of(user), kinds.match) is None
        assert told(client_of(user), kinds.match) == []
    assert told(Client(), kinds.match) == []


def test_a_match_that_has_ended_shows_its_end_instead(kinds: Kinds) -> None:
    match = play_out(kinds.match)
    for user in (kinds.seated, kinds.mate):
        assert begins_with(client_of(user), match) is None
        assert told(client_of(user), match) == []


@pytest.mark.parametrize("first", ["x", "-1", "9" * 40, "²"])
def test_nonsense_in_the_address_begins_with_everything(trio: tuple[Match, list[User]], first: str) -> None:
    match, people = trio
    assert [number for number, _ in told(client_of(people[0]), match, first)] == [1, 2, 3]


def test_what_another_player_drew_is_not_told(trio: tuple[Match, list[User]]) -> None:
    match, people = trio
    text = client_of(people[0]).get(f"{match.get_absolute_url()}past/").content.decode()
    assert "Bob draws 2 cards." in text
    assert "Only" not in text


@pytest.mark.parametrize("slug", games())
def test_every_step_is_what_the_replay_shows_this_player(slug: str) -> None:
    people = [person("Ann"), person("Bob"), person("Cid")]
    match = running_match(people, game=slug, seed=bytes(32))
    for _ in range(11):
        seat = match.seats.filter(to_move=True).order_by("number")[0].number
        act(match, eager(match, positions.legal_texts(match, seat)), seat)
    found = 0
    for number, user in enumerate(people):
        viewed = access_match(user, match.slug)
        for step in fragments.steps(viewed, fragments.untold(viewed))[:-1]:
            assert step.html == board_at(viewed, step.number, Seat(number)).html
            found += 1
    assert bool(found) == has_lines(slug)
