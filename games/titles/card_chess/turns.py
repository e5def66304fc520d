"""How a match goes on: challenges begin, plays are sealed, revealed and settled, cards are dealt again.

Every function takes a state and returns the next one with the events between; legality was checked before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from games.engine.protocol import Chance, Event, Outcome, Seat
from games.titles.card_chess import deal, standings
from games.titles.card_chess.capture import settle
from games.titles.card_chess.deal import Deal
from games.titles.card_chess.deck import stock, without
from games.titles.card_chess.events import (
    CardsReceived,
    ChallengeBegun,
    ChallengeOver,
    Confirmed,
    DiscardsRecycled,
    MatchOver,
    PileSettled,
    TableLaid,
)
from games.titles.card_chess.standings import Challenge
from games.titles.card_chess.state import Pile, Revealed, State

HAND = 4
"""The number of cards dealt at the beginning of a challenge."""
REFILL = 3
"""The number of cards dealt to each of two players later in the first phase."""

_TWO = 2  # with more seats there is no second phase, and dealing goes round by round

Went: TypeAlias = tuple[State, list[Event]]


def begin_challenge(state: State, chance: Chance) -> Went:
    """Shuffle all cards and deal the first turn; nobody holds any before."""
    deck = chance.shuffle("deck", stock(state.seats, state.removed))
    state = replace(state, phase=1, turn=0, piles=(), deck=deck)
    begun = ChallengeBegun(None, state.challenge, state.is_decider)
    state, dealt = _lay(state, deal.in_blocks(state.deck, state.seats, HAND))
    return state, [begun, *dealt]


def confirm(state: State, seat: Seat, cards: tuple[str, ...], chance: Chance) -> Went:
    """Seal what a seat plays; when it was the last, reveal the turn and go on."""
    state = replace(
        state,
        hands=_with(state.hands, seat, without(state.hands[seat], cards)),
        sealed=_with(state.sealed, seat, cards),
    )
    confirmed = Confirmed(None, seat)
    if not all(state.sealed):
        return state, [confirmed]
    state, settled = _reveal(state)
    state, more = _go_on(state, chance)
    return state, [confirmed, *settled, *more]


def _with(rows: tuple[tuple[str, ...], ...], seat: int, row: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*rows[:seat], row, *rows[seat + 1 :])


def _reveal(state: State) -> Went:
    """Settle the piles in the order of their places."""
    piles = tuple(
        Pile(state.phase, state.turn, place, target, tuple(cards), *settle(target, cards, state.rulings))
        for place, (target, *cards) in enumerate(zip(state.table, *state.sealed, strict=True))
    )
    state = replace(
        state,
        table=(),
        sealed=((),) * state.seats,
        piles=state.piles + piles,
        revealed=Revealed(state.challenge, piles, ()),
    )
    return state, [PileSettled(None, pile) for pile in piles]


def _go_on(state: State, chance: Chance) -> Went:
    """Deal the next turn, from the discards if need be, or end the challenge."""
    if state.deck and state.phase == 1 and state.seats == _TWO:
        return _lay(state, deal.in_blocks(state.deck, state.seats, REFILL))
    if state.deck:
        return _lay(state, deal.in_rounds(state.deck, state.seats))
    if state.phase == 1 and state.seats == _TWO and state.discards:
        return _recycle(state, chance)
    return _end_challenge(state, chance)


def _lay(state: State, dealt: Deal) -> Went:
    """Hand out what was dealt and begin the next turn."""
    hands = tuple(hand + received for hand, received in zip(state.hands, dealt.received, strict=True))
    state = replace(state, turn=state.turn + 1, table=dealt.table, hands=hands, deck=dealt.deck)
    received = (CardsReceived(frozenset({Seat(seat)}), seat, cards) for seat, cards in enumerate(dealt.received))
    return state, [TableLaid(None, dealt.table, len(dealt.deck)), *received]


def _recycle(state: State, chance: Chance) -> Went:
    """Begin the second phase with the discards as draw pile."""
    discards = state.discards
    state = replace(
        state,
        phase=2,
        piles=tuple(pile for pile in state.piles if pile.captor is not None),
        kept=tuple(card for hand in state.hands for card in hand),
    )
    state, dealt = _lay(state, deal.in_rounds(chance.shuffle("recycle", discards), state.seats))
    return state, [DiscardsRecycled(None, len(discards)), *dealt]


def _end_challenge(state: State, chance: Chance) -> Went:
    """Count the challenge, what is left in hand being discarded; begin the next one unless the match is over."""
    number, left, points = state.challenge, state.hands, state.points
    counted = Challenge(points, state.realms, standings.winner(points), state.is_decider, state.captures)
    challenges = (*state.challenges, counted)
    state = replace(
        state,
        challenges=challenges,
        hands=((),) * state.seats,
        kept=(),
        revealed=replace(state.revealed, piles=state.piles, left=left),
        ended=standings.ending(challenges, state.seats, state.rulings),
    )
    over = ChallengeOver(None, number, counted, left, state.gold)
    state, more = begin_challenge(state, chance) if state.outcome is None else _finish(state, state.outcome)
    return state, [over, *more]


def _finish(state: State, outcome: Outcome) -> Went:
    return state, [MatchOver(None, outcome.reason, outcome.places, outcome.scores)]
