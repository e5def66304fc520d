"""How programs play: every title's policy keeps the contract, and a game without one is played at random."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

import pytest

from games.engine import runner
from games.engine.contract.playouts import Chooser, Match, option_combinations, random_match
from games.engine.contract.testing import ContractError, check_insight, check_policy
from games.engine.fair import FairChance
from games.engine.insight import NoInsight, any_action, choose
from games.engine.protocol import AnyGame, Chance, Seat
from games.titles import games, titles
from games.titles.bots import master
from tests.traits import has_reasons
from tests.unit.engine.toys import Sealed

SEED = bytes(range(32))
SETTINGS = [(slug, seats) for slug, game in games().items() for seats in game.seats]


EXPLAINED = [setting for setting in SETTINGS if has_reasons(setting[0])]


def random_one(game: AnyGame, seats: int) -> Match:
    return random_match(game, seats, option_combinations(game, seats)[0], SEED, Chooser(SEED))


@cache
def well_played(slug: str, seats: int) -> Match:
    """Return a whole match that the title's policy plays on every seat."""
    game, policy = games()[slug], titles()[slug].insight.policy
    options = option_combinations(game, seats)[-1]
    plays: list[runner.Play[Any]] = [runner.begin(game, seats, options, SEED)]
    while plays[-1].outcome is None:
        before, seat = plays[-1], min(plays[-1].to_move)
        action = choose(game, policy, before.state, seat, SEED[:31] + bytes([before.number % 256]))
        plays.append(runner.act(game, before.position, seat, action, SEED))
    return Match(seats, options, SEED, tuple(plays))


@pytest.mark.parametrize(("slug", "seats"), SETTINGS)
def test_a_policy_takes_legal_actions_and_knows_nothing_hidden(slug: str, seats: int) -> None:
    for match in (random_one(games()[slug], seats), well_played(slug, seats)):
        check_policy(games()[slug], titles()[slug].insight.policy, match)


@pytest.mark.parametrize(("slug", "seats"), SETTINGS)
def test_what_is_to_be_considered_is_legal_and_what_a_position_is_worth_is_a_share(slug: str, seats: int) -> None:
    check_insight(games()[slug], titles()[slug].insight, well_played(slug, seats))


@pytest.mark.parametrize(("slug", "seats"), EXPLAINED)
def test_a_reason_is_a_sentence_from_the_view_alone_or_none(slug: str, seats: int) -> None:
    """Reasons are made from the view alone; for most of what the strongest bot does there is one."""
    game, explain = games()[slug], titles()[slug].advice.explain
    reasons = []
    for play in well_played(slug, seats).sample()[::2]:
        for seat in sorted(play.to_move):
            view = game.view_for(play.state, seat)
            best = master(game, view, seat, FairChance(SEED, play.number), 1.0)
            reasons.append(explain(view, best))
            some = Chooser(SEED).some(list(islice(game.legal_actions(play.state, seat), 400)), 25)
            assert {explain(view, action)[-1:] for action in some} <= {".", ""}
            assert explain(game.view_for(play.state, None), best) == ""
    assert {reason[-1:] for reason in reasons} <= {".", ""}
    assert sum(map(bool, reasons)) > len(reasons) / 2


def test_a_plan_that_breaks_the_rules_is_found_out() -> None:
    game = games()["shifting-stones"]

    class Hasty(NoInsight):
        def candidates(self, state: Any, seat: Seat, chance: Chance) -> Any:
            return [(action, action) for action in game.legal_actions(state, seat)]

    with pytest.raises(ContractError, match=r"ends before|not legal"):
        check_insight(game, Hasty(game), random_one(game, 2))


def test_chances_that_do_not_add_up_are_found_out() -> None:
    game = games()["shifting-stones"]

    class Sure(NoInsight):
        def chances(self, state: Any) -> Any:
            return (1.0, 1.0)

    with pytest.raises(ContractError, match="add up"):
        check_insight(game, Sure(game), random_one(game, 2))


@pytest.mark.parametrize("slug", ["card-chess", "shifting-stones", "small-islands"])
def test_a_policy_beats_random_players(slug: str) -> None:
    game, policy = games()[slug], titles()[slug].insight.policy
    chance, options = any_action(game), option_combinations(game, 2)[0]
    won = 0
    for number in range(4):
        seed = bytes([number]) * 32
        play: runner.Play[Any] = runner.begin(game, 2, options, seed)
        while play.outcome is None and play.number < 400:
            seat = min(play.to_move)
            who = policy if seat == number % 2 else chance
            action = choose(game, who, play.state, seat, SEED[:31] + bytes([play.number % 256]))
            play = runner.act(game, play.position, seat, action, seed)
        scores = game.standing(play.state)
        won += scores[number % 2] > scores[1 - number % 2]
    assert won >= 3


def test_a_game_without_a_policy_takes_any_legal_action() -> None:
    game: AnyGame = Sealed()
    start = runner.begin(game, 2, {}, SEED)
    taken = {any_action(game)(start.state, Seat(0), FairChance(bytes([n]) * 32, 0)) for n in range(40)}
    assert taken == set(game.legal_actions(start.state, Seat(0)))
    check_policy(game, any_action(game), random_one(game, 2))


def test_a_policy_that_looks_at_what_is_hidden_is_found_out() -> None:
    slug = "shifting-stones"
    game, others = games()[slug], titles()[slug].insight.policy

    def peeping(state: Any, seat: Seat, chance: Chance) -> Any:
        actions = list(game.legal_actions(state, seat))
        return actions[state.deck[0] % len(actions)]

    check_policy(game, others, random_one(game, 2))
    with pytest.raises(ContractError, match="hidden"):
        check_policy(game, peeping, random_one(game, 2))


def test_a_policy_that_breaks_the_rules_is_found_out() -> None:
    game = games()["shifting-stones"]
    match = random_one(game, 2)
    first = next(play for play in match.plays if play.text.startswith(("shift", "flip")))
    with pytest.raises(ContractError, match="not legal"):
        check_policy(game, lambda *_: game.parse(first.text), match)
