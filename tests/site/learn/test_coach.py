"""Coach marks: for newcomers in their first match of a game against bots, each until it is read."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import note_coached
from games.play.models import Match
from games.titles import titles
from games.titles.board import CoachMark
from tests.people import client_of, person, running_match
from tests.site.bots.test_turns import against_bots

pytestmark = pytest.mark.django_db

GAME = "shifting-stones"
MARKS = (
    CoachMark("aim", "#stones", "Make the stones lie as on a card."),
    CoachMark("cost", "#hand", "Each swap costs a card."),
    CoachMark("win", "#players", "Whoever has most points wins."),
)


@pytest.fixture(autouse=True)
def marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(titles()[GAME]), "coach", MARKS)


def newcomer() -> User:
    return person(coached="")


def marks_in(client: Client, match: Match) -> Sequence[str]:
    page = client.get(match.get_absolute_url()).content.decode()
    return [mark.key for mark in MARKS if f'id="coach-{mark.key}"' in page and str(mark.text) in page]


def test_each_mark_is_shown_until_it_is_read_on_whatever_device() -> None:
    user = newcomer()
    match = against_bots([user], game=GAME)
    address = reverse("match_coached", args=[match.slug])
    assert marks_in(client_of(user), match) == ["aim", "cost", "win"]
    by_form = client_of(user).post(address, {"mark": "aim"})
    assert by_form.headers["Location"] == match.get_absolute_url()
    by_script = client_of(user).post(address, {"mark": "win"}, headers={"HX-Request": "true"})
    assert by_script.status_code == 204
    assert marks_in(client_of(user), match) == ["cost"]
    assert "learn/coach.css" in client_of(user).get(match.get_absolute_url()).content.decode().partition("<body")[0]
    client_of(user).post(address, {"mark": "cost"})
    page = client_of(user).get(match.get_absolute_url()).content.decode()
    assert 'id="coach"' not in page
    assert "learn/coach.css" not in page


def test_marks_read_on_two_devices_at_once_are_both_kept() -> None:
    user = newcomer()
    elsewhere = User.objects.get(pk=user.pk)  # another request has read the account before this one writes
    note_coached(user, f"{GAME}:aim")
    note_coached(elsewhere, f"{GAME}:win")
    user.refresh_from_db()
    assert user.coached == f"{GAME}:aim {GAME}:win"


def test_only_the_first_match_of_a_game_has_them_and_only_against_bots() -> None:
    user, other = newcomer(), person()
    against_people = running_match([user, other], game=GAME)
    assert marks_in(client_of(user), against_people) == []
    second = against_bots([user], game=GAME)
    assert marks_in(client_of(user), second) == []
    somebody_elses = against_bots([newcomer()], game=GAME)
    assert marks_in(client_of(newcomer()), somebody_elses) == []


def test_what_is_no_mark_changes_nothing() -> None:
    user = newcomer()
    match = against_bots([user], game=GAME)
    client_of(user).post(reverse("match_coached", args=[match.slug]), {"mark": "x" * 1000})
    user.refresh_from_db()
    assert user.coached == ""


def test_strangers_cannot_note_anything_at_a_secluded_match() -> None:
    match = against_bots([newcomer()], game=GAME, visibility=Match.Visibility.PRIVATE)
    answer = client_of(newcomer()).post(reverse("match_coached", args=[match.slug]), {"mark": "aim"})
    assert answer.status_code == 404
