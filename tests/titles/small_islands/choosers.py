"""Simple players for tests: each chooses from what its own seat sees, the same every time.

`wanderer` does anything, `explorer` anything but landing, `lander` lands as soon as it may, `closer` tries to be unable
to place a tile, `greedy` plays to win.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from itertools import product
from typing import TypeAlias

from games.engine import playouts, runner
from games.engine.fair import final_seed
from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.bonus import token, uses
from games.titles.small_islands.notation import Action, Choose, Discard, Explore, Land, Settle, Start
from games.titles.small_islands.objectives import Objective, objective_of
from games.titles.small_islands.placement import Placed
from games.titles.small_islands.reward import prospects
from games.titles.small_islands.state import NAVIGATION, State, Table
from games.titles.small_islands.tiles import FACES, LANDSCAPE, SHIPS
from games.titles.small_islands.view import View

Plays: TypeAlias = tuple[runner.Play[State], ...]
Chooser: TypeAlias = Callable[[State, Seat, playouts.Chooser], Action]
"""Given a position, the seat to act and a source of free choices; `greedy` looks at nothing but its own view."""

NONCES = (b"ann", b"", b"cleo", b"dan")
"""What the browser of each seat adds to the chance of a match; one adds nothing."""

INLAND = tuple(number for number in LANDSCAPE if FACES[str(number)].shape == "inland")

NAME = "view 1"
"""A name under which four random players draw discovery tokens."""

SETTINGS: list[tuple[int, dict[str, str]]] = [
    (1, {"alexis": "morning"}),
    (2, {"start": "by_hand"}),
    (3, {"mode": "advanced"}),
    (4, {}),
]
"""Numbers of players with options: between them every mode, every start, and alone."""

_TOKEN_WORTH = 5.5
"""What a discovery token is worth on average when two are drawn."""
_WORTH_LANDING = 9
"""A greedy player lands when its objective would bring so many points."""
_PLACES = 40
"""A greedy player, and a closer, look at so many places for their tiles."""
_SPARE = 4
"""A greedy player lands at the latest when beside the tiles for the rounds to come so many are left."""


def server_seed(name: str) -> bytes:
    """Return the seed of a match that a test calls by this name."""
    return sha256(name.encode()).digest()


@cache
def random_plays(seats: int, name: str, **options: str) -> Plays:
    """Return the positions of a match played at random, the start first; alone against Alexis by his card "night"."""
    seed = server_seed(name)
    chosen = {"alexis": "night", **options} if seats == 1 else options
    return playouts.random_match(GAME, seats, chosen, seed, playouts.Chooser(seed)).plays


def play_match(name: str, choosers: Sequence[Chooser], **options: str) -> Plays:
    """Play a whole match and return its positions, the start first.

    Args:
        name: decides all chance, see `server_seed`; the players add NONCES.
        choosers: one per seat.
        options: of the match.
    """
    seed = final_seed(server_seed(name), NONCES[: len(choosers)])
    free = playouts.Chooser(server_seed(f"choices of {name}"))
    plays = [runner.begin(GAME, len(choosers), options, seed)]
    while plays[-1].outcome is None:
        plays.append(next_play(plays[-1], choosers, free, seed))
    return tuple(plays)


def next_play(
    before: runner.Play[State], choosers: Sequence[Chooser], free: playouts.Chooser, seed: bytes
) -> runner.Play[State]:
    """Return what comes after a position when the first seat to move acts."""
    seat = min(before.to_move)
    return runner.act(GAME, before.position, seat, choosers[seat](before.state, seat, free), seed)


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
    """Return a key by which the place is least that keeps inland tiles in hand and leaves the fewest places for one."""
    taken, table = state.table.row[place.slot - 1], _with(state.table, place, seat)
    return place.tile in INLAND, taken not in INLAND, len(table.placement.spots(str(INLAND[0])))


# --- playing to win -------------------------------------------------------------------------------------------------


def greedy(state: State, seat: Seat, free: playouts.Chooser) -> Action:
    """Choose what would pay most now, place tiles and tokens so that it pays more, land when that is many points."""
    view = GAME.view_for(state, seat)
    match view.table.phase:
        case "choose":
            return _best_choice(view)
        case "explore":
            return _best_turn(view, free) or next(iter(GAME.legal_actions(state, seat)))
        case "reward":
            return _best_settlement(view)
        case _:
            return free.pick([action for action in GAME.legal_actions(state, seat) if isinstance(action, Start)])


def _worth(table: Table, seat: int, objective: Objective) -> float:
    """Return what an objective would bring a seat now."""
    found = sorted((p.points + _TOKEN_WORTH * (p.tokens > 0) for p in prospects(table, seat, objective)), reverse=True)
    return sum(found[: table.houses_in_hand(seat)])


def _best_choice(view: View) -> Choose:
    assert view.viewer is not None
    table, seat = view.table, view.viewer
    ranked = sorted(product(*view.dealt), key=lambda cards: -_worth(table, seat, objective_of(cards)))
    others = [cards for cards in ranked if not set(zip(*(cards, ranked[0]), strict=True)) & _same(ranked[0])]
    return Choose(ranked[0], others[0])


def _same(cards: Sequence[int]) -> set[tuple[int, int]]:
    return {(card, card) for card in cards}


def _best_turn(view: View, free: playouts.Chooser) -> Action | None:
    """Land when that pays well, else take the best of some places; None when there is none."""
    assert view.viewer is not None
    table, seat, objective = view.table, view.viewer, objective_of(view.kept)
    now = _worth(table, seat, objective)
    hurry = view.reserve < NAVIGATION * (SHIPS - table.round) + _SPARE or not table.tiles_up
    if view.ships and view.berths and (now >= _WORTH_LANDING or hurry):
        return Land(view.ships[-1], free.pick(view.berths))
    options = free.some(list(_placements(view)), _PLACES)
    best = max(options, key=lambda option: _worth(_with(table, option, seat), seat, objective), default=None)
    return best and _with_token(table, best, seat, objective)


def _placements(view: View) -> Iterator[Explore]:
    """Yield every way to place a tile, each from one slot."""
    if not view.table.tiles_up:
        return
    row = {tile: slot for slot, tile in enumerate(view.table.row, start=1) if tile is not None}
    for tile, spots in view.spots.items():
        slot = row.get(tile, min(row.values()))
        yield from (Explore(slot, tile, cell, turn) for cell, turn in spots)


def _with(table: Table, option: Explore, seat: int) -> Table:
    return replace(table, board=(*table.board, Placed(str(option.tile), option.cell, option.turn, seat)))


def _with_token(table: Table, option: Explore, seat: int, objective: Objective) -> Explore:
    """Add the token that brings at least four points more."""
    table = _with(table, option, seat)
    now, best = _worth(table, seat, objective), option
    for use in uses(table.board, table.tokens, table.tokens_left(seat)):
        laid = replace(table, tokens=(*table.tokens, token(seat, use, table.board)))
        if _worth(laid, seat, objective) >= now + 4:
            now, best = _worth(laid, seat, objective), Explore(option.slot, option.tile, option.cell, option.turn, use)
    return best


def _best_settlement(view: View) -> Settle:
    assert view.viewer is not None
    fit = [p for p in view.prospects if p.refusal is None and (p.points or p.tokens)]
    fit.sort(key=lambda p: -(p.points + _TOKEN_WORTH * (p.tokens > 0)))
    return Settle(tuple(p.sites[0] for p in fit[: view.table.houses_in_hand(view.viewer)]))
