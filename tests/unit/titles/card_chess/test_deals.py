"""Every deal of whole matches, repeated card by card as the rules are worded."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from games.engine.contract.playouts import Chooser, random_match
from games.engine.fair import Stream
from games.engine.runner import Play
from games.titles.card_chess import GAME
from games.titles.card_chess.rules.deck import DECK
from games.titles.card_chess.rules.state import State


@dataclass
class Dealer:
    """Deals with real piles: whatever is dealt is taken from the front of the deck."""

    seed: bytes
    seats: int
    cards: list[str]
    deck: list[str] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=list)
    table: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    phase: int = 1

    def begin(self, number: int) -> None:
        self.deck = list(Stream(self.seed, f"{number}:deck").shuffle(self.cards))
        self.hands = [[self.deck.pop(0) for _ in range(4)] for _ in range(self.seats)]
        self.table = [self.deck.pop(0) for _ in range(3)]
        self.discards, self.phase = [], 1

    def clear(self, state: State) -> None:
        for pile in state.revealed.of_turn:
            for seat, card in enumerate(pile.cards):
                self.hands[seat].remove(card)
            if pile.captor is None:
                self.discards += [pile.target, *pile.cards]
        self.table = []

    def go_on(self, number: int) -> None:
        if self.deck and self.seats == 2 and self.phase == 1:
            self.deal_three_to_each()
        elif self.deck:
            self.deal_in_rounds()
        elif self.seats == 2 and self.phase == 1 and self.discards:
            self.deck = list(Stream(self.seed, f"{number}:recycle").shuffle(self.discards))
            self.discards, self.phase = [], 2
            self.deal_in_rounds()
        else:
            self.begin(number)

    def deal_three_to_each(self) -> None:
        for hand in self.hands:
            hand += [self.deck.pop(0) for _ in range(3)]
        self.table = [self.deck.pop(0) for _ in range(3)]

    def deal_in_rounds(self) -> None:
        while len(self.table) < 3 and self.deck:
            self.table.append(self.deck.pop(0))
            for hand in self.hands:
                if self.deck:
                    hand.append(self.deck.pop(0))
        if len(self.deck) == 1:
            self.table.append(self.deck.pop(0))

    def agrees_with(self, state: State) -> bool:
        hands = tuple(map(tuple, self.hands))
        return (hands, tuple(self.table), tuple(self.deck)) == (state.hands, state.table, state.deck)


def dealer_of(seats: int, seed: bytes) -> Dealer:
    cards = list(DECK if seats == 2 else DECK + DECK)
    if seats == 4:
        pawns = [place for place, card in enumerate(cards) if card[1:3] == "P1"]
        del cards[pawns[Stream(seed, "0:pawn").below(8)]]
    return Dealer(seed, seats, cards)


def reveals_of(plays: tuple[Play[State], ...]) -> list[Play[State]]:
    """Return the positions after a turn was revealed and the next one dealt."""
    return [play for play in plays if any(event.kind == "settled" for event in play.events)]


@pytest.mark.parametrize("match", range(8))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_deal_follows_the_labels_and_the_order_of_the_rules(seats: int, match: int) -> None:
    seed = bytes([match]) * 32
    plays = random_match(GAME, seats, {}, seed, Chooser(seed)).plays
    dealer = dealer_of(seats, seed)
    dealer.begin(0)
    assert dealer.agrees_with(plays[0].state)
    for play in reveals_of(plays):
        dealer.clear(play.state)
        if play.outcome is None:
            dealer.go_on(play.number)
            assert dealer.agrees_with(play.state), f"after action {play.number}"
