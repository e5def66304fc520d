"""An action in a small picture: the part of the map where it happens, or the objective that is chosen."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.safestring import SafeString

from games.titles.small_islands.board import wording
from games.titles.small_islands.board.map_drawing import Outline, picture
from games.titles.small_islands.board.panels import objective_card
from games.titles.small_islands.rules.components import Cell
from games.titles.small_islands.rules.exploration import laid_token
from games.titles.small_islands.rules.islands import Placed, Token
from games.titles.small_islands.rules.notation import Choose, Explore, Land, Settle, Start, TokenUse, parse
from games.titles.small_islands.rules.state import FACE_OF, House, Table
from games.titles.small_islands.rules.view import View


def pictured(text: str, view: View) -> SafeString:
    """Return an action in a picture, what it places with a frame; empty if it places nothing, or for nobody's seat."""
    action, seat, table = parse(text), view.viewer, view.table
    if seat is None:
        return SafeString()
    match action:
        case Choose():
            drawn = objective_card(action.keep)
        case Explore():
            drawn = _around(table, Placed(str(action.tile), action.cell, action.turn, seat), action.token)
        case Land():
            drawn = _around(table, Placed(FACE_OF[action.ship], action.cell, 0, seat))
        case Start():
            drawn = _around(table, Placed(action.face, action.cell, action.turn, seat))
        case Settle() if action.sites:
            houses = [House(seat, table.round, site, 0, 0, 0) for site in action.sites]
            drawn = _map(table, [site.cell for site in action.sites], houses=houses)
        case _:
            drawn = SafeString()
    return drawn


def _around(table: Table, placed: Placed, use: TokenUse | None = None) -> SafeString:
    """Return a new tile among its neighbours, and the bonus token that is laid with it."""
    if use is None or placed.seat is None:
        return _map(table, [placed.cell], [placed])
    token = laid_token(placed.seat, use, (*table.board, placed))
    return _map(table, [placed.cell, token.site.cell], [placed], [token])


def _map(
    table: Table,
    cells: Collection[Cell],
    placed: Collection[Placed] = (),
    tokens: Collection[Token] = (),
    houses: Collection[House] = (),
) -> SafeString:
    """Return the map around some cells, which are framed, with what is placed there."""
    near = {Cell(x + right, y + down) for x, y in cells for right in (-1, 0, 1) for down in (-1, 0, 1)}
    return picture(
        [each for each in (*table.board, *placed) if each.cell in near],
        [token for token in (*table.tokens, *tokens) if token.site.cell in near],
        [house for house in (*table.houses, *houses) if house.site.cell in near],
        [Outline(cell, "yes") for cell in cells],
        ", ".join(map(wording.cell_name, cells)),
        None,
    )
