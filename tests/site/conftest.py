"""Every test of the site begins with empty memories."""

from __future__ import annotations

from tests.site_fixtures import alone_when_emptied, fresh_memory, no_permissions, one_signing_key  # noqa: F401  # fixtures for every test
