"""The package for researchers, in an environment with nothing else in it: small, whole, and without the site."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

BUILT = Path(__file__).parents[2] / "build" / "wheel"
ALONE = BUILT / "alone" / "bin"
LARGEST = 700_000

LOADS = """
import importlib, pkgutil, sys
import tessera_games

needs_more = {"tessera_games.openspiel", "tessera_games.pettingzoo"}
for module in pkgutil.walk_packages(tessera_games.__path__, "tessera_games."):
    if module.name not in needs_more:
        importlib.import_module(module.name)
print([name for name in ("django", "games", "numpy") if name in sys.modules])
"""

PLAYS = """
import tessera_games as tessera
from tessera_games.engine.fair import FairChance

BOTS = ("novice", "companion", "master", "grandmaster")

for slug, game in tessera.games().items():
    for first in range(0, len(BOTS), 2):
        bots, seed = [tessera.bot_named(name) for name in BOTS[first : first + 2]], bytes([first]) * 32
        played = tessera.begin(game, 2, {}, seed)
        while played.outcome is None:
            seat = min(played.to_move)
            own = FairChance(bytes([seat]) * 32, played.number)
            action = bots[seat](game, game.view_for(played.state, seat), seat, own, 0.005)
            played = tessera.act(game, played.position, seat, action, seed)
        print(slug, *BOTS[first : first + 2], sorted(played.outcome.places))
"""

SOLVES = """
import tessera_games as tessera
from tessera_games.engine.puzzles import is_proved

for slug, game in tessera.games().items():
    title = tessera.title_of(slug)
    some = [*title.puzzles.values()][::200]
    print(slug, len(title.puzzles) > 1000, all(is_proved(game, title.puzzle_kinds[each.kind], each) for each in some))
"""


README = Path(__file__).parents[2] / "games" / "research" / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def run(code: str, folder: Path, python: Path = ALONE / "python") -> str:
    """Run Python where only the package is installed, or another one; return what it prints."""
    done = subprocess.run([python, "-I", "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def wheel() -> Path:
    (found,) = BUILT.glob("*.whl")
    return found


def test_the_wheel_is_small_and_holds_nothing_that_shows_a_game() -> None:
    with ZipFile(wheel()) as opened:
        names = opened.namelist()
        metadata = next(opened.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    assert wheel().stat().st_size < LARGEST
    assert {Path(name).suffix for name in names} <= {".py", ".json", ".jsonl", ".typed", ".txt", ""}
    assert not [name for name in names if {"board", "lessons", "templates", "static", "locale"} & {*Path(name).parts}]
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line]
    assert needed == ["Requires-Dist: msgspec>=0.19"]


def test_only_msgspec_is_installed_with_it() -> None:
    packages = next((ALONE.parent / "lib").glob("python3*/site-packages"))
    assert {path.name.partition("-")[0] for path in packages.glob("*.dist-info")} == {"msgspec", "tessera_games"}


def test_every_module_loads_without_the_site(tmp_path: Path) -> None:
    assert run(LOADS, tmp_path) == "[]\n"


def test_bots_of_every_level_play_whole_matches_of_all_games(tmp_path: Path) -> None:
    played = [line.split() for line in run(PLAYS, tmp_path).splitlines()]
    assert {line[0] for line in played} == {"card-chess", "shifting-stones", "small-islands"}
    assert len(played) == 6


def test_the_examples_of_its_readme_run(tmp_path: Path) -> None:
    alone, *with_adapters = EXAMPLES
    assert run(alone, tmp_path) in {"(1, 2)\n", "(2, 1)\n"}
    assert len(with_adapters) == 2
    for example in with_adapters:
        run(example, tmp_path, Path(sys.executable))


def test_puzzles_are_there_and_proved(tmp_path: Path) -> None:
    slugs = ("card-chess", "shifting-stones", "small-islands")
    assert run(SOLVES, tmp_path) == "".join(f"{slug} True True\n" for slug in slugs)


@pytest.mark.parametrize("record", sorted((BUILT / "records").glob("*.json")), ids=lambda path: path.stem)
def test_a_record_is_checked_and_a_false_one_found_out(record: Path, tmp_path: Path) -> None:
    false = tmp_path / "false.json"
    told = json.loads(record.read_text(encoding="utf-8"))
    told["actions"][-1]["text"] = "not an action"
    false.write_text(json.dumps(told), encoding="utf-8")
    verified, refused = (verify(path, tmp_path) for path in (record, false))
    assert (verified.returncode, refused.returncode) == (0, 1)
    assert verified.stdout.startswith(f"{record}: everything is as recorded\n")
    assert refused.stderr.startswith(f"{false}: action {len(told['actions'])}")


def verify(path: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [ALONE / "tessera-verify", path]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_there_is_a_record_of_every_game() -> None:
    assert len([*(BUILT / "records").glob("*.json")]) == 3
