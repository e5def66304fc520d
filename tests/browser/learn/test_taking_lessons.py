"""Every lesson is taken on its board, by mouse, touch and keys in turn, one also without a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.engine.lessons import LESSON, LessonStep, is_pattern
from games.titles import games, titles
from tests.browser.learn.hands import FORMS, KEYS, TOUCH, WAYS, Way, do
from tests.browser.player import listen

Visitor = Callable[..., BrowserContext]


class Learner:
    """Somebody who takes lessons in a way of their own; `complaints` collects the errors of their page."""

    def __init__(self, page: Page, way: Way) -> None:
        self.page = page
        self.way = way
        self.complaints = listen(page)

    def take(self, slug: str, name: str, steps: Sequence[LessonStep]) -> None:
        """Take a lesson from its first step to its end."""
        self.page.goto(f"/learn/{slug}/{name}/")
        for number, step in enumerate(steps, start=1):
            expect(self.page.locator("#lesson")).to_have_attribute("data-step", str(number))
            self._solve(step)
            if number < len(steps):
                self._go_on(number + 1, steps[number])
        expect(self.page.locator("#end")).to_be_visible()
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    def _go_on(self, number: int, step: LessonStep) -> None:
        with self._looking_on():
            self.way.press(self.page.locator("#next"))
            expect(self.page.locator("#lesson")).to_have_attribute("data-step", str(number))
        if self.way is not FORMS:
            expect(self.page.locator("#live")).to_contain_text(f"Step {number} of")
        if self.way is KEYS:  # they go on where something is asked, or at the way to the next step
            expect(self.page.locator("#status" if step.asks else "#next, #end .primary").first).to_be_focused()

    def _solve(self, step: LessonStep) -> None:
        for done, text in enumerate(self._asked(step), start=1):
            with self._looking_on():
                do(self.page, self.way, text)
                expect(self.page.locator("#line")).to_have_value(re.compile(f"^[^;]+(;[^;]+){{{done - 1}}}$"))
        if step.choices:
            right = next(number for number, choice in enumerate(step.choices, start=1) if choice.right)
            with self._looking_on():
                self.way.press(self.page.locator(f"#answer-{right}"))
                expect(self.page.locator("#lesson")).to_have_attribute("data-done", "")
        if step.asks:
            expect(self.page.locator("#praise")).to_contain_text("Right.")
            if self.way is not FORMS:
                expect(self.page.locator("#live")).to_contain_text("Right.")

    def _asked(self, step: LessonStep) -> Sequence[str]:
        """Return what to do: of several actions that are accepted each way takes another."""
        single = [text for text in step.accept if not is_pattern(text)]
        return [single[(*WAYS, FORMS).index(self.way) % len(single)]] if single else step.solution

    @contextmanager
    def _looking_on(self) -> Iterator[None]:
        """Put away the turn that is revealed meanwhile, unless all of it has been told: it lies on the table."""
        before = self._revealed() if self.way is TOUCH else ""
        yield
        if self.way is TOUCH and self._revealed() not in ("", before):
            self.page.keyboard.press("Escape")
            expect(self.page.locator("#last-turn")).to_be_hidden()

    def _revealed(self) -> str:
        return str(self.page.evaluate("document.getElementById('chess-board')?.dataset.revealed ?? ''"))


LESSONS = [
    (slug, name, lesson.steps)
    for slug in games()
    for name, lesson in titles()[slug].lessons.items()
    if lesson.kind == LESSON
]
WITHOUT_A_SCRIPT = min(LESSONS, key=lambda lesson: sum(len(step.solution) for step in lesson[2]))
"""Boards without a script are tried in `tests/browser/titles`, forms of every lesson in `test_lesson_pages.py`."""

TAKEN = [
    pytest.param(way, *lesson, id=f"{lesson[0]}-{lesson[1]}-{way.name}")
    for way, lesson in [*zip(cycle(WAYS), LESSONS, strict=False), (FORMS, WITHOUT_A_SCRIPT)]
]


@pytest.mark.parametrize(("way", "slug", "name", "steps"), TAKEN)
def test_every_lesson_is_taken_on_its_board(
    visitor: Visitor, way: Way, slug: str, name: str, steps: Sequence[LessonStep]
) -> None:
    learner = Learner(visitor(**way.look).new_page(), way)
    learner.take(slug, name, steps)
    assert learner.complaints == []
