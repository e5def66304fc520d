"""Random matches of every number of players, both modes and both starts."""

from __future__ import annotations

import pytest

from games.engine.contract.playouts import Match
from tests.unit.titles.recording import server_seed
from tests.unit.titles.small_islands.choosers import NAME, SETTINGS, random_plays


@pytest.fixture(scope="module", params=SETTINGS, ids=str)
def match(request: pytest.FixtureRequest) -> Match:
    seats, options = request.param
    return Match(seats, options, server_seed(NAME), random_plays(seats, NAME, **options))
