"""What one viewer may know of a match, and full states that look the same to that viewer.

The grid, all scored and discarded cards, and everything an attentive viewer could know are public: when the pile is
reshuffled, everyone sees which cards go into it. So each card carries the number of the draw pile it was last shuffled
into, and for every card in a hidden hand it is known from which pile it came, though not which card it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from games.engine.protocol import Chance, Outcome, Viewer
from games.titles.shifting_stones.rules.patterns import CARDS, POINTS, Grid, matches
from games.titles.shifting_stones.rules.state import (
    GOALS,
    SOLO_DECK,
    STRIKES,
    State,
    bonus_seats,
    card_points,
    result,
    scores,
    skip_refused,
)


@dataclass(frozen=True, slots=True)
class View:
    """What `viewer` may know. Fields not explained here are those of `State`.

    Args:
        viewer: the seat that looks, None for a spectator.
        hand: the viewer's own cards in the order they were drawn; empty for a spectator.
        held: for each seat the numbers of the piles its cards in hand came from, ascending: one entry per card.
        deck: how many cards the draw pile holds.
    """

    viewer: int | None
    grid: Grid
    hand: tuple[int, ...]
    held: tuple[tuple[int, ...], ...]
    deck: int
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
    def seats(self) -> int:
        return len(self.held)

    @property
    def solo(self) -> bool:
        return self.seats == 1

    @property
    def goal(self) -> int:
        """The number of scored cards that triggers the end; alone, it wins."""
        return GOALS[self.seats]

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        return tuple(len(held) for held in self.held)

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's printed points, without the bonus."""
        return tuple(card_points(cards) for cards in self.scored)

    @property
    def bonus_seats(self) -> tuple[int, ...]:
        """The seats that would get the bonus if the match ended now."""
        return bonus_seats(self.scored)

    @property
    def scores(self) -> tuple[int, ...]:
        """Each seat's present score, the bonus included."""
        return scores(self.scored)

    @property
    def strikes_left(self) -> int:
        return STRIKES - self.strikes

    @property
    def last_round(self) -> bool:
        """The end is triggered: the match is over when this round is."""
        return self.triggered_by is not None

    @property
    def to_move(self) -> int | None:
        """The seat that may act now, None when the match is over."""
        return None if self.ended is not None else self.mover

    @property
    def skip_refused(self) -> str | None:
        """The code of the rule that keeps the mover from skipping now, None if skipping is legal."""
        return skip_refused(self.acted, self.skipped[self.mover], len(self.held[self.mover]))

    @property
    def may_skip(self) -> bool:
        """The mover may skip now; this depends only on public facts."""
        return self.ended is None and self.skip_refused is None

    @property
    def scorable(self) -> tuple[int, ...]:
        """The viewer's own cards whose pattern lies on the grid now."""
        return tuple(card for card in self.hand if matches(card, self.grid))

    @property
    def outcome(self) -> Outcome | None:
        return None if self.ended is None else result(self.scored, self.ended)


def view_for(state: State, viewer: Viewer) -> View:
    """Return what this viewer may know of the state."""
    return View(
        viewer=viewer,
        grid=state.grid,
        hand=() if viewer is None else state.hands[viewer],
        held=tuple(tuple(sorted(state.piles[card - 1] for card in hand)) for hand in state.hands),
        deck=len(state.deck),
        discards=state.discards,
        scored=state.scored,
        mover=state.mover,
        acted=state.acted,
        has_scored=state.has_scored,
        skipped=state.skipped,
        round=state.round,
        triggered_by=state.triggered_by,
        strikes=state.strikes,
        pile=state.pile,
        piles=state.piles,
        ended=state.ended,
    )


def imagine(view: View, chance: Chance) -> State:
    """Return a full state with this view; all possible states are equally likely.

    Draws with the labels `imagine-pile-K` (the unseen cards of pile K) and, alone, `imagine-solo-P` (which cards of P
    points the match is played with).
    """
    stocks = {pile: iter(cards) for pile, cards in _stocks(view, chance).items()}
    hands = tuple(
        view.hand if seat == view.viewer else tuple(next(stocks[pile]) for pile in held)
        for seat, held in enumerate(view.held)
    )
    deck = tuple(next(stocks[view.pile]) for _ in range(view.deck))
    shared = {field.name: getattr(view, field.name) for field in fields(State) if field.name not in {"hands", "deck"}}
    return State(**shared, hands=hands, deck=deck)


def _stocks(view: View, chance: Chance) -> Mapping[int, tuple[int, ...]]:
    """Return the unseen cards of the match by the pile they came from, shuffled."""
    seen = frozenset((*view.hand, *view.discards, *(card for cards in view.scored for card in cards)))
    unseen = [card for card in CARDS if card not in seen]
    first = [card for card in unseen if view.piles[card - 1] == 0]
    by_pile = {0: list(_solo_stock(view, seen, first, chance)) if view.solo else first}
    for card in unseen:
        if view.piles[card - 1]:
            by_pile.setdefault(view.piles[card - 1], []).append(card)
    return {pile: chance.shuffle(f"imagine-pile-{pile}", cards) for pile, cards in by_pile.items()}


def _solo_stock(view: View, seen: frozenset[int], unknown: list[int], chance: Chance) -> Iterator[int]:
    """Alone: choose the unseen cards of the match so that its deck has the right number of each value."""
    known = Counter(POINTS[card] for card in CARDS if card in seen or view.piles[card - 1])
    for points, count in SOLO_DECK.items():
        candidates = [card for card in unknown if POINTS[card] == points]
        yield from chance.shuffle(f"imagine-solo-{points}", candidates)[: count - known[points]]
