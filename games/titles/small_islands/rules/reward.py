"""The Reward phase: Houses on islands that fulfil the mission, and the reward for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import permutations, product

from games.engine.protocol import Chance, Event, Seat
from games.titles.small_islands.rules import rounds
from games.titles.small_islands.rules.components import Objective, Symbols, fulfils, is_discovery, objective_of, points
from games.titles.small_islands.rules.events import (
    DiscoveryDrawn,
    DiscoveryKept,
    HousePlaced,
    ObjectiveRevealed,
    Settled,
)
from games.titles.small_islands.rules.islands import Island, Site
from games.titles.small_islands.rules.notation import Settle
from games.titles.small_islands.rules.state import Discovery, House, State, Table, Went, having

LEAST_SIZE = 2
"""The number of tiles from which an island can be settled."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """What an objective would bring a seat for one island.

    Args:
        island: the island.
        refusal: the code of the rule against a House on it, None if there may be one.
        points: what the reward would give, discovery tokens not counted; 0 if there may be no House.
        tokens: how many discovery tokens would be drawn.
        sites: the free house symbols, topmost first.
    """

    island: Island
    refusal: str | None
    points: int
    tokens: int
    sites: tuple[Site, ...]


def free_sites(table: Table, island: Island) -> tuple[Site, ...]:
    """Return the free house symbols of an island, topmost first, then leftmost."""
    return _free_sites(island, table.islands.symbols, {house.site for house in table.houses})


def _free_sites(island: Island, symbols: Mapping[Site, Symbols], taken: AbstractSet[Site]) -> tuple[Site, ...]:
    free = [site for site in island.sites if symbols[site].house and site not in taken]
    return tuple(sorted(free, key=lambda site: site.reading_order)) if len(free) > 1 else tuple(free)


def prospects(table: Table, seat: int, objective: Objective) -> tuple[Prospect, ...]:
    """Return for each island, in the order of `table.islands`, what an objective would bring a seat now."""
    found, taken, hoped = table.islands, {house.site for house in table.houses}, []
    for island in found.all:
        sites = _free_sites(island, found.symbols, taken)
        code = _island_refusal(table, seat, objective.mission, island) or (None if sites else "no-free-house-symbol")
        gain, tokens = 0, 0
        if code is None:
            gain, tokens = points(objective.reward, island.size, island.symbols), _tokens(table, objective, island)
        hoped.append(Prospect(island, code, gain, tokens, sites))
    return tuple(hoped)


def _tokens(table: Table, objective: Objective, island: Island) -> int:
    """Return how many discovery tokens are drawn for an island."""
    return min(island.symbols.temple, table.discovery_tokens_left) if is_discovery(objective.reward) else 0


def _island_refusal(table: Table, seat: int, mission: int, island: Island) -> str | None:
    if island.size < LEAST_SIZE:
        return "island-too-small"
    if not fulfils(mission, island.symbols):
        return "mission-not-fulfilled"
    return "house-there-already" if seat in table.residents(island.sites) else None


def refusal(state: State, action: Settle) -> str | None:
    """Return the code of the first rule a settlement breaks, None if it is legal."""
    table, seat = state.table, state.table.turn
    if len(action.sites) > table.houses_in_hand(seat):
        return "too-few-houses"
    objective, symbols, chosen = objective_of(state.kept[seat]), table.islands.symbols, set[int]()
    for site in action.sites:
        code = None
        if site not in symbols:
            code = "no-such-region"
        elif not symbols[site].house:
            code = "no-house-symbol"
        elif any(house.site == site for house in table.houses):
            code = "house-symbol-taken"
        code = code or _island_refusal(table, seat, objective.mission, table.islands.of(site))
        if code is not None:
            return code
        chosen.add(table.islands.number[site])
    return "same-island" if len(chosen) < len(action.sites) else None


def options(state: State) -> Iterator[Settle]:
    """Yield every settlement of the seat whose turn it is, in every order of islands."""
    table, seat = state.table, state.table.turn
    found = prospects(table, seat, objective_of(state.kept[seat]))
    choices = [prospect.sites for prospect in found if prospect.refusal is None]
    for count in range(min(table.houses_in_hand(seat), len(choices)) + 1):
        for islands in permutations(choices, count):
            yield from map(Settle, product(*islands))


def settle(state: State, action: Settle, chance: Chance) -> Went:
    """Reveal the objective, place the Houses and take the rewards, for islands as they are now."""
    seat, cards = state.table.turn, state.kept[state.table.turn]
    objective, revealed = objective_of(cards), having(state.table.revealed, seat, cards)
    state = replace(state, table=replace(state.table, revealed=revealed))
    events: list[Event] = [ObjectiveRevealed(None, seat, cards)]
    for number, site in enumerate(action.sites, start=1):
        table = state.table
        island = table.islands.of(site)
        gain, tokens = points(objective.reward, island.size, island.symbols), _tokens(table, objective, island)
        state = build(state, House(seat, table.round, site, objective.mission, objective.reward, gain))
        events.append(HousePlaced(None, seat, site, island.size, gain))
        if tokens:
            best = max(chance.shuffle(f"discovery{number}", state.discovery_left)[:tokens])
            kept = Discovery(len(table.houses), tokens)
            table = replace(state.table, discoveries=(*table.discoveries, kept))
            state = replace(state, table=table, values=(*state.values, best))
            own = DiscoveryKept(frozenset({Seat(seat)}), seat, best)
            events += [DiscoveryDrawn(None, seat, tokens), own]
    events.append(Settled(None, seat, len(action.sites), state.table.houses_in_hand(seat)))
    state, more = rounds.next_reward(state, chance)
    return state, [*events, *more]


def build(state: State, house: House) -> State:
    """Return the state with another House in play."""
    return replace(state, table=replace(state.table, houses=(*state.table.houses, house)))
