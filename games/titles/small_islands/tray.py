"""The tiles a player chooses from: face-up tiles, the hand, start tiles, ships."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.titles.regions import region
from games.titles.small_islands import layout, wording
from games.titles.small_islands.bonus import PORTS_ON_A_TILE
from games.titles.small_islands.drawing import picture
from games.titles.small_islands.notation import OWN
from games.titles.small_islands.ships import FACE_OF
from games.titles.small_islands.tiles import FACES, RESOURCES, SHIP_FACES


@lru_cache(maxsize=4096)
def face_up(slot: int, tile: int | None, seated: bool, language: str | None) -> SafeString:
    """Return a face-up tile, which players can take in their turn, or its empty slot."""
    if tile is None:
        return region(format_html('<i class="slot" id="up-{}"></i>', slot))
    name = gettext("Face-up tile %(slot)s: %(tile)s") % {"slot": slot, "tile": wording.face_text(str(tile), language)}
    return region(_tile("slot", f"{slot}:{tile}", str(tile), name, own_id=f"up-{slot}", active=seated))


@lru_cache(maxsize=4096)
def own_tile(tile: int, active: bool, language: str | None, fits: bool = True) -> SafeString:
    """Return a tile of the viewer's hand, which can be chosen by a player who may act if it fits somewhere."""
    name = gettext("In your hand: %(tile)s") % {"tile": wording.face_text(str(tile), language)}
    if not fits:
        name = gettext("%(tile)s; it fits nowhere") % {"tile": name}
    return region(_tile("tile", str(tile), str(tile), name, own_id=f"held-{tile}", active=active, fits=fits))


@lru_cache(maxsize=4096)
def open_tile(tile: int, language: str | None) -> SafeString:
    """Return a tile of a hand that everybody may see."""
    return _tile("tile", str(tile), str(tile), wording.face_text(str(tile), language), active=False)


def taken(row: Sequence[int | None]) -> list[SafeString]:
    """Return the face-up tiles as they are shown among one's own: the one that is taken may be placed at once."""
    return [_taken(slot, tile) for slot, tile in enumerate(row, start=1) if tile is not None]


@lru_cache(maxsize=1024)
def _taken(slot: int, tile: int) -> SafeString:
    return region(format_html(
        '<svg class="tile" id="taken-{}" viewBox="0 0 100 100" aria-hidden="true"><use href="#face-{}"/></svg>',
        slot, tile,
    ))  # fmt: skip


@lru_cache(maxsize=256)
def start_tile(face: str, language: str | None) -> SafeString:
    """Return a side of a start tile, to be placed by hand."""
    name = gettext("Start tile %(face)s: %(tile)s") % {"face": face, "tile": wording.face_text(face, language)}
    return region(_tile("tile", face, face, name, own_id=f"start-{face}"))


@lru_cache(maxsize=64)
def ship(kind: str, seat: int, language: str | None) -> SafeString:
    """Return the ship "own" or "grey", to land with."""
    name = gettext("Your own ship") if kind == OWN else gettext("A grey ship")
    face = f"own-{seat}" if kind == OWN else FACE_OF[kind]
    return region(_tile("tile", kind, face, name, own_id=f"ship-{kind}", corners=0))


def _tile(
    field: str,
    value: str,
    face: str,
    said: str,
    *,
    own_id: str = "",
    active: bool = True,
    corners: int | None = None,
    fits: bool = True,
) -> SafeString:
    """Return a tile with its radio button, of the class of its corners; only a picture where nothing can be chosen."""
    named = format_html(' id="{}"', own_id) if own_id else ""
    if not active:
        return format_html('<span class="pick"{} role="img" aria-label="{}">{}</span>', named, said, picture(face))
    printed = FACES[face].lying[0].corners if corners is None else corners
    return format_html(
        '<label class="pick"{}><input type="radio" name="{}" value="{}" id="{}" form="act" class="m{}" aria-label="{}"'
        ' data-land="{}" data-coasts="{}"{}>{}</label>',
        named, field, value, f"{field}-{value.rpartition(':')[2]}", printed, said,
        *_token_places(face), "" if fits else mark_safe(" disabled"), picture(face),
    )  # fmt: skip


@cache
def _token_places(face: str) -> tuple[str, str]:
    """Return where a bonus token may be laid on a face as printed, for the script.

    The first says "leaf 0 33 27;.." for each resource: its name, region and place; the second "1 0;.." for each free
    coast: its side and region. Both are empty where none may be laid.
    """
    if face not in FACES or face in SHIP_FACES:
        return "", ""
    found = FACES[face]
    land = (
        f"{mark.name} {mark.region} {mark.x} {mark.y}" for mark in layout.printed_marks(face) if mark.name in RESOURCES
    )
    lying = found.lying[0]
    free = [side for side in lying.coasts if side not in lying.ports] if len(lying.ports) < PORTS_ON_A_TILE else []
    coasts = ((side, layout.port_mark(face, 0, side)) for side in sorted(free))
    return ";".join(land), ";".join(f"{side} {mark.x} {mark.y}" for side, mark in coasts)
