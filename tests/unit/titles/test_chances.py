"""Chances of every title: they add up, favour nobody without a reason, and know nothing that has not been drawn."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.engine.contract.playouts import Chooser, option_combinations, random_match
from games.engine.fair import FairChance
from games.engine.insight import NoInsight
from games.engine.protocol import AnyGame
from games.titles import games, titles
from games.titles.card_chess import insight as card_chess
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import Challenge
from tests.unit.titles.card_chess import positions as chess
from tests.unit.titles.shifting_stones import positions as stones
from tests.unit.titles.small_islands import positions as islands

SEED = bytes(range(32))
SETTINGS = [(slug, seats) for slug, game in games().items() for seats in game.seats]


def redrawn(state: Any, chance: FairChance) -> Any:
    """Return a state with its piles in another order, but for tiles that were seen when they were put back."""
    unseen = len(state.deck) - getattr(state, "returned", 0)
    piles = {"deck": (*chance.shuffle("deck", state.deck[:unseen]), *state.deck[unseen:])}
    if hasattr(state, "expedition"):
        piles["expedition"] = chance.shuffle("expedition", state.expedition)
    return replace(state, **piles)


@pytest.mark.parametrize(("slug", "seats"), SETTINGS)
def test_chances_add_up_and_know_neither_secret_choices_nor_what_is_not_drawn(slug: str, seats: int) -> None:
    game, insight = games()[slug], titles()[slug].insight
    for number, options in enumerate(option_combinations(game, seats)[:3]):
        match = random_match(game, seats, options, SEED, Chooser(bytes([number]) * 32))
        for before, play in pairwise(match.plays):
            said = insight.chances(before.state)
            assert len(said) == seats
            assert all(0 <= chance <= 1 for chance in said)
            assert seats == 1 or sum(said) == pytest.approx(1)
            assert insight.chances(redrawn(before.state, FairChance(SEED, play.number))) == said
            if play.position.turn == before.position.turn:  # a secret turn that goes on
                assert insight.chances(play.state) == pytest.approx(said)


def test_without_an_insight_the_scores_speak() -> None:
    game: AnyGame = games()["shifting-stones"]
    usual = NoInsight(game)
    assert usual.chances(stones.position([(), (), ()])) == pytest.approx([1 / 3] * 3)
    assert usual.chances(stones.position([(), ()], scored=((8,), ())))[0] > 0.5


def same_objectives(seats: int) -> Any:
    state = islands.begin(seats)
    return replace(state, dealt=(state.dealt[0],) * seats)


ALIKE = [
    *(("shifting-stones", stones.position([()] * seats)) for seats in (2, 3, 4, 5)),
    *(("card-chess", chess.position([chess.BLUE_HAND] * seats, ["gP1l", "gN5l", "bK5w"])) for seats in (2, 3, 4)),
    *(("small-islands", same_objectives(seats)) for seats in (2, 3, 4)),
]
ONES, TWOS = stones.LYING_ONES, stones.LYING_TWOS
"""Cards that lie."""

AHEAD = [
    ("shifting-stones", stones.position([ONES[:4], stones.ELSEWHERE[:4]], scored=(TWOS, ()))),
    ("shifting-stones", stones.position([ONES[:4], *[()] * 4], scored=(TWOS, (), (), (), ()))),
    ("small-islands", islands.position(houses=(islands.house(0, "0,0", 20),))),
    ("small-islands", islands.position(4, houses=(islands.house(0, "0,0", 30),))),
    (
        "card-chess",
        chess.position(
            [("bQ9w", "bK5w", "bN5l", "bR6l"), ("gP1l", "gP1d", "gP2l", "gP2d")],
            ["gN5l", "gP3l", "gK5w"],
            challenges=(Challenge((20, 10), (0, 0), 0, decider=False),),
        ),
    ),
]
"""Positions in which seat 0 leads in everything."""


@pytest.mark.parametrize(("slug", "state"), ALIKE)
def test_seats_that_stand_alike_have_the_same_chance_but_for_who_moves(slug: str, state: Any) -> None:
    said, movers = titles()[slug].insight.chances(state), games()[slug].to_move(state)
    assert said == pytest.approx([1 / len(said)] * len(said), abs=0.05 if len(movers) == 1 else 1e-6)
    assert len({round(chance, 9) for seat, chance in enumerate(said) if seat not in movers}) <= 1


@pytest.mark.parametrize(("slug", "state"), AHEAD)
def test_who_leads_in_everything_is_likelier_to_win_than_not(slug: str, state: Any) -> None:
    assert titles()[slug].insight.chances(state)[0] > 0.5


def test_a_lead_that_a_last_turn_cannot_catch_up_is_nearly_sure() -> None:
    state = stones.position([(), stones.ELSEWHERE[:2]], scored=(TWOS, ()), triggered_by=0, mover=1)
    assert titles()["shifting-stones"].insight.chances(state)[0] > 0.97


def won(*winners: int, seats: int = 2) -> tuple[Challenge, ...]:
    """Return challenges that these seats have won, none of them a decider."""
    return tuple(Challenge((1,) * seats, (0,) * seats, seat, decider=False) for seat in winners)


@pytest.mark.parametrize(
    ("winners", "length", "seats", "chance"),
    [
        ((), "one_challenge", 2, 1 / 2),
        ((0,), "two_gold", 2, 3 / 4),
        ((0, 0), "official", 2, 7 / 8),
        ((0, 0), "decided", 2, 7 / 8),
        ((0, 0, 0), "official", 2, 1),
        ((0, 0, 1, 1), "official", 2, 1 / 2),
        ((0, 0, 1, 1), "official", 3, 13 / 27),
        ((0, 0, 1, 1, 2), "official", 3, 4 / 9),
        ((0, 0, 1, 1, 2, 2), "official", 3, 1 / 3),
        ((0, 0, 1, 1, 2, 2, 3, 3), "official", 4, 1 / 4),
    ],
)
def test_a_challenge_among_equals_is_worth_what_it_makes_of_the_match(
    winners: tuple[int, ...], length: str, seats: int, chance: float
) -> None:
    state = chess.position(
        [chess.BLUE_HAND] * seats,
        chess.BLUE_TABLE,
        challenges=won(*winners, seats=seats),
        rulings=Rulings(length=length),
    )
    assert titles()["card-chess"].insight.chances(state)[0] == pytest.approx(chance)


def test_weights_of_card_chess_are_fitted_to_who_wins_the_challenge() -> None:
    state = chess.position([chess.BLUE_HAND] * 2, chess.BLUE_TABLE, challenges=won(0, 1))
    for points, result in (((20, 10), [1.0, 0.0]), ((10, 10), [0.5, 0.5])):
        counted = Challenge(points, (0, 0), None, decider=False)
        assert card_chess.result(state, replace(state, challenges=(*state.challenges, counted))) == result


def calibrate(*arguments: str) -> str:
    out = StringIO()
    call_command("calibrate", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_tells_what_came_true_and_what_weights_fit() -> None:
    match = ("shifting-stones", "--seats", "2", "--matches", "1", "--bot", "sensible")
    told = calibrate(*match)
    assert "Brier score after half the match: 0." in told
    assert "the same for all would be 0.250" in told
    assert "Mean change over a turn of one’s own" in told
    assert calibrate(*match, "--after", "1") != told
    fitted = calibrate(*match, "--fit")
    assert fitted.startswith('2: {"points": ')
    assert calibrate(*match, "--fit", "--tested", "1") != fitted


def test_only_games_can_be_calibrated_and_only_bots_play() -> None:
    with pytest.raises(CommandError, match="no game"):
        calibrate("nothing", "--seats", "2", "--matches", "1")
    with pytest.raises(CommandError, match="nobody"):
        calibrate("shifting-stones", "--seats", "2", "--matches", "1", "--bot", "nobody")
