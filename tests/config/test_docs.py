"""What the documentation names exists, and what an operator can set is documented."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

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
    read = set(re.findall(r"(?:environ(?:\.get)?|_flag|_number|_list)[\[(]\"([A-Z_]+)\"", code))
    documented = (ROOT / "docs" / "operation.md").read_text()
    assert len(read) > 10
    assert {name for name in read if f"`{name}`" not in documented} - {"DJANGO_SETTINGS_MODULE"} == set()
