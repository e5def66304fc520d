"""The phases of a match: set-up, start tiles, Preparation, turns, and the three ways in which it ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

from games.engine.protocol import Chance, Event, Options, Seat
from games.titles.small_islands.rules import components
from games.titles.small_islands.rules.components import COMPONENTS, LANDSCAPE, SHIP_FACES, SHIPS, Cell, decks
from games.titles.small_islands.rules.events import (
    CardsKept,
    CardsReceived,
    ExplorationBegan,
    Finished,
    ObjectiveChosen,
    RoundPrepared,
    SetUp,
    StartTilePlaced,
    Stranded,
    TilesReceived,
)
from games.titles.small_islands.rules.islands import Board, Placed
from games.titles.small_islands.rules.notation import Choose, Start
from games.titles.small_islands.rules.scoring import CARDS, outcome, tallies
from games.titles.small_islands.rules.state import (
    ALL_SHIPS,
    HAND,
    NAVIGATION,
    RESERVE_SHORT,
    SLOTS,
    STRANDED,
    Cards,
    Dealt,
    State,
    Table,
    Went,
    can_place_ship,
    having,
)

BY_HAND = "by_hand"
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
    """Shuffle and deal everything; with an automatic start the first round is prepared.

    Without the option "table", which came with version 2 of the rules, the table has no edge.
    """
    advanced = options["mode"] == "advanced"
    tiles = chance.shuffle("reserve", LANDSCAPE)
    hands = tuple(tiles[SLOTS + HAND * seat : SLOTS + HAND * (seat + 1)] for seat in range(seats))
    dealt: list[list[tuple[int, ...]]] = [[] for _ in range(seats)]
    for name, deck in decks(advanced).items():  # one card to each seat, then two more to each
        stack = chance.shuffle(name, deck)
        for seat in range(seats):
            second = seats + 2 * seat
            dealt[seat].append((stack[seat], *stack[second : second + 2]))
    alexis, expedition = None, tuple[int, ...]()
    if seats == 1:
        alexis = str(options["alexis"])
        explores = chance.shuffle("expedition-explore", tuple(EXPLORE_CARDS))[: CARDS[alexis]["explore"]]
        expedition = chance.shuffle("expedition", (*explores, *(LAND_CARD,) * CARDS[alexis]["land"]))
    table = Table(
        seats=seats,
        advanced=advanced,
        alexis=alexis,
        reach=REACHES[str(options["table"])] if "table" in options else ENDLESS,
        phase="start",
        round=1,
        turn=0,
        starter=0,
        end=None,
        board=() if options["start"] == BY_HAND else AUTOMATIC_START,
        tokens=(),
        houses=(),
        discoveries=(),
        row=tiles[:SLOTS],
        navigation=0,
        shown=((),) * seats,
        chosen=(False,) * seats,
        revealed=((),) * seats,
        expedition_discards=(),
        expedition_cards=(),
    )
    state = State(
        table=table,
        deck=tiles[SLOTS + HAND * seats :],
        returned=0,
        hands=hands,
        dealt=tuple(map(tuple, dealt)),
        kept=((),) * seats,
        aside=((),) * seats,
        values=(),
        expedition=expedition,
    )
    events: list[Event] = [SetUp(None, table.row)]
    if not table.board:
        return state, events
    state, more = begin(state)
    return state, [*events, *more]


# --- start tiles by hand --------------------------------------------------------------------------------------------


def start_refusal(table: Table, action: Start) -> str | None:
    """Return the code of the rule against this placing of a start tile, None if it is allowed."""
    if action.face not in start_faces(table):
        return "start-tile-placed"
    return table.placement.refusal(action.face, action.cell, action.turn)


def start_faces(table: Table) -> tuple[str, ...]:
    """Return both sides of every start tile that is not in play."""
    laid = {placed.face[:-1] for placed in table.board}
    return tuple(tile + side for tile in components.START_TILES if tile not in laid for side in "AB")


def start_options(table: Table) -> Iterator[Start]:
    """Yield every way to place a start tile now."""
    for face in start_faces(table):
        yield from (Start(face, cell, turn) for cell, turn in table.placement.spots(face))


def place_start(state: State, action: Start) -> Went:
    """Place a start tile; after the fourth the hands are shown and the first round is prepared."""
    table, seat = state.table, state.table.turn
    board = (*table.board, Placed(action.face, action.cell, action.turn, seat))
    state = replace(state, table=replace(table, board=board))
    events: list[Event] = [StartTilePlaced(None, seat, action.face, action.cell, action.turn)]
    if len(board) < len(components.START_TILES):
        return state, events
    state, more = begin(state)
    return state, [*events, *more]


# --- Preparation ----------------------------------------------------------------------------------------------------


def begin(state: State) -> Went:
    """Show the hands to their owners and prepare the first round, for which the cards are dealt already."""
    shown = [TilesReceived(frozenset({Seat(seat)}), seat, hand) for seat, hand in enumerate(state.hands)]
    state, events = _prepare(state, 1, 0)
    return state, [*shown, *events]


def deal(aside: Sequence[Cards], advanced: bool, chance: Chance) -> tuple[Dealt, ...]:
    """Shuffle the cards that nobody put aside and return for each seat its three cards of each deck."""
    hands: list[list[tuple[int, ...]]] = [[] for _ in aside]
    for index, (name, deck) in enumerate(decks(advanced).items()):
        own = [cards[index] for cards in aside]
        stack = chance.shuffle(name, [card for card in deck if card not in own])
        for seat, card in enumerate(own):
            hands[seat].append((card, *stack[2 * seat : 2 * seat + 2]))
    return tuple(map(tuple, hands))


def _prepare(state: State, number: int, first: int) -> Went:
    table, seats = state.table, state.table.seats
    table = replace(
        table,
        phase="choose",
        round=number,
        turn=first,
        starter=first,
        navigation=NAVIGATION,
        chosen=(False,) * seats,
    )
    dealt = [CardsReceived(frozenset({Seat(seat)}), seat, cards) for seat, cards in enumerate(state.dealt)]
    nothing = ((),) * seats
    return replace(state, table=table, kept=nothing, aside=nothing), [RoundPrepared(None, number, first), *dealt]


def choose_refusal(state: State, seat: int, action: Choose) -> str | None:
    """Return the code of the rule against a choice of objectives, None if it is legal."""
    cards = state.dealt[seat]
    if len(action.keep) != len(cards):
        return "wrong-mode"
    pairs = list(zip(action.keep, action.aside, cards, strict=True))
    if any(keep not in three or aside not in three for keep, aside, three in pairs):
        return "card-not-dealt"
    return "same-card" if any(keep == aside for keep, aside, _ in pairs) else None


def choose_options(state: State, seat: int) -> Iterator[Choose]:
    """Yield every choice a seat has."""
    for pairs in product(*(permutations(three, 2) for three in state.dealt[seat])):
        keep, aside = zip(*pairs, strict=True)
        yield Choose(keep, aside)


def choose(state: State, seat: int, action: Choose) -> Went:
    """Keep the choice of a seat; when everybody has chosen the exploration begins."""
    table = replace(state.table, chosen=having(state.table.chosen, seat, True))
    kept, aside = having(state.kept, seat, action.keep), having(state.aside, seat, action.aside)
    state = replace(state, table=table, kept=kept, aside=aside)
    own = CardsKept(frozenset({Seat(seat)}), seat, action.keep, action.aside)
    events: list[Event] = [ObjectiveChosen(None, seat), own]
    if not all(table.chosen):
        return state, events
    state = replace(state, table=replace(table, phase="explore"))
    state, more = _begin_turn(state, table.starter)
    return state, [*events, ExplorationBegan(None, table.starter), *more]


# --- whose turn it is -----------------------------------------------------------------------------------------------


def next_turn(state: State) -> Went:
    """Go on with the next player of the exploration, clockwise."""
    return _begin_turn(state, (state.table.turn + 1) % state.table.players)


def _begin_turn(state: State, seat: int) -> Went:
    """Begin a turn in the exploration, unless the seat can neither explore nor land: that brings on the end."""
    table = replace(state.table, turn=seat)
    if table.tiles_up or can_place_ship(table, seat):
        return replace(state, table=table), []
    state = replace(state, table=replace(table, end=STRANDED))
    return begin_reward(state, seat), [Stranded(None, seat)]


def begin_reward(state: State, seat: int) -> State:
    """Begin the Reward phase with a seat."""
    nothing = ((),) * state.table.seats
    return replace(state, table=replace(state.table, phase="reward", turn=seat, starter=seat, revealed=nothing))


def next_reward(state: State, chance: Chance) -> Went:
    """Go on with the next player of the Reward phase, clockwise; after the last the round is over."""
    table, seat = state.table, (state.table.turn + 1) % state.table.players
    if seat != table.starter:
        return replace(state, table=replace(table, turn=seat)), []
    end = table.end
    if end is None and sum(placed.face in SHIP_FACES for placed in table.board) == SHIPS:
        end = ALL_SHIPS
    elif end is None and state.reserve < NAVIGATION:
        end = RESERVE_SHORT
    if end is not None:
        table = replace(table, phase="over", end=end)
        places = outcome(table, state.values).places
        return replace(state, table=table), [Finished(None, end, places, tallies(table, state.values))]
    state = replace(state, dealt=deal(state.aside, table.advanced, chance))
    return _prepare(state, table.round + 1, (table.starter + 1) % table.players)
