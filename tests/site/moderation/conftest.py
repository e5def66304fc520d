"""What tests of moderation share: a moderator."""

from __future__ import annotations

import pytest

from accounts.models import User
from tests.site.moderation.moderators import moderator


@pytest.fixture
def mod(db: None) -> User:
    return moderator("mod")
