"""The last turn of a match, played exactly: nothing that the rules allow leads to a better result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from games.engine.insight import Plan
from games.engine.protocol import Seat
from games.titles.shifting_stones.planning import MOVES, Move, paying
from games.titles.shifting_stones.rules import patterns
from games.titles.shifting_stones.rules.notation import END, Action, Score
from games.titles.shifting_stones.rules.patterns import POINTS, bits_after, grid_bits, lies_on
from games.titles.shifting_stones.rules.state import LAST_ROUND, scores
from games.titles.shifting_stones.rules.view import View

Cards: TypeAlias = tuple[int, ...]

Result: TypeAlias = tuple[int, int, int]
"""What a seat reaches, higher being better: minus the seats ahead, minus those that share its place, its score."""

_MENDED = 2
"""How many cells of a pattern a move can mend at most: the two that it swaps."""


def last_turn(view: View, seat: Seat) -> Plan | None:
    """Return the best turn if the match ends with it, or if it wins the match at once; see `Insight.last_turn`.

    Of turns with the same result it is one with the fewest moves.
    """
    if view.solo or view.mover != seat or seat != view.seats - 1:
        return None  # somebody acts afterwards, or chance decides: alone there is always a card to draw
    turn = best_turn(view, seat)
    if view.last_round or view.round == LAST_ROUND:
        return turn.actions
    ends = len(view.scored[seat]) + len(turn.cards) >= view.goal
    return turn.actions if ends and turn.wins else None


@dataclass(frozen=True, slots=True)
class LastTurn:
    """A turn after which the match is over: what is done, what is scored, and the result that this brings."""

    actions: tuple[Action, ...]
    cards: Cards
    result: Result

    @property
    def wins(self) -> bool:
        """Whether its seat ends first alone."""
        return self.result[:2] == (0, -1)


def best_turn(view: View, seat: Seat) -> LastTurn:
    """Return the turn that would bring a seat, which is to move, the best place and score if it were the last.

    Turns are looked at by the number of their moves, and only as long as the cards that could still come to lie would
    bring more than the best turn so far.
    """
    search = _Search(view, seat)
    bits = grid_bits(view.grid)
    latest: dict[tuple[int, Cards], tuple[Move, ...]] = {(bits, search.lying(bits)): ()}
    reached = dict(latest)
    for moves in range(len(view.hand)):
        for (_, lain), way in latest.items():
            search.consider(lain, way)
        latest = {
            (after, all_lain): (*way, move)
            for (before, lain), way in latest.items()
            if search.may_improve(before, lain, moves)
            for move in MOVES
            for after in (bits_after(before, move),)
            for all_lain in (search.lying(after, lain),)
            if (after, all_lain) not in reached
        }
        reached |= latest
    return search.found()


class _Search:
    """The best turn so far.

    Args:
        view: of the seat.
        seat: to move.
    """

    def __init__(self, view: View, seat: Seat) -> None:
        self._view, self._seat = view, seat
        self._best: tuple[Result, Cards, tuple[Move, ...]] = (self._result(()), (), ())

    def lying(self, bits: int, lain: Cards = ()) -> Cards:
        """Return the cards in hand that lie on a grid, and those that have lain before."""
        return tuple(card for card in self._view.hand if card in lain or lies_on(card, bits))

    def consider(self, lain: Cards, way: tuple[Move, ...]) -> None:
        """Note what these moves bring, if it is more: `lain` are the cards that lie before, between or after them."""
        for cards in _choices(lain, len(self._view.hand) - len(way)):
            if (result := self._result(cards)) > self._best[0]:
                self._best = result, cards, way

    def may_improve(self, bits: int, lain: Cards, moves: int) -> bool:
        """Return whether more moves could bring more, as far as can be told without trying them."""
        hand = self._view.hand
        for more in range(1, len(hand) - moves):
            hoped = tuple(card for card in hand if card in lain or _is_near(card, bits, more))
            free = len(hand) - moves - more
            if any(self._result(cards) > self._best[0] for cards in _choices(hoped, free)):
                return True
        return False

    def _result(self, cards: Cards) -> Result:
        """Return what it brings to score these cards."""
        scored = [(*own, *cards) if seat == self._seat else own for seat, own in enumerate(self._view.scored)]
        final = scores(scored)
        score = final[self._seat]
        return -sum(other > score for other in final), -final.count(score), score

    def found(self) -> LastTurn:
        result, cards, way = self._best
        return LastTurn(tuple(self._actions(cards, way)), cards, result)

    def _actions(self, cards: Cards, way: tuple[Move, ...]) -> Iterator[Action]:
        """Yield the actions that make these moves, score these cards as soon as they lie, and end the turn."""
        bits, left = grid_bits(self._view.grid), list(cards)
        others = sorted((card for card in self._view.hand if card not in cards), key=lambda card: POINTS[card])
        for move in (None, *way):
            if move:
                yield paying(others.pop(0), move)
                bits = bits_after(bits, move)
            now = [card for card in left if lies_on(card, bits)]
            yield from map(Score, now)
            left = [card for card in left if card not in now]
        if others or not (cards or way):
            yield END  # without a card in hand a turn ends by itself


def _choices(lain: Sequence[int], most: int) -> Iterator[Cards]:
    """Yield what could be scored of these cards, at most so many: with more or fewer of 1 point, which bring the bonus.

    With so many of them, the others are the dearest.
    """
    ones = [card for card in lain if POINTS[card] == 1]
    dear = sorted((card for card in lain if POINTS[card] > 1), key=lambda card: -POINTS[card])
    for count in range(min(len(ones), most) + 1):
        yield (*ones[:count], *dear[: most - count])


@lru_cache(maxsize=65_536)
def _is_near(card: int, bits: int, moves: int) -> bool:
    """Return whether a card's pattern may lie after so many moves: never False where it can."""
    return bool(patterns.places_near(card, bits, _MENDED * moves))
