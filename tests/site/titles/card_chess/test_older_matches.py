"""Matches that began under the first version of the rules, when two players stopped at three gold cards."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from games.history.replay import is_checkable
from games.play import commands
from games.play.models import Match
from games.play.reducer import positions
from tests.people import act, person, play_out, running_match


def first_rules(match: Match) -> Match:
    """Turn a match into one under the first rules."""
    match.refresh_from_db()
    match.rules_version = 1
    match.options = {**match.options, "length": "decided"}
    match.state = match.state.replace('"length":"official"', '"length":"decided"', 1)
    match.save()
    return match


@pytest.fixture
def match(db: None) -> Match:
    return running_match([person("ann"), person("bob")], game="card-chess", seed=bytes(range(32)))


def test_a_running_match_of_two_still_stops_at_three_gold_cards(match: Match) -> None:
    act(first_rules(match), positions.legal_texts(match, 0)[0], 0)
    match.refresh_from_db()
    assert match.options == {
        "length": "decided", "shared": False, "blocking": False, "symmetric_rooks": False,
    }  # fmt: skip
    assert positions.decode_state(match).rulings.length == "decided"
    commands.undo(match.pk, 0, match.version)  # plays the match again from its start
    match.refresh_from_db()
    assert match.length == 0
    play_out(match)
    match.refresh_from_db()
    assert match.reason == "gold"
    assert 3 in match.seats.values_list("score", flat=True)


def test_a_finished_match_keeps_its_result_and_is_not_measured_by_the_rules_of_today(match: Match) -> None:
    over = first_rules(play_out(match))
    result = list(over.seats.order_by("number").values_list("place", "score"))
    out = StringIO()
    call_command("verify_matches", stdout=out)
    assert "0 matches are as their actions say, 1 skipped" in out.getvalue()
    assert not is_checkable(over)
    client = Client()
    for address in (over.get_absolute_url(), f"{over.get_absolute_url()}replay/"):
        assert client.get(address).status_code == 200
    assert list(over.seats.order_by("number").values_list("place", "score")) == result
