"""The full state of a match: the table, which is open to everybody, and what is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

from games.engine.protocol import Event
from games.titles.small_islands.rules.components import (
    COMPONENTS,
    DISCOVERY_TOKENS,
    FACES,
    GREY_SHIP,
    OWN_SHIP,
    SHIPS,
    Cell,
)
from games.titles.small_islands.rules.islands import Board, Islands, Placement, Site, Token, islands, placement
from games.titles.small_islands.rules.notation import GREY, OWN

T = TypeVar("T")

Cards: TypeAlias = tuple[int, ...]
"""One card of each deck: an objective, or in advanced mode a mission and a reward."""

Dealt: TypeAlias = tuple[tuple[int, ...], ...]
"""Three cards of each deck."""

Phase: TypeAlias = Literal["start", "choose", "explore", "reward", "over"]
"""Placing start tiles by hand, choosing objectives, exploration, reward, and when the match is over."""

HAND: Final = 2
"""The number of tiles in every hand at the beginning and end of a turn."""
SLOTS: Final = 3
NAVIGATION: Final = 6
"""The number of tiles moved to the Navigation stack for each round."""
HOUSES: Final = 8
HOUSES_IN_HAND: Final = 4
TOKENS: tuple[str, ...] = tuple(COMPONENTS["bonus_tokens_per_player"])
ALEXIS: Final = 1
"""The seat of Alexis in turn order, in a solo match."""

RESERVE_SHORT, STRANDED, ALL_SHIPS = "reserve", "stranded", "ships"
"""Why a match ends: too few tiles for a Preparation; a player can neither explore nor land; all ships are placed."""


class House(NamedTuple):
    """A House on an island and what it brought.

    Args:
        seat: whose it is.
        round: in which it was placed.
        site: the region it is on.
        mission, reward: the objective it was placed for; 0 for Alexis.
        points: what the reward gave, without discovery tokens.
    """

    seat: int
    round: int
    site: Site
    mission: int
    reward: int
    points: int


class Discovery(NamedTuple):
    """A discovery token that was kept: the index of the House it was drawn for, and out of how many it was the best."""

    house: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Table:
    """What everybody sees.

    Args:
        seats: how many play, Alexis not counted.
        advanced: missions and rewards are chosen apart.
        alexis: the card Alexis plays by in a solo match, else None.
        reach: how many cells the table reaches beyond the block of four in the middle, to each side.
        phase: what is done now.
        round: from 1.
        turn: the seat whose turn it is, while it is anybody's; 1 is Alexis in a solo match.
        starter: the seat that began the present phase: the first player of the round, or in the Reward phase the one
            it began with.
        end: why the match ends or ended, None while that is open.
        board: the tiles in play in the order in which they were placed.
        tokens: the bonus tokens in play in the order in which they were laid.
        houses: the Houses in play in the order in which they were placed.
        discoveries: the discovery tokens that were kept, in that order.
        row: the face-up tiles by slot.
        navigation: how many tiles the Navigation stack holds.
        shown: for each seat the tiles in its hand that everybody saw it take.
        chosen: for each seat whether it has chosen its objective for this round.
        revealed: for each seat the cards of the objective it revealed in the latest Reward phase; empty when it has
            not yet.
        expedition_discards: solo: the expedition cards drawn since the stack was shuffled, oldest first.
        expedition_cards: solo: every card of the expedition once all have been drawn and seen, ascending; else empty.
    """

    seats: int
    advanced: bool
    alexis: str | None
    reach: int
    phase: Phase
    round: int
    turn: int
    starter: int
    end: str | None
    board: Board
    tokens: tuple[Token, ...]
    houses: tuple[House, ...]
    discoveries: tuple[Discovery, ...]
    row: tuple[int | None, ...]
    navigation: int
    shown: tuple[tuple[int, ...], ...]
    chosen: tuple[bool, ...]
    revealed: tuple[Cards, ...]
    expedition_discards: tuple[int, ...]
    expedition_cards: tuple[int, ...]

    @property
    def solo(self) -> bool:
        return self.alexis is not None

    @property
    def players(self) -> int:
        """How many take turns, Alexis counted."""
        return self.seats + self.solo

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that may act now, ascending."""
        if self.phase == "choose":
            return tuple(seat for seat, chosen in enumerate(self.chosen) if not chosen)
        return () if self.phase == "over" else (self.turn,)

    @property
    def placement(self) -> Placement:
        return placement(self.board, self.reach)

    @property
    def islands(self) -> Islands:
        return islands(self.board, self.tokens)

    @property
    def tiles_up(self) -> bool:
        """Whether there is a face-up tile."""
        return any(tile is not None for tile in self.row)

    def tokens_left(self, seat: int) -> tuple[str, ...]:
        """Return the names of the bonus tokens a seat still has."""
        used = {token.name for token in self.tokens if token.seat == seat}
        return tuple(name for name in TOKENS if name not in used)

    def houses_placed(self, seat: int) -> int:
        return sum(house.seat == seat for house in self.houses)

    def houses_in_hand(self, seat: int) -> int:
        """Return how many Houses a seat may place; its hand is always refilled, so the rest is in its reserve."""
        return min(HOUSES_IN_HAND, HOUSES - self.houses_placed(seat))

    def houses_in_reserve(self, seat: int) -> int:
        return HOUSES - self.houses_placed(seat) - self.houses_in_hand(seat)

    def residents(self, island: Sequence[Site]) -> frozenset[int]:
        """Return the seats that have a House on an island, given by its regions."""
        return frozenset(house.seat for house in self.houses if house.site in island)

    def own_ship_left(self, seat: int) -> bool:
        placed = any(tile.face == OWN_SHIP and tile.seat == seat for tile in self.board)
        return seat < self.seats and not placed

    @property
    def discovery_tokens_left(self) -> int:
        return len(DISCOVERY_TOKENS) - len(self.discoveries)

    @property
    def grey_ships_left(self) -> int:
        return SHIPS - self.seats - sum(tile.face == GREY_SHIP for tile in self.board)


@dataclass(frozen=True, slots=True)
class State:
    """Everything there is to know about a match.

    Args:
        table: what everybody sees.
        deck: the Navigation stack and behind it the Reserve, the next tile first.
        returned: how many tiles at the end of the deck everybody has seen being put there.
        hands: the tiles of each seat in the order in which they were taken.
        dealt: for each seat the cards it chose or chooses from in this round, three of each deck (one deck in normal
            mode, missions and rewards in advanced mode), the one put aside before first.
        kept: for each seat the cards of its objective for this round, one of each deck; empty until it has chosen.
        aside: the same for the cards put aside for the next round.
        values: the values of the discovery tokens that were kept, in the order of `table.discoveries`.
        expedition: solo: the expedition stack, the next card first: 1 to 10 explores, 0 lands.
    """

    table: Table
    deck: tuple[int, ...]
    returned: int
    hands: tuple[tuple[int, ...], ...]
    dealt: tuple[Dealt, ...]
    kept: tuple[Cards, ...]
    aside: tuple[Cards, ...]
    values: tuple[int, ...]
    expedition: tuple[int, ...]

    @property
    def reserve(self) -> int:
        """How many tiles the Reserve holds."""
        return len(self.deck) - self.table.navigation

    @property
    def discovery_left(self) -> tuple[int, ...]:
        """The discovery tokens nobody has kept, ascending."""
        left = list(DISCOVERY_TOKENS)
        for value in self.values:
            left.remove(value)
        return tuple(left)


Went: TypeAlias = tuple[State, list[Event]]
"""The state after something happened, and the events."""


def having(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the values with one of them exchanged."""
    return (*values[:index], value, *values[index + 1 :])


FACE_OF = {OWN: OWN_SHIP, GREY: GREY_SHIP}
"""What an action calls a ship to the name of its face."""


def ships_left(table: Table, seat: int) -> tuple[str, ...]:
    """Return the ships a seat may place, "own" and "grey"."""
    own = (OWN,) if table.own_ship_left(seat) else ()
    return (*own, GREY) if table.grey_ships_left else own


def berths(table: Table) -> list[Cell]:
    """Return the cells where a ship can be placed."""
    return table.placement.places(FACES[GREY_SHIP].lying[0].corners)


def can_place_ship(table: Table, seat: int) -> bool:
    """Return whether a seat has a ship and a place for it, whatever lies in the Navigation stack."""
    return bool(ships_left(table, seat) and berths(table))
