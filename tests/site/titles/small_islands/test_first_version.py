"""Matches that began with version 1 of the rules, before the table had an edge, go on and can be checked."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games.history.replay import first_difference, is_checkable
from games.play.models import Match
from games.titles import rules_of
from games.titles.small_islands.rules.rounds import ENDLESS
from tests.people import act, client_of, person, running_match
from tests.site.titles.small_islands.playing import SEED, state_of
from tests.unit.titles.small_islands.settlers import next_text


@pytest.fixture
def old_match(db: None) -> Match:
    """A match as version 1 of the rules left it in the database."""
    match = running_match([person("ann"), person("bob")], game="small-islands", options={}, seed=SEED)
    match.refresh_from_db()
    endless = re.sub(r'"reach":\d+', f'"reach":{ENDLESS}', match.state, count=1)
    options = {"mode": "normal", "start": "automatic"}
    Match.objects.filter(pk=match.pk).update(rules_version=1, options=options, state=endless)
    match.refresh_from_db()
    return match


def test_it_goes_on_by_its_own_rules(old_match: Match) -> None:
    for _ in range(12):
        seat = min(state_of(old_match).table.to_move)
        act(old_match, next_text(state_of(old_match), seat), seat)
    old_match.refresh_from_db()
    assert old_match.rules is rules_of("small-islands", 1)
    assert is_checkable(old_match)
    assert first_difference(old_match) is None


def test_its_page_is_shown_without_an_edge(old_match: Match) -> None:
    client: Client = client_of(User.objects.get(username="ann"))
    text = client.get(old_match.get_absolute_url()).content.decode()
    assert 'id="map"' in text
    assert 'class="edge"' not in text
