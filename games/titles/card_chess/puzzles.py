"""Puzzles of 3D cardChess: which cards are sure to do best whatever the opponent plays.

For each of one's own plays the solver finds the worst that the opponent could do with any cards that are not seen. The
kinds differ in what a pile counts: its points if one takes it, 1 for taking it, or against one what the opponent wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import permutations, product

from games.engine.dice import Dice
from games.engine.insight import Plan
from games.engine.protocol import Seat, Step
from games.engine.puzzles import PuzzleMaker, Solved
from games.titles.card_chess import GAME
from games.titles.card_chess.insight import strongest
from games.titles.card_chess.rules import reveal
from games.titles.card_chess.rules.capture import refusal, settle
from games.titles.card_chess.rules.deck import CARDS, Play, without
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.state import State
from games.titles.card_chess.rules.view import View

_PLACES, _HAND, _SEATS = 3, 4, 2


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A play, what is sure, and the reply that leaves no more."""

    play: Play
    sure: int
    reply: tuple[str, ...]


@dataclass(frozen=True)
class _Sure:
    """A kind of puzzle.

    Args:
        least: what a puzzle must bring.
        count: what a pile counts, given the target, my card and the opponent's.
    """

    least: int
    count: Callable[[str, str, str, Rulings], int]

    def suits(self, view: View) -> bool:
        """Return whether one of two has a whole hand to choose from, and the other can hold any unseen cards."""
        if view.seats != _SEATS or not view.may_confirm or view.viewer is None:
            return False
        theirs = view.hand_sizes[1 - view.viewer] + _PLACES * view.confirmed[1 - view.viewer]
        return (len(view.table), len(view.hand), theirs) == (_PLACES, _HAND, _HAND)

    def solve(self, view: View) -> Solved:
        """Compare every play by what it is sure to bring."""
        answers: dict[str, _Weighed] = {}
        plays = list(permutations(view.hand, _PLACES))
        for cards in plays:
            answers.setdefault(self.essence(view, (Play(cards),)), self._weighed(view, Play(cards)))
        best, *others = sorted(answers.values(), key=lambda weighed: -weighed.sure)
        return Solved((best.play,), best.sure, others[0].sure if others else best.sure, len(plays))

    def _weighed(self, view: View, play: Play) -> _Weighed:
        """Find the worst reply. Only the three costliest cards of each place matter, as one of them is always free."""
        unseen = _unseen(view)
        worst = [
            _costliest(self.count, target, mine, unseen, view.rulings)
            for mine, target in zip(play.cards, view.table, strict=True)
        ]
        replies = (reply for reply in product(*worst) if len({number for _, number, _ in reply}) == _PLACES)
        reply = min(replies, key=lambda reply: sum(counted for counted, _, _ in reply))
        return _Weighed(play, sum(counted for counted, _, _ in reply), tuple(card for _, _, card in reply))

    def greedy(self, view: View) -> Plan:
        """Return a play that could capture at the most places, with the strongest cards."""
        return (strongest(view)[0],)

    def worth(self, view: View, line: Plan) -> int | None:
        """Return what a play is sure to bring, None without one."""
        return self._weighed(view, line[0]).sure if line else None

    def essence(self, view: View, line: Plan) -> str:
        """Return the cards by place, but for those that cannot capture: one of these is as useless as another."""
        at = zip(line[0].cards, view.table, strict=True)
        return " ".join("-" if refusal(card, target, view.rulings) else card for card, target in at)

    def shown(self, state: State, seat: Seat, line: Plan) -> Sequence[Step[State]]:
        """Return the turn revealed, with the opponent's worst reply."""
        view, steps = GAME.view_for(state, seat), []
        for play in line[:1]:
            GAME.apply(state, seat, play, Dice(0))  # refuses what is not legal
            reply, left = self._weighed(view, play).reply, without(state.hands[seat], play.cards)
            sealed = (play.cards, reply) if seat == 0 else (reply, play.cards)
            after, events = reveal(replace(state, sealed=sealed, hands=(left, ()) if seat == 0 else ((), left)))
            steps.append(Step(after, tuple(events), reveals=True))
        return steps


@lru_cache(maxsize=4)
def _unseen(view: View) -> tuple[str, ...]:
    return view.unseen


@lru_cache(maxsize=256)
def _costliest(
    count: Callable[[str, str, str, Rulings], int], target: str, mine: str, unseen: tuple[str, ...], rulings: Rulings
) -> list[tuple[int, int, str]]:
    """Return the three replies at a place that leave least: what is left, the number of the card, and the card."""
    return sorted((count(target, mine, card, rulings), number, card) for number, card in enumerate(unseen))[:_PLACES]


@cache
def _points(target: str, mine: str, theirs: str, rulings: Rulings) -> int:
    """Return the points of a pile if I take it, else 0."""
    return _pile(target, mine, theirs) * _captures(target, mine, theirs, rulings)


@cache
def _captures(target: str, mine: str, theirs: str, rulings: Rulings) -> int:
    """Return 1 if I take a pile, else 0."""
    return int(settle(target, (mine, theirs), rulings).captor == 0)


@cache
def _lost(target: str, mine: str, theirs: str, rulings: Rulings) -> int:
    """Return less than 0 if the opponent takes a pile: its points."""
    return -_pile(target, mine, theirs) * _captures(target, theirs, mine, rulings)


def _pile(*cards: str) -> int:
    return sum(CARDS[card].points for card in cards)


class _Points(_Sure):
    """Win the most points that are sure."""


class _Captures(_Sure):
    """Take the most piles that are sure."""

    def essence(self, view: View, line: Plan) -> str:
        """Return the cards that capture whatever is played at their place; what else is played does not matter."""
        at = zip(line[0].cards, view.table, strict=True)
        return " ".join(card if self._is_sure(view, card, target) else "-" for card, target in at)

    def _is_sure(self, view: View, mine: str, target: str) -> bool:
        return all(self.count(target, mine, theirs, view.rulings) for theirs in _unseen(view))


class _Denial(_Sure):
    """Leave the opponent the fewest points."""

    def essence(self, view: View, line: Plan) -> str:
        """Return the cards by place: each of them matters, as they add to the pile."""
        return " ".join(line[0].cards)


KINDS: Mapping[str, PuzzleMaker] = {
    "points": _Points(3, _points),
    "captures": _Captures(1, _captures),
    "denial": _Denial(-99, _lost),
}
