"""What holds in every match, however it is played."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise, permutations, product
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from games.engine import runner
from games.engine.codec import encode
from games.engine.contract.playouts import Chooser, random_match, random_plays
from games.engine.protocol import Options, RuleViolation, Seat
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import CARDS, Play, stock
from games.titles.card_chess.rules.state import ChallengeOver, Confirmed, MatchOver, Pile, PileSettled, State
from tests.unit.titles.card_chess.choosers import Plays, any_play, play_match
from tests.unit.titles.card_chess.positions import all_cards

ROOT = Path(__file__).parents[4]
SEEDS = st.binary(min_size=32, max_size=32)
MATCHES = 500 if settings.get_current_profile_name() == "nightly" else 2
"""Random matches for every number of seats and every combination of options."""


def every_setting() -> list[tuple[int, Options]]:
    """Return every number of seats with every combination of options."""
    return [
        (seats, dict(zip((option.name for option in offered), values, strict=True)))
        for seats in GAME.seats
        for offered in [[option for option in GAME.options if option.exists_for(seats)]]
        for values in product(*([value for value, _ in option.choices] for option in offered))
    ]


@pytest.fixture(scope="module", params=every_setting()[::7], ids=str)
def plays(request: pytest.FixtureRequest) -> Plays:
    seats, options = request.param
    seed = bytes([seats]) * 32
    return list(random_match(GAME, seats, options, seed, Chooser(seed)).plays)


@pytest.mark.parametrize(("seats", "options"), every_setting(), ids=str)
@settings(max_examples=MATCHES, deadline=None)
@given(seed=SEEDS)
def test_no_card_is_ever_lost_or_doubled(seats: int, options: Options, seed: bytes) -> None:
    expected: Counter[str] = Counter()
    for play in random_plays(GAME, seats, options, seed, Chooser(seed)):
        expected = expected or Counter(stock(seats, play.state.removed))
        assert Counter(all_cards(play.state)) == expected
    assert expected.total() == {2: 38, 3: 76, 4: 75}[seats]


@given(st.sampled_from(every_setting()), SEEDS, st.lists(st.sampled_from(list(CARDS)), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_apply_accepts_what_is_listed_and_refuses_everything_else(
    setting: tuple[int, Options], seed: bytes, cards: list[str]
) -> None:
    match = random_match(GAME, *setting, seed, Chooser(seed))
    play = Chooser(seed[::-1]).pick(match.plays)
    for seat in map(Seat, range(match.seats)):
        listed = list(GAME.legal_actions(play.state, seat))
        for action in (Play(tuple(cards)), *listed[:1], Play(play.state.hands[seat][:3])):
            assert accepted(play, seat, action, seed) == (action in listed)


def accepted(before: runner.Play[State], seat: Seat, action: Play, seed: bytes) -> bool:
    try:
        runner.act(GAME, before.position, seat, action, seed)
    except RuleViolation:
        return False
    return True


@given(st.sampled_from(every_setting()), SEEDS)
@settings(max_examples=40, deadline=None)
def test_the_position_never_depends_on_the_order_of_confirming(setting: tuple[int, Options], seed: bytes) -> None:
    match = random_match(GAME, *setting, seed, Chooser(seed))
    turns = [play for play in match.plays[:-1] if not any(play.state.sealed)]
    turn = Chooser(seed[::-1]).pick(turns)
    texts = {play.seat: play.text for play in match.plays[turn.number + 1 : turn.number + 1 + match.seats]}
    reached = set()
    for order in permutations(map(Seat, range(match.seats))):
        play = turn
        for seat in order:
            play = runner.play(GAME, play.position, seat, texts[seat], seed)
        reached.add(encode(play.state))
    assert len(reached) == 1


def test_exactly_the_last_to_confirm_reveals_opens_and_uses_chance(plays: Plays) -> None:
    for before, play in pairwise(plays):
        last = len(before.to_move) == 1
        assert play.reveals == last == any(isinstance(event, PileSettled) for event in play.events)
        assert last or (play.events, play.draws) == ((Confirmed(None, play.seat or 0),), ())


def test_at_most_one_shuffle_in_one_action_at_a_new_challenge_or_a_second_phase(plays: Plays) -> None:
    for play in plays[1:]:
        kinds = {event.kind for event in play.events}
        labels = [draw.label for draw in play.draws]
        purposes = {"challenge-begun": "deck", "recycled": "recycle"}
        assert labels == [f"{play.number}:{purpose}" for kind, purpose in purposes.items() if kind in kinds]


def test_every_hand_has_a_card_for_each_table_card(plays: Plays) -> None:
    for play in plays:
        for hand, sealed in zip(play.state.hands, play.state.sealed, strict=True):
            assert len(sealed) in (0, len(play.state.table))
            assert len(hand) + len(sealed) >= len(play.state.table)


def test_every_challenge_is_counted_from_its_piles(plays: Plays) -> None:
    piles: list[Pile] = []
    for play in plays:
        piles += [event.pile for event in play.events if isinstance(event, PileSettled)]
        for over in (event for event in play.events if isinstance(event, ChallengeOver)):
            won = [cards_won_by(seat, piles) for seat in range(play.state.seats)]
            assert over.challenge.realms == tuple(map(realms, won))
            assert over.challenge.points == tuple(sum(map(printed, cards)) + 10 * realms(cards) for cards in won)
            piles = []


def cards_won_by(seat: int, piles: list[Pile]) -> list[str]:
    return [card for pile in piles if pile.captor == seat for card in (pile.target, *pile.cards)]


def printed(card: str) -> int:
    """Return the points printed on a card."""
    return {"K": 5, "N": 2, "R": 2, "B": 2, "Q": 2}.get(card[1], 1)


def realms(cards: list[str]) -> int:
    parts = [[cards.count(colour + part) for part in ("K5w", "Q9w", "C#w")] for colour in "bg"]
    return sum(map(min, parts))


def test_a_match_ends_in_time_for_a_reason(plays: Plays) -> None:
    outcome = plays[-1].outcome
    assert outcome is not None
    assert outcome.reason in {"challenge", "drawn", "decider", "gold", "shared", "valve"}
    assert outcome.scores == GAME.standing(plays[-1].state)
    assert len(plays[-1].state.challenges) <= 20


def test_the_last_event_tells_the_end(plays: Plays) -> None:
    over = [event for play in plays for event in play.events if isinstance(event, MatchOver)]
    assert over == [plays[-1].events[-1]]


def test_same_under_every_hash_seed() -> None:
    program = (
        "from tests.unit.titles.card_chess.choosers import play_match, any_play\n"
        "from games.engine.codec import encode, encode_events\n"
        "for play in play_match('hash', [any_play] * 3):\n"
        "    print(play.text, encode(play.state), encode_events(play.events))"
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
    assert len(outputs.pop().splitlines()) == len(play_match("hash", [any_play] * 3))


def test_the_rules_need_no_django() -> None:
    program = "import sys, games.titles.card_chess; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0
