"""How the strongest player looks ahead: its best turns, the turns of the others after each, in many imagined worlds.

A world deals the cards that were not seen. In it every turn that is considered is followed by a turn of each of the
others, who take what brings them most at once, up to the seat's next turn or the end of the match. All turns are tried
in the same worlds, so that luck favours none. A last turn needs no worlds: it is played exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple, TypeAlias

from games.engine.bots import utilities
from games.engine.dice import Dice
from games.engine.insight import Considered, Plan, odds
from games.engine.protocol import Seat, ranks
from games.titles.shifting_stones.insight.planning import (
    MOVES,
    Move,
    effect_of,
    one_move,
    paying,
    promise,
    turns,
    two_moves,
)
from games.titles.shifting_stones.rules import patterns
from games.titles.shifting_stones.rules.notation import END, SKIP, Action, Score
from games.titles.shifting_stones.rules.patterns import CARDS, CELLS, FACES, POINTS, bits_after, grid_bits, lies_on
from games.titles.shifting_stones.rules.state import BONUS, HAND, LAST_ROUND, SKIP_DRAW, State, scores
from games.titles.shifting_stones.rules.view import View, imagine

_TURNS: Final = 10
"""How many of the best turns are considered."""
_PLANNED: Final = 0.25
"""How much the worth of a turn in points counts beside what came of it in the worlds: at the end nothing."""
_HELD_BACK: Final = 3
"""How many of these are considered without the cards that would trigger the end."""
_HALVINGS: Final = (0.25, 0.5)
"""After which shares of the worlds only the better half of the turns is tried any more."""
_TEMPO = 0.9
"""What a scored card is worth besides its points: it brings the end nearer."""
_TURN = 4.3
"""What a turn brings: to others who still have one, or to make up for one that they have had more."""
_SPENT = 0.9
"""What a card that pays for a move might have brought."""
_SURE = 9.0
"""The lead in points that wins three times in four if held at the beginning; near the end less is enough."""
_ONES = (0.5, 1.5)
"""How sure one more card of 1 point makes the bonus: at the beginning, and how much more at the end."""


def ponder(view: View, seat: Seat, dice: Dice, futures: int) -> Sequence[Considered]:
    """Return the turns that were looked at, the best first; see `Insight.ponder`.

    Args:
        view: of the seat.
        seat: to move.
        dice: for the worlds.
        futures: in how many worlds the best turns are tried.
    """
    if view.solo:
        return [Considered(turn.actions, 0, 0.0) for turn in turns(imagine(view, dice))]
    if plan := last_turn(view, seat):
        return [Considered(plan, 1, 1.0)]
    futures = futures // 2 if view.acted else futures  # what is left of a turn has been looked at before
    options, dropped = _options(view, imagine(view, dice)), list[_Option]()
    halvings = {round(futures * share) for share in _HALVINGS}
    for number in range(futures if len(options) > 1 else 0):
        if number in halvings:
            options.sort(key=_value, reverse=True)
            half = (len(options) + 1) // 2
            options, dropped = options[:half], options[half:] + dropped
        world = imagine(view, dice)
        for option in options:
            option.learn(_after(world, option, seat))
    return [option.considered() for option in (*sorted(options, key=_value, reverse=True), *dropped)]


def _options(view: View, state: State) -> list[_Option]:
    """Return the best turns; those that would trigger the end also with too few cards scored for that."""
    done = min(1.0, max(map(len, view.scored)) / view.goal)
    weight = _PLANNED * (1 - done) * (1 + 2 * done) / _SURE
    found, missing = list[_Option](), view.goal - len(view.scored[state.mover])
    for number, turn in enumerate(turns(state, denying=True)[:_TURNS]):
        found.append(_Option(view, turn.actions, weight * turn.worth))
        scored = [action for action in turn.actions if isinstance(action, Score)]
        if number < _HELD_BACK and 0 < missing <= len(scored) and not view.last_round:
            kept = scored[missing - 1 :]
            plan = (*(action for action in turn.actions if action not in kept and action != END), END)
            found.append(_Option(view, plan, weight * (turn.worth - _TEMPO * len(kept))))
    return list({option.plan: option for option in reversed(found)}.values())[::-1]


class _Option:
    """A turn that is considered, what it does to the stones and to one's cards, and what it has brought so far.

    Args:
        view: in which it is considered.
        plan: the turn.
        planned: how good it seems without a look ahead; what is added to its value in the worlds.
    """

    def __init__(self, view: View, plan: Plan, planned: float) -> None:
        self.plan, self.effect, self.planned = plan, effect_of(view.hand, view.grid, plan), planned
        self.draws = SKIP_DRAW if plan[0] == SKIP else max(0, HAND - len(self.effect.kept))
        self._total, self._tries = 0.0, 0

    @property
    def value(self) -> float:
        return self._total / self._tries if self._tries else 0.0

    def learn(self, value: float) -> None:
        self._total += value
        self._tries += 1

    def considered(self) -> Considered:
        return Considered(self.plan, self._tries, self.value)


def _value(option: _Option) -> float:
    return option.value + option.planned


def _after(world: State, option: _Option, seat: int) -> float:
    """Return the value, from 0 to 1, of a turn in a world, once all others have taken theirs."""
    seats = len(world.hands)
    hands, scored, bits, deck = list(world.hands), list(world.scored), option.effect.bits, iter(world.deck)
    hands[seat] = (*option.effect.kept, *_drawn(deck, option.draws))
    scored[seat] = (*scored[seat], *option.effect.scored)
    last = world.triggered_by is not None or world.round == LAST_ROUND or len(scored[seat]) >= world.goal
    for mover in (*range(seat + 1, seats), *range(seat)):
        if mover == 0 and last:
            break
        reply = best_reply(bits, hands[mover], last)
        bits = reply.bits
        scored[mover] = (*scored[mover], *reply.scored)
        hands[mover] = (*reply.kept, *_drawn(deck, max(0, HAND - len(reply.kept))))
        last = last or len(scored[mover]) >= world.goal
    else:
        if not (last and seat == 0):
            return _standing(bits, hands, scored, seat, world.goal)
    return utilities(ranks(-score for score in scores(scored)))[seat]


def _drawn(deck: Iterator[int], count: int) -> tuple[int, ...]:
    return tuple(islice(deck, count))


def _standing(bits: int, hands: Sequence[Cards], scored: Sequence[Cards], seat: int, goal: int) -> float:
    """Return how well a seat stands that is to move, from 0 to 1: the share of its opponents it is likely to beat."""
    most = max(map(len, scored))
    done, last = min(1.0, most / goal), most >= goal
    if last:
        own = (*scored[seat], *best_reply(bits, hands[seat], last=True).scored)
        scored, hands = (*scored[:seat], own, *scored[seat + 1 :]), ((),) * len(hands)
    worth = [
        sum(POINTS[card] + _TEMPO for card in cards) + promise(hand, bits)
        for cards, hand in zip(scored, hands, strict=True)
    ]
    ones = [sum(POINTS[card] == 1 for card in cards) for cards in scored]
    found = 0.0
    for other in range(len(hands)):
        if other != seat:
            bonus = BONUS * (2 * odds((ones[seat] - ones[other]) * (_ONES[0] + _ONES[1] * done)) - 1)
            behind = -_TURN * (other > seat) if last else _TURN * (other < seat)
            found += odds((worth[seat] - worth[other] + bonus + behind) * (1 + 2 * done) / _SURE)
    return found / (len(hands) - 1)


# --- what others do ---------------------------------------------------------------------------------------------------


class Reply(NamedTuple):
    """A turn of another seat: the grid after it, the cards it scores, and those it keeps."""

    bits: int
    scored: Cards
    kept: Cards


def best_reply(bits: int, hand: Cards, last: bool) -> Reply:
    """Return the turn of at most two moves that brings most at once.

    Args:
        bits: the grid.
        hand: the cards of the seat.
        last: whether nothing that it keeps counts any more.
    """
    held = sum(1 << card for card in hand)
    dear = sorted(hand, key=lambda card: -POINTS[card])
    best, reply = 0.0, Reply(bits, (), hand)
    price, extra = (0.0, 0.0) if last else (_SPENT, _TEMPO)
    for moves, seen, after in _ways(bits):
        if not held & seen or moves >= len(hand):
            continue
        scored = [card for card in dear if seen >> card & 1][: len(hand) - moves]
        gain = sum(POINTS[card] + extra for card in scored) - moves * price
        if gain > best:
            kept = [card for card in dear if card not in scored]
            best, reply = gain, Reply(after, tuple(scored), tuple(kept[: len(kept) - moves]))
    return reply


@lru_cache(maxsize=4096)
def _ways(bits: int) -> tuple[tuple[int, int, int], ...]:
    """Return ways of at most two moves: how many, the cards that lie before, between or after them, the grid then."""
    now = lying(bits)
    found = [(0, now, bits)]
    for ((_, after),) in one_move(bits):
        found.append((1, now | lying(after), after))
    for (_, between), (_, after) in two_moves(bits):
        found.append((2, now | lying(between) | lying(after), after))
    return tuple(found)


# One bit for every place where a pattern fits. For each face of each cell there are those that it does not prevent:
# what all nine cells have in common lies.
_PLACES = [(card.id, dict(placement)) for card in CARDS.values() for placement in card.placements]
_CARD_AT = [1 << card for card, _ in _PLACES]
_ALLOWED = [
    {
        1 << number: sum(1 << n for n, (_, place) in enumerate(_PLACES) if place.get(cell, face) == face)
        for number, face in enumerate(FACES)
    }
    for cell in range(len(CELLS))
]
_CELL = (1 << len(FACES)) - 1


@lru_cache(maxsize=65_536)
def lying(bits: int) -> int:
    """Return the cards whose patterns lie on a grid: the bit `1 << card` for each."""
    places = -1
    for allowed in _ALLOWED:
        places &= allowed[bits & _CELL]
        bits >>= len(FACES)
    cards = 0
    while places:
        lowest = places & -places
        cards |= _CARD_AT[lowest.bit_length() - 1]
        places ^= lowest
    return cards


# --- the last turn of a match, played exactly: nothing that the rules allow leads to a better result ------------------

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
