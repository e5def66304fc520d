"""The rules of Shifting Stones (Evan Raitt, Gamewright 2020) for 1 to 5 players."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias, TypeVar, assert_never

from games.engine.protocol import Chance, Event, Option, Options, Outcome, RuleViolation, Seat, Step
from games.titles.shifting_stones.rules import notation, patterns
from games.titles.shifting_stones.rules.notation import Action, End, Flip, Score, Shift, Skip
from games.titles.shifting_stones.rules.patterns import CARDS, POINTS, grid_bits, lies_on
from games.titles.shifting_stones.rules.state import (
    EVENT_TYPES,
    HAND,
    LAST_ROUND,
    SKIP_DRAW,
    SOLO_DECK,
    STRIKES,
    CardScored,
    CardsDrawn,
    CardsReceived,
    Dealt,
    EndTriggered,
    Finished,
    PileReshuffled,
    State,
    StoneFlipped,
    StonesShifted,
    Strike,
    TurnEnded,
    TurnSkipped,
    bonus_seats,
    result,
    scores,
    skip_refused,
)
from games.titles.shifting_stones.rules.view import View, imagine, view_for

_REVEALING = (CardsReceived, PileReshuffled, Finished)

_REFUSALS = {
    "match-over": "The match is over.",
    "not-your-turn": "It is not your turn.",
    "card-not-in-hand": "You do not hold this card.",
    "same-cell": "A shift needs two different cells.",
    "not-adjacent": "You can shift only two stones that lie side by side or one above the other.",
    "pattern-not-on-grid": "The stones do not show this card’s pattern.",
    "skip-after-acting": "You have already acted in this turn; skipping replaces the whole turn.",
    "skip-twice": "You skipped your last turn; you cannot skip twice in a row.",
    "skip-hand-too-full": "You can skip only with four or fewer cards in hand.",
}


class ShiftingStones:
    """The game, as `games.engine.protocol.Game` asks for it. It has no options."""

    slug = "shifting-stones"
    name = "Shifting Stones"
    version = 1
    seats = range(1, 6)
    options: tuple[Option, ...] = ()
    state_type = State
    view_type = View
    event_types = EVENT_TYPES

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        """Lay out the stones and deal the cards; the README lists the labels of the draws."""
        deck = _deck(seats, chance)
        kinds = chance.shuffle("tiles", patterns.TILE_SET)
        sides = chance.many_below("sides", 2, len(kinds))
        hands = tuple(deck[seat * HAND : (seat + 1) * HAND] for seat in range(seats))
        state = State(
            grid=tuple(patterns.TILES[kind][side] for kind, side in zip(kinds, sides, strict=True)),
            hands=hands,
            deck=deck[seats * HAND :],
            discards=(),
            scored=((),) * seats,
            mover=0,
            acted=False,
            has_scored=False,
            skipped=(False,) * seats,
            round=1,
            triggered_by=None,
            strikes=0,
            pile=0,
            piles=(0,) * len(CARDS),
            ended=None,
        )
        received = (CardsReceived(frozenset({Seat(seat)}), seat, hand) for seat, hand in enumerate(hands))
        return Step(state, (Dealt(None, HAND), *received), reveals=True)

    def to_move(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""
        return frozenset({Seat(state.mover)}) if state.ended is None else frozenset()

    def is_sealed(self, state: State) -> bool:
        """Return False: every action is public at once."""
        return False

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return the seat's legal actions, every shift once, with its cells in the order of the grid."""
        if state.ended is not None or seat != state.mover:
            return ()
        hand, bits = state.hands[seat], grid_bits(state.grid)
        actions: list[Action] = [notation.SCORES[card] for card in hand if lies_on(card, bits)]
        for card in hand:
            actions += notation.DISCARDS[card]
        actions.append(notation.END)
        if skip_refused(state.acted, state.skipped[seat], len(hand)) is None:
            actions.append(notation.SKIP)
        return actions

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> Step[State]:
        """Apply an action; a hand that becomes empty ends the turn.

        Raises:
            RuleViolation: with one of the codes given in the README.
        """
        code = _refusal(state, seat, action)
        if code is not None:
            raise RuleViolation(code, _REFUSALS[code])
        after, events = carry_out(state, action, chance)
        if after.acted and after.ended is None and not after.hands[seat]:
            after, more = end(after, chance, by_itself=True)
            events = [*events, *more]
        return Step(after, tuple(events), reveals=any(isinstance(event, _REVEALING) for event in events))

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended: reason `goal` or `idle`, alone `won` or `lost`."""
        return None if state.ended is None else result(state.scored, state.ended)

    def standing(self, state: State) -> tuple[int, ...]:
        """Return each seat's score as if the match ended now, the bonus included."""
        return scores(state.scored)

    view_for = staticmethod(view_for)
    imagine = staticmethod(imagine)
    parse = staticmethod(notation.parse)
    notate = staticmethod(notation.notate)


def _deck(seats: int, chance: Chance) -> tuple[int, ...]:
    """Shuffle all cards, or for a match of one 16 of them, drawn by value."""
    if seats > 1:
        return chance.shuffle("deck", tuple(CARDS))
    chosen: list[int] = []
    for points, count in SOLO_DECK.items():
        cards = [card for card in CARDS if POINTS[card] == points]
        chosen += chance.shuffle(f"solo{points}", cards)[:count]
    return chance.shuffle("deck", tuple(sorted(chosen)))


def _refusal(state: State, seat: Seat, action: Action) -> str | None:
    """Return the code of the first rule the action breaks, None if it is legal."""
    if state.ended is not None:
        return "match-over"
    if seat != state.mover:
        return "not-your-turn"
    match action:
        case End():
            return None
        case Skip():
            return skip_refused(state.acted, state.skipped[seat], len(state.hands[seat]))
        case Shift() | Flip() | Score():
            return _card_refusal(state, action)
        case _:
            assert_never(action)


def _card_refusal(state: State, action: Shift | Flip | Score) -> str | None:
    if action.card not in state.hands[state.mover]:
        return "card-not-in-hand"
    if isinstance(action, Shift):
        first, second = sorted((action.first, action.second))
        if first == second:
            return "same-cell"
        return None if (first, second) in patterns.ADJACENT else "not-adjacent"
    if isinstance(action, Score) and not lies_on(action.card, grid_bits(state.grid)):
        return "pattern-not-on-grid"
    return None


def carry_out(state: State, action: Action, chance: Chance) -> Went:
    """Carry out an action that is legal."""
    match action:
        case Shift():
            return shift(state, action)
        case Flip():
            return flip(state, action)
        case Score():
            return score(state, action)
        case End():
            return end(state, chance, by_itself=False)
        case Skip():
            return skip(state, chance)
        case _:
            assert_never(action)


# --- what happens in a turn: each function takes a state and returns the next one with the events between -------------

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
    return _discard(state, action.card, patterns.shifted(grid, first, second)), [event]


def flip(state: State, action: Flip) -> Went:
    """Discard the card and turn the stone over."""
    grid = patterns.flipped(state.grid, action.cell)
    event = StoneFlipped(None, state.mover, action.card, action.cell, state.grid[action.cell], grid[action.cell])
    return _discard(state, action.card, grid), [event]


def score(state: State, action: Score) -> Went:
    """Lay the card face up in front of the mover; alone, the last card wins at once."""
    seat, card = state.mover, action.card
    events: list[Event] = [CardScored(None, seat, card, POINTS[card], patterns.cells_of(card, state.grid))]
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
        pile, again = state.pile + 1, frozenset(state.discards)
        state = replace(
            state,
            deck=chance.shuffle("reshuffle", state.discards),
            discards=(),
            pile=pile,
            piles=tuple(pile if card in again else old for card, old in enumerate(state.piles, start=1)),
        )
        missing = count - len(cards)
        cards, state = cards + state.deck[:missing], replace(state, deck=state.deck[missing:])
    if cards:
        events += [CardsDrawn(None, seat, len(cards)), CardsReceived(frozenset({Seat(seat)}), seat, cards)]
    return replace(state, hands=_with(state.hands, seat, state.hands[seat] + cards)), events


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
    state = replace(
        state,
        mover=(seat + 1) % seats,
        acted=False,
        has_scored=False,
        skipped=_with(state.skipped, seat, skipped),
        round=state.round + round_over,
    )
    return state, events


def _finish(state: State, reason: str, events: list[Event]) -> Went:
    final = result(state.scored, reason)
    finished = Finished(None, reason, final.places, final.scores, bonus_seats(state.scored))
    return replace(state, ended=reason), [*events, finished]
