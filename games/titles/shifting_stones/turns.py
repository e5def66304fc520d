"""The course of a turn: acting, drawing, and what happens at its end.

Every function takes a state and returns the next one with the events in between; legality has been checked before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, TypeVar

from games.engine.protocol import Chance, Event, Seat
from games.titles.shifting_stones.events import (
    CardScored,
    CardsDrawn,
    CardsReceived,
    EndTriggered,
    Finished,
    PileReshuffled,
    StoneFlipped,
    StonesShifted,
    Strike,
    TurnEnded,
    TurnSkipped,
)
from games.titles.shifting_stones.notation import Flip, Score, Shift
from games.titles.shifting_stones.patterns import POINTS, cells_of, flipped, shifted
from games.titles.shifting_stones.state import (
    HAND,
    LAST_ROUND,
    SKIP_DRAW,
    STRIKES,
    State,
    bonus_seats,
    result,
)

Went: TypeAlias = tuple[State, list[Event]]

T = TypeVar("T")


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _without(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(other for other in hand if other != card)


def _discard(state: State, card: int, grid: tuple[str, ...]) -> State:
    hand = _without(state.hands[state.mover], card)
    return replace(
        state,
        grid=grid,
        hands=_with(state.hands, state.mover, hand),
        discards=(*state.discards, card),
        acted=True,
    )


def shift(state: State, action: Shift) -> Went:
    """Discard the card and swap the two stones."""
    grid, first, second = state.grid, action.first, action.second
    event = StonesShifted(None, state.mover, action.card, first, second, grid[first], grid[second])
    return _discard(state, action.card, shifted(grid, first, second)), [event]


def flip(state: State, action: Flip) -> Went:
    """Discard the card and turn the stone over."""
    grid = flipped(state.grid, action.cell)
    event = StoneFlipped(None, state.mover, action.card, action.cell, state.grid[action.cell], grid[action.cell])
    return _discard(state, action.card, grid), [event]


def score(state: State, action: Score) -> Went:
    """Lay the card face up in front of the mover; alone, the last card wins at once."""
    seat, card = state.mover, action.card
    events: list[Event] = [CardScored(None, seat, card, POINTS[card], cells_of(card, state.grid))]
    state = replace(
        state,
        hands=_with(state.hands, seat, _without(state.hands[seat], card)),
        scored=_with(state.scored, seat, (*state.scored[seat], card)),
        acted=True,
        has_scored=True,
    )
    if state.solo and len(state.scored[0]) == state.goal:
        return _finish(state, "won", events)
    return state, events


def end(state: State, chance: Chance, *, by_itself: bool) -> Went:
    """End the turn and refill the hand, unless a strike has lost the match."""
    state, events = _strike(state, [TurnEnded(None, state.mover, by_itself)])
    if state.ended is not None:
        return state, events
    state, drawn = _draw(state, HAND - len(state.hands[state.mover]), chance)
    return _pass_on(state, [*events, *drawn], skipped=False)


def skip(state: State, chance: Chance) -> Went:
    """Draw two cards instead of a turn."""
    seat = state.mover
    state, drawn = _draw(state, SKIP_DRAW, chance)
    state, events = _strike(state, [TurnSkipped(None, seat), *drawn])
    return (state, events) if state.ended is not None else _pass_on(state, events, skipped=True)


def _strike(state: State, events: list[Event]) -> Went:
    """Count a strike if the turn of a solo match ends without a scored card."""
    if not state.solo or state.has_scored:
        return state, events
    state = replace(state, strikes=state.strikes + 1)
    events = [*events, Strike(None, state.mover, STRIKES - state.strikes)]
    return _finish(state, "lost", events) if state.strikes == STRIKES else (state, events)


def _draw(state: State, count: int, chance: Chance) -> Went:
    """Give the mover this many cards, or as many as there are, reshuffling the discards when the pile runs out."""
    if count <= 0:
        return state, []
    seat, events = state.mover, list[Event]()
    cards, state = state.deck[:count], replace(state, deck=state.deck[count:])
    if len(cards) < count and state.discards:
        events.append(PileReshuffled(None, len(state.discards)))
        state = _reshuffle(state, chance)
        missing = count - len(cards)
        cards, state = cards + state.deck[:missing], replace(state, deck=state.deck[missing:])
    if cards:
        events += [CardsDrawn(None, seat, len(cards)), CardsReceived(frozenset({Seat(seat)}), seat, cards)]
    return replace(state, hands=_with(state.hands, seat, state.hands[seat] + cards)), events


def _reshuffle(state: State, chance: Chance) -> State:
    pile, again = state.pile + 1, frozenset(state.discards)
    return replace(
        state,
        deck=chance.shuffle("reshuffle", state.discards),
        discards=(),
        pile=pile,
        piles=tuple(pile if card in again else old for card, old in enumerate(state.piles, start=1)),
    )


def _pass_on(state: State, events: list[Event], *, skipped: bool) -> Went:
    """Check the trigger, then end the match with the round or let the next seat begin its turn."""
    seat, seats = state.mover, len(state.hands)
    count = len(state.scored[seat])
    if state.triggered_by is None and count >= state.goal:  # alone, reaching the goal has already ended the match
        state = replace(state, triggered_by=seat)
        events = [*events, EndTriggered(None, seat, count)]
    round_over = seat == seats - 1
    if round_over and state.triggered_by is not None:
        return _finish(state, "goal", events)
    if round_over and state.round == LAST_ROUND:
        return _finish(state, "idle", events)
    return _next_turn(state, (seat + 1) % seats, skipped), events


def _next_turn(state: State, mover: int, skipped: bool) -> State:
    return replace(
        state,
        mover=mover,
        acted=False,
        has_scored=False,
        skipped=_with(state.skipped, state.mover, skipped),
        round=state.round + (mover == 0),
    )


def _finish(state: State, reason: str, events: list[Event]) -> Went:
    final = result(state.scored, reason)
    finished = Finished(None, reason, final.places, final.scores, bonus_seats(state.scored))
    return replace(state, ended=reason), [*events, finished]
