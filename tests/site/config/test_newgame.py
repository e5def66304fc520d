"""`make new-game` writes a game that can be played as it is: tried in a copy of this tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.unit.config.environment import ROOT, bare

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "data", ".*_cache", ".hypothesis")
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
NAME = "Twenty one counters"
"""Not the one in the guide, which whoever follows it has already."""
FOLDER = "twenty_one_counters"
SLUG = "twenty-one-counters"
OWN = (f"tests/unit/titles/{FOLDER}", f"tests/site/titles/{FOLDER}")
OF_ALL_GAMES = (
    "tests/unit/titles/test_contract.py",
    "tests/unit/titles/test_insights.py",
    "tests/unit/titles/test_thumbnails.py",
    "tests/unit/titles/test_lessons.py",
    "tests/site/play/test_leaks.py",
    "tests/site/notifications/test_leaks.py",
    "tests/unit/config/test_translations.py",
    "tests/site/config/test_translated_pages.py",
)
CHOSEN = f"({FOLDER} or {SLUG} or catalogue or sprites) and not caught and not ((leaks or insights) and {SLUG}-2)"
"""Its own and what has its name, without the sabotaged variants; what costs most not with two seats too."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with a new game."""
    tree = tmp_path_factory.mktemp("copy") / "tree"
    shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
    _run(tree, "manage.py", "newgame", NAME)
    return tree


def _run(tree: Path, *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=tree, env=bare(tree / "data"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_its_tests_and_those_of_every_game_pass(copy: Path) -> None:
    """It is played through the site, keeps the contract, leaks nothing, and has its texts in catalogues of its own."""
    said = _run(copy, *PYTEST, "-rA", *OWN, *OF_ALL_GAMES, "-k", CHOSEN)
    passed = re.findall(r"(?m)^PASSED (\S+)", said)
    assert sum(name.startswith(OWN) for name in passed) == 7
    assert all(any(name.startswith(where) for name in passed) for where in OF_ALL_GAMES)


def test_what_is_generated_is_in_shape(copy: Path) -> None:
    folders = (f"games/titles/{FOLDER}", *OWN)
    for check in (("ruff", "check"), ("ruff", "format", "--check"), ("mypy",)):
        _run(copy, "-m", *check, *folders)


@pytest.mark.parametrize("name", ["shifting stones", "Shifting-Stones", "..", "9 lives", ""])
def test_a_name_that_is_taken_or_none_is_refused(name: str) -> None:
    with pytest.raises(CommandError, match=r"already|cannot be the name"):
        call_command("newgame", name)
