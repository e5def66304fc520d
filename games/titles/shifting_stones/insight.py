"""How a program plays Shifting Stones: it weighs whole turns, or takes the shortest way to its next card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from django.utils.translation import gettext

from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.phrases import points_text
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.board.wording import cards_text, pattern_text
from games.titles.shifting_stones.rules import patterns
from games.titles.shifting_stones.rules.notation import END, SKIP, Action, End, Flip, Score, Shift, Skip
from games.titles.shifting_stones.rules.patterns import CARDS, CELLS, POINTS, Grid, bits_after, grid_bits, lies_on
from games.titles.shifting_stones.rules.state import HAND, SKIP_DRAW, State, skip_refused
from games.titles.shifting_stones.rules.view import View

EFFORT = Effort(iterations=1, horizon=0, slips=0.4)
"""No search: in measured matches one of 16 and of 60 futures won no more often than the best planned turn."""
_CONSIDERED = 24
"""How many of the best turns are considered."""
_SURE = 9.0
"""The lead in points that wins three times in four if held at the beginning; near the end less is enough."""


def policy(state: State, seat: Seat, chance: Chance) -> Action:  # it leaves nothing to chance
    """Return what `patient` does alone, and what `quick` does against others."""
    view = GAME.view_for(state, seat)
    return patient(view) if len(view.scored) == 1 else quick(view)


def candidates(state: State, seat: Seat, chance: Chance) -> Sequence[Plan]:
    """Return the best turns, the best first."""
    return [turn.actions for turn in turns(state, denying=True)[:_CONSIDERED]]


def evaluate(state: State, seat: Seat) -> float:
    """Return how well a seat stands by its score and its hand, compared with the best of the others."""
    standing = [prospects(state, each) for each in range(len(state.hands))]
    standing[state.mover] += best_worth(state) - in_hand(state, state.mover)
    others = [value for each, value in enumerate(standing) if each != seat]
    done = max(map(len, state.scored)) / state.goal
    lead = standing[seat] - max(others, default=0.0)
    return odds(lead * (1 + 2 * done) / _SURE)


def quick(view: View, depth: int = 2) -> Action:
    """Score the dearest card that lies on the grid, else make one lie with at most `depth` moves, else draw."""
    if view.scorable:
        return Score(_dearest_first(view.scorable)[0])
    if found := _way(view.grid, min(depth, len(view.hand) - 1), _dearest_first(view.hand)):
        return _pay(view, found[1], keep=found[0])
    if len(view.hand) < HAND or view.acted:
        return END  # which draws
    if view.may_skip:
        return SKIP
    return Flip(max(view.hand, key=lambda card: (POINTS[card], card)), view.round % len(CELLS))


def patient(view: View) -> Action:
    """Alone: score the dearest card up to three stones away, never skip; the last cards are paid even if they are too
    few, for they come back when there are no others.
    """
    if view.scorable:
        return Score(_dearest_first(view.scorable)[0])
    if view.has_scored:
        return END
    reach = 3 if len(view.hand) == 1 or view.acted else len(view.hand) - 1
    for card in _dearest_first(view.hand):
        if found := _way(view.grid, reach, (card,)):
            return _pay(view, found[1], keep=found[0])
    return END


def _dearest_first(cards: Sequence[int]) -> list[int]:
    return sorted(cards, key=lambda card: (-POINTS[card], card))


def _way(grid: Grid, depth: int, wanted: Sequence[int]) -> tuple[int, Move] | None:
    """Return one of the wanted cards that can be scored after so few changes, and the first of them."""
    for steps in range(1, depth + 1):
        for bits, move in reachable(grid, steps):
            for card in wanted:
                if lies_on(card, bits):
                    return card, move
    return None


def _pay(view: View, move: Move, keep: int) -> Action:
    card = max((card for card in view.hand if card != keep), key=lambda card: (POINTS[card], card), default=keep)
    return paying(card, move)


@lru_cache(maxsize=4096)
def reachable(grid: Grid, steps: int) -> tuple[tuple[int, Move], ...]:
    """Return the bits of every grid this many changes away, each with the first change towards it."""
    return tuple((grid_bits(after), first) for after, first in _after(grid, steps))


def _after(grid: Grid, steps: int) -> Iterator[tuple[Grid, Move]]:
    for move in MOVES:
        after = moved(grid, move)
        if steps == 1:
            yield after, move
        else:
            yield from ((farther, move) for farther, _ in _after(after, steps - 1))


# --- why an action is good, in words --------------------------------------------------------------------------------


def explain(view: View, action: Action) -> str:
    """Return what a legal action brings its viewer: points now, points next, or other cards; empty for a spectator."""
    if view.viewer is None:
        return ""
    match action:
        case Score(card):
            return gettext("Scores %(points)s at once: %(pattern)s.") % _card(card)
        case Flip() | Shift():
            return _moved(view, action)
        case Skip():
            return gettext("No card is worth spending now, and you draw two more.")
        case End() if len(view.hand) < HAND:
            text = gettext("Nothing more is worth a card in this turn; you draw up to %(cards)s.")
            return text % {"cards": cards_text(HAND - len(view.hand))}
        case End():
            return gettext("Nothing more is worth a card in this turn: keep your hand.")


def _card(card: int) -> dict[str, str]:
    return {"points": points_text(POINTS[card]), "pattern": pattern_text(card)}


def _moved(view: View, action: Flip | Shift) -> str:
    cells = (action.cell,) if isinstance(action, Flip) else (action.first, action.second)
    before = grid_bits(view.grid)
    after, kept = bits_after(before, cells), [card for card in view.hand if card != action.card]
    kept.sort(key=lambda card: -POINTS[card])
    lying = [card for card in kept if lies_on(card, after)]
    if fresh := [card for card in lying if not lies_on(card, before)]:
        return gettext("Then you can score %(points)s: %(pattern)s.") % _card(fresh[0])
    if near := [card for card in kept if moves_to(card, after) == 1 < moves_to(card, before)]:
        return gettext("Then one more move makes %(points)s: %(pattern)s.") % _card(near[0])
    if far := [
        card
        for card in kept
        if len(kept) > _TWO
        and _lies_after_two(card, after)
        and moves_to(card, before) > 1
        and not _lies_after_two(card, before)
    ]:
        return gettext("Then two more moves make %(points)s: %(pattern)s.") % _card(far[0])
    if lying:
        return gettext(
            "A card that you need less makes way for a new one, and you can still score %(points)s."
        ) % _card(lying[0])
    return gettext("A card that you need less makes way for a new one at the end of your turn.")


def _lies_after_two(card: int, bits: int) -> bool:
    return any(lies_on(card, way[-1][1]) for way in two_moves(bits))


# --- whole turns, weighed -------------------------------------------------------------------------------------------

# Grids are integers here (`patterns.grid_bits`), since a search looks at thousands of them.

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
    return _promise(hand, bits) + SKIP_DRAW * _NEW_CARD


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


def _promise(cards: Sequence[int], bits: int) -> float:
    """Return what cards kept in hand are worth in points."""
    return sum(_card_promise(card, bits) for card in cards)


def _card_promise(card: int, bits: int) -> float:
    return POINTS[card] * _KEPT[moves_to(card, bits)]


def in_hand(state: State, seat: int) -> float:
    """Return what the hand of a seat promises on the stones as they lie, in points."""
    return _promise(state.hands[seat], grid_bits(state.grid))


def prospects(state: State, seat: int) -> float:
    """Return a seat's score, and what its hand promises."""
    return sum(POINTS[card] + _TEMPO for card in state.scored[seat]) + in_hand(state, seat)
