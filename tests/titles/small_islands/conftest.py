"""Random matches of every number of players, both modes and both starts; people with browsers."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.engine.contract.playouts import Match
from tests.browser.conftest import enter  # noqa: F401  # a fixture
from tests.people import person
from tests.serving import Site
from tests.titles.small_islands.choosers import NAME, SETTINGS, random_plays, server_seed


@pytest.fixture(scope="module", params=SETTINGS, ids=str)
def match(request: pytest.FixtureRequest) -> Match:
    seats, options = request.param
    return Match(seats, options, server_seed(NAME), random_plays(seats, NAME, **options))


@pytest.fixture
def players(live_site: Site) -> list[User]:
    return [person("ann"), person("bob")]
