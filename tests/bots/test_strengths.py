"""The published tables: they say what their own matches say, and every level is as much ahead as it should be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.bots.strengths import FOLDER, measured
from games.titles import games
from games.titles.arena import Played, strengths

GAMES = sorted(games())
FILES = sorted(path.stem for path in FOLDER.glob("*.json"))
AIMS = {"companion-novice": 0.7, "master-companion": 0.7, "master-greedy": 0.65, "master-flat": 0.6}
"""Which share of its matches for two the stronger one wins at least."""


def table_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def played(table: dict[str, Any]) -> list[Played]:
    return [
        Played(tuple(it["bots"]), tuple(it["places"]), tuple(it["scores"]), it["seed"], ((),) * len(it["bots"]))
        for it in table["matches"]
    ]


@pytest.mark.parametrize("name", FILES)
def test_a_table_says_what_its_matches_say(name: str) -> None:
    table = table_of(name)
    matches = played(table)
    assert len({match.seed for match in matches}) * len(matches[0].bots) == len(matches)  # each deal from every seat
    for bot, found in strengths(matches).items():
        told = table["bots"][bot]
        assert told["matches"] == found.matches
        for figure in ("share", "margin", "place", "place_margin"):
            assert told[figure] == pytest.approx(getattr(found, figure)), (bot, figure)


@pytest.mark.parametrize("pair", AIMS)
@pytest.mark.parametrize("slug", GAMES)
def test_a_level_wins_as_often_as_it_should(slug: str, pair: str) -> None:
    stronger = pair.partition("-")[0]
    assert table_of(f"{slug}-2-{pair}")["bots"][stronger]["share"] >= AIMS[pair]


@pytest.mark.parametrize("slug", GAMES)
def test_a_search_without_a_tree_had_as_much_time(slug: str) -> None:
    bots = table_of(f"{slug}-2-master-flat")["bots"]
    assert bots["flat"]["seconds"] > 0.95 * bots["master"]["seconds"] > 0


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("slug", GAMES)
def test_a_level_has_a_better_place_than_the_one_below(slug: str, seats: int) -> None:
    bots = table_of(f"{slug}-{seats}-levels")["bots"]
    for better, worse in (("master", "companion"), ("companion", "novice")):
        apart = bots[worse]["place"] - bots[better]["place"]
        assert apart > (bots[worse]["place_margin"] ** 2 + bots[better]["place_margin"] ** 2) ** 0.5, (better, worse)


def test_pages_have_a_row_for_each_bot_of_each_table() -> None:
    assert len(measured()) == sum(len(table_of(name)["bots"]) for name in FILES)
