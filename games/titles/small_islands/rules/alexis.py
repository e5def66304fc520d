"""Alexis, the opponent in a solo match; he acts inside the player's actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from games.engine.protocol import Chance, Event
from games.titles.small_islands.rules import exploration, rounds
from games.titles.small_islands.rules.components import QUARTERS, Cell, beside
from games.titles.small_islands.rules.events import (
    ExpeditionDrawn,
    ExpeditionShuffled,
    HousePlaced,
    Settled,
    TilePlaced,
    TilePutBack,
)
from games.titles.small_islands.rules.islands import Island, Placed, joints
from games.titles.small_islands.rules.notation import GREY, Land
from games.titles.small_islands.rules.reward import LEAST_SIZE, build, free_sites
from games.titles.small_islands.rules.rounds import EXPLORE_CARDS, LAND_CARD
from games.titles.small_islands.rules.scoring import CARDS, ports_around
from games.titles.small_islands.rules.state import ALEXIS, SLOTS, House, State, Table, Went, berths, can_place_ship

INSTEAD_OF_LANDING: Final = {"slot": 1, "target": "largest"}
"""What Alexis does when he cannot land."""

_TARGETS: Mapping[str, Callable[[Island], int]] = {
    "largest": lambda island: island.size,
    "smallest": lambda island: -island.size,
    "most_temples": lambda island: island.symbols.temple,
}
_PREFERENCES: Mapping[str, Callable[[Island], int]] = {
    "size": lambda island: island.size,
    "temples": lambda island: island.symbols.temple,
    "resources": lambda island: sum(island.symbols.resources),
}


def is_his_turn(table: Table) -> bool:
    """Return whether Alexis acts now."""
    return table.solo and table.turn == ALEXIS and table.phase in {"explore", "reward"}


def act(state: State, chance: Chance) -> Went:
    """Let Alexis take his turn in the exploration or the Reward phase."""
    if state.table.phase == "reward":
        return _settle(state, chance)
    if not state.table.tiles_up:  # else the turn would not have begun: then he can land
        return exploration.land(state, landing(state.table))
    state, card, events = _draw(state, chance)
    if card == LAND_CARD and not state.table.navigation and can_place_ship(state.table, ALEXIS):
        state, more = exploration.land(state, landing(state.table))
    else:
        state, more = _explore(state, INSTEAD_OF_LANDING if card == LAND_CARD else EXPLORE_CARDS[card])
    return state, [*events, *more]


# --- the expedition cards -------------------------------------------------------------------------------------------


def _draw(state: State, chance: Chance) -> tuple[State, int, list[Event]]:
    table, events = state.table, list[Event]()
    if not state.expedition:
        events.append(ExpeditionShuffled(None, len(table.expedition_discards)))
        stack = chance.shuffle("expedition", table.expedition_discards)
        table = replace(table, expedition_discards=(), expedition_cards=tuple(sorted(stack)))
        state = replace(state, expedition=stack)
    card, *rest = state.expedition
    table = replace(table, expedition_discards=(*table.expedition_discards, card))
    return replace(state, table=table, expedition=tuple(rest)), card, [*events, ExpeditionDrawn(None, card)]


def _explore(state: State, card: Mapping[str, Any]) -> Went:
    slots = (card["slot"], *range(card["slot"] + 1, SLOTS + 1), *range(1, card["slot"]))  # the next that is filled
    slot, tile = next((slot, tile) for slot in slots if (tile := state.table.row[slot - 1]) is not None)
    found = best_place(state.table, tile, card["target"])
    state, events = exploration.clear_slot(state, slot), list[Event]()
    if found is None:
        state = exploration.put_back(state, tile)
        events.append(TilePutBack(None, ALEXIS, slot, tile, tile, known=True))
    else:
        state = exploration.place(state, found)
        events.append(TilePlaced(None, ALEXIS, slot, tile, tile, found.cell, found.turn, known=True))
    state, refilled = exploration.refill(state)
    state, more = rounds.next_turn(state)
    return state, [*events, *refilled, *more]


# --- where he places ------------------------------------------------------------------------------------------------


def best_place(table: Table, tile: int, target: str) -> Placed | None:
    """Return where Alexis places a tile, None if it has no legal place.

    Args:
        table: what lies on it.
        tile: a landscape tile.
        target: "largest", "smallest" or "most_temples" island, or "last_placed" tile.
    """
    places = [Placed(str(tile), *spot, ALEXIS) for spot in table.placement.spots(str(tile))]
    wanted = [placed for placed in places if _meets(table, placed, target)]
    fixed = {gap.cell: gap.fixed.bit_count() for gap in table.placement.gaps}
    return min(
        wanted or places,
        key=lambda placed: (-fixed[placed.cell], placed.cell.reading_order, placed.turn),
        default=None,
    )


def _meets(table: Table, placed: Placed, target: str) -> bool:
    """Return whether a place is beside the tile placed last, or joins one of the islands aimed at."""
    if target == "last_placed":
        return any(beside(placed.cell, side) == table.board[-1].cell for side in QUARTERS)
    worth, islands = _TARGETS[target], table.islands
    most = max(map(worth, islands.all))
    return any(worth(islands.of(other)) == most for _, other in joints(table.board, placed))


def landing(table: Table) -> Land:
    """Return where he lands: where the fewest Ports are, then beside a largest island, then topmost, then leftmost."""
    size = max(island.size for island in table.islands.all)
    largest = {site.cell for island in table.islands.all if island.size == size for site in island.sites}

    def rank(cell: Cell) -> tuple[int, bool, tuple[int, int]]:
        away = not any(beside(cell, side) in largest for side in QUARTERS)
        return ports_around(table, cell), away, cell.reading_order

    return Land(GREY, min(berths(table), key=rank))


# --- his Houses -----------------------------------------------------------------------------------------------------


def _settle(state: State, chance: Chance) -> Went:
    """Place the Houses of his card, as many as have a place, and go on."""
    card, events = CARDS[str(state.table.alexis)], list[Event]()
    for _ in range(card["houses_per_reward"]):
        table = state.table
        fit: list[tuple[Any, ...]] = [
            (*(-_PREFERENCES[name](island) for name in card["prefers"]), free[0].reading_order, free[0], island.size)
            for island in table.islands.all
            if island.size >= LEAST_SIZE
            and (free := free_sites(table, island))
            and ALEXIS not in table.residents(island.sites)
        ]
        if fit:
            *_, site, size = min(fit)  # the island he likes best, and of equal ones the topmost
            state = build(state, House(ALEXIS, table.round, site, 0, 0, card["per_house"]))
            events.append(HousePlaced(None, ALEXIS, site, size, card["per_house"]))
    events.append(Settled(None, ALEXIS, len(events), state.table.houses_in_hand(ALEXIS)))
    state, more = rounds.next_reward(state, chance)
    return state, [*events, *more]
