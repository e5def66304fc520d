"""Recording a lesson from a match that has ended."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.lessons import read
from games.play.matches import services
from games.play.models import Match
from games.titles import teaching
from tests.people import act, client_of, person, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    """A match in which the first player ends a turn, then resigns."""
    found = running_match([person(), person()], seed=bytes(32))
    act(found, "end", 0)
    act(found, "skip", 1)
    services.resign(found.pk, 0, "resignation")
    return Match.objects.get(pk=found.pk)


@pytest.fixture
def writer() -> Client:
    return client_of(person())


def address(match: Match, at: int) -> str:
    return f"{reverse('record_lesson', args=[match.slug])}?at={at}&seat=0"


def test_a_recorded_lesson_can_be_read_and_played(match: Match, writer: Client) -> None:
    words = {"text-en": "End your turn.", "hint-en": "The button.", "why-en": "You draw.", "title-en": "Ending"}
    noted = writer.post(address(match, 2), {**words, "steps": "[]", "action": "end"})
    assert noted.context["draft"].accept == ("end",)
    again = {**words, "steps": "[]", "accept": "end\r\n", "replies": "1 end", "do": "step"}  # as browsers send lines
    second = writer.post(address(match, 2), again)
    draft = second.context["draft"]
    assert (draft.number, draft.accept, draft.told) == (2, (), ["End your turn."])
    rest = {"steps": draft.written, "title-en": "Ending", "text-en": "Well done.", "do": "file"}
    file = writer.post(address(match, 2), rest)
    assert "attachment" in file.headers["Content-Disposition"]
    lesson = read(file.content)
    course = teaching.course(match.game, lesson)
    assert lesson.title == {"en": "Ending"}
    assert [step.text["en"] for step in lesson.steps] == ["End your turn.", "Well done."]
    assert [play.text for play in course.tried(0, ("end",)).plays] == ["end", "end"]


def test_what_is_not_legal_is_not_accepted(match: Match, writer: Client) -> None:
    for fields in ({"action": "score 99"}, {"verb": "flip"}, {"do": "step"}, {"steps": "nonsense"}, {"steps": "[1]"}):
        response = writer.post(address(match, 2), fields)
        assert response.status_code == 422
        assert 'id="refusal"' in response.content.decode()
    noted = {"text-en": "Go.", "accept": "end\n", "steps": "[]"}
    wrong = writer.post(address(match, 2), {**noted, "replies": "1 sing", "do": "step"})
    assert wrong.context["draft"].number == 1
    dropped = writer.post(address(match, 2), {**noted, "do": "drop:end"})
    assert dropped.context["draft"].accept == ()


def test_only_a_match_that_has_ended_is_a_source(match: Match, writer: Client) -> None:
    running = running_match([person(), person()])
    assert writer.get(address(running, 0)).status_code == 404
    assert writer.get(address(match, 999)).status_code == 404
    assert writer.get(address(match, 1)).status_code == 200
