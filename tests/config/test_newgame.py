"""`make new-game` writes a game that can be played as it is: tried in a copy of this tree."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.config.environment import ROOT, bare

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "data", ".*_cache", ".hypothesis")
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
SLUG = "nine-mens-morris"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with a new game."""
    tree = tmp_path_factory.mktemp("copy") / "tree"
    shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
    _run(tree, "manage.py", "newgame", "Nine mens morris")
    return tree


def _run(tree: Path, *arguments: str) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=tree, env=bare(tree / "data"), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_its_own_tests_pass_and_play_it_through_the_site(copy: Path) -> None:
    said = _run(copy, *PYTEST, "tests/titles/nine_mens_morris")
    assert "7 passed" in said


def test_it_keeps_the_contract_of_every_game_and_leaks_nothing(copy: Path) -> None:
    of_all_games = ("tests/titles/test_contract.py", "tests/play/test_leaks.py", "tests/notifications/test_leaks.py")
    assert "passed" in _run(copy, *PYTEST, *of_all_games, "-k", SLUG)


def test_its_texts_are_in_catalogues_of_its_own(copy: Path) -> None:
    said = _run(copy, *PYTEST, "tests/config/test_translations.py", "-k", "catalogue")
    assert "passed" in said


def test_what_is_generated_is_in_shape(copy: Path) -> None:
    folders = ("games/titles/nine_mens_morris", "tests/titles/nine_mens_morris")
    for check in (("ruff", "check"), ("ruff", "format", "--check"), ("mypy",)):
        _run(copy, "-m", *check, *folders)


@pytest.mark.parametrize("name", ["shifting stones", "Shifting-Stones", "..", "9 lives", ""])
def test_a_name_that_is_taken_or_none_is_refused(name: str) -> None:
    with pytest.raises(CommandError, match=r"already|cannot be the name"):
        call_command("newgame", name)
