"""What a program may know about playing a game: the interface of a title's optional module `insight`.

Bots, hints and reviews are built on it. A module `insight` is as pure as the rules, and offers a function `policy`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from games.engine.codec import encode
from games.engine.fair import FairChance
from games.engine.playouts import Match
from games.engine.protocol import AnyGame, Chance, Seat
from games.engine.secrecy import require

Policy: TypeAlias = Callable[[Any, Seat, Chance], Any]
"""Given a state, a seat that is to move in it and a source of chance, return the action this seat takes.

The action is legal, and depends on nothing that is hidden from the seat: the state may as well be one that the seat
imagines. The chance is the policy's own, never that of the match.
"""

_WORLDS: Final = 2


def any_action(game: AnyGame) -> Policy:
    """Return the policy of a game without one of its own: any legal action, all equally likely."""

    def policy(state: Any, seat: Seat, chance: Chance) -> Any:
        actions = tuple(game.legal_actions(state, seat))
        return actions[chance.below("action", len(actions))]

    return policy


def choose(game: AnyGame, policy: Policy, state: Any, seat: Seat, seed: bytes) -> Any:
    """Return what a policy does in a match, where it is shown nothing but what its seat may imagine.

    Args:
        state: the true one.
        seat: to move.
        seed: 32 bytes for the choices of the policy; the same seed gives the same action.
    """
    imagined = game.imagine(game.view_for(state, seat), FairChance(seed, 1))
    return policy(imagined, seat, FairChance(seed, 2))


def check_policy(game: AnyGame, policy: Policy, match: Match) -> None:
    """A policy takes legal actions and changes no state, and what it does depends on nothing hidden from its seat.

    Raises:
        ContractError: it does not; the text says how.
    """
    for play in match.sample():
        for seat in sorted(play.to_move):
            _check_choice(game, policy, play.state, seat, match.seed)


def _check_choice(game: AnyGame, policy: Policy, state: Any, seat: Seat, seed: bytes) -> None:
    view, text = game.view_for(state, seat), encode(state)
    worlds = [state, *(game.imagine(view, FairChance(seed, 1_000 + k)) for k in range(_WORLDS))]
    chosen = {game.notate(policy(world, seat, FairChance(seed, 0))) for world in worlds}
    require(len(chosen) == 1, f"what the policy does as seat {seat} depends on what is hidden from it: {chosen}")
    legal = {game.notate(action) for action in game.legal_actions(state, seat)}
    require(chosen <= legal, f"the policy wants to do {chosen} as seat {seat}, which is not legal")
    require(encode(state) == text, "the policy changed the state it was given")
