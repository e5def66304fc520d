"""The published tables: they say what their own matches say, and every level is as much ahead as it should be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from games.bots.views import FOLDER, measured
from games.engine.bots import LEVELS, Search, SoFar, choose as choose_at
from games.engine.dice import Dice
from games.engine.insight import Insight
from games.engine.protocol import Chance, Seat
from games.engine.runner import begin
from games.titles import games, titles
from games.titles.bots import Played, strengths

GAMES = sorted({measure.title.slug for measure in measured()})
DOCS = Path(__file__).resolve().parents[3] / "docs" / "bots.md"
FILES = sorted(path.stem for path in FOLDER.glob("*.json"))
AIMS = {"companion-novice": 0.7, "master-companion": 0.7, "master-greedy": 0.65, "master-flat": 0.6}
"""Which share of its matches for two the stronger one wins at least, as far as what was measured can tell."""
LEAST = {"card-chess": 0.55, "shifting-stones": 0.55, "small-islands": 0.65}
"""Which share of its matches for two Grandmaster wins against Master at least, in each game."""
MOST_SECONDS = {"grandmaster": 2.0, "master": 2.0, "companion": 0.3, "novice": 0.3}


class Counting:
    """What is known of a game, with a count of the worlds that were asked for."""

    def __init__(self, insight: Insight) -> None:
        self._insight, self.supposed = insight, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._insight, name)

    def suppose(self, view: Any, chance: Chance) -> Any:
        self.supposed += 1
        return self._insight.suppose(view, chance)


def table_of(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return found


def played(table: dict[str, Any]) -> list[Played]:
    return [
        Played(tuple(it["bots"]), tuple(it["places"]), tuple(it["scores"]), it["seed"], ((),) * len(it["bots"]))
        for it in table["matches"]
    ]


def test_a_table_says_what_its_matches_say(subtests: pytest.Subtests) -> None:
    for name in FILES:
        with subtests.test(name):
            table = table_of(name)
            matches = played(table)
            assert len({match.seed for match in matches}) * len(matches[0].bots) == len(
                matches
            )  # each deal from every seat
            for bot, found in strengths(matches).items():
                told = table["bots"][bot]
                assert told["matches"] == found.matches
                for figure in ("share", "margin", "place", "place_margin", "firsts", "firsts_margin"):
                    assert told[figure] == pytest.approx(getattr(found, figure)), (bot, figure)


def row_of(table: dict[str, Any]) -> str:
    """Return the row of the documentation for a match of three or more: mean places and first places, by level."""
    cells = (
        f"{it['place']:.2f} ± {it['place_margin']:.2f}; {100 * it['firsts']:.1f} ± {100 * it['firsts_margin']:.1f}"
        if (it := table["bots"].get(level))
        else ""
        for level in ("grandmaster", "master", "companion", "novice")
    )
    first = table["matches"][0]
    name = titles()[table["game"]].game.name
    return f"| {name} | {len(first['bots'])} | {len(table['matches'])} | {' | '.join(cells)} |".replace("  ", " ")


def cell_of(table: dict[str, Any]) -> str:
    """Return the cell of the documentation for a match of two: what the stronger one won, and how many were played."""
    stronger = next(iter(table["bots"].values()))
    share = f"{100 * stronger['share']:.1f} ± {100 * stronger['margin']:.1f}" if stronger["margin"] else "100"
    return f"{share} ({len(table['matches'])})"


def test_the_documentation_says_what_was_played(subtests: pytest.Subtests) -> None:
    told = DOCS.read_text(encoding="utf-8")
    pairs = {line.split(" | ")[0]: line for line in told.splitlines() if line.startswith("| ")}
    for name in FILES:
        with subtests.test(name):
            table = table_of(name)
            if len(table["matches"][0]["bots"]) > 2:
                assert row_of(table) in told
            else:
                pair = "| " + ", ".join(bot if bot in {"greedy", "flat"} else bot.title() for bot in table["bots"])
                column = 1 + ["shifting-stones", "card-chess", "small-islands"].index(table["game"])
                assert pairs[pair].split(" | ")[column] == cell_of(table)


@pytest.mark.parametrize("pair", AIMS)
@pytest.mark.parametrize("slug", GAMES)
def test_a_level_wins_as_often_as_it_should(slug: str, pair: str) -> None:
    stronger = pair.partition("-")[0]
    found = table_of(f"{slug}-2-{pair}")["bots"][stronger]
    assert found["share"] + found["margin"] >= AIMS[pair]
    assert found["share"] - found["margin"] > 1 / 2


def test_grandmaster_beats_master_where_it_was_measured(subtests: pytest.Subtests) -> None:
    for name in FILES:
        if name.endswith("-2-grandmaster-master"):
            with subtests.test(name):
                table = table_of(name)
                assert table["bots"]["grandmaster"]["share"] >= LEAST[table["game"]]


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


def test_a_decision_takes_no_longer_than_people_like_to_wait(subtests: pytest.Subtests) -> None:
    """At the 95th percentile: two seconds for the strongest two, 0.3 for the others."""
    for name in FILES:
        with subtests.test(name):
            for bot, found in table_of(name)["bots"].items():
                if bot in MOST_SECONDS:
                    assert 0 < found["most_seconds"] <= MOST_SECONDS[bot], bot


def test_a_budget_counts_futures_and_not_seconds() -> None:
    """However much time a level has beyond what it needs, it does the same, and asks for as many worlds."""
    game = games()["card-chess"]
    play = begin(game, 2, {}, bytes(32))
    view = game.view_for(play.state, Seat(0))
    for level in LEVELS.values():
        done = []
        for seconds in (60.0, 6_000.0):
            counting = Counting(titles()[game.slug].insight)
            search = Search(game, cast("Insight", counting), view, Seat(0), Dice(7))
            done.append((choose_at(level, search, SoFar(view, (), bytes(32)), seconds), counting.supposed))
        assert done[0] == done[1]
        assert done[0][1] <= 1 + level.futures(titles()[game.slug].insight.EFFORT)  # one to find what could be done


def test_ties_are_told_apart() -> None:
    (row,) = [
        row
        for row in measured()
        if (row.title.slug, row.name, row.others) == ("shifting-stones", "master", ("companion",))
    ]
    matches = played(table_of("shifting-stones-2-master-companion"))
    ties = sum(match.places == (1, 1) for match in matches)
    assert row.outright == pytest.approx(row.share - 50 * ties / len(matches))


def test_pages_have_a_row_for_each_bot_of_each_table() -> None:
    assert len(measured()) == sum(len(table_of(name)["bots"]) for name in FILES)


def test_one_that_won_every_match_has_an_interval_too() -> None:
    every = [row for row in measured() if row.share in {0, 100}]
    assert {row.others for row in every if row.name == "master"} == {("greedy",), ("flat",)}
    for row in every:
        lost = row.bound if row.share else 100 - row.bound
        assert (lost / 100) ** row.matches == pytest.approx(0.025)
        assert row.margin == 0
