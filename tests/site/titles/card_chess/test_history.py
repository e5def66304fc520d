"""After the match: replayed turn by turn with all hands or from one seat's knowledge, and what was counted."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from games.history.views import counts_of, latest_of
from games.play.models import Match, Seat
from games.play.reducer.positions import decode_state
from tests.people import client_of, person, play_out, running_match

pytestmark = pytest.mark.django_db


def challenge() -> Match:
    """Return a finished match of two, one challenge long."""
    people = [person("ann"), person("bob")]
    return play_out(running_match(people, game="card-chess", options={"length": "one_challenge"}, seed=bytes(32)))


def replayed(match: Match, query: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(f"/match/{match.slug}/replay/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def step(page: str, name: str) -> int:
    found = re.search(rf'id="{name}"[^>]* href="\?at=(\d+)', page)
    assert found is not None
    return int(found[1])


def test_a_step_of_the_replay_is_a_turn() -> None:
    match = challenge()
    page = replayed(match, "?at=4")
    assert (step(page, "step-before"), step(page, "step-after")) == (2, 6)
    assert step(replayed(match, "?at=2"), "step-before") == 0


def test_a_position_inside_a_turn_still_has_an_address() -> None:
    page = replayed(challenge(), "?at=3")
    assert (step(page, "step-before"), step(page, "step-after")) == (2, 4)


def test_all_hands_are_shown_once_a_match_is_over() -> None:
    match = challenge()
    assert 'id="view-all"' in replayed(match, "?at=2")
    assert replayed(match, "?at=2&seat=all").count("seat-dot") > replayed(match, "?at=2&seat=spectator").count(
        "seat-dot"
    )
    assert "open-hands" in replayed(match, "?at=2&seat=all")
    assert "open-hands" not in replayed(match, "?at=2&seat=0")


def test_while_a_match_runs_nobody_sees_all_hands() -> None:
    match = running_match([ann := person(), person()], game="card-chess")
    answer = client_of(ann).get(f"/match/{match.slug}/replay/?seat=all")
    assert answer.status_code == 403
    assert "open-hands" not in answer.content.decode()


def test_captures_realms_challenges_and_gold_are_counted() -> None:
    match = challenge()
    counts = [seat.counts for seat in Seat.objects.filter(match=match).order_by("number")]
    assert [set(count) for count in counts] == [{"captures", "realms", "challenges", "gold"}] * 2
    view = match.rules.view_for(decode_state(match), None)
    assert [count["captures"] for count in counts] == list(view.challenges[0].captures)
    assert sum(count["gold"] for count in counts) == sum(view.gold)


def test_a_profile_adds_up_what_was_counted_in_matches_its_reader_may_find() -> None:
    match = challenge()
    seat = match.seats.get(number=0)
    ann = seat.user
    (counted,) = counts_of(latest_of(AnonymousUser(), ann))
    assert [total for _, total in counted.totals] == list(seat.counts.values())
    assert "Piles captured" in Client().get("/@ann/").content.decode()
    Match.objects.filter(pk=match.pk).update(visibility=Match.Visibility.PRIVATE)
    assert counts_of(latest_of(AnonymousUser(), ann)) == []
    assert len(counts_of(latest_of(ann, ann))) == 1
