"""Challenges from a profile, the names that are offered, and invitations between people who are kept apart."""

from __future__ import annotations

import pytest
from django.urls import reverse

from accounts import relations
from accounts.models import User
from games.engine.protocol import RuleViolation
from games.matchmaking import tables
from games.matchmaking.lobby import matches_of
from games.matchmaking.tables import TableSetup
from games.notifications.models import Notice
from games.play.models import Match
from tests.people import client_of, person

pytestmark = pytest.mark.django_db


def challenged(ann: User, bob: User, **more: str) -> Match:
    address = reverse("challenge", args=[bob.username])
    client_of(ann).post(address, {"game": "shifting-stones", "first_to": "", **more})
    return Match.objects.latest("pk")


def test_a_challenge_is_two_clicks_from_a_profile() -> None:
    ann, bob = person(), person()
    client = client_of(ann)
    address = reverse("challenge", args=[bob.username])
    assert address in client.get(bob.get_absolute_url()).content.decode()
    assert 'value="shifting-stones"' in client.get(address).content.decode()
    match = challenged(ann, bob)
    assert (match.seat_count, match.visibility) == (2, "private")
    assert matches_of(bob).invited == [match]


def test_a_challenge_remembers_the_settings_of_the_last_table() -> None:
    ann, bob = person(), person()
    tables.open_table(ann, TableSetup("shifting-stones", 3, speed="days", clock="604800+259200/604800", rated=False))
    match = challenged(ann, bob)
    assert (match.speed, match.clock, match.rated) == ("days", "604800+259200/604800", False)


def test_a_challenge_can_be_to_a_series() -> None:
    ann, bob = person(), person()
    assert challenged(ann, bob, first_to="3").in_series.series.goal == 3


def test_nonsense_is_refused_in_words() -> None:
    ann, bob = person(), person()
    address = reverse("challenge", args=[bob.username])
    assert client_of(ann).post(address, {"game": "chess"}).status_code == 422
    assert client_of(ann).post(address, {"game": "shifting-stones", "first_to": "99"}).status_code == 302
    assert not Match.objects.exists()


def test_who_has_blocked_somebody_hears_nothing_of_their_invitations() -> None:
    ann, bob = person(), person("bob")
    relations.block(bob, ann)
    match = challenged(ann, bob)
    assert matches_of(bob).invited == []
    assert not Notice.objects.filter(user=bob).exists()
    assert client_of(bob).get(match.get_absolute_url()).status_code == 404
    assert "can accept until" in client_of(ann).get(match.get_absolute_url()).content.decode(), "nobody is told"


def test_one_does_not_invite_whom_one_has_blocked() -> None:
    ann, bob = person(), person()
    relations.block(ann, bob)
    with pytest.raises(RuleViolation) as caught:
        tables.open_table(ann, TableSetup("shifting-stones", 2, invited=(bob,)))
    assert caught.value.code == "blocked"
