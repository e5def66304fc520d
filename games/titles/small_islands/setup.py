"""How a match begins: labels of chance and the order of dealing are given in the README."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.engine.protocol import Chance, Event, Options
from games.titles.small_islands import rounds
from games.titles.small_islands.events import SetUp
from games.titles.small_islands.geometry import Cell
from games.titles.small_islands.objectives import decks
from games.titles.small_islands.placement import Board, Placed
from games.titles.small_islands.scoring import CARDS
from games.titles.small_islands.state import HAND, SLOTS, Dealt, State, Table, Went
from games.titles.small_islands.tiles import COMPONENTS, LANDSCAPE

AUTOMATIC, BY_HAND = "automatic", "by_hand"
AUTOMATIC_START: Board = (
    Placed("S1A", Cell(0, 0), 3, None),
    Placed("S2A", Cell(1, 0), 2, None),
    Placed("S3A", Cell(0, 1), 0, None),
    Placed("S4A", Cell(1, 1), 1, None),
)
EXPLORE_CARDS: Mapping[int, Mapping[str, Any]] = dict(enumerate(COMPONENTS["solo"]["expedition"]["explore"], start=1))
"""The Explore cards of the expedition by number; all Land cards have the number `LAND_CARD`."""
LAND_CARD = 0


def set_up(seats: int, options: Options, chance: Chance) -> Went:
    """Shuffle and deal everything; with an automatic start the first round is prepared."""
    by_hand, advanced = options["start"] == BY_HAND, options["mode"] == "advanced"
    alexis = str(options["alexis"]) if seats == 1 else None
    tiles = chance.shuffle("reserve", LANDSCAPE)
    hands = tuple(tiles[SLOTS + HAND * seat : SLOTS + HAND * (seat + 1)] for seat in range(seats))
    state = State(
        table=_table(seats, advanced, alexis, () if by_hand else AUTOMATIC_START, tiles[:SLOTS]),
        deck=tiles[SLOTS + HAND * seats :],
        returned=0,
        hands=hands,
        dealt=_first_cards(seats, advanced, chance),
        kept=((),) * seats,
        aside=((),) * seats,
        values=(),
        expedition=() if alexis is None else _expedition(alexis, chance),
    )
    events: list[Event] = [SetUp(None, state.table.row)]
    if by_hand:
        return state, events
    state, more = rounds.begin(state)
    return state, [*events, *more]


def _table(seats: int, advanced: bool, alexis: str | None, board: Board, row: tuple[int, ...]) -> Table:
    return Table(
        seats=seats,
        advanced=advanced,
        alexis=alexis,
        phase="start",
        round=1,
        turn=0,
        starter=0,
        end=None,
        board=board,
        tokens=(),
        houses=(),
        discoveries=(),
        row=row,
        navigation=0,
        shown=((),) * seats,
        chosen=(False,) * seats,
        revealed=((),) * seats,
        expedition_discards=(),
        expedition_cards=(),
    )


def _first_cards(seats: int, advanced: bool, chance: Chance) -> tuple[Dealt, ...]:
    """Deal one card of each deck to each seat, then two more to each."""
    hands: list[list[tuple[int, ...]]] = [[] for _ in range(seats)]
    for name, deck in decks(advanced).items():
        stack = chance.shuffle(name, deck)
        for seat in range(seats):
            more = seats + 2 * seat
            hands[seat].append((stack[seat], *stack[more : more + 2]))
    return tuple(map(tuple, hands))


def _expedition(alexis: str, chance: Chance) -> tuple[int, ...]:
    """Choose and shuffle the expedition stack that belongs to Alexis's card."""
    card = CARDS[alexis]
    chosen = chance.shuffle("expedition-explore", tuple(EXPLORE_CARDS))[: card["explore"]]
    return chance.shuffle("expedition", (*chosen, *(LAND_CARD,) * card["land"]))
