"""What a program may know about playing a game: the interface of a title's optional module `insight`.

Bots, hints and reviews are built on it. A module `insight` is as pure as the rules, and offers any of the functions of
`Insight`; `NoInsight` fills in the others. What is said of an action is apart from it (`games.titles.advice`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any, Final, Protocol, TypeAlias

from games.engine.chances import softmax
from games.engine.dice import Dice
from games.engine.fair import FairChance
from games.engine.protocol import AnyGame, Chance, Seat

Policy: TypeAlias = Callable[[Any, Seat, Chance], Any]
"""Given a state, a seat that is to move in it and a source of chance, return the action this seat takes.

The action is legal, and depends on nothing that is hidden from the seat: the state may as well be one that the seat
imagines. The chance is the policy's own, never that of the match.
"""

Plan: TypeAlias = tuple[Any, ...]
"""Actions of one seat, one after the other, that are weighed as a whole: a turn, or a single action."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What strong bots spend on a decision in one game.

    Args:
        iterations: how many futures Master imagines; 1 for the first candidate, without a search.
        horizon: how many actions of the policy it plays on before it evaluates.
        plans: how many candidates of its own it weighs, the best.
        first: with how many candidates points of its tree begin; few where the order of candidates is good.
        slips: how often lower levels slip compared with other games: more where a slip costs little.
        overlooks: how many more plans they overlook then: some where plans that follow each other hardly differ.
        pondered: how many futures Grandmaster imagines, or what `ponder` counts instead.
    """

    iterations: int
    horizon: int
    plans: int = 16
    first: int = 4
    slips: float = 1.0
    overlooks: int = 0
    pondered: int = 320


@dataclass(frozen=True, slots=True)
class Considered:
    """A plan that was weighed: how often it was tried, and its value for the seat, 0 (last) to 1 (first)."""

    plan: Plan
    visits: int
    value: float


Ponder: TypeAlias = Callable[[Any, Seat, Dice, int], Sequence[Considered]]
"""Return what was weighed, the best first.

It is given the view of a seat, which is all that is known of the position, this seat, which is to move, dice for
everything that is imagined, and how much may be spent: a count, so that the answer depends on no clock.
"""


_ALL: Final = 64
"""How many candidates are weighed where nothing is known of their order."""
_LEAD: Final = 10
"""The lead in points that is taken to win three times in four where nothing more is known of a game."""


def odds(lead: float) -> float:
    """Return from 0 to 1 how likely a lead wins: one half for none, three in four for 1.1 (the logistic function)."""
    return 1 / (1 + exp(-lead))


class Insight(Protocol):
    """What is known of playing a game well. A search asks about states that it imagined, never about the true one."""

    EFFORT: Effort

    def policy(self, state: Any, seat: Seat, chance: Chance) -> Any:
        """Return what a quick, sensible player does; see `Policy`."""

    def candidates(self, state: Any, seat: Seat, chance: Chance) -> Sequence[Plan]:
        """Return what this seat, which is to move, should consider: at least one plan, the best first, none twice.

        Every action of a plan is legal after those before it. None but the last may use chance, or end the turn.
        """

    def evaluate(self, state: Any, seat: Seat) -> float:
        """Return from 0 (lost) to 1 (won) how well this seat stands in a match that is not over."""

    def chances(self, state: Any) -> Sequence[float]:
        """Return for each seat how likely it is to end first, adding up to 1; alone, how likely it is to win.

        Seats that will share the first place share it here. The state is the whole true one of a match that is not
        over, whoever is to move. What was chosen in secret in a turn that has not opened does not count, nor does the
        order of what is shuffled.
        """

    def suppose(self, view: Any, chance: Chance) -> Any:
        """Return a state that the viewer cannot tell from the true one, likelier states more often.

        Unlike `Game.imagine` it may take into account that the others play sensibly.
        """

    ponder: Ponder | None
    """How the strongest player decides; None for a search like those of the other levels."""

    def turns_of_a_seat(self, seats: int) -> int:
        """Return how many turns a seat has in a match of so many seats; hardly any match has more."""

    def last_turn(self, view: Any, seat: Seat) -> Plan | None:
        """Return what brings this seat, which is to move, the best result of all if nobody acts after its turn.

        None if others still act, or if chance or what is hidden decides. The answer is exact: nothing that the rules
        allow leads to a better place, to the same place shared with fewer, or else to a better score. A turn that ends
        the match and wins it may be given too where others might still lead to a better score.
        """


class NoInsight:
    """The defaults, for a game about which nothing is known: legal actions and current scores."""

    EFFORT = Effort(iterations=600, horizon=30, plans=_ALL, first=_ALL, pondered=1200)

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.policy = any_action(game)
        self.ponder: Ponder | None = None

    def candidates(self, state: Any, seat: Seat, chance: Chance) -> Sequence[Plan]:
        """Return every legal action, in a random order."""
        return chance.shuffle("candidates", [(action,) for action in self._game.legal_actions(state, seat)])

    def evaluate(self, state: Any, seat: Seat) -> float:
        """Return one half, and more or less by how far the seat is ahead of the best of the others, or behind."""
        scores = self._game.standing(state)
        others = [score for other, score in enumerate(scores) if other != seat]
        lead = scores[seat] - max(others) if others else scores[seat]
        return 0.5 + 0.5 * lead / (abs(lead) + _LEAD)

    def chances(self, state: Any) -> Sequence[float]:
        """Return chances by the current scores alone."""
        return softmax([score / _LEAD for score in self._game.standing(state)])

    def suppose(self, view: Any, chance: Chance) -> Any:
        """Return any state, all equally likely."""
        return self._game.imagine(view, chance)

    def turns_of_a_seat(self, seats: int) -> int:
        """Return 60: far too many for most games, so that whoever trusts in it waits long enough."""
        return 60

    def last_turn(self, view: Any, seat: Seat) -> Plan | None:
        return None


def any_action(game: AnyGame) -> Policy:
    """Return the policy of a game without one of its own: any legal action, all equally likely."""

    def policy(state: Any, seat: Seat, chance: Chance) -> Any:
        actions = tuple(game.legal_actions(state, seat))
        return actions[chance.below("action", len(actions))]

    return policy


def choose(game: AnyGame, policy: Policy, state: Any, seat: Seat, seed: bytes) -> Any:
    """Return what a policy does in a match, given a state that its seat imagines.

    Args:
        state: the true one.
        seat: to move.
        seed: 32 bytes for the choices of the policy; the same seed gives the same action.
    """
    imagined = game.imagine(game.view_for(state, seat), FairChance(seed, 1))
    return policy(imagined, seat, FairChance(seed, 2))
