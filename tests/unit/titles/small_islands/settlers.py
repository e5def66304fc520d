"""A simple player for tests: explores so that tiles close up, lands when it may, settles wherever it can."""

from __future__ import annotations

from games.engine.protocol import Seat
from games.titles.small_islands import GAME
from games.titles.small_islands.rules.components import Objective
from games.titles.small_islands.rules.notation import Action, Choose, Discard, Explore, Land, Settle, Start, notate
from games.titles.small_islands.rules.state import State
from games.titles.small_islands.rules.view import View


def next_text(state: State, seat: int, lands: bool = True) -> str:
    """Return the notation of what the player in this seat does next, from what the seat sees.

    Args:
        state: the position.
        seat: one that may act.
        lands: land as soon as it is possible; otherwise only when nothing else is.
    """
    return notate(_action(GAME.view_for(state, Seat(seat)), lands))


def _action(view: View, lands: bool) -> Action:
    match view.table.phase:
        case "start":
            return _start(view)
        case "choose":
            return Choose(tuple(cards[0] for cards in view.choices), tuple(cards[1] for cards in view.choices))
        case "explore":
            return _landing(view) if view.ships and (lands or not view.table.tiles_up) else _exploration(view)
        case _:
            return _settlement(view)


def _start(view: View) -> Action:
    face, places = next((face, places) for face, places in view.start_spots.items() if places)
    return Start(face, *places[-1])


def _landing(view: View) -> Action:
    return Land(view.ships[0], view.berths[0])


def _exploration(view: View) -> Action:
    spots, fixed = view.spots, {gap.cell: gap.fixed.bit_count() for gap in view.table.placement.gaps}
    row = {tile: slot for slot, tile in enumerate(view.table.row, start=1) if tile is not None}
    found = [(fixed[cell], tile, cell, turn) for tile, places in spots.items() for cell, turn in places]
    if not found:
        return Discard(min(row.values()), view.hand[0])
    _, tile, cell, turn = max(found)
    return Explore(row.get(tile, min(row.values())), tile, cell, turn)


def _settlement(view: View) -> Action:
    assert isinstance(view.objective, Objective)
    open_ones = sorted((it for it in view.prospects if it.refusal is None), key=lambda it: -it.points)
    return Settle(tuple(it.sites[0] for it in open_ones[: view.table.houses_in_hand(view.viewer or 0)]))
