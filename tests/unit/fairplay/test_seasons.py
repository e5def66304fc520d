"""How often honest people are found, in simulated seasons."""

from __future__ import annotations

import os
import re

import pytest

from tests.unit.config.environment import ROOT
from tests.unit.fairplay import seasons

SEASONS = int(os.environ.get("TESSERA_SEASONS", "2"))
STATED = 60
"""Seasons of which the guide states what was found."""


def test_simulated_seasons_find_cheats_and_leave_honest_people_alone() -> None:
    result = seasons.counted(seasons=2, people=120)
    assert sum(result.honest.values()) == 0
    assert result.caught["agrees results"] == 2 * seasons.CHEATS
    assert all(result.caught[sort] for sort in seasons.SORTS)


def test_the_same_season_is_the_same_again() -> None:
    assert seasons.counted(seasons=1, people=90) == seasons.counted(seasons=1, people=90)


def stated() -> dict[str, tuple[int, int]]:
    """Return what the guide says is found of how many, in its order."""
    text = (ROOT / "docs" / "fair-play.md").read_text().partition("## How often honest people are found")[2]
    rows = re.findall(r"(?m)^\| ([^|]+) \| ([\d,]+) of ([\d,]+)", text)
    return {what: (int(found.replace(",", "")), int(of.replace(",", ""))) for what, found, of in rows}


def test_the_guide_states_every_rule_and_every_sort_of_cheat() -> None:
    assert len(stated()) == len(set(seasons.SORTS.values())) + len(seasons.SORTS)


@pytest.mark.skipif(SEASONS < STATED, reason="takes minutes; TESSERA_SEASONS=60 plays as many as the guide states")
def test_the_guide_states_what_is_found() -> None:
    result = seasons.counted(seasons=STATED, people=300)
    among = {rule: result.pairs if rule in seasons.OF_PAIRS else result.people for rule in seasons.SORTS.values()}
    found = [(result.honest[rule], of) for rule, of in among.items()]
    found += [(result.caught[sort], STATED * seasons.cheats_of(sort)) for sort in seasons.SORTS]
    assert list(stated().values()) == found
