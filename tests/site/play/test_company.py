"""What the page of a match knows of the others who play it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.play.live import presence
from games.play.live.presence import LOOKING
from games.play.models import Match, Presence
from tests.people import Kinds, client_of, play_out, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """People of one test have the ids of those of another, which never happens on a site."""
    presence._in_time.cache_clear()


def told(match: Match, client: Client) -> dict[str, Any]:
    answer: dict[str, Any] = client.get(f"{match.get_absolute_url()}company.json").json()
    return answer


def test_players_are_told_of_the_others_and_spectators_of_all(kinds: Kinds) -> None:
    assert list(told(kinds.match, client_of(kinds.seated))) == ["1"]
    assert list(told(kinds.match, Client())) == ["0", "1"]


def test_whoever_looked_a_moment_ago_is_here(kinds: Kinds) -> None:
    seen = Presence.objects.create(user=kinds.mate, match=kinds.match, at=timezone.now())
    mate = told(kinds.match, client_of(kinds.seated))["1"]
    assert (mate["here"], mate["said"]) == (True, "is here")
    Presence.objects.filter(pk=seen.pk).update(at=timezone.now() - LOOKING - timedelta(seconds=1))
    mate = told(kinds.match, client_of(kinds.seated))["1"]
    assert (mate["here"], mate["said"]) == (False, "is away")


def test_reliability_is_told_once_there_are_enough_turns(kinds: Kinds) -> None:
    assert told(kinds.match, Client())["0"]["turns"] == ""
    presence._in_time.cache_clear()
    for _ in range(4):
        play_out(running_match([kinds.seated, kinds.mate]))
    known = told(kinds.match, Client())["0"]
    assert known["turns"] == "100\u202f%"
    assert known["said"].endswith("100 % of turns on time")


def test_of_whoever_has_left_and_of_a_match_that_has_ended_nothing_is_told(kinds: Kinds) -> None:
    kinds.match.seats.filter(number=1).update(left=1)
    assert list(told(kinds.match, Client())) == ["0"]
    Match.objects.filter(pk=kinds.match.pk).update(status=Match.Status.OVER)
    assert told(kinds.match, Client()) == {}
