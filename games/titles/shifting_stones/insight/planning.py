"""Whole turns of Shifting Stones, and what they are worth in points.

Grids are integers here (`patterns.grid_bits`), since thousands of them are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from games.titles.shifting_stones.rules import patterns
from games.titles.shifting_stones.rules.notation import END, SKIP, Action, Flip, Score, Shift
from games.titles.shifting_stones.rules.patterns import CARDS, CELLS, POINTS, Grid, bits_after, grid_bits, lies_on
from games.titles.shifting_stones.rules.state import HAND, SKIP_DRAW, State, skip_refused

Move: TypeAlias = tuple[int, ...]
"""Two cells to swap or one to flip."""

MOVES: tuple[Move, ...] = (*patterns.ADJACENT, *((cell,) for cell in range(len(CELLS))))

Way: TypeAlias = tuple[tuple[Move, int], ...]
"""Moves one after the other, each with the grid after it."""

_TWO, _FAR = 2, 3
"""Two moves, and three or more."""
_KEPT = (0.85, 0.45, 0.2, 0.08)
"""What share of its points a card in hand promises, by the moves its pattern is away: others move stones, too."""
_SPENT = 0.9
"""What a card that pays for a move might have brought, in points."""
_NEW_CARD = 0.55
"""What a card yet to be drawn promises, in points."""
_TEMPO = 0.9
"""What a scored card is worth besides its points: it brings the end nearer, and the 1-point cards the bonus."""
_OFFERED = (1.0, 0.5, 0.2, 0.0)
"""What share of their worth cards bring to others who hold them, by the moves their patterns are away."""
_DENIED = 1.0
"""How much what others gain counts against one's own."""
_DENYING = 10
"""How many of the best turns are also judged by what they offer to others."""


def moved(grid: Grid, move: Move) -> Grid:
    """Return the grid after a move."""
    return patterns.flipped(grid, move[0]) if len(move) == 1 else patterns.shifted(grid, move[0], move[1])


def paying(card: int, move: Move) -> Flip | Shift:
    """Return the action that pays for a move with a card."""
    return Flip(card, move[0]) if len(move) == 1 else Shift(card, move[0], move[1])


class Effect(NamedTuple):
    """What a turn does: the cards it scores, those that pay for moves, those that are kept, and the grid after it."""

    scored: tuple[int, ...]
    paid: tuple[int, ...]
    kept: tuple[int, ...]
    bits: int


def effect_of(hand: Sequence[int], grid: Grid, actions: Sequence[Action]) -> Effect:
    """Return what these actions do with a hand and a grid."""
    bits, scored, paid = grid_bits(grid), list[int](), list[int]()
    for action in actions:
        if isinstance(action, Score):
            scored.append(action.card)
        elif isinstance(action, Flip | Shift):
            paid.append(action.card)
            bits = bits_after(bits, (action.cell,) if isinstance(action, Flip) else (action.first, action.second))
    kept = tuple(card for card in hand if card not in scored and card not in paid)
    return Effect(tuple(scored), tuple(paid), kept, bits)


@dataclass(frozen=True, slots=True)
class Turn:
    """The actions of a turn, the grid after it, and what they are worth in points."""

    actions: tuple[Action, ...]
    bits: int
    worth: float


def turns(state: State, *, denying: bool = False) -> list[Turn]:
    """Return the turns the mover should consider, the best first.

    Args:
        state: of which nothing is used that the mover may not know.
        denying: whether it counts what the stones then offer to others, who may hold any card that was not seen.
    """
    bits, hand = grid_bits(state.grid), state.hands[state.mover]
    found = []
    for way in _ways(hand, bits):
        chosen = _chosen(hand, bits, way)
        actions = _written(chosen, way)
        ended = () if not chosen.held and actions else (END,)
        found.append(Turn((*actions, *ended), way[-1][1] if way else bits, chosen.worth))
    if _may_skip(state):
        found.append(Turn((SKIP,), bits, _skipped(hand, bits)))
    found.sort(key=attrgetter("worth"), reverse=True)
    if not denying or len(state.hands) == 1:
        return found
    others = (card for seat, hand in enumerate(state.hands) if seat != state.mover for card in hand)
    unseen, top = [*state.deck, *others], list[Turn]()
    shares = _DENIED * HAND / max(1, len(unseen))
    for turn in found[:_DENYING]:
        offers = _offers(turn.bits)
        top.append(replace(turn, worth=turn.worth - shares * sum(offers[card] for card in unseen)))
    return [*sorted(top, key=attrgetter("worth"), reverse=True), *found[_DENYING:]]


def best_worth(state: State) -> float:
    """Return what the best of these turns is worth, in a fraction of the time."""
    return _best_worth(state.hands[state.mover], grid_bits(state.grid), _may_skip(state))


@lru_cache(maxsize=8192)
def _best_worth(hand: tuple[int, ...], bits: int, may_skip: bool) -> float:
    best = max(_chosen(hand, bits, way).worth for way in _ways(hand, bits))
    return max(best, _skipped(hand, bits)) if may_skip else best


def _may_skip(state: State) -> bool:
    return skip_refused(state.acted, state.skipped[state.mover], len(state.hands[state.mover])) is None


def _skipped(hand: Sequence[int], bits: int) -> float:
    """Return what it is worth to skip."""
    return promise(hand, bits) + SKIP_DRAW * _NEW_CARD


@lru_cache(maxsize=16_384)
def _offers(bits: int) -> tuple[float, ...]:
    """Return what the stones offer by card, from 0, which is none."""
    return 0.0, *((POINTS[card] + _TEMPO) * _OFFERED[moves_to(card, bits)] for card in CARDS)


def _ways(hand: Sequence[int], bits: int) -> Iterator[Way]:
    """Yield moves: none, every single one, and more of them if they bring more than they cost."""
    yield ()
    if hand:
        yield from one_move(bits)
    if len(hand) > _TWO:  # two pay, and one is scored
        for way in two_moves(bits):
            if sum(POINTS[card] + _TEMPO for card in hand if lies_on(card, way[1][1])) > _TWO * _SPENT:
                yield way
    if len(hand) > _FAR:  # three pay
        for card in hand:
            if POINTS[card] + _TEMPO > _FAR * _SPENT:
                yield from _three_moves(card, bits)


@lru_cache(maxsize=8192)
def one_move(bits: int) -> tuple[Way, ...]:
    """Return every move."""
    return tuple(((move, bits_after(bits, move)),) for move in MOVES)


@lru_cache(maxsize=2048)
def two_moves(bits: int) -> tuple[Way, ...]:
    """Return a way to every grid that takes two moves and no fewer."""
    first = one_move(bits)
    seen, found = {bits, *(way[0][1] for way in first)}, []
    for way in first:
        before = way[0][1]
        for move in MOVES:
            after = bits_after(before, move)
            if after not in seen:
                seen.add(after)
                found.append((*way, (move, after)))
    return tuple(found)


@lru_cache(maxsize=8192)
def _three_moves(card: int, bits: int) -> tuple[Way, ...]:
    """Return a way to make a card's pattern lie if that takes three moves and no fewer."""
    if moves_to(card, bits) <= 1 or any(lies_on(card, way[1][1]) for way in two_moves(bits)):
        return ()
    for way in two_moves(bits):
        if moves_to(card, way[1][1]) == 1:
            return ((*way, next(last for (last,) in one_move(way[1][1]) if lies_on(card, last[1]))),)
    return ()


@lru_cache(maxsize=131_072)
def moves_to(card: int, bits: int) -> int:
    """Return after how many moves a card's pattern can lie: 0 and 1 for sure, 2 as a guess, `_FAR` for more."""
    places = patterns.places_near(card, bits, _TWO)  # a move mends at most two cells
    if not places:
        return _FAR
    if lies_on(card, bits):
        return 0
    return 1 if any(after & place == place for place in places for after in _beside(bits)) else _TWO


@lru_cache(maxsize=16_384)
def _beside(bits: int) -> tuple[int, ...]:
    return tuple(bits_after(bits, move) for move in MOVES)


class _Chosen(NamedTuple):
    """What becomes of each card in a turn: which lie after each move, are scored, or pay, and what that is worth."""

    lying: list[list[int]]
    scored: set[int]
    paid: list[int]
    held: int
    worth: float


def _chosen(cards: Sequence[int], bits: int, way: Way) -> _Chosen:
    """Choose which cards do what: score what lies, as soon as it lies; pay with the poorest."""
    lying = [[card for card in cards if lies_on(card, grid)] for grid in (bits, *(grid for _, grid in way))]
    last = way[-1][1] if way else bits
    fit = sorted({card for at_once in lying for card in at_once}, key=lambda card: -POINTS[card])
    scored = set(fit[: len(cards) - len(way)])  # without the poorest if nothing else can pay
    kept = sorted(((_card_promise(card, last), card) for card in cards if card not in scored), reverse=True)
    held = len(kept) - len(way)
    worth = sum(POINTS[card] + _TEMPO for card in scored) + sum(promise for promise, _ in kept[:held])
    return _Chosen(lying, scored, [card for _, card in kept[held:]], held, worth + max(0, HAND - held) * _NEW_CARD)


def _written(chosen: _Chosen, way: Way) -> tuple[Action, ...]:
    """Return the actions that make these moves, and score each card as soon as it lies."""
    actions: list[Action] = []
    left = set(chosen.scored)
    for step, cards in enumerate(chosen.lying):
        if step:
            actions.append(paying(chosen.paid[step - 1], way[step - 1][0]))
        now = [card for card in cards if card in left]
        actions += (Score(card) for card in now)
        left -= set(now)
    return tuple(actions)


def promise(cards: Sequence[int], bits: int) -> float:
    """Return what cards kept in hand are worth in points."""
    return sum(_card_promise(card, bits) for card in cards)


def _card_promise(card: int, bits: int) -> float:
    return POINTS[card] * _KEPT[moves_to(card, bits)]


def in_hand(state: State, seat: int) -> float:
    """Return what the hand of a seat promises on the stones as they lie, in points."""
    return promise(state.hands[seat], grid_bits(state.grid))


def prospects(state: State, seat: int) -> float:
    """Return a seat's score, and what its hand promises."""
    return sum(POINTS[card] + _TEMPO for card in state.scored[seat]) + in_hand(state, seat)
