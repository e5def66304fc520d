"""Recording a lesson in a browser: from the replay of a match to a file that the contract of lessons accepts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.engine.contract.lessons import check_lesson
from games.engine.lessons import read_lesson
from games.play import commands
from games.play.models import Match
from games.titles import titles
from tests.browser.axe import violations
from tests.people import act, person, running_match
from tests.serving import Site

LANGUAGES = [code for code, _ in settings.LANGUAGES]


@pytest.fixture
def match(live_site: Site) -> Match:
    """A match in which each player ends a turn, and the first resigns."""
    found = running_match([person("ann"), person("bob")], seed=bytes(32))
    act(found, "end", 0)
    act(found, "skip", 1)
    commands.resign(found.pk, 0, "resignation")
    return Match.objects.get(pk=found.pk)


def write(page: Page, *names: str) -> None:
    """Fill in texts in every language of the site."""
    for name in names:
        for code in LANGUAGES:
            page.locator(f"[name={name}-{code}]").fill(f"{name} in {code}")


def test_a_lesson_is_recorded_from_a_match_that_has_ended(
    enter: Callable[..., Page],
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
    expect(page.locator("#steps li")).to_have_text("text in en")
    write(page, "text")
    page.locator("#download").click()
    expect(page.locator("#lacking li")).to_have_text("Choose at least one rule that it covers.")
    expect(page.locator("#lacking")).to_be_focused()  # on a phone it lies below the board
    expect(page.locator("#lacking")).to_be_in_viewport()
    assert [problem for problem in page.complaints if "422" not in problem] == []  # type: ignore[attr-defined]
    page.complaints.clear()  # type: ignore[attr-defined]  # browsers complain of a refusal
    assert violations(page) == []
    page.locator("[name=rules][value=shift]").check()
    with page.expect_download() as downloading:
        page.locator("#download").click()
    file = tmp_path / "lesson.json"
    downloading.value.save_as(file)
    lesson = read_lesson(file.read_text())
    assert [len(step.accept) for step in lesson.steps] == [1, 0]
    check_lesson(match.title.course(lesson), LANGUAGES, list(titles()[match.game].rules_taught))
    assert page.complaints == []  # type: ignore[attr-defined]  # set by `enter`
