"""The state of a match, what follows from it (goals, scores, the bonus), and the events that can happen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.engine.protocol import Event, Outcome, ranks
from games.titles.shifting_stones.rules.patterns import POINTS, Grid

HAND = 4
"""The number of cards dealt, and refilled to."""
SKIP_DRAW = 2
SKIP_LIMIT = 4
"""Skip is allowed with at most this many cards in hand."""
LAST_ROUND = 100
BONUS = 3
STRIKES = 4
"""Solo: the strike with this number loses."""
GOALS = {1: 16, 2: 10, 3: 9, 4: 8, 5: 7}
"""Seats to the number of scored cards that triggers the end (alone: wins)."""
SOLO_DECK = {1: 8, 2: 4, 3: 3, 5: 1}
"""Solo: points to the number of cards of that value in the deck."""


@dataclass(frozen=True, slots=True)
class State:
    """The full state of a match.

    Args:
        grid: the faces of the nine cells.
        hands: the cards of each seat in the order they were drawn.
        deck: the draw pile, the next card first.
        discards: the discard pile, oldest first.
        scored: the cards of each seat in the order they were scored.
        mover: the seat whose turn it is, or was when the match ended.
        acted: the mover has shifted, flipped or scored in this turn.
        has_scored: the mover has scored in this turn.
        skipped: for each seat, whether its last turn was a Skip.
        round: from 1; alone also the number of turns begun.
        triggered_by: the seat that triggered the end.
        strikes: solo: strikes so far.
        pile: the number of the present draw pile: 0, and 1 more after every reshuffle.
        piles: for each card 1 .. 72 the number of the draw pile it was last shuffled into. Public, since discards are.
        ended: the reason the match is over, `goal`, `idle`, alone `won` or `lost`; None while it runs.
    """

    grid: Grid
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    discards: tuple[int, ...]
    scored: tuple[tuple[int, ...], ...]
    mover: int
    acted: bool
    has_scored: bool
    skipped: tuple[bool, ...]
    round: int
    triggered_by: int | None
    strikes: int
    pile: int
    piles: tuple[int, ...]
    ended: str | None

    @property
    def solo(self) -> bool:
        return len(self.hands) == 1

    @property
    def goal(self) -> int:
        return GOALS[len(self.hands)]


def skip_refused(acted: bool, skipped_before: bool, cards_in_hand: int) -> str | None:
    """Return the code of the rule that keeps the mover from skipping, None if skipping is legal."""
    if acted:
        return "skip-after-acting"
    if skipped_before:
        return "skip-twice"
    if cards_in_hand > SKIP_LIMIT:
        return "skip-hand-too-full"
    return None


def card_points(cards: Sequence[int]) -> int:
    """Return the printed points of the cards together, without any bonus."""
    return sum(POINTS[card] for card in cards)


def bonus_seats(scored: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the seats with the most 1-point cards: all that are tied, none if nobody has one, none alone."""
    ones = [sum(POINTS[card] == 1 for card in cards) for cards in scored]
    most = max(ones)
    if len(scored) == 1 or most == 0:
        return ()
    return tuple(seat for seat, count in enumerate(ones) if count == most)


def scores(scored: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return each seat's score by its scored cards: their points and the bonus."""
    bonus = bonus_seats(scored)
    return tuple(card_points(cards) + BONUS * (seat in bonus) for seat, cards in enumerate(scored))


def result(scored: Sequence[Sequence[int]], reason: str) -> Outcome:
    """Return the result of a match that ended for this reason."""
    final = scores(scored)
    alone = {"won": (1,), "lost": (2,)}
    return Outcome(alone.get(reason) or ranks(-score for score in final), final, reason)


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """The match was set up and every seat was dealt `count` cards."""

    kind: ClassVar[str] = "dealt"
    count: int


@dataclass(frozen=True, slots=True)
class StonesShifted(Event):
    """A seat discarded a card and swapped two stones; the faces are those of the two cells before."""

    kind: ClassVar[str] = "shifted"
    seat: int
    card: int
    first: int
    second: int
    first_face: str
    second_face: str


@dataclass(frozen=True, slots=True)
class StoneFlipped(Event):
    """A seat discarded a card and turned a stone over."""

    kind: ClassVar[str] = "flipped"
    seat: int
    card: int
    cell: int
    old_face: str
    new_face: str


@dataclass(frozen=True, slots=True)
class CardScored(Event):
    """A seat scored a card; `cells` show its pattern (the first place where it lies)."""

    kind: ClassVar[str] = "scored"
    seat: int
    card: int
    points: int
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A seat ended its turn, or it ended by itself because the hand was empty."""

    kind: ClassVar[str] = "ended"
    seat: int
    by_itself: bool


@dataclass(frozen=True, slots=True)
class TurnSkipped(Event):
    """A seat skipped its turn."""

    kind: ClassVar[str] = "skipped"
    seat: int


@dataclass(frozen=True, slots=True)
class PileReshuffled(Event):
    """The draw pile was empty and `count` discards were shuffled into a new one."""

    kind: ClassVar[str] = "reshuffled"
    count: int


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """A seat drew this many cards; `CardsReceived` shows that seat which ones."""

    kind: ClassVar[str] = "drawn"
    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class CardsReceived(Event):
    """The cards a seat was dealt or drew. Seen by that seat only."""

    kind: ClassVar[str] = "received"
    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EndTriggered(Event):
    """A seat has scored enough cards (`count`); the match ends with this round."""

    kind: ClassVar[str] = "triggered"
    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class Strike(Event):
    """Solo: the turn ended without a scored card; `left` strikes remain."""

    kind: ClassVar[str] = "strike"
    seat: int
    left: int


@dataclass(frozen=True, slots=True)
class Finished(Event):
    """The match is over. `bonus` names the seats that got the bonus, included in the scores."""

    kind: ClassVar[str] = "finished"
    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]
    bonus: tuple[int, ...]


EVENT_TYPES: tuple[type[Event], ...] = (
    Dealt,
    StonesShifted,
    StoneFlipped,
    CardScored,
    TurnEnded,
    TurnSkipped,
    PileReshuffled,
    CardsDrawn,
    CardsReceived,
    EndTriggered,
    Strike,
    Finished,
)
