"""Two people with browsers."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.people import person
from tests.serving import Site


@pytest.fixture
def players(live_site: Site) -> list[User]:
    return [person("ann"), person("bob")]
