"""A turn in the exploration: explore, put a tile back, or land."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from games.engine.protocol import Event
from games.titles.small_islands import bonus, rounds
from games.titles.small_islands.events import RowRefilled, ShipPlaced, TilePlaced, TilePutBack, TokenLaid
from games.titles.small_islands.geometry import Cell
from games.titles.small_islands.notation import Action, Discard, Explore, Land, TokenUse
from games.titles.small_islands.placement import Placed
from games.titles.small_islands.ships import FACE_OF, berths, ships_left
from games.titles.small_islands.state import State, Table, Went, having

Spots: TypeAlias = Mapping[int, list[tuple[Cell, int]]]
"""Tiles to their legal places, each a cell and a turn."""


# --- what is legal --------------------------------------------------------------------------------------------------


def refusal(state: State, action: Explore | Discard | Land) -> str | None:
    """Return the code of the first rule an action of the exploration breaks, None if it is legal."""
    if isinstance(action, Land):
        return _land_refusal(state.table, action)
    taken = state.table.row[action.slot - 1]
    if taken is None:
        return "slot-empty"
    three = (*state.hands[state.table.turn], taken)
    if action.tile not in three:
        return "tile-not-at-hand"
    if isinstance(action, Discard):
        fits = any(state.table.placement.spots(str(tile)) for tile in three)
        return "a-tile-fits" if fits else None
    return _explore_refusal(state.table, action)


def _explore_refusal(table: Table, action: Explore) -> str | None:
    code = table.placement.refusal(str(action.tile), action.cell, action.turn)
    if code is not None or action.token is None:
        return code
    board = (*table.board, _placed(table, action))
    return bonus.refusal(board, table.tokens, table.tokens_left(table.turn), action.token)


def _land_refusal(table: Table, action: Land) -> str | None:
    if table.navigation:
        return "navigation-not-empty"
    if action.ship not in ships_left(table, table.turn):
        return "no-such-ship"
    return table.placement.refusal(FACE_OF[action.ship], action.cell, 0)


def spots(table: Table, tiles: tuple[int, ...]) -> Spots:
    """Return every legal place of each of these tiles."""
    found = table.placement
    return {tile: found.spots(str(tile)) for tile in tiles}


def options(state: State) -> Iterator[Action]:
    """Yield everything the seat whose turn it is may do, lazily: with tokens there are very many ways to explore."""
    return chain.from_iterable(_options(state))


def _options(state: State) -> Iterator[list[Action]]:
    """Yield the actions in lists: stepping through them one by one would take as long as making them."""
    table, hand = state.table, state.hands[state.table.turn]
    row = {slot: tile for slot, tile in enumerate(table.row, start=1) if tile is not None}
    places = spots(table, (*hand, *row.values()))
    for tile in hand:
        yield from _explorations(table, tuple(row), tile, places)
    for slot, tile in row.items():
        yield from _explorations(table, (slot,), tile, places)
        if not any(places[other] for other in (*hand, tile)):
            yield [Discard(slot, other) for other in (*hand, tile)]
    if not table.navigation:
        cells = berths(table)
        yield [Land(ship, cell) for ship in ships_left(table, table.turn) for cell in cells]


def _explorations(table: Table, slots: tuple[int, ...], tile: int, places: Spots) -> Iterator[list[Action]]:
    left = table.tokens_left(table.turn)
    before: tuple[TokenUse | None, ...] = (None, *bonus.uses(table.board, table.tokens, left))
    for cell, turn in places[tile]:
        tokens = (*before, *bonus.uses_on_new(Placed(str(tile), cell, turn, table.turn), left))
        for slot in slots:
            yield [Explore(slot, tile, cell, turn, token) for token in tokens]


# --- what is done ---------------------------------------------------------------------------------------------------


def explore(state: State, action: Explore) -> Went:
    """Take a tile, place one of three, lay the token, refill the row; the turn ends."""
    seat, known = state.table.turn, _is_known(state.table, action)
    placed = _placed(state.table, action)
    taken, state = _take(state, action.slot, action.tile)
    state, events = place(state, placed), list[Event]()
    events.append(TilePlaced(None, seat, action.slot, taken, action.tile, action.cell, action.turn, known))
    if action.token is not None:
        token = bonus.token(seat, action.token, state.table.board)
        state = replace(state, table=replace(state.table, tokens=(*state.table.tokens, token)))
        events.append(TokenLaid(None, *token))
    return _end_turn(state, events)


def discard(state: State, action: Discard) -> Went:
    """Put one of three tiles under the Reserve, refill the row; the turn ends."""
    seat, known = state.table.turn, _is_known(state.table, action)
    taken, state = _take(state, action.slot, action.tile)
    return _end_turn(put_back(state, action.tile), [TilePutBack(None, seat, action.slot, taken, action.tile, known)])


def land(state: State, action: Land) -> Went:
    """Place a ship; the Reward phase begins with the seat that landed."""
    seat = state.table.turn
    state = place(state, Placed(FACE_OF[action.ship], action.cell, 0, seat))
    return rounds.begin_reward(state, seat), [ShipPlaced(None, seat, action.ship, action.cell)]


def place(state: State, placed: Placed) -> State:
    """Return the state with another tile in play."""
    return replace(state, table=replace(state.table, board=(*state.table.board, placed)))


def put_back(state: State, tile: int) -> State:
    """Return the state with a tile under the Reserve."""
    return replace(state, deck=(*state.deck, tile), returned=state.returned + 1)


def clear_slot(state: State, slot: int) -> State:
    """Return the state without the face-up tile of a slot."""
    return replace(state, table=replace(state.table, row=having(state.table.row, slot - 1, None)))


def refill(state: State) -> Went:
    """Fill the empty slots of the row from slot 1 on, from the Navigation stack, or the Reserve when that is empty."""
    events = list[Event]()
    for slot, tile in enumerate(state.table.row, start=1):
        if tile is None and state.deck:
            state, event = _refill(state, slot)
            events.append(event)
    return state, events


def _refill(state: State, slot: int) -> tuple[State, RowRefilled]:
    table, (tile, *deck) = state.table, state.deck
    stack = "navigation" if table.navigation else "reserve"
    table = replace(table, row=having(table.row, slot - 1, tile), navigation=max(0, table.navigation - 1))
    state = replace(state, table=table, deck=tuple(deck), returned=min(state.returned, len(deck)))
    return state, RowRefilled(None, slot, tile, stack)


def _is_known(table: Table, action: Explore | Discard) -> bool:
    """Return whether everybody knows that the seat whose turn it is has the tile it will part with."""
    return action.tile == table.row[action.slot - 1] or action.tile in table.shown[table.turn]


def _placed(table: Table, action: Explore) -> Placed:
    return Placed(str(action.tile), action.cell, action.turn, table.turn)


def _take(state: State, slot: int, spent: int) -> tuple[int, State]:
    """Take the tile of a slot into the hand and part with one; return the tile taken and the state."""
    taken, seat = state.table.row[slot - 1], state.table.turn
    if taken is None:
        raise ValueError(f"Slot {slot} is empty.")
    hand = tuple(tile for tile in (*state.hands[seat], taken) if tile != spent)
    state = replace(clear_slot(state, slot), hands=having(state.hands, seat, hand))
    shown = tuple(tile for tile in (*state.table.shown[seat], taken) if tile != spent)
    return taken, replace(state, table=replace(state.table, shown=having(state.table.shown, seat, shown)))


def _end_turn(state: State, events: list[Event]) -> Went:
    state, refilled = refill(state)
    state, more = rounds.next_turn(state)
    return state, [*events, *refilled, *more]
