"""What the page of a match weighs, as far as it can be told without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import brotli  # type: ignore[import-untyped]  # ships no types
import pytest
from django.contrib.staticfiles import finders

from config.staticfiles import PARTS, without_comments
from games.titles import games
from tests.people import client_of, person, running_match
from tests.traits import has_motion

pytestmark = pytest.mark.django_db
STYLES = 15_000
REQUESTS = 15


@pytest.mark.parametrize("slug", games())
def test_the_styles_of_a_match_keep_their_budget(slug: str) -> None:
    people = [person(), person()]
    match = running_match(people, game=slug, seed=bytes(32))
    page = client_of(people[0]).get(match.get_absolute_url()).content.decode()
    links = re.findall(r'<link rel="stylesheet" href="/static/([^"?]+)"', re.sub("<noscript>.*?</noscript>", "", page))
    assert "site/lists.css" not in links
    sheets = [without_comments(link, Path(str(finders.find(link))).read_text()) for link in links]
    assert sum(len(brotli.compress(sheet.encode())) for sheet in sheets) <= STYLES


def imported(script: str) -> set[str]:
    """Return a script and the others that it imports before it runs."""
    text = Path(str(finders.find(script))).read_text()
    beside = re.findall(r'^import [^;]*"\./([\w-]+\.js)"', text, re.MULTILINE)
    return {script}.union(*(imported(f"{script.rpartition('/')[0]}/{name}") for name in beside))


@pytest.mark.parametrize("slug", games())
def test_a_first_visit_of_a_match_asks_for_few_files(slug: str) -> None:
    people = [person(), person()]
    match = running_match(people, game=slug, seed=bytes(32))
    page = client_of(people[0]).get(match.get_absolute_url()).content.decode()
    styles = set(
        re.findall(r'<link rel="stylesheet" href="/static/([^"?]+)"', re.sub("<noscript>.*?</noscript>", "", page))
    )
    scripts = re.findall(r'<script [^>]*src="/static/([^"?]+)"', page)
    at_rest = re.findall(r'data-(?:moving|motion)="/static/([^"?]+)"', page)
    files = set().union(*map(imported, [*scripts, *at_rest]))
    assert len(at_rest) == (2 if has_motion(slug) else 0)
    in_one = len(PARTS) - 1
    assert 1 + len(styles) - in_one + len(files) <= REQUESTS
