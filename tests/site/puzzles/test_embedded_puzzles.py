"""Puzzles on other people's pages: the position and what is asked, and never the solution."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client

from accounts.moments import today
from games.puzzles import daily
from games.titles import games
from tests.people import client_of, person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", games())
def test_it_shows_the_position_of_today_to_everybody_alike(slug: str) -> None:
    puzzle = daily.puzzle_of(slug, today())
    assert puzzle is not None
    answer, again = Client().get(f"/embed/puzzle/{slug}/"), client_of(person()).get(f"/embed/puzzle/{slug}/")
    page = answer.content.decode()
    assert puzzle.task.asked(puzzle.view)[:20] in page
    assert daily.board(puzzle, (), active=False).html in page
    assert f'href="{settings.SITE_URL}{puzzle.url}"' in page
    assert re.findall(r"<form\b", page) == []
    assert (again.content, list(again.cookies)) == (answer.content, [])


def test_nothing_in_it_depends_on_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is the same without the part of the puzzle that is the answer."""
    puzzle = daily.puzzle_of("shifting-stones", today())
    assert puzzle is not None
    shown = Client().get("/embed/puzzle/shifting-stones/").content
    monkeypatch.setattr(type(puzzle.puzzle), "solution", property(lambda _: pytest.fail("it was asked for")))
    monkeypatch.setattr(type(puzzle.puzzle), "best", property(lambda _: pytest.fail("it was asked for")))
    assert Client().get("/embed/puzzle/shifting-stones/").content == shown


def test_other_days_have_frames_of_their_own_and_none_that_has_not_come() -> None:
    yesterday, tomorrow = (today() + timedelta(days=days) for days in (-1, 1))
    statuses = [
        Client().get(f"/embed/puzzle/{path}/").status_code
        for path in (f"card-chess/{yesterday}", f"card-chess/{tomorrow}", "card-chess/never", "chess")
    ]
    assert statuses == [200, 404, 404, 404]


def test_the_page_of_a_puzzle_offers_the_code_of_every_day_or_of_its_own() -> None:
    yesterday = today() - timedelta(days=1)
    for day, frame in ((today(), ""), (yesterday, f"{yesterday}/")):
        page = Client().get(f"/puzzles/card-chess/{day}/").content.decode()
        (code,) = re.findall(r'<textarea id="embed-code"[^>]*>([^<]*)</textarea>', page)
        assert f"src=&quot;{settings.SITE_URL}/embed/puzzle/card-chess/{frame}&quot;" in code
        assert 'type="application/json+oembed"' in page
        assert ("It shows a new puzzle every day." in page) == (day == today())
