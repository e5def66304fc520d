"""What the documentation names exists, and what an operator can set is documented."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands

from games.engine.contract.lessons import check_lesson
from games.engine.lessons import read_lesson
from games.titles import titles
from tests.unit.config.environment import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
WRITTEN = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "SECURITY.md", *sorted((ROOT / "games").rglob("README.md"))]
"""All that people read about the code and the site."""
MADE = "nine_mens_morris"
"""What the guide makes as its example."""
SET_IN = ("config/settings.py", "config/serve.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)]+)\)|src=\"([^\"]+)\"", page.read_text())
    targets = [first or second for first, second in links if not (first or second).startswith("http")]
    assert [target for target in targets if not (page.parent / target.partition("#")[0]).exists()] == []


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    """The paths of all files of the source, each with a slash before it."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [f"/{path}" for path in listed.stdout.splitlines()]


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_exists(page: Path, tracked: list[str]) -> None:
    """Whole, as `config/settings.py`, or from where the page is about, as `live/moves.py`."""
    named = re.findall(
        r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|md|js|css|html|jinja|json|yaml|toml|template|svg))`", page.read_text()
    )
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in tracked)] == []


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_folder_that_is_named_exists(page: Path, tracked: list[str]) -> None:
    named = re.findall(
        r"`((?:accounts|config|docs|games|static|templates|tests)/(?:[\w.-]+/)*)[\w.-]*`", page.read_text()
    )
    ours = [name for name in named if MADE not in name]
    assert [name for name in ours if not any(f"/{name}" in path for path in tracked)] == []


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_is_named_exists(page: Path) -> None:
    text = page.read_text()
    commands = re.findall(r"(?:manage\.py|as_tessera) ([a-z_]+)", text)
    assert set(commands) - set(get_commands()) == set()
    modules = re.findall(r"python -m ([\w.]+)", text)
    assert [name for name in modules if find_spec(name) is None] == []
    targets = re.findall(r"(?:`|^    |&& )make ([a-z-]+)", text, re.MULTILINE)
    assert [name for name in targets if f"\n{name}:" not in (ROOT / "Makefile").read_text()] == []


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
    """Whoever copies the example has a file that keeps the contract of lessons."""
    example = re.search(r"(?s)```json\n(.*?)```", (ROOT / "docs" / "lessons.md").read_text())
    assert example
    assert len(example[1].splitlines()) <= 25
    course = titles()["shifting-stones"].course(read_lesson(example[1]))
    languages = [code for code, _ in settings.LANGUAGES]
    check_lesson(course, languages, list(titles()["shifting-stones"].rules_taught))
