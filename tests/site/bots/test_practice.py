"""Practice: a match against bots alone goes back to any of its player's decisions, and says so for ever."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.bots import hints, thinking
from games.bots.services import play_answer
from games.engine.protocol import RuleViolation
from games.engine.record import verify
from games.history.replay import first_difference
from games.play import commands
from games.play.access import viewed_by
from games.play.models import Action, Match
from games.play.records import record_of
from games.play.reducer import positions
from games.play.reducer.actions import Stale
from games.titles import games
from tests.people import act, bot_takes_turn, client_of, person, play_on, running_match
from tests.site.bots.test_turns import against_bots, claimed

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann() -> User:
    return person("ann")


def played(ann: User, game: str, decisions: int = 4) -> tuple[Match, dict[int, str]]:
    """Return a match against a bot, and by number the states in which its person decided."""
    match, states = against_bots([ann], game=game), dict[int, str]()
    while len(states) < decisions:
        match.refresh_from_db()
        if match.seats.get(number=0).to_move:
            states[match.length] = match.state
            texts = positions.legal_texts(match, 0)
            act(match, "end" if "end" in texts else texts[0], 0)
        else:
            bot_takes_turn(match)
    match.refresh_from_db()
    return match, states


@pytest.mark.parametrize("game", sorted(games()))
def test_every_decision_can_be_gone_back_to(ann: User, game: str) -> None:
    match, states = played(ann, game)
    for number in sorted(states, reverse=True):
        match.refresh_from_db()
        commands.go_back(match.pk, 0, match.version, number)
        match.refresh_from_db()
        assert (match.length, match.state, match.practice) == (number, states[number], True)
        assert match.seats.get(number=0).to_move
        assert first_difference(match) is None
    play_on(match, 4)
    commands.resign(match.pk, 0, "resignation")
    match.refresh_from_db()
    viewed = viewed_by(ann, match)
    assert viewed is not None
    record = record_of(viewed)
    assert record.practice
    assert verify(record, games()[game]) is None


def test_the_latest_decision_is_meant_unless_one_is_named(ann: User) -> None:
    match, states = played(ann, "shifting-stones", 2)
    bot_takes_turn(match)
    match.refresh_from_db()
    commands.go_back(match.pk, 0, match.version)
    match.refresh_from_db()
    assert match.length == max(states)


def test_what_a_bot_thinks_of_meanwhile_is_thrown_away(ann: User) -> None:
    match, _states = played(ann, "shifting-stones", 2)
    turn = claimed(match)
    commands.go_back(match.pk, 0, match.version)
    assert not play_answer(turn.answered(thinking.by_policy(turn.question)))


def test_a_stale_page_goes_nowhere(ann: User) -> None:
    match, _states = played(ann, "shifting-stones", 2)
    with pytest.raises(Stale):
        commands.go_back(match.pk, 0, 1)
    seen = match.version
    commands.go_back(match.pk, 0, seen)
    with pytest.raises(Stale):
        commands.submit(match.pk, 0, "end", seen, "from-before-going-back")
    assert Action.objects.filter(match=match, withdrawn=False).count() == match.length - 1


def test_there_is_no_way_back_with_other_people(ann: User) -> None:
    for match in (running_match([ann, person()]), against_bots([ann, person()])):
        act(match, "end", 0)
        with pytest.raises(RuleViolation, check=lambda error: error.code == "no-practice"):
            commands.go_back(match.pk, 0, match.version)
        assert 'id="back"' not in client_of(ann).get(match.get_absolute_url()).content.decode()


def test_a_person_goes_back_from_the_match_or_from_a_position_of_it(ann: User) -> None:
    match, states = played(ann, "shifting-stones", 3)
    bot_takes_turn(match)
    client, first = client_of(ann), min(states)
    assert 'id="back"' in client.get(match.get_absolute_url()).content.decode()
    position = f"{reverse('replay', args=[match.slug])}?at={first}"
    assert 'id="practise"' in client.get(position).content.decode()
    match.refresh_from_db()
    client.post(reverse("match_back", args=[match.slug]), {"version": match.version, "after": first})
    match.refresh_from_db()
    assert (match.length, match.practice) == (first, True)
    assert 'id="practice"' in client.get(match.get_absolute_url()).content.decode()
    commands.resign(match.pk, 0, "resignation")
    assert marks_in_archive(match) == {"practice"}


@pytest.mark.parametrize("slug", games())
def test_the_tools_keep_their_places_and_those_of_no_use_are_switched_off(ann: User, slug: str) -> None:
    match, client = against_bots([ann], game=slug), client_of(ann)

    def tools() -> dict[str, bool]:
        bar = client.get(match.get_absolute_url()).content.decode().partition('id="tools"')[2].partition("</div>")[0]
        found = re.findall(r'<(?:a|button) [^>]*?id="([\w-]+)"([^>]*)>', bar)
        return {name: not more.endswith(" disabled") for name, more in found}

    seen = list[dict[str, bool]]()
    while len(seen) < 8:
        match.refresh_from_db()
        seen.append(tools())
        if match.seats.get(number=0).to_move:
            act(match, positions.legal_texts(match, 0)[0], 0)
        else:
            bot_takes_turn(match)
    assert {tuple(each)[:4] for each in seen} == {("leave", "ask-hint", "back", "what-happened")}
    for name in ("ask-hint", "back", "what-happened"):
        assert {each[name] for each in seen} == {True, False}, name


def test_who_takes_back_a_turn_is_asked_first_and_told_so(ann: User) -> None:
    match, _states = played(ann, "card-chess", 2)
    client, told = client_of(ann), "You took back your turn. This is a practice match now."
    address, headers = reverse("match_back", args=[match.slug]), {"HX-Request": "true"}
    fields = {"version": match.version, "client_id": "takes-back-its-turn"}
    asked = client.post(address, fields, headers=headers).content.decode()
    assert f'id="sure" name="sure" value="1" formaction="{address}"' in asked
    assert Match.objects.get(pk=match.pk).version == match.version
    answer = client.post(address, {**fields, "sure": "1"}, headers=headers)
    assert f">{told}</p>" in answer.content.decode()
    assert told not in client.get(match.get_absolute_url()).content.decode()


def marks_in_archive(match: Match) -> set[str]:
    """Return which of the marks of help a match carries in the archive."""
    page = Client().get(f"{reverse('archive')}?game={match.game}").content.decode()
    (row,) = re.findall(rf'<th scope="row">(?:(?!</th>).)*?{match.slug}.*?</th>', page, re.DOTALL)
    return {mark for mark in ("practice", "with hints") if mark in row}


@pytest.mark.parametrize("marks", [set(), {"practice"}, {"with hints"}, {"practice", "with hints"}])
def test_the_archive_says_which_matches_had_hints_or_were_practised(ann: User, marks: set[str]) -> None:
    match, _states = played(ann, "shifting-stones", 1)
    bot_takes_turn(match)
    match.refresh_from_db()
    if "practice" in marks:
        commands.go_back(match.pk, 0, match.version)
    if "with hints" in marks:
        hints.ask(match.pk, 0)
    commands.resign(match.pk, 0, "resignation")
    commands.resign(against_bots([ann]).pk, 0, "resignation of another")  # without any
    assert marks_in_archive(match) == marks
