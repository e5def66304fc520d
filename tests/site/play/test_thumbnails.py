"""Pictures of matches in lists: made once for each version, from a spectator's view, and never in the way."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.codec import encode
from games.engine.fair import FairChance
from games.play.boards import pictures
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games, titles
from tests.people import act, eager, person, running_match
from tests.traits import is_open

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_drawn() -> None:
    pictures._drawn.clear()


def begun(slug: str = "shifting-stones", actions: int = 5) -> Match:
    match = running_match([person(), person()], game=slug, seed=bytes(32))
    for _ in range(actions):
        move(match)
    return Match.objects.get(pk=match.pk)


def move(match: Match) -> None:
    seat = match.seats.filter(to_move=True).order_by("number")[0].number
    act(match, eager(match, positions.legal_texts(match, seat)), seat)


def picture(match: Match) -> str:
    return pictures.thumbnails([Match.objects.defer("state").get(pk=match.pk)])[match.pk]


def test_a_position_is_read_once_for_each_version(django_assert_num_queries: Any) -> None:
    matches = [begun() for _ in range(3)]
    with django_assert_num_queries(1):
        first = pictures.thumbnails(matches)
    with django_assert_num_queries(0):
        assert pictures.thumbnails(matches) == first
    move(matches[0])
    matches[0].refresh_from_db()
    with django_assert_num_queries(1):
        assert pictures.thumbnails(matches)[matches[0].pk] != first[matches[0].pk]


@pytest.mark.parametrize("slug", games())
def test_it_does_not_depend_on_what_spectators_may_not_know(slug: str) -> None:
    match = begun(slug)
    shown = picture(match)
    state = positions.decode_state(match)
    imagined = match.rules.imagine(match.rules.view_for(state, None), FairChance(b"imagined" * 4, 0))
    assert imagined != state or is_open(slug)
    Match.objects.filter(pk=match.pk).update(state=encode(imagined))
    pictures._drawn.clear()
    assert picture(match) == shown


@pytest.mark.parametrize("slug", games())
def test_titles_are_given_the_view_of_a_spectator(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match, seen = begun(slug), []

    def thumbnail(view: Any) -> str:
        seen.append(view)
        return ""

    monkeypatch.setattr(titles()[slug].board, "thumbnail", thumbnail)
    picture(match)
    assert seen == [match.rules.view_for(positions.decode_state(match), None)]


def test_a_match_that_cannot_be_read_has_an_empty_picture() -> None:
    broken, sound = begun(), begun()
    Match.objects.filter(pk=broken.pk).update(state="{}")
    found = pictures.thumbnails([broken, sound])
    assert "<use" not in found[broken.pk]
    assert "<use" in found[sound.pk]


def test_an_open_table_has_none() -> None:
    match = begun()
    Match.objects.filter(pk=match.pk).update(started_at=None)
    assert pictures.thumbnails(Match.objects.filter(pk=match.pk)) == {}
