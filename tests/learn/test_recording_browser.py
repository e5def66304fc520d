"""Recording a lesson in a browser: from the replay of a match to a file that the contract of lessons accepts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.engine.lesson_contract import check_lesson
from games.engine.lessons import read
from games.play.matches import services
from games.play.models import Match
from games.titles import teaching
from tests.browser.axe import violations
from tests.browser.conftest import enter  # noqa: F401  # a fixture
from tests.people import act, person, running_match
from tests.serving import Site

TEXTS = {
    "title": ("Ending a turn", "Einen Zug beenden"),
    "summary": ("How a turn ends.", "Wie ein Zug endet."),
    "text": ("End your turn.", "Beende deinen Zug."),
    "hint": ("It is a button.", "Es ist ein Knopf."),
    "why": ("You draw a card.", "Du ziehst eine Karte."),
}


@pytest.fixture
def match(live_site: Site) -> Match:
    """A match in which each player ends a turn, and the first resigns."""
    found = running_match([person("ann"), person("bob")], seed=bytes(32))
    act(found, "end", 0)
    act(found, "skip", 1)
    services.resign(found.pk, 0, "resignation")
    return Match.objects.get(pk=found.pk)


def write(page: Page, *names: str) -> None:
    """Fill in texts in every language of the site."""
    for name in names:
        for (code, _), text in zip(settings.LANGUAGES, TEXTS[name], strict=True):
            page.locator(f"[name={name}-{code}]").fill(text)


def test_a_lesson_is_recorded_from_a_match_that_has_ended(
    enter: Callable[..., Page],  # noqa: F811  # the fixture
    match: Match,
    tmp_path: Path,
) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "color_scheme": "dark", "reduced_motion": "reduce"}
    page = enter(person("cleo"), f"{reverse('replay', args=[match.slug])}?at=2&seat=0", **phone)
    page.locator("#record-lesson").click()
    page.locator("#about-lesson > summary").click()
    write(page, "title", "summary", "text", "hint", "why")
    page.locator("#verb-end").click()
    expect(page.locator("#accepted code")).to_have_text("end")
    assert violations(page) == []
    page.locator("[name=replies]").fill("1 end")
    page.locator("#next-step").click()
    expect(page.locator("#steps li")).to_have_text(TEXTS["text"][0])
    write(page, "text")
    with page.expect_download() as downloading:
        page.locator("#download").click()
    file = tmp_path / "lesson.json"
    downloading.value.save_as(file)
    lesson = read(file.read_text())
    assert [len(step.accept) for step in lesson.steps] == [1, 0]
    covering = msgspec.structs.replace(lesson, rules=("turn",))  # what is left to be added by hand
    check_lesson(teaching.course(match.game, covering), [code for code, _ in settings.LANGUAGES], ["turn"])
    assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`
