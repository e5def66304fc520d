"""What one viewer may know of a match, and full states that look the same to that viewer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from itertools import chain, islice, permutations
from typing import Any, TypeAlias

from games.engine.protocol import Chance, Viewer
from games.titles.card_chess.rules.deck import CARDS, in_order, stock, without
from games.titles.card_chess.rules.state import Public, State

Cards: TypeAlias = tuple[str, ...]

_SECOND = 2
_SEATS_WITH_A_SECOND_PHASE = 2


@dataclass(frozen=True, slots=True)
class View(Public):
    """What `viewer` may know.

    Args:
        viewer: the seat that looks, None for a spectator.
        hand: the viewer's own cards in the order in which they were dealt, without those confirmed; empty for a
            spectator.
        play: what the viewer has confirmed for this turn, by place; empty if it has not.
        confirmed: for each seat, whether it has confirmed.
        hand_sizes: the number of cards in each hand, without those confirmed.
        deck: how many cards the draw pile holds.
        kept: in the second phase, the card each seat had kept from the first, by seat: a player knows both, since
            every other card has been seen. A spectator knows the two cards but not who kept which, so for a spectator
            they are in the order of the data file. Empty otherwise.
    """

    viewer: int | None
    hand: tuple[str, ...]
    play: tuple[str, ...]
    confirmed: tuple[bool, ...]
    hand_sizes: tuple[int, ...]
    deck: int
    kept: tuple[str, ...]

    @property
    def unseen(self) -> tuple[str, ...]:
        """The cards this viewer has not seen, in the order of the data file: draw pile, other hands, other plays."""
        seen = Counter((*self.open_cards, *self.hand, *self.play))
        counts = Counter(stock(self.seats, self.removed))
        return tuple(card for card in CARDS for _ in range(counts[card] - seen[card]))

    @property
    def is_last_turn(self) -> bool:
        """Whether the challenge ends with this turn for certain: with two players the first phase leaves that open."""
        return not self.deck and (self.phase == _SECOND or not self.has_second_phase)

    @property
    def has_second_phase(self) -> bool:
        """Whether the discards of a challenge are dealt again: with two players alone."""
        return self.seats == _SEATS_WITH_A_SECOND_PHASE

    @property
    def may_confirm(self) -> bool:
        """Whether the viewer is to move."""
        return self.viewer is not None and self.ended is None and not self.play


def view_for(state: State, viewer: Viewer) -> View:
    """Return what this viewer may know of the state."""
    return View(
        **_public(state),
        viewer=viewer,
        hand=() if viewer is None else state.hands[viewer],
        play=() if viewer is None else state.sealed[viewer],
        confirmed=tuple(bool(cards) for cards in state.sealed),
        hand_sizes=tuple(len(hand) for hand in state.hands),
        deck=len(state.deck),
        kept=in_order(state.kept) if viewer is None else state.kept,
    )


def imagine(view: View, chance: Chance) -> State:
    """Return a full state with this view.

    The unseen cards lie at random wherever cards are hidden; but in the second phase a seat that has not played the
    card it kept from the first still has it. Draws with the labels `imagine-kept` (who kept which card),
    `imagine-unseen`, and `imagine-hand-N` (which of the cards of a seat are sealed).
    """
    owners = [view.kept]
    if view.viewer is None:  # every way in which the kept cards may have lain, given all that was played since
        unseen = Counter(view.unseen)
        owners = [kept for kept in permutations(view.kept) if Counter(chain(*_held(view, kept))) <= unseen]
    kept = owners[chance.below("imagine-kept", len(owners))]
    held = _held(view, kept)
    rest = iter(chance.shuffle("imagine-unseen", without(view.unseen, chain(*held))))
    hands, sealed = list[Cards](), list[Cards]()
    for seat in range(view.seats):
        if seat == view.viewer:
            hands.append(view.hand)
            sealed.append(view.play)
        else:
            confirmed = len(view.table) * view.confirmed[seat]
            drawn = islice(rest, view.hand_sizes[seat] + confirmed - len(held[seat]))
            cards = chance.shuffle(f"imagine-hand-{seat}", (*held[seat], *drawn))
            hands.append(cards[confirmed:])
            sealed.append(cards[:confirmed])
    return State(**_public(view), hands=tuple(hands), sealed=tuple(sealed), deck=tuple(rest), kept=kept)


def _public(source: Public) -> dict[str, Any]:
    return {field.name: getattr(source, field.name) for field in fields(Public)}


def _held(view: View, kept: Cards) -> tuple[Cards, ...]:
    """Return for each seat what it must still have, hidden from the viewer, if it had kept this card."""
    if not kept:
        return ((),) * view.seats
    again = [pile.cards for pile in view.piles if pile.phase == _SECOND]
    return tuple(
        () if seat == view.viewer or any(card == cards[seat] for cards in again) else (card,)
        for seat, card in enumerate(kept)
    )
