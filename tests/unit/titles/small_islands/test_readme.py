"""The tables in the README match the code, and every refusal is tested."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from games.titles.small_islands import GAME
from games.titles.small_islands.rules import REFUSALS
from games.titles.small_islands.rules.components import FACES, LANDSCAPE

README = resources.files("games.titles.small_islands").joinpath("README.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """Return the rows of the first table under a heading, the back ticks removed."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("`", "") for cell in row] for row in rows[2:]]


def test_every_refusal_stands_in_the_readme() -> None:
    assert {row[0] for row in table("Refusals")} == {*REFUSALS, "notation"}


def test_every_refusal_code_is_tested() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    asserted = set(re.findall(r'== "([a-z0-9-]+)"', tests)) | set(re.findall(r'"([a-z0-9-]+)"\)', tests))
    assert {code for code in REFUSALS if code not in asserted} == set()


def test_every_refusal_is_a_sentence_for_people() -> None:
    assert all(re.fullmatch(r"[A-Z0].*\.", text) for text in REFUSALS.values())


def test_every_event_stands_in_the_readme() -> None:
    assert [tuple(row[:2]) for row in table("Events")] == [(kind.kind, kind.__name__) for kind in GAME.event_types]


def test_every_option_stands_in_the_readme() -> None:
    assert [row[0] for row in table("Options")] == [option.name for option in GAME.options]


def test_shapes_stand_in_the_readme_as_they_are() -> None:
    landscape = [FACES[str(number)].shape for number in LANDSCAPE]
    counted = {row[0]: int(row[1]) for row in table("Tiles")}
    assert counted.pop("ship") == 4
    assert counted == {shape: landscape.count(shape) for shape in landscape}
