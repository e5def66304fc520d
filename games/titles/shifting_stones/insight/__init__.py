"""How a program plays Shifting Stones: it weighs whole turns, or takes the shortest way to its next card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt
from typing import Final

from django.utils.translation import gettext, ngettext

from games.engine import chances as model
from games.engine.chances import Features, Weights
from games.engine.insight import Effort, Plan, odds
from games.engine.protocol import Chance, Seat
from games.titles.phrases import listing, points_text
from games.titles.shifting_stones import GAME
from games.titles.shifting_stones.board.wording import cards_text, pattern_text
from games.titles.shifting_stones.insight.foresight import last_turn, ponder  # noqa: F401  # part of an insight
from games.titles.shifting_stones.insight.planning import (
    MOVES,
    Effect,
    Move,
    best_worth,
    effect_of,
    in_hand,
    moved,
    moves_to,
    paying,
    prospects,
    turns,
    two_moves,
)
from games.titles.shifting_stones.rules.notation import END, SKIP, Action, End, Flip, Score, Shift, Skip
from games.titles.shifting_stones.rules.patterns import (
    CARDS,
    CELLS,
    POINTS,
    Grid,
    bits_after,
    grid_bits,
    lies_on,
    places_near,
)
from games.titles.shifting_stones.rules.state import BONUS, HAND, STRIKES, State, bonus_seats, card_points
from games.titles.shifting_stones.rules.view import View

EFFORT = Effort(iterations=1, horizon=0, pondered=100)
"""No search: in measured matches one of 16 and of 60 futures won no more often than the best planned turn."""
_CONSIDERED = 24
"""How many of the best turns are considered."""
_CLEARLY = 2
"""How many patterns fewer for others are worth a sentence."""
_PAYING = 2
"""How many cards two moves cost."""
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
        if len(kept) > _PAYING
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


def compare(view: View, played: Plan, better: Plan) -> str:
    """Return what the better turn brings its viewer: the end, points, cards, less for others, or a pattern nearby."""
    if view.viewer is None or view.solo:
        return ""
    was, now = (effect_of(view.hand, view.grid, plan) for plan in (played, better))
    return (
        _end_compared(view, was, now)
        or _points_compared(was, now)
        or _bonus_compared(view, was, now)
        or _offers_compared(view, was, now)
        or _hands_compared(was, now)
        or (gettext("Skipping draws two more cards.") if SKIP in better and SKIP not in played else "")
    )


def _end_compared(view: View, was: Effect, now: Effect) -> str:
    count = len(view.scored[view.viewer or 0])
    ended, ends = (not view.last_round and count + len(effect.scored) >= view.goal for effect in (was, now))
    if ended == ends:
        return ""
    return gettext("It brings on the end.") if ends else gettext("It does not bring on the end yet.")


def _points_compared(was: Effect, now: Effect) -> str:
    more = sum(POINTS[card] for card in now.scored) - sum(POINTS[card] for card in was.scored)
    fresh = sorted({*now.scored} - {*was.scored})
    if fresh and more > 0:
        text = ngettext("Card %(ids)s for %(points)s more.", "Cards %(ids)s for %(points)s more.", len(fresh))
        return text % {"ids": listing(map(str, fresh)), "points": points_text(more)}
    if more == 0 and len(was.paid) > len(now.paid):
        spared = cards_text(len(was.paid) - len(now.paid))
        return gettext("The same points, and %(cards)s more in your hand.") % {"cards": spared}
    return ""


def _bonus_compared(view: View, was: Effect, now: Effect) -> str:
    had, has = (view.viewer in bonus_seats(_scored_after(view, effect)) for effect in (was, now))
    if had or not has:
        return ""
    return gettext("Then nobody has more 1-point cards than you, for %(points)s.") % {"points": points_text(BONUS)}


def _scored_after(view: View, effect: Effect) -> list[tuple[int, ...]]:
    return [(*cards, *effect.scored) if seat == view.viewer else cards for seat, cards in enumerate(view.scored)]


def _offers_compared(view: View, was: Effect, now: Effect) -> str:
    """Return a sentence if others find clearly less on the stones: patterns of cards that they may hold."""
    seen = {*view.hand, *view.discards, *(card for cards in view.scored for card in cards)}
    before, after = (sum(lies_on(card, effect.bits) for card in CARDS if card not in seen) for effect in (was, now))
    if before - after < _CLEARLY:
        return ""
    text = gettext("It leaves the others less: the stones show %(fewer)s patterns that they may hold, not %(count)s.")
    return text % {"fewer": after, "count": before}


def _hands_compared(was: Effect, now: Effect) -> str:
    before = {card: moves_to(card, was.bits) for card in was.kept}
    near = [card for card in now.kept if moves_to(card, now.bits) <= 1 < before.get(card, _PAYING)]
    near.sort(key=lambda card: -POINTS[card])
    return (
        gettext("Card %(id)s, for %(points)s, is then at most one move away.")
        % {"id": near[0], "points": points_text(POINTS[near[0]])}
        if near
        else ""
    )


def _lies_after_two(card: int, bits: int) -> bool:
    return any(lies_on(card, way[-1][1]) for way in two_moves(bits))


# --- how likely each seat is to end first, by what everybody sees and by all hands ------------------------------------

_PACE: Final = 1.5
"""How many cards Master scores in a turn."""
_LUCK: Final = 0.15
"""How uncertain a result is when there is no turn left, compared with a round."""


def chances(state: State) -> list[float]:
    """Return for each seat its chance to end first; alone, the chance to win."""
    return model.chances(features(state), WEIGHTS[len(state.hands)])


def features(state: State) -> Features:
    """Return what counts for each seat, in points, turns and cards: the more, the fewer rounds are left."""
    if state.solo:
        return [_alone(state)]
    last, seats = state.triggered_by is not None, range(len(state.hands))
    done = max(map(len, state.scored)) / state.goal
    rounds = 0.0 if last else max(0.5, (1 - done) * state.goal / _PACE)
    spread = sqrt(rounds + 1 - (state.mover + last) / len(seats) + _LUCK)
    bonus = bonus_seats(state.scored)
    found = []
    for seat in seats:
        mine, lying = seat == state.mover, _points_in_hand(state, seat, 0)
        counts = {
            "points": card_points(state.scored[seat]) + (last and mine) * lying,  # to score costs nothing
            "bonus": BONUS * (seat in bonus) * (1 if last else done),
            "ones": (not last) * sum(POINTS[card] == 1 for card in state.scored[seat]),
            "turns": seat >= state.mover + last,
            "held": (mine or not last) * len(state.hands[seat]),
            "lie": ((seat > state.mover) if last else 1) * lying,
            "near": mine * _points_in_hand(state, seat, 1),
            "new": mine and not state.acted,
        }
        found.append({name: count / spread for name, count in counts.items()})
    return found


def _alone(state: State) -> dict[str, float]:
    """Return what counts in a solo match: cards still to be scored, strikes left, and the hand."""
    return {
        "always": 1.0,
        "cards": state.goal - len(state.scored[0]),
        "strikes": STRIKES - state.strikes,
        "scored": float(state.has_scored),
        "lie": _points_in_hand(state, 0, 0),
        "near": _points_in_hand(state, 0, 1),
    }


def _points_in_hand(state: State, seat: int, stones: int) -> int:
    """Return the points of the cards in hand of whose patterns exactly so many stones are wrong."""
    bits = grid_bits(state.grid)
    return sum(POINTS[card] for card in state.hands[seat] if _wrong(card, bits) == stones)


@lru_cache(maxsize=16_384)
def _wrong(card: int, bits: int) -> int:
    """Return how many stones are wrong where a card's pattern comes nearest: 0, 1, or 2 for more."""
    return next((wrong for wrong in (0, 1) if places_near(card, bits, wrong)), 2)


WEIGHTS: Mapping[int, Weights] = {
    1: {"always": -2.90, "cards": -0.04, "strikes": 0.26, "scored": -0.22, "lie": 0.17, "near": 0.11},
    2: {
        "points": 0.92,
        "bonus": 0.81,
        "ones": 0.31,
        "turns": 2.57,
        "held": 0.61,
        "lie": 0.69,
        "near": 0.18,
        "new": -0.37,
    },
    3: {
        "points": 1.09,
        "bonus": 0.92,
        "ones": 0.43,
        "turns": 3.66,
        "held": 0.79,
        "lie": 0.79,
        "near": 0.15,
        "new": -0.54,
    },
    4: {
        "points": 1.02,
        "bonus": 0.91,
        "ones": 0.27,
        "turns": 3.82,
        "held": 0.84,
        "lie": 0.57,
        "near": 0.16,
        "new": -0.66,
    },
    5: {
        "points": 1.12,
        "bonus": 1.00,
        "ones": 0.40,
        "turns": 3.74,
        "held": 0.78,
        "lie": 0.60,
        "near": 0.20,
        "new": -0.57,
    },
}
"""By the number of seats.

They were fitted to 600 matches between Masters for two seats and 200 for more; alone to 300 of the policy:

    manage.py calibrate shifting-stones --seats 2 --matches 600 --fit
    manage.py calibrate shifting-stones --seats 1 --matches 300 --fit --bot sensible
"""
