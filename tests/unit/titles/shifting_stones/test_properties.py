"""What holds in every match, however it is played."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from games.engine import runner
from games.engine.fair import final_seed
from games.engine.protocol import RuleViolation, Seat
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.insight import quick
from games.titles.shifting_stones.rules.notation import DISCARDS, END, SCORES, SKIP, Action
from games.titles.shifting_stones.rules.patterns import TILE_SET, TILES
from games.titles.shifting_stones.rules.state import (
    CardsDrawn,
    CardsReceived,
    Finished,
    PileReshuffled,
    State,
    TurnEnded,
    TurnSkipped,
)
from tests.unit.titles.recording import server_seed
from tests.unit.titles.shifting_stones.choosers import Plays, play_match, scorer
from tests.unit.titles.shifting_stones.positions import all_cards

KIND = {face: kind for kind, sides in TILES.items() for face in sides}
SEEDS = st.binary(min_size=32, max_size=32)
ROOT = Path(__file__).parents[4]


def wild_match(seats: int, server: bytes, rng: random.Random, actions: int) -> Plays:
    """Play this many random actions, scoring, ending and skipping as often as throwing cards away."""
    seed = final_seed(server, [b""] * seats)
    plays: Plays = [runner.begin(GAME, seats, {}, seed)]
    while plays[-1].outcome is None and len(plays) <= actions:
        seat = Seat(plays[-1].state.mover)
        plays.append(runner.act(GAME, plays[-1].position, seat, _any_action(plays[-1].state, seat, rng), seed))
    return plays


def _any_action(state: State, seat: Seat, rng: random.Random) -> Action:
    legal = list(GAME.legal_actions(state, seat))
    other = [action for action in legal if action in SCORES.values() or action in (END, SKIP)]
    return rng.choice(rng.choice((legal, other)))


@pytest.fixture(scope="module", params=GAME.seats)
def wild(request: pytest.FixtureRequest) -> Plays:
    return wild_match(request.param, server_seed("wild"), random.Random(request.param), 1500)


MATCHES = st.tuples(st.sampled_from(GAME.seats), SEEDS, st.randoms(use_true_random=False))


@given(MATCHES)
@settings(max_examples=40, deadline=None)
def test_no_card_and_no_tile_is_ever_lost_or_doubled(match: tuple[int, bytes, random.Random]) -> None:
    seats, server, rng = match
    plays = wild_match(seats, server, rng, 120)
    expected = sorted(all_cards(plays[0].state))
    assert len(expected) == (16 if seats == 1 else 72)
    for play in plays:
        assert sorted(all_cards(play.state)) == expected
        assert Counter(KIND[face] for face in play.state.grid) == Counter(TILE_SET)


@given(
    MATCHES, st.sampled_from([*SCORES.values(), *(action for row in DISCARDS.values() for action in row), END, SKIP])
)
@settings(max_examples=60, deadline=None)
def test_apply_accepts_what_is_listed_and_refuses_everything_else(
    match: tuple[int, bytes, random.Random], action: Action
) -> None:
    seats, server, rng = match
    before = wild_match(seats, server, rng, 30)[-1]
    seed = final_seed(server, [b""] * seats)
    listed = {seat: set(GAME.legal_actions(before.state, Seat(seat))) for seat in range(seats)}
    for seat in map(Seat, range(seats)):
        try:
            runner.act(GAME, before.position, seat, action, seed)
        except RuleViolation:
            assert action not in listed[seat]
        else:
            assert action in listed[seat]


def test_every_step_keeps_the_contract(wild: Plays) -> None:
    for before, play in pairwise(wild):
        state = play.state
        assert GAME.to_move(state) == (frozenset() if play.outcome else {state.mover})
        assert GAME.parse(play.text) in list(GAME.legal_actions(before.state, Seat(before.state.mover)))
        assert all(len(hand) <= 6 for hand in state.hands)
        assert all(len(mine) <= len(now) for mine, now in zip(before.state.scored, state.scored, strict=True))


def test_a_wild_match_ends_in_time(wild: Plays) -> None:
    outcome = wild[-1].outcome
    assert outcome is not None
    assert outcome.reason in {"goal", "idle", "won", "lost"}
    assert len(outcome.places) == len(outcome.scores) == len(wild[0].state.hands)
    assert GAME.standing(wild[-1].state) == outcome.scores


def test_reveals_exactly_when_cards_were_drawn_or_the_match_ended(wild: Plays) -> None:
    for before, play in pairwise(wild):
        came = {card for hand in play.state.hands for card in hand} - {c for hand in before.state.hands for c in hand}
        reshuffled = play.state.pile != before.state.pile
        assert play.reveals == (bool(came) or reshuffled or play.outcome is not None)


def test_events_tell_how_many_cards_were_drawn(wild: Plays) -> None:
    for play in wild[1:]:
        drawn = [event.count for event in play.events if isinstance(event, CardsDrawn)]
        received = [len(event.cards) for event in play.events if isinstance(event, CardsReceived)]
        assert drawn == received
        assert len(drawn) <= 1


def test_one_reshuffle_at_most_in_one_action_and_only_onto_an_empty_pile(wild: Plays) -> None:
    for before, play in pairwise(wild):
        counts = [event.count for event in play.events if isinstance(event, PileReshuffled)]
        assert len(counts) == play.state.pile - before.state.pile <= 1
        assert not counts or len(before.state.deck) < 4


def test_the_last_event_tells_the_end(wild: Plays) -> None:
    finished = [event for play in wild for event in play.events if isinstance(event, Finished)]
    assert finished == [wild[-1].events[-1]]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["one", "two", "three"])
def test_everybody_has_had_the_same_number_of_turns(seats: int, name: str) -> None:
    plays = play_match(name, [scorer] * seats)
    turns = Counter(event.seat for play in plays for event in play.events if isinstance(event, TurnEnded | TurnSkipped))
    assert set(turns.values()) == {plays[-1].state.round}
    assert len(turns) == seats


def test_states_are_values(wild: Plays) -> None:
    assert len({hash(play.state) for play in wild[:50]}) > 1
    assert all(isinstance(GAME.view_for(play.state, None), GAME.view_type) for play in wild[:50])


def test_same_under_every_hash_seed() -> None:
    program = (
        "from games.titles.shifting_stones.insight import quick\n"
        "from tests.unit.titles.shifting_stones.choosers import play_match\n"
        "from games.engine.codec import encode, encode_events\n"
        "for play in play_match('hash', [quick] * 3): print(play.text, encode(play.state), encode_events(play.events))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "77")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(play_match("hash", [quick] * 3))


def test_the_rules_need_no_django() -> None:
    program = "import sys, games.titles.shifting_stones; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0
