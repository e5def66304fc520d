"""The rules of 3D cardChess (Sergio Fersini) for 2 to 4 players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations
from typing import TypeAlias

from games.engine.protocol import Chance, Event, Options, Outcome, RuleViolation, Seat, Step
from games.titles.card_chess.rules import deck, scoring
from games.titles.card_chess.rules.capture import settle
from games.titles.card_chess.rules.deck import Deal, Play, deal_in_blocks, deal_in_rounds, without
from games.titles.card_chess.rules.options import OPTIONS, rulings
from games.titles.card_chess.rules.scoring import Challenge
from games.titles.card_chess.rules.state import (
    EVENT_TYPES,
    CardsReceived,
    ChallengeBegun,
    ChallengeOver,
    Confirmed,
    DiscardsRecycled,
    MatchOver,
    PawnRemoved,
    Pile,
    PileSettled,
    Revealed,
    State,
    TableLaid,
)
from games.titles.card_chess.rules.view import View, imagine, view_for

_REFUSALS = {
    "match-over": "The match is over.",
    "not-your-turn": "You have confirmed already; wait for the others.",
    "wrong-number": "Play exactly one card against each card on the table.",
    "card-not-in-hand": "You do not hold all of these cards.",
}

_SEATS_WITHOUT_A_PAWN = 4


class CardChess:
    """The game, as `games.engine.protocol.Game` asks for it. Every turn is sealed until all have confirmed."""

    slug = "card-chess"
    name = "3D cardChess"
    version = 2
    seats = range(2, 5)
    options = OPTIONS
    state_type = State
    view_type = View
    event_types = EVENT_TYPES

    def start(self, seats: int, options: Options, chance: Chance) -> Step[State]:
        """Deal the first challenge; with four players a pawn is taken out before."""
        state = State(
            rulings=rulings(options),
            seats=seats,
            removed=chance.below("pawn", len(deck.least_pawns(seats))) if seats == _SEATS_WITHOUT_A_PAWN else None,
            challenges=(),
            phase=1,
            turn=0,
            table=(),
            piles=(),
            revealed=Revealed(0, (), ()),
            ended=None,
            hands=((),) * seats,
            sealed=((),) * seats,
            deck=(),
            kept=(),
        )
        removed: list[Event] = [] if state.removed_card is None else [PawnRemoved(None, state.removed_card)]
        state, events = begin_challenge(state, chance)
        return Step(state, (*removed, *events), reveals=True)

    def to_move(self, state: State) -> frozenset[Seat]:
        """Return the seats that have not confirmed."""
        if state.ended is not None:
            return frozenset()
        return frozenset(Seat(seat) for seat, cards in enumerate(state.sealed) if not cards)

    def is_sealed(self, state: State) -> bool:
        """Return True as long as the match runs."""
        return state.ended is None

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Play]:
        """Return every way to play one card at each table card; ways that differ only in equal cards count as one."""
        if seat not in self.to_move(state):
            return ()
        return map(Play, dict.fromkeys(permutations(state.hands[seat], len(state.table))))

    def apply(self, state: State, seat: Seat, action: Play, chance: Chance) -> Step[State]:
        """Seal a play; the last one reveals the turn and deals the next.

        Raises:
            RuleViolation: with one of the codes given in the README.
        """
        code = self._refusal(state, seat, action)
        if code is not None:
            raise RuleViolation(code, _REFUSALS[code])
        last = len(self.to_move(state)) == 1
        after, events = confirm(state, seat, action.cards, chance)
        return Step(after, tuple(events), reveals=last, opens=last)

    def outcome(self, state: State) -> Outcome | None:
        """Return how the match ended; `scoring.ending` lists the reasons."""
        return state.outcome

    def standing(self, state: State) -> tuple[int, ...]:
        """Return the gold cards each seat has won."""
        return state.gold

    view_for = staticmethod(view_for)
    imagine = staticmethod(imagine)
    parse = staticmethod(deck.parse)
    notate = staticmethod(deck.notate)

    def _refusal(self, state: State, seat: Seat, action: Play) -> str | None:
        """Return the code of the first rule the action breaks, None if it is legal."""
        if state.ended is not None:
            return "match-over"
        if seat not in self.to_move(state):
            return "not-your-turn"
        if len(action.cards) != len(state.table):
            return "wrong-number"
        return None if Counter(action.cards) <= Counter(state.hands[seat]) else "card-not-in-hand"


# --- how a match goes on: each function takes a state and returns the next one with the events between --------------

HAND = 4
"""The number of cards dealt at the beginning of a challenge."""
REFILL = 3
"""The number of cards dealt to each of two players later in the first phase."""

_TWO = 2  # with more seats there is no second phase, and dealing goes round by round

Went: TypeAlias = tuple[State, list[Event]]


def begin_challenge(state: State, chance: Chance) -> Went:
    """Shuffle all cards and deal the first turn; nobody holds any before."""
    shuffled = chance.shuffle("deck", deck.stock(state.seats, state.removed))
    state = replace(state, phase=1, turn=0, piles=(), deck=shuffled)
    begun = ChallengeBegun(None, state.challenge, state.is_decider)
    state, dealt = _lay(state, deal_in_blocks(state.deck, state.seats, HAND))
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
    state, settled = reveal(state)
    state, more = _go_on(state, chance)
    return state, [confirmed, *settled, *more]


def reveal(state: State) -> Went:
    """Settle the piles of a turn that all have confirmed, in the order of their places."""
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


def _with(rows: tuple[tuple[str, ...], ...], seat: int, row: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*rows[:seat], row, *rows[seat + 1 :])


def _go_on(state: State, chance: Chance) -> Went:
    """Deal the next turn, from the discards if need be, or end the challenge."""
    if state.deck and state.phase == 1 and state.seats == _TWO:
        return _lay(state, deal_in_blocks(state.deck, state.seats, REFILL))
    if state.deck:
        return _lay(state, deal_in_rounds(state.deck, state.seats))
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
    state, dealt = _lay(state, deal_in_rounds(chance.shuffle("recycle", discards), state.seats))
    return state, [DiscardsRecycled(None, len(discards)), *dealt]


def _end_challenge(state: State, chance: Chance) -> Went:
    """Count the challenge, discard what is left in hand, and begin the next challenge unless the match is over."""
    number, left, points = state.challenge, state.hands, state.points
    counted = Challenge(points, state.realms, scoring.winner(points), state.is_decider, state.captures)
    challenges = (*state.challenges, counted)
    state = replace(
        state,
        challenges=challenges,
        hands=((),) * state.seats,
        kept=(),
        revealed=replace(state.revealed, piles=state.piles, left=left),
        ended=scoring.ending(challenges, state.seats, state.rulings),
    )
    over, outcome = ChallengeOver(None, number, counted, left, state.gold), state.outcome
    if outcome is not None:
        return state, [over, MatchOver(None, outcome.reason, outcome.places, outcome.scores)]
    state, begun = begin_challenge(state, chance)
    return state, [over, *begun]
