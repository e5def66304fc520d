"""The state of a match: what is open to everybody, what is hidden, and the events that can happen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from games.engine.protocol import Event, Outcome
from games.titles.card_chess.rules import scoring
from games.titles.card_chess.rules.capture import Result
from games.titles.card_chess.rules.deck import decks, least_pawns
from games.titles.card_chess.rules.options import Rulings
from games.titles.card_chess.rules.scoring import Challenge, points, realms


@dataclass(frozen=True, slots=True)
class Pile:
    """A table card with what was played at it, revealed and settled.

    Args:
        phase: 1 or 2, of the challenge.
        turn: within the challenge, from 1; the second phase goes on counting.
        place: of the card on the table, from 0.
        target: the table card.
        cards: the card each seat played.
        captor: the seat that took the pile, None when it went to the discards.
        result: how it was settled (`capture.Result`).
    """

    phase: int
    turn: int
    place: int
    target: str
    cards: tuple[str, ...]
    captor: int | None
    result: Result

    @property
    def whole(self) -> tuple[str, ...]:
        """The table card, then the played cards in seat order."""
        return (self.target, *self.cards)


@dataclass(frozen=True, slots=True)
class Revealed:
    """The turn that was revealed last.

    Args:
        challenge: its number.
        piles: its piles in the order of their places. If this turn ended the challenge, all piles that lay open then,
            in the order in which they were settled; the last ones are those of the turn.
        left: what each seat had left in hand if this turn ended the challenge, which went to the discards; empty if the
            challenge went on.
    """

    challenge: int
    piles: tuple[Pile, ...]
    left: tuple[tuple[str, ...], ...]

    @property
    def of_turn(self) -> tuple[Pile, ...]:
        """The piles of this turn alone, in the order of their places."""
        return tuple(pile for pile in self.piles if pile.turn == self.piles[-1].turn)


@dataclass(frozen=True, slots=True)
class Public:
    """What everybody may know, and what follows from it.

    Args:
        rulings: the options of the match.
        seats: how many play.
        removed: which of the pawns of value 1 (`deck.least_pawns`) is out of the match; None unless four play.
        challenges: the finished challenges in order.
        phase: of this challenge; 2 once the discards were dealt again.
        turn: of this challenge, from 1.
        table: the table cards by place; empty when the match is over.
        piles: the settled piles of this challenge in order. Those whose discarded cards were shuffled into a new draw
            pile are gone.
        revealed: the last turn that was revealed, which may be of the challenge before; without piles before the first.
        ended: the reason why the match is over (`scoring.ending`), None while it runs.
    """

    rulings: Rulings
    seats: int
    removed: int | None
    challenges: tuple[Challenge, ...]
    phase: int
    turn: int
    table: tuple[str, ...]
    piles: tuple[Pile, ...]
    revealed: Revealed
    ended: str | None

    @property
    def challenge(self) -> int:
        """The number of the present challenge, or of the last one when the match is over."""
        return len(self.challenges) + (self.ended is None)

    @property
    def is_decider(self) -> bool:
        """Whether the present challenge, or the last one when the match is over, is a deciding one."""
        if self.ended is not None:
            return self.challenges[-1].decider
        return scoring.is_decider(self.challenges, self.seats)

    @property
    def removed_card(self) -> str | None:
        return None if self.removed is None else decks(self.seats)[least_pawns(self.seats)[self.removed]]

    @property
    def gold(self) -> tuple[int, ...]:
        """The gold cards each seat has won."""
        return scoring.gold(self.challenges, self.seats)

    @property
    def gold_left(self) -> int:
        """The gold cards nobody has won yet."""
        return scoring.GOLD[self.seats] - sum(self.gold)

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's points of all finished challenges."""
        return scoring.totals(self.challenges, self.seats)

    @property
    def discards(self) -> tuple[str, ...]:
        """The discards, oldest first."""
        cards = [card for pile in self.piles if pile.captor is None for card in pile.whole]
        return (*cards, *self._left_at_the_end())

    def won(self, seat: int) -> tuple[str, ...]:
        """Return the cards in the piles a seat has captured in this challenge, oldest first."""
        return tuple(card for pile in self.piles if pile.captor == seat for card in pile.whole)

    @property
    def captures(self) -> tuple[int, ...]:
        """The piles each seat has captured in this challenge so far."""
        return tuple(sum(pile.captor == seat for pile in self.piles) for seat in range(self.seats))

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points in this challenge so far, realms included."""
        return tuple(points(self.won(seat)) for seat in range(self.seats))

    @property
    def realms(self) -> tuple[int, ...]:
        """Each seat's complete realms in this challenge so far."""
        return tuple(realms(self.won(seat)) for seat in range(self.seats))

    @property
    def open_cards(self) -> tuple[str, ...]:
        """Every card that lies where all can see it; the removed pawn is not in the match."""
        piles = (card for pile in self.piles for card in pile.whole)
        return (*self.table, *piles, *self._left_at_the_end())

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, None while it runs."""
        return None if self.ended is None else scoring.outcome(self.challenges, self.seats, self.ended)

    def _left_at_the_end(self) -> Iterator[str]:
        if self.ended is not None:
            yield from (card for cards in self.revealed.left for card in cards)


@dataclass(frozen=True, slots=True)
class State(Public):
    """Everything there is to know about a match.

    Args:
        hands: the cards of each seat in the order in which they were dealt.
        sealed: what each seat has confirmed for the places of the table, empty if it has not.
        deck: the draw pile, the next card first.
        kept: in the second phase, the card each seat had kept from the first; empty otherwise.
    """

    hands: tuple[tuple[str, ...], ...]
    sealed: tuple[tuple[str, ...], ...]
    deck: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PawnRemoved(Event):
    """With four players one pawn was taken out for the whole match."""

    kind: ClassVar[str] = "pawn-removed"
    card: str


@dataclass(frozen=True, slots=True)
class ChallengeBegun(Event):
    """All cards were shuffled for the challenge with this number; a decider is played for the match."""

    kind: ClassVar[str] = "challenge-begun"
    number: int
    decider: bool


@dataclass(frozen=True, slots=True)
class TableLaid(Event):
    """Cards were laid face up, `deck` were left in the draw pile when everybody had got theirs."""

    kind: ClassVar[str] = "table-laid"
    cards: tuple[str, ...]
    deck: int


@dataclass(frozen=True, slots=True)
class CardsReceived(Event):
    """The cards a seat was dealt. Seen by that seat only."""

    kind: ClassVar[str] = "received"
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Confirmed(Event):
    """A seat has sealed what it plays."""

    kind: ClassVar[str] = "confirmed"
    seat: int


@dataclass(frozen=True, slots=True)
class PileSettled(Event):
    """A pile was revealed; it went to its captor or to the discards."""

    kind: ClassVar[str] = "settled"
    pile: Pile


@dataclass(frozen=True, slots=True)
class DiscardsRecycled(Event):
    """The second phase began: this many discards were shuffled into a new draw pile."""

    kind: ClassVar[str] = "recycled"
    count: int


@dataclass(frozen=True, slots=True)
class ChallengeOver(Event):
    """A challenge was counted.

    `left` is what each seat had left in hand, now discarded; `gold` what each seat has won in the match so far.
    """

    kind: ClassVar[str] = "challenge-over"
    number: int
    challenge: Challenge
    left: tuple[tuple[str, ...], ...]
    gold: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchOver(Event):
    """The match is over; scores are gold cards."""

    kind: ClassVar[str] = "match-over"
    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    PawnRemoved,
    ChallengeBegun,
    TableLaid,
    CardsReceived,
    Confirmed,
    PileSettled,
    DiscardsRecycled,
    ChallengeOver,
    MatchOver,
)
