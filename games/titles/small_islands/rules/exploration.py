"""A turn in the exploration: explore, lay a bonus token, put a tile back, or land."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from games.engine.protocol import Event
from games.titles.small_islands.rules import notation, rounds
from games.titles.small_islands.rules.components import PORT, RESOURCES, SHIP_FACES, SIDES, Cell, Symbols
from games.titles.small_islands.rules.events import RowRefilled, ShipPlaced, TilePlaced, TilePutBack, TokenLaid
from games.titles.small_islands.rules.islands import Board, Placed, Site, Token, islands, printed, tiles_at, with_token
from games.titles.small_islands.rules.notation import Action, Discard, Explore, Land, PortToken, ResourceToken, TokenUse
from games.titles.small_islands.rules.state import FACE_OF, State, Table, Went, berths, having, ships_left

Spots: TypeAlias = Mapping[int, list[tuple[Cell, int]]]
"""Tiles to their legal places, each a cell and a turn."""


# --- what is legal --------------------------------------------------------------------------------------------------


def refusal(state: State, action: Explore | Discard | Land) -> str | None:
    """Return the code of the first rule an action of the exploration breaks, None if it is legal."""
    table, seat = state.table, state.table.turn
    if isinstance(action, Land):
        if table.navigation:
            return "navigation-not-empty"
        if action.ship not in ships_left(table, seat):
            return "no-such-ship"
        return table.placement.refusal(FACE_OF[action.ship], action.cell, 0)
    taken = table.row[action.slot - 1]
    if taken is None:
        return "slot-empty"
    return _tile_refusal(table, (*state.hands[seat], taken), action)


def _tile_refusal(table: Table, three: Sequence[int], action: Explore | Discard) -> str | None:
    if action.tile not in three:
        return "tile-not-at-hand"
    if isinstance(action, Discard):
        return "a-tile-fits" if any(table.placement.spots(str(tile)) for tile in three) else None
    code = table.placement.refusal(str(action.tile), action.cell, action.turn)
    if code is not None or action.token is None:
        return code
    board = (*table.board, _placed(table, action))
    return token_refusal(board, table.tokens, table.tokens_left(table.turn), action.token)


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
    before: tuple[TokenUse | None, ...] = (None, *uses(table.board, table.tokens, left))
    for cell, turn in places[tile]:
        tokens = (*before, *uses_on(Placed(str(tile), cell, turn, table.turn), (), left))
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
        token = laid_token(seat, action.token, state.table.board)
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
    for slot, empty in enumerate(state.table.row, start=1):
        if empty is None and state.deck:
            table, (tile, *deck) = state.table, state.deck
            stack = "navigation" if table.navigation else "reserve"
            table = replace(table, row=having(table.row, slot - 1, tile), navigation=max(0, table.navigation - 1))
            state = replace(state, table=table, deck=tuple(deck), returned=min(state.returned, len(deck)))
            events.append(RowRefilled(None, slot, tile, stack))
    return state, events


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


# --- bonus tokens ---------------------------------------------------------------------------------------------------

PORTS_ON_A_TILE = 2


def laid_token(seat: int, use: TokenUse, board: Board) -> Token:
    """Return the token that a seat lays by a legal use of it."""
    if isinstance(use, ResourceToken):
        return Token(seat, use.name, use.shows, use.site, use.over)
    region = tiles_at(board)[use.cell].lying.coasts[use.side]
    return Token(seat, use.name, PORT, Site(use.cell, region), SIDES[use.side])


def token_refusal(board: Board, tokens: Sequence[Token], left: Sequence[str], use: TokenUse) -> str | None:
    """Return the code of the rule against a use of a token, None if it is legal.

    Args:
        board: the tiles in play, the one just placed among them.
        tokens: those in play.
        left: the names of the tokens the seat still has.
        use: what is asked for.
    """
    if use.name not in left:
        return "token-used"
    cell = use.site.cell if isinstance(use, ResourceToken) else use.cell
    placed = tiles_at(board).get(cell)
    if placed is None:
        return "no-tile-there"
    if placed.face in SHIP_FACES:
        return "token-on-ship"
    if isinstance(use, PortToken):
        return _port_refusal(placed, tokens, use.side)
    symbols = islands(board, tuple(tokens)).symbols
    if use.site not in symbols:
        return "no-such-region"
    return _cover_refusal(symbols[use.site], use)


def _cover_refusal(symbols: Symbols, use: ResourceToken) -> str | None:
    if use.over == use.shows:
        return "same-resource"
    return None if symbols.of(use.over) else "resource-not-there"


def _port_refusal(placed: Placed, tokens: Sequence[Token], side: int) -> str | None:
    if side not in placed.lying.coasts:
        return "no-coast-slot"
    taken = _ports_on(placed, tokens)
    if side in taken:
        return "port-there-already"
    return "two-ports-already" if len(taken) >= PORTS_ON_A_TILE else None


def _ports_on(placed: Placed, tokens: Sequence[Token]) -> list[int]:
    """Return the sides of a tile that have Ports."""
    laid = [SIDES.index(token.spot) for token in tokens if token.shows == PORT and token.site.cell == placed.cell]
    return [*placed.lying.ports, *laid]


@lru_cache(maxsize=64)
def uses(board: Board, tokens: tuple[Token, ...], left: tuple[str, ...]) -> tuple[TokenUse, ...]:
    """Return every legal use of these tokens on the tiles of a board."""
    if not left:
        return ()
    symbols = islands(board, tokens).symbols
    found: list[TokenUse] = []
    for placed in board:
        found += _uses(placed, {site: symbols[site] for site, _ in printed(placed)}, tokens, left)
    return tuple(found)


def uses_on(placed: Placed, tokens: Sequence[Token], left: Sequence[str]) -> list[TokenUse]:
    """Return every legal use of these tokens on one tile, given the tokens laid on it."""
    if not left:
        return []
    symbols = dict(printed(placed))
    for token in tokens:
        symbols[token.site] = with_token(symbols[token.site], token.shows, token.spot)
    return _uses(placed, symbols, tokens, left)


def _uses(
    placed: Placed, symbols: Mapping[Site, Symbols], tokens: Sequence[Token], left: Sequence[str]
) -> list[TokenUse]:
    found: list[TokenUse] = [
        ResourceToken(name, shows, site, over)
        for site, counts in symbols.items()
        for over in RESOURCES
        if counts.of(over)
        for shows in RESOURCES
        if shows != over
        for name in left
        if name in (shows, notation.ANY)
    ]
    taken = _ports_on(placed, tokens)
    if len(taken) < PORTS_ON_A_TILE:
        sides = [side for side in placed.lying.coasts if side not in taken]
        found += [PortToken(name, placed.cell, side) for side in sides for name in left]
    return found
