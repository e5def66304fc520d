"""Lessons played on against Novice, from the boards on which they end."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.lessons import EXERCISE
from games.learn.services import PlayedOn
from games.titles import titles

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
LESSONS = [
    (slug, name)
    for slug, title in titles().items()
    for name, lesson in title.lessons.items()
    if lesson.kind != EXERCISE and lesson.grade == 1
]


def address(slug: str, name: str) -> str:
    return reverse("lesson_play", args=[slug, name])


def legal(played: PlayedOn, number: int) -> str:
    """Return one of the actions that the learner may take now, never an end of a turn if there is something to do."""
    game, state = played.course.game, played.last.state
    texts = sorted(game.notate(action) for action in game.legal_actions(state, played.course.seat))
    return [text for text in texts if text not in {"end", "skip"} or len(texts) < 3][number % 3 - 2 :][0]


@pytest.mark.parametrize(("slug", "name"), LESSONS)
def test_the_lesson_everybody_takes_goes_on_against_novice(client: Client, slug: str, name: str) -> None:
    page = client.get(address(slug, name))
    played = page.context["played"]
    assert played.course.seat in played.last.to_move
    assert "Novice" in page.content.decode()
    line, most = played.line, 300 if slug == "shifting-stones" else 4
    for number in range(most):
        if played.is_over:
            break
        done = client.post(address(slug, name), {"action": legal(played, number), "line": line}, headers=HTMX)
        assert done.status_code == 302, done.content.decode()
        page = client.get(done["Location"], headers=HTMX)
        played = page.context["played"]
        line = played.line
        assert played.is_over or played.course.seat in played.last.to_move
    assert {play.seat for play in played.plays} == {0, 1}
    assert played.is_over == (slug == "shifting-stones")
    leads_on = (mark in page.content.decode() for mark in ('id="end"', f'action="{reverse("play_now")}"'))
    assert all(shown == played.is_over for shown in leads_on)
    begins_at_once = 'name="begin"'  # where no script runs; noscript hides nothing in what a script puts on the page
    assert begins_at_once not in page.content.decode()
    whole = client.get(address(slug, name), {"line": line}).content.decode()
    assert (begins_at_once in whole) == played.is_over


@pytest.mark.parametrize(("slug", "name"), LESSONS[:1])
def test_what_is_not_legal_or_was_not_played_gets_a_sentence(client: Client, slug: str, name: str) -> None:
    for fields in ({"action": "nonsense"}, {"action": "end", "line": "forged"}, {}):
        answer = client.post(address(slug, name), fields)
        assert answer.status_code == 422
        assert 'id="refusal"' in answer.content.decode()
    assert client.get(address(slug, name), {"line": "forged"}).status_code == 422


def test_exercises_and_lessons_for_one_are_not_played_on(client: Client) -> None:
    assert client.get(address("shifting-stones", "one-flip")).status_code == 404
    assert client.get(address("shifting-stones", "alone")).status_code == 404
    assert client.get(address("shifting-stones", "no-such-lesson")).status_code == 404
