"""The rules by which matches look unfair, what a night finds with them, and whom they leave alone."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from games.fairplay import nightly, patterns, seasons
from games.fairplay.models import Abort, Finding, Night
from games.fairplay.patterns import Aborts, Meeting, Pair
from games.play import duties
from games.play.matches import services
from games.play.models import Match
from games.ratings.models import RatingChange
from tests.clocked import LIVE
from tests.config.environment import ROOT
from tests.people import person, running_match
from tests.ratings.finishing import finished, resigned

LOST = Meeting(won=0, expected=0.5, gain=-10_000, length=1, left=False)
LEFT = Meeting(won=0, expected=0.5, gain=-10_000, length=0.2, left=True)
WON = Meeting(won=1, expected=0.5, gain=10_000, length=1, left=False)
QUICK_WIN = Meeting(won=1, expected=0.5, gain=10_000, length=0.2, left=True)
SEASON = 2
PEOPLE = 120
SEASONS = int(os.environ.get("TESSERA_SEASONS", "2"))
STATED = 60
"""Seasons of which the guide states what was found."""

pytestmark = pytest.mark.django_db


# --- the rules ------------------------------------------------------------------------------------------------------


def test_losses_that_were_left_early_are_a_transfer() -> None:
    found = patterns.transfer(Pair((LEFT,) * 8, 80_000, ()))
    assert found is not None
    assert (found.lost, found.points, found.share, found.early) == (8, 80, 100, 8)


@pytest.mark.parametrize(
    "pair",
    [
        Pair((LEFT,) * 7, 70_000, ()),
        Pair((*(LEFT,) * 8, WON), 80_000, ()),
        Pair((LEFT,) * 8, 200_000, ()),
        Pair((LOST,) * 9, 90_000, ()),
        Pair((LOST,) * 20, 200_000, (LOST,) * 20),
    ],
    ids=["too few", "won as well", "gained elsewhere", "a weaker friend", "weaker everywhere"],
)
def test_who_is_weaker_transfers_nothing(pair: Pair) -> None:
    assert patterns.transfer(pair) is None


def test_who_loses_to_one_alone_against_all_odds_transfers_rating() -> None:
    assert patterns.transfer(Pair((LOST,) * 13, 130_000, (WON, LOST) * 5))


def test_quick_results_by_turns_look_agreed() -> None:
    found = patterns.agreed((LEFT, QUICK_WIN) * 3)
    assert found is not None
    assert (found.short, found.of, found.won) == (6, 6, 3)
    assert patterns.agreed((LEFT,) * 6) is None  # one of them just gives up
    assert patterns.agreed((LEFT, QUICK_WIN) * 3 + (LOST, WON) * 3) is None
    level = Meeting(won=0.5, expected=0.5, gain=0, length=0.05, left=False)
    assert patterns.agreed((level,) * 6)


def test_aborting_alone_is_no_sign_only_that_it_depends_on_the_opponent_or_the_score() -> None:
    assert patterns.dodges(Aborts(dodged_stronger=6, played_stronger=2, played_others=30))
    assert not patterns.dodges(Aborts(dodged_stronger=6, dodged_others=24, played_stronger=6, played_others=24))
    assert not patterns.dodges(Aborts(dodged_stronger=4, played_others=200))
    assert patterns.dodges(Aborts(behind=9, unequal=9))
    assert not patterns.dodges(Aborts(behind=9, unequal=14))


# --- what is stored -------------------------------------------------------------------------------------------------


@pytest.fixture
def pair() -> tuple[User, User]:
    return person("ann"), person("ben")


def test_a_night_finds_rating_that_flows_to_one_person(pair: tuple[User, User]) -> None:
    finished([person(), person()])  # tells how long such matches are
    Match.objects.update(length=40)
    for _ in range(8):
        resigned(pair)
    looked, found = nightly.look(timezone.now())
    assert (looked, found) == (1, 1)
    one = Finding.objects.get()
    assert (one.kind, one.first, one.second, one.game) == (Finding.Kind.TRANSFER, pair[1], pair[0], "shifting-stones")
    assert (one.facts["lost"], one.facts["of"], one.facts["share"], one.facts["early"]) == (8, 8, 100, 8)
    gains = [change.gain for change in RatingChange.objects.filter(user=pair[0])]
    assert one.facts["points"] == round(sum(gains) / 1000)


def test_the_same_is_found_once_and_not_again_after_it_was_settled(pair: tuple[User, User]) -> None:
    finished([person(), person()])
    Match.objects.update(length=40)
    for number in range(8):
        resigned(pair, loser=number % 2)
    for _ in range(2):
        nightly.look(timezone.now())
    one = Finding.objects.get()
    assert (one.kind, one.facts) == (Finding.Kind.AGREED, {"short": 8, "of": 8, "won": 4})
    Finding.objects.update(settled_at=timezone.now())
    assert nightly.look(timezone.now()) == (1, 0)
    for number in range(6):
        resigned(pair, loser=number % 2)
    assert nightly.look(timezone.now()) == (1, 1)
    assert Finding.objects.get(settled_at=None).facts["of"] == 6


def test_matches_from_before_the_window_are_forgotten(pair: tuple[User, User]) -> None:
    for number in range(8):
        resigned(pair, loser=number % 2)
    assert nightly.look(timezone.now() + patterns.WINDOW + timedelta(hours=1)) == (0, 0)


def test_aborting_against_the_strong_is_noted_and_found(pair: tuple[User, User]) -> None:
    dodger, strong = pair
    for _ in range(12):
        finished([person(), dodger], [2, 1])
    dodger.ratings.update(rating=1_500_000)
    strong.ratings.create(game="shifting-stones", speed="live", rating=1_700_000, games=20)
    for _ in range(6):
        match = running_match([dodger, strong], rated=True, clock=LIVE)
        services.offer_abort(match.pk, 0)
    assert set(Abort.objects.values_list("user", "alone", "above", "behind")) == {(dodger.pk, True, 200_000, None)}
    nightly.look(timezone.now())
    one = Finding.objects.get()
    assert (one.kind, one.first, one.second) == (Finding.Kind.DODGING, dodger, None)
    assert one.facts["dodged_stronger"] == 6


def test_who_was_behind_when_all_agreed_to_abort_is_noted(pair: tuple[User, User]) -> None:
    match = running_match(pair, rated=True, clock=LIVE)
    match.seats.update(acted=True)
    for seat in range(2):
        services.offer_abort(match.pk, seat)
    match.refresh_from_db()
    assert match.status == Match.Status.ABORTED
    assert set(Abort.objects.values_list("user", "alone", "behind")) == {(user.pk, False, None) for user in pair}


def test_casual_matches_can_be_aborted_by_anybody(pair: tuple[User, User]) -> None:
    services.offer_abort(running_match(pair).pk, 0)
    assert not Abort.objects.exists()


# --- the night ------------------------------------------------------------------------------------------------------


def test_a_night_is_looked_through_once(pair: tuple[User, User]) -> None:
    for number in range(8):
        resigned(pair, loser=number % 2)
    duty, day = nightly.Nightly(), timezone.now().astimezone(UTC).date() + timedelta(days=1)
    before = datetime(day.year, day.month, day.day, nightly.HOUR - 1, 59, tzinfo=UTC)
    after = before + timedelta(minutes=2)
    assert duty.run_due(before) == 0
    assert duty.run_due(after) == 1
    assert Night.objects.get().day == day
    assert duty.run_due(after) == nightly.Nightly().run_due(after) == 0


def test_the_worker_does_it() -> None:
    assert any(isinstance(duty, nightly.Nightly) for duty in duties._duties)


def test_the_command_says_what_waits_for_a_moderator(pair: tuple[User, User]) -> None:
    finished([person(), person()])
    Match.objects.update(length=40)
    for number in range(8):
        resigned(pair, loser=number % 2)
    said = StringIO()
    call_command("fair_play", stdout=said)
    assert "Looked at 1 pairs" in said.getvalue()
    assert "agreed: ben and ann" in said.getvalue() or "agreed: ann and ben" in said.getvalue()


# --- how often honest people are found ------------------------------------------------------------------------------


def test_made_up_seasons_find_cheats_and_leave_honest_people_alone() -> None:
    result = seasons.counted(seasons=SEASON, people=PEOPLE)
    assert sum(result.honest.values()) == 0
    assert result.people == SEASON * (PEOPLE - seasons.CHEATS * len(seasons.SORTS))
    assert result.caught["agrees results"] == SEASON * seasons.CHEATS
    assert all(result.caught[sort] for sort in seasons.SORTS)


def test_the_same_season_is_the_same_again() -> None:
    said = [StringIO(), StringIO()]
    for out in said:
        call_command("simulate_seasons", seasons=1, people=90, stdout=out)
    assert said[0].getvalue() == said[1].getvalue()


def stated() -> dict[str, tuple[int, int]]:
    """Return what the guide says is found of how many, in its order."""
    text = (ROOT / "docs" / "fair-play.md").read_text().partition("## How often honest people are found")[2]
    rows = re.findall(r"(?m)^\| ([^|]+) \| ([\d,]+) of ([\d,]+)", text)
    return {what: (int(found.replace(",", "")), int(of.replace(",", ""))) for what, found, of in rows}


def test_the_guide_states_every_rule_and_every_sort_of_cheat() -> None:
    assert len(stated()) == len(set(seasons.SORTS.values())) + len(seasons.SORTS)


@pytest.mark.skipif(SEASONS < STATED, reason="takes minutes; TESSERA_SEASONS=60 plays as many as the guide states")
def test_the_guide_states_what_is_found() -> None:
    result = seasons.counted(seasons=STATED, people=300)
    among = {rule: result.people if "aborting" in rule else result.pairs for rule in seasons.SORTS.values()}
    found = [(result.honest[rule], of) for rule, of in among.items()]
    found += [(result.caught[sort], STATED * seasons.CHEATS) for sort in seasons.SORTS]
    assert list(stated().values()) == found
