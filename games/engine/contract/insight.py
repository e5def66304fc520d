"""The contract of what a title knows about playing well: its policy and its insight."""

from __future__ import annotations

from typing import Any, Final

from games.engine.codec import encode
from games.engine.contract.playouts import Match
from games.engine.contract.secrecy import require
from games.engine.fair import FairChance
from games.engine.insight import Insight, Plan, Policy
from games.engine.protocol import AnyGame, Seat

_WORLDS: Final = 2


def check_policy(game: AnyGame, policy: Policy, match: Match) -> None:
    """A policy takes legal actions and changes no state, and what it does depends on nothing hidden from its seat.

    Raises:
        ContractError: it does not; the text says how.
    """
    for play in match.sample():
        for seat in sorted(play.to_move):
            _check_choice(game, policy, play.state, seat, match.seed)


def check_insight(game: AnyGame, insight: Insight, match: Match) -> None:
    """Candidates are plans of legal actions, at least one and none twice; a value lies between 0 and 1.

    Raises:
        ContractError: they are not; the text says how.
    """
    for play in match.sample()[::2]:
        for seat in sorted(play.to_move):
            plans = insight.candidates(play.state, seat, FairChance(match.seed, 0))
            require(len(plans) > 0, f"seat {seat} has nothing to consider after action {play.number}")
            require(len(set(plans)) == len(plans), f"seat {seat} is to consider something twice: {plans}")
            legal = _legal(game, play.state, seat)
            for plan in plans:
                _check_plan(game, play.state, seat, plan, match.seed, legal)
            view = game.view_for(play.state, seat)
            supposed = game.view_for(insight.suppose(view, FairChance(match.seed, 0)), seat)
            require(supposed == view, f"seat {seat} supposes what contradicts its view after action {play.number}")
            redrawn = insight.redrawn(play.state, FairChance(match.seed, 0))
            require(
                game.view_for(redrawn, seat) == view, f"seat {seat} sees what was redrawn after action {play.number}"
            )
            value = insight.evaluate(play.state, seat)
            require(0 <= value <= 1, f"seat {seat} stands at {value}, which is not between 0 and 1")


def _legal(game: AnyGame, state: Any, seat: Seat) -> frozenset[str]:
    return frozenset(game.notate(action) for action in game.legal_actions(state, seat))


def _check_plan(game: AnyGame, state: Any, seat: Seat, plan: Plan, seed: bytes, first: frozenset[str]) -> None:  # noqa: PLR0917  # all of one check
    for number, action in enumerate(plan):
        require(seat in game.to_move(state), f"the turn of seat {seat} ends before the end of its plan {plan}")
        legal = _legal(game, state, seat) if number else first
        require(game.notate(action) in legal, f"seat {seat} plans {game.notate(action)}, which is not legal then")
        step = game.apply(state, seat, action, FairChance(seed, number))
        state = step.state


def _check_choice(game: AnyGame, policy: Policy, state: Any, seat: Seat, seed: bytes) -> None:
    view, text = game.view_for(state, seat), encode(state)
    worlds = [state, *(game.imagine(view, FairChance(seed, 1_000 + k)) for k in range(_WORLDS))]
    chosen = {game.notate(policy(world, seat, FairChance(seed, 0))) for world in worlds}
    require(len(chosen) == 1, f"what the policy does as seat {seat} depends on what is hidden from it: {chosen}")
    legal = {game.notate(action) for action in game.legal_actions(state, seat)}
    require(chosen <= legal, f"the policy wants to do {chosen} as seat {seat}, which is not legal")
    require(encode(state) == text, "the policy changed the state it was given")
