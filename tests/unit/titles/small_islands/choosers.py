"""Simple players for tests: each chooses from what its own seat sees, the same every time.

`wanderer` does anything, `explorer` anything but landing, `lander` lands as soon as it may, `closer` tries to be unable
to place a tile, `greedy` takes what pays most now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TypeAlias

from games.engine import runner
from games.engine.contract import playouts
from games.engine.fair import FairChance
from games.engine.protocol import Options, Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.insight import policy, with_tile, worth
from games.titles.small_islands.rules.components import FACES, LANDSCAPE, SHIPS, objective_of
from games.titles.small_islands.rules.notation import Action, Discard, Explore, Land
from games.titles.small_islands.rules.state import NAVIGATION, State
from tests.unit.titles.recording import Leaves, played, server_seed

Plays: TypeAlias = tuple[runner.Play[State], ...]
Chooser: TypeAlias = Callable[[State, Seat, playouts.Chooser], Action]
"""Given a position, the seat to act and a source of free choices; `greedy` looks at nothing but its own view."""

INLAND = tuple(number for number in LANDSCAPE if FACES[str(number)].shape == "inland")

NAME = "view 1"
"""A match name for which four random players draw discovery tokens."""

SETTINGS: list[tuple[int, dict[str, str]]] = [
    (1, {"alexis": "morning"}),
    (2, {"start": "by_hand"}),
    (3, {"mode": "advanced"}),
    (4, {}),
]
"""Numbers of players with options: between them every mode, every start, and alone."""

_PLACES = 40
"""How many places a closer, or a greedy player, considers for its tiles."""
_MUCH = 9
"""A greedy player lands when its objective would bring so many points."""
_SPARE = 4
"""It lands at the latest when so many tiles are left, besides those for the rounds to come."""


@cache
def random_plays(seats: int, name: str, **options: str) -> Plays:
    """Return the positions of a match played at random, the start first; alone against Alexis by his card "night"."""
    seed = server_seed(name)
    chosen = {"alexis": "night", **options} if seats == 1 else options
    return playouts.random_match(GAME, seats, chosen, seed, playouts.Chooser(seed)).plays


def play_match(name: str, choosers: Sequence[Chooser], options: Options | None = None, leaves: Leaves = ()) -> Plays:
    """Play a whole match, see `recording.played`."""
    free = playouts.Chooser(server_seed(f"choices of {name}"))
    return tuple(
        played(GAME, name, len(choosers), lambda state, seat: choosers[seat](state, seat, free), options, leaves)
    )


def wanderer(state: State, seat: Seat, free: playouts.Chooser) -> Action:
    """Do anything."""
    return free.pick(tuple(GAME.legal_actions(state, seat)))


def explorer(state: State, seat: Seat, free: playouts.Chooser) -> Action:
    """Do anything, but land only when there is nothing else."""
    actions = tuple(GAME.legal_actions(state, seat))
    return free.pick([action for action in actions if not isinstance(action, Land)] or actions)


def lander(state: State, seat: Seat, free: playouts.Chooser) -> Action:
    """Land as soon as possible, else do anything."""
    actions = tuple(GAME.legal_actions(state, seat))
    return free.pick([action for action in actions if isinstance(action, Land)] or actions)


def closer(state: State, seat: Seat, free: playouts.Chooser) -> Action:
    """Collect inland tiles and close every coast to them, until none fits and one must be put back, if not landing."""
    view = GAME.view_for(state, seat)
    if view.table.phase != "explore":
        return wanderer(state, seat, free)
    row = {slot: tile for slot, tile in enumerate(view.table.row, start=1) if tile is not None}
    spots = view.spots
    stuck = [slot for slot, tile in row.items() if not any(spots[other] for other in (*view.hand, tile))]
    landings = [Land(ship, cell) for ship in view.ships for cell in view.berths]
    if stuck and (not landings or free.pick((True, False))):
        return Discard(stuck[0], row[stuck[0]])
    places = [
        Explore(slot, tile, *spot)
        for slot, taken in row.items()
        for tile in (*view.hand, taken)
        for spot in spots[tile]
    ]
    key = partial(_coasts_open, state, seat)
    return free.pick(landings) if landings and not places else min(free.some(places, _PLACES), key=key)


def _coasts_open(state: State, seat: Seat, place: Explore) -> tuple[bool, bool, int]:
    """Return a sort key: lowest for the place that keeps inland tiles in hand and leaves the fewest places for one."""
    taken, table = state.table.row[place.slot - 1], with_tile(state.table, place, seat)
    return place.tile in INLAND, taken not in INLAND, len(table.placement.spots(str(INLAND[0])))


def greedy(state: State, seat: Seat, free: playouts.Chooser) -> Action:
    """Take what pays most now: the best of some places, or a landing as soon as that is much or little is left."""
    view = GAME.view_for(state, seat)
    if view.table.phase != "explore":
        return policy(state, seat, FairChance(bytes(free.pick(range(256)) for _ in range(32)), 0))
    table, objective = view.table, objective_of(view.kept)
    is_late = view.reserve < NAVIGATION * (SHIPS - table.round) + _SPARE or not table.tiles_up
    if view.ships and view.berths and (is_late or worth(table, seat, objective) >= _MUCH):
        return Land(view.ships[-1], free.pick(view.berths))
    row = {tile: slot for slot, tile in enumerate(table.row, start=1) if tile is not None}
    first = min(row.values(), default=0)
    places = [Explore(row.get(tile, first), tile, *spot) for tile, spots in view.spots.items() for spot in spots]
    if not row or not places:
        return wanderer(state, seat, free)
    return max(free.some(places, _PLACES), key=lambda place: worth(with_tile(table, place, seat), seat, objective))
