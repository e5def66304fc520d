"""What lies on the map besides land, explained in a sentence each, and what the Ports of the last action brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _, ngettext

from games.engine.protocol import Event
from games.titles import Scene
from games.titles.phrases import listing
from games.titles.regions import joined
from games.titles.small_islands.board.drawing import sign
from games.titles.small_islands.board.wording import name_of
from games.titles.small_islands.rules import events
from games.titles.small_islands.rules.components import (
    DISCOVERY_TOKENS,
    FACES,
    GREY_SHIP,
    OWN_SHIP,
    PORT,
    SHIPS,
    Cell,
    around,
)
from games.titles.small_islands.rules.notation import GREY, OWN
from games.titles.small_islands.rules.scoring import ports_around
from games.titles.small_islands.rules.state import Table
from games.titles.small_islands.rules.view import View

# --- what each is -----------------------------------------------------------------------------------------------------

_SENTENCES = {
    "port": _("Port: 1 point for each colored ship on the eight cells around it."),
    "ship": _("A player’s own ship: ends the round’s exploration; 1 point for each Port around it."),
    "own": _("Your own ship: ends the round’s exploration; 1 point for each Port around it. You have one per match."),
    "last": _("Your last ship: after this you cannot land."),
    "grey": _("Gray ship: anyone may land with it. It ends the round’s exploration and scores nothing."),
    "token": _("Bonus token: replaces a resource or, turned over, adds a Port."),
    "discovery": _("Discovery token: %(least)s to %(most)s points for temples, secret until the end."),
}
"""By the name in the id, `piece-<name>`, of the sentence, by which controls and the map refer to it."""
_OF_CONTROLS = "own", "last"
"""What controls alone say."""


def pieces() -> SafeString:
    """Draw a list of all that needs an explanation, each with its picture."""
    range_of_tokens = {"least": min(DISCOVERY_TOKENS), "most": max(DISCOVERY_TOKENS)}
    ship = '<svg class="sign" viewBox="0 0 100 100" aria-hidden="true"><use href="#face-{}"/></svg>'
    pictures = {
        "ship": format_html(ship, "own-0"),
        "grey": format_html(ship, GREY_SHIP),
        "token": SafeString(
            '<svg class="sign" viewBox="-16 -16 32 32" aria-hidden="true">'
            '<use href="#token"/><use href="#sign-any"/></svg>'
        ),
    }
    texts = {name: str(text) % range_of_tokens if "%(" in str(text) else text for name, text in _SENTENCES.items()}
    rows = (
        format_html('<li>{} <span id="piece-{}">{}</span></li>', pictures.get(name) or sign(name), name, text)
        for name, text in texts.items()
        if name not in _OF_CONTROLS
    )
    unlisted = format_html_join("", '<span id="piece-{}" hidden>{}</span>', ((it, texts[it]) for it in _OF_CONTROLS))
    return format_html(
        '<details class="pieces" id="pieces"><summary>{}</summary><ul role="list" class="meta">{}</ul>{}</details>',
        gettext("Ships, Ports and tokens"), joined(rows), unlisted,
    )  # fmt: skip


def is_last_ship(view: View) -> bool:
    """Return whether a viewer who may land can do so this once, though other rounds follow."""
    table, ships = view.table, view.ships
    return len(ships) == 1 and table.grey_ships_left == (ships[0] == GREY) and table.round < SHIPS


def before_last_landing(view: View, names: Sequence[str]) -> str:
    """Return what to say before a viewer lands for the last time though other rounds follow; empty before any other."""
    if not is_last_ship(view):
        return ""
    others = (seat for seat in range(view.table.players) if seat != view.viewer and view.table.own_ship_left(seat))
    text = gettext("Your last ship: after this only %(names)s can end a round.")
    return text % {"names": listing(name_of(seat, names) for seat in others)}


# --- what Ports have just brought -------------------------------------------------------------------------------------


def ports_told(scene: Scene) -> str:
    """Return in words for whom the last action brought Ports beside their ship, and what for; empty if for nobody."""
    gained, ships = Counter[int](), _own_ships(scene.view.table)
    for event in scene.recent:
        gained.update(_gained(event, scene.view.table, ships))
    return " ".join(
        ports_text(ports, "" if seat == scene.viewer else name_of(seat, scene.names))
        for seat, ports in sorted(gained.items())
    )


def _own_ships(table: Table) -> Mapping[int, Cell]:
    return {placed.seat: placed.cell for placed in table.board if placed.face == OWN_SHIP and placed.seat is not None}


def _gained(event: Event, table: Table, ships: Mapping[int, Cell]) -> Mapping[int, int]:
    """Return by seat how many Ports an event brought to its own ship; 0 for a ship that has landed beside none."""
    match event:
        case events.ShipPlaced(ship=ship) if ship == OWN:
            return {event.seat: ports_around(table, event.cell)}
        case events.TilePlaced():
            ports = sum(region.symbols.port for region in FACES[str(event.tile)].regions.values())
            return _beside(event.cell, ports, ships)
        case events.TokenLaid(shows=shows) if shows == PORT:
            return _beside(event.site.cell, 1, ships)
        case _:
            return {}


def _beside(cell: Cell, ports: int, ships: Mapping[int, Cell]) -> Mapping[int, int]:
    return {seat: ports for seat, lies in ships.items() if ports and lies in around(cell)}


def ports_text(ports: int, name: str) -> str:
    """Return what Ports bring to the ship of somebody, of the reader if the name is empty."""
    if not ports:
        yours, theirs = gettext("No Port lies around your ship."), gettext("No Port lies around the ship of %(name)s.")
    else:
        yours = ngettext("+%(count)s for a Port around your ship.", "+%(count)s for Ports around your ship.", ports)
        theirs = ngettext(
            "+%(count)s for a Port around the ship of %(name)s.",
            "+%(count)s for Ports around the ship of %(name)s.",
            ports,
        )
    return (theirs if name else yours) % {"count": ports, "name": name}
