"""Positions for tests, laid out by hand, and playing on from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest

from games.engine.fair import FairChance
from games.engine.protocol import Event, Options, RuleViolation, Seat, Step, Viewer, complete_options
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import PORT, SIDES, Cell
from games.titles.small_islands.rules.islands import Board, Island, Placed, Placement, Site, Token, placement
from games.titles.small_islands.rules.notation import Action
from games.titles.small_islands.rules.rounds import LARGE, REACHES
from games.titles.small_islands.rules.state import House, State, Table

SEED = bytes(range(32))
_TABLE_FIELDS = {field.name for field in fields(Table)}


def begin(seats: int = 2, seed: bytes = SEED, **options: str) -> State:
    """Return the start of a match; alone Alexis plays by the card "morning" if nothing else is said."""
    chosen: Options = {"alexis": "morning", **options} if seats == 1 else options
    return GAME.start(seats, complete_options(GAME, seats, chosen), FairChance(seed, 0)).state


def cell(text: str) -> Cell:
    """Return a cell written "x,y"."""
    x, y = text.split(",")
    return Cell(int(x), int(y))


def site(text: str) -> Site:
    """Return a region written "x,y" or "x,y.1"."""
    where, _, region = text.partition(".")
    return Site(cell(where), int(region or 0))


def tiles(*texts: str) -> Board:
    """Return tiles in play, each written "face x,y turn", perhaps followed by the seat that placed it."""
    return tuple(_tile(*text.split(" ")) for text in texts)


def _tile(face: str, where: str, turn: str, seat: str = "") -> Placed:
    return Placed(face, cell(where), int(turn), int(seat) if seat else None)


def on_large_table(board: Board) -> Placement:
    """Return where there is room on a large table."""
    return placement(board, REACHES[LARGE])


def token(text: str) -> Token:
    """Return a token in play, written "seat name shows x,y spot"."""
    seat, name, shows, where, spot = text.split(" ")
    return Token(int(seat), name, shows, site(where), spot)


def house(seat: int, where: str, points: int = 0) -> House:
    """Return a House in play, placed in the first round for a flat reward."""
    return House(seat, 1, site(where), 1, 9, points)


def position(seats: int = 2, *, seed: bytes = SEED, **changes: Any) -> State:
    """Return a position of the exploration of the first round in which seat 0 is to move.

    Everything not given is as at the start of a match with this seed, with an automatic start and the first cards kept.

    Args:
        seats: how many play.
        seed: of the match.
        changes: fields of the state or of the table; `objective` (one card, or a mission and a reward) is kept by
            everybody.
    """
    advanced = len(changes.get("objective", ())) == 2
    state = begin(seats, seed, mode="advanced" if advanced else "normal")
    kept = tuple(changes.pop("objective", [three[0] for three in state.dealt[0]]))
    aside = tuple(card % 12 + 1 for card in kept)
    state = replace(state, kept=(kept,) * seats, aside=(aside,) * seats)
    table = {"phase": "explore", "chosen": (True,) * seats} | {k: v for k, v in changes.items() if k in _TABLE_FIELDS}
    others = {k: v for k, v in changes.items() if k not in _TABLE_FIELDS}
    return replace(state, table=replace(state.table, **table), **others)


def act(state: State, *texts: str, number: int = 1) -> Step[State]:
    """Let the first seat to move act each time, and return the last step; the first action has this number."""
    step: Step[State] = Step(state, (), reveals=False)
    for n, text in enumerate(texts, start=number):
        step = GAME.apply(step.state, mover(step.state), GAME.parse(text), FairChance(SEED, n))
    return step


def mover(state: State) -> Seat:
    """Return the first seat that may act."""
    return min(GAME.to_move(state))


def refused(state: State, text: str, seat: int | None = None) -> str:
    """Return the code with which the action is refused; the test fails if it is not."""
    actor = mover(state) if seat is None else Seat(seat)
    with pytest.raises(RuleViolation) as caught:
        GAME.apply(state, actor, GAME.parse(text), FairChance(SEED, 1))
    return caught.value.code


def legal(state: State) -> set[str]:
    """Return the notation of everything the first seat to move may do."""
    return {GAME.notate(action) for action in GAME.legal_actions(state, mover(state))}


def choices(state: State, kind: type[Action]) -> list[Action]:
    """Return the actions of one kind that the first seat to move may take."""
    return [action for action in GAME.legal_actions(state, mover(state)) if isinstance(action, kind)]


def kinds(events: Iterable[Event]) -> list[str]:
    """Return the kinds of events in order."""
    return [event.kind for event in events]


def told(step: Step[State], kind: type[Event]) -> list[Any]:
    """Return the events of one kind."""
    return [event for event in step.events if isinstance(event, kind)]


def island_at(state: State, text: str) -> Island:
    """Return the island of a region."""
    return state.table.islands.of(site(text))


def choose_all(state: State, number: int = 1) -> Step[State]:
    """Let everybody who has not chosen keep the first and put aside the second of their cards, and return the last
    step; the first action has this number.
    """
    step: Step[State] = Step(state, (), reveals=False)
    while step.state.table.phase == "choose":
        seat = mover(step.state)
        step = act(step.state, _first_choice(step.state.dealt[seat]), number=number)
        number += 1
    return step


def _first_choice(dealt: Sequence[Sequence[int]]) -> str:
    if len(dealt) == 1:
        return f"choose {dealt[0][0]} {dealt[0][1]}"
    missions, rewards = dealt
    return f"choose m{missions[0]} r{rewards[0]} m{missions[1]} r{rewards[1]}"


def all_tiles(state: State) -> list[int]:
    """Return every landscape tile of the match, wherever it is."""
    table = state.table
    placed = [int(tile.face) for tile in table.board if tile.face.isdigit()]
    row = [tile for tile in table.row if tile is not None]
    return [*placed, *row, *state.deck, *(tile for hand in state.hands for tile in hand)]


def viewers(state: State) -> list[Viewer]:
    """Return every viewer: the spectator, then the seats."""
    return [None, *map(Seat, range(state.table.seats))]


def ports_on(state: State, where: str) -> list[str]:
    """Return the sides of a tile that have Ports, printed ones first."""
    placed = next(tile for tile in state.table.board if tile.cell == cell(where))
    laid = [mark.spot for mark in state.table.tokens if mark.shows == PORT and mark.site.cell == placed.cell]
    return [*(SIDES[side] for side in placed.lying.ports), *laid]
