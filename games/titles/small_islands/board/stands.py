"""The line above the map: the round, what is left until ships may land, and in the last round what ends the match."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from games.engine.protocol import Viewer
from games.titles.phrases import addressed, listing
from games.titles.small_islands.board.wording import ALEXIS_NAME, name_of
from games.titles.small_islands.rules.components import SHIPS
from games.titles.small_islands.rules.state import NAVIGATION, Table, ships_left
from games.titles.small_islands.rules.view import View


def stands(view: View, names: Sequence[str], reader: Viewer) -> tuple[str, ...]:
    """Return what the line says but for the tiles that are left."""
    table, owners = view.table, _owners(view.table)
    number = gettext("Round %(round)s/4") % {"round": table.round}
    said = [_end(table, names, owners, reader)] if is_last(view) else [number, _ships(table, names, owners, reader)]
    if table.navigation:
        count = table.navigation
        said.append(ngettext("%(count)s tile until landing", "%(count)s tiles until landing", count) % {"count": count})
    elif table.phase == "explore" and not is_last(view) and len(owners) == table.players:
        said.append(gettext("Ships may land"))
    return tuple(said)


def left(view: View) -> int | None:
    """Return how many tiles are left once the last of them ends the match, too; None before: no more are needed."""
    table = view.table
    if is_last(view) and table.phase == "explore" and not table.navigation:
        return view.reserve + sum(tile is not None for tile in table.row)
    return None


def is_last(view: View) -> bool:
    """Return whether no other round can follow."""
    return view.table.phase != "over" and (view.table.round == SHIPS or view.reserve < NAVIGATION)


def _owners(table: Table) -> tuple[int, ...]:
    """Return who still has a ship: one of their own, or a grey one, which is everybody's."""
    return tuple(seat for seat in range(table.players) if ships_left(table, seat))


def _ships(table: Table, names: Sequence[str], owners: tuple[int, ...], reader: Viewer) -> str:
    """Return how many ships are left and, once not everybody has one, whose they are."""
    if 0 < len(owners) < table.players:
        if owners == (reader,):
            return gettext("Only you have a ship left")
        called = (*addressed(names, reader), ALEXIS_NAME)
        if len(owners) == 1:
            return gettext("Only %(name)s has a ship left") % {"name": called[owners[0]]}
        return gettext("Ships left: %(names)s") % {"names": listing(called[seat] for seat in owners)}
    left = table.grey_ships_left + sum(map(table.own_ship_left, range(table.seats)))
    return gettext("Ships: %(count)s") % {"count": left}


def _end(table: Table, names: Sequence[str], owners: tuple[int, ...], reader: Viewer) -> str:
    """Return what ends the last round, and the match: a ship or, once ships may land, the last tile too."""
    if table.phase == "reward":
        return gettext("Last round: the match ends once everyone has placed Houses")
    name = ""
    if len(owners) != 1:
        early = gettext("Last round: once somebody lands, everyone places Houses")
        late = gettext("Last round: once somebody lands or no tile is left, everyone places Houses")
    elif owners[0] == reader:
        early = gettext("Last round: once you land, everyone places Houses")
        late = gettext("Last round: once you land or no tile is left, everyone places Houses")
    else:
        name = name_of(owners[0], names)
        early = gettext("Last round: once %(name)s lands, everyone places Houses")
        late = gettext("Last round: once %(name)s lands or no tile is left, everyone places Houses")
    return (early if table.navigation else late) % {"name": name}


def no_ship(view: View, names: Sequence[str]) -> str:
    """Return why the viewer cannot land now that ships may; empty if they can, or nobody can yet."""
    table = view.table
    if table.navigation or view.viewer is None or (view.ships and view.berths):
        return ""
    if view.ships:
        return gettext("You cannot land: no cell has room for a ship.")
    owners = _owners(table)
    if len(owners) == 1:
        return gettext("You cannot land: only %(name)s has a ship left.") % {"name": name_of(owners[0], names)}
    return gettext("You cannot land: your ship has landed, and no gray one is left.")
