"""What the documentation names exists, and what an operator can set is documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from games.engine.lesson_contract import check_lesson
from games.engine.lessons import read
from games.titles import teaching
from tests.config.environment import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SET_IN = ("config/settings.py", "config/serve.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", page.read_text())
    targets = [first or second for first, second in links if not (first or second).startswith("http")]
    assert [target for target in targets if not (page.parent / target.partition("#")[0]).exists()] == []


def test_every_page_of_documentation_can_be_found_from_the_readme() -> None:
    linked = set(re.findall(r"\(docs/([a-z-]+\.md)\)", (ROOT / "README.md").read_text()))
    assert linked == {path.name for path in (ROOT / "docs").glob("*.md")}


def test_every_variable_that_is_read_is_documented() -> None:
    code = "".join((ROOT / path).read_text() for path in SET_IN)
    names = set(re.findall(r"(?:environ(?:\.get)?|_flag|_number|_list)[\[(]\"([A-Z_]+)\"", code))
    documented = (ROOT / "docs" / "operation.md").read_text()
    assert len(names) > 10
    assert {name for name in names if f"`{name}`" not in documented} - {"DJANGO_SETTINGS_MODULE"} == set()


def test_the_lesson_in_the_documentation_is_one() -> None:
    """Who copies the example has a file that keeps the contract of lessons."""
    example = re.search(r"(?s)```json\n(.*?)```", (ROOT / "docs" / "lessons.md").read_text())
    assert example
    assert len(example[1].splitlines()) <= 25
    course = teaching.course("shifting-stones", read(example[1]))
    languages = [code for code, _ in settings.LANGUAGES]
    check_lesson(course, languages, list(teaching.rules_taught("shifting-stones")))
