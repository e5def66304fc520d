"""A server to which push messages are sent."""

from __future__ import annotations

from tests.site.notifications.conftest import listener  # noqa: F401  # a fixture
