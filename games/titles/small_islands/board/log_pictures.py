"""What an action did, in small pictures for the log."""

from __future__ import annotations

from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.engine.protocol import Event
from games.titles.small_islands.rules import events
from games.titles.small_islands.rules.components import OWN_SHIP
from games.titles.small_islands.rules.state import FACE_OF

_TILE = '<svg class="log-picture" viewBox="0 0 100 100"><use href="#face-{}"{}/></svg>'
_SIGN = '<svg class="log-picture" viewBox="-15 -15 30 30"><use href="#{}"/></svg>'


@lru_cache(maxsize=4_000)
def log_picture(event: Event) -> SafeString:
    """Return a tile or a ship as it lies now, a token, or a House."""
    match event:
        case events.TilePlaced():
            return _tile(str(event.tile), event.turn)
        case events.StartTilePlaced():
            return _tile(event.face, event.turn)
        case events.ShipPlaced():
            face = FACE_OF[event.ship]
            return _tile(f"own-{event.seat}" if face == OWN_SHIP else face, 0)
        case _:
            sign = _sign(event)
            return format_html(_SIGN, sign) if sign else SafeString()


def _sign(event: Event) -> str:
    match event:
        case events.TokenLaid():
            return f"sign-{event.shows}"
        case events.HousePlaced():
            return f"house-{event.seat}"
        case events.DiscoveryKept():
            return "sign-discovery"
    return ""


def _tile(face: str, turn: int) -> SafeString:
    turned = format_html(' transform="rotate({} 50 50)" class="r{}"', 90 * turn, turn) if turn else ""
    return format_html(_TILE, face, turned)
