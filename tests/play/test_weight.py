"""What the page of a match weighs, as far as it can be told without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import brotli  # type: ignore[import-untyped]  # ships no types
import pytest
from django.contrib.staticfiles import finders

from games.titles import games
from tests.people import client_of, person, running_match

pytestmark = pytest.mark.django_db
STYLES = 15_000


@pytest.mark.parametrize("slug", games())
def test_the_styles_of_a_match_keep_their_budget(slug: str) -> None:
    people = [person(), person()]
    match = running_match(people, game=slug, seed=bytes(32))
    page = client_of(people[0]).get(match.get_absolute_url()).content.decode()
    links = re.findall(r'<link rel="stylesheet" href="/static/([^"?]+)"', page)
    assert "site/lists.css" not in links
    assert sum(len(brotli.compress(Path(str(finders.find(link))).read_bytes())) for link in links) <= STYLES
