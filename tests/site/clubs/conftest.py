"""Whom most tests of what leaders do are about: Ann, and the club that she owns."""

from __future__ import annotations

import pytest

from accounts.models import User
from games.clubs.models import Club
from tests.people import person
from tests.site.clubs.clubs import club_of
from tests.site.notifications.conftest import listener  # noqa: F401  # a fixture


@pytest.fixture
def ann() -> User:
    return person("ann")


@pytest.fixture
def club(ann: User) -> Club:
    return club_of(ann)
