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
LARGE, SMALL = "large", "small"
REACHES = {LARGE: 11, SMALL: 4}
"""The sizes of the table to how far it reaches, see `Table.reach`."""
ENDLESS = 99
"""The reach of a table without an edge: farther than all tiles in a row could come."""
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
    alexis = str(options["alexis"]) if seats == 1 else None
    tiles = chance.shuffle("reserve", LANDSCAPE)
    hands = tuple(tiles[SLOTS + HAND * seat : SLOTS + HAND * (seat + 1)] for seat in range(seats))
    table = _table(seats, options, alexis, tiles[:SLOTS])
    state = State(
        table=table,
        deck=tiles[SLOTS + HAND * seats :],
        returned=0,
        hands=hands,
        dealt=_first_cards(seats, table.advanced, chance),
        kept=((),) * seats,
        aside=((),) * seats,
        values=(),
        expedition=() if alexis is None else _expedition(alexis, chance),
    )
    events: list[Event] = [SetUp(None, state.table.row)]
    if not table.board:
        return state, events
    state, more = rounds.begin(state)
    return state, [*events, *more]


def _reach(options: Options) -> int:
    """Return how far the table reaches; without the option, which came with version 2 of the rules, it has no edge."""
    return REACHES[str(options["table"])] if "table" in options else ENDLESS


def _table(seats: int, options: Options, alexis: str | None, row: tuple[int, ...]) -> Table:
    return Table(
        seats=seats,
        advanced=options["mode"] == "advanced",
        alexis=alexis,
        reach=_reach(options),
        phase="start",
        round=1,
        turn=0,
        starter=0,
        end=None,
        board=() if options["start"] == BY_HAND else AUTOMATIC_START,
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
