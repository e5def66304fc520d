"""What a player chooses from: face-up tiles, the hand, start tiles, ships, bonus tokens and where they may be laid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import TypeAlias

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.titles.small_islands import bonus, layout, wording
from games.titles.small_islands.bonus import PORTS_ON_A_TILE
from games.titles.small_islands.drawing import joined, picture
from games.titles.small_islands.geometry import SIDES, Cell
from games.titles.small_islands.islands import Site
from games.titles.small_islands.notation import ANY, OWN, PortToken, TokenUse, write_site
from games.titles.small_islands.placement import tiles_at
from games.titles.small_islands.ships import FACE_OF
from games.titles.small_islands.state import Table
from games.titles.small_islands.tiles import FACES, PORT, RESOURCES, SHIP_FACES
from games.titles.small_islands.view import View

Target: TypeAlias = tuple[str, str, int, int]
"""Where a token may be laid: in the notation, in words, and its place on the tile."""

# --- tiles ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def face_up(slot: int, tile: int, active: bool, language: str | None) -> SafeString:
    """Return a face-up tile; a player who may act can take it."""
    name = gettext("Face-up tile %(slot)s: %(tile)s") % {"slot": slot, "tile": wording.face_text(str(tile), language)}
    return _tile("slot", f"{slot}:{tile}", str(tile), name, active=active)


@lru_cache(maxsize=4096)
def own_tile(tile: int, active: bool, language: str | None, fits: bool = True) -> SafeString:
    """Return a tile of the viewer's hand, which can be chosen by a player who may act if it fits somewhere."""
    name = gettext("In your hand: %(tile)s") % {"tile": wording.face_text(str(tile), language)}
    if not fits:
        name = gettext("%(tile)s; it fits nowhere") % {"tile": name}
    return _tile("tile", str(tile), str(tile), name, active=active, fits=fits)


@lru_cache(maxsize=256)
def start_tile(face: str, language: str | None) -> SafeString:
    """Return a side of a start tile, to be placed by hand."""
    name = gettext("Start tile %(face)s: %(tile)s") % {"face": face, "tile": wording.face_text(face, language)}
    return _tile("tile", face, face, name)


@lru_cache(maxsize=64)
def ship(kind: str, seat: int, language: str | None) -> SafeString:
    """Return the ship "own" or "grey", to land with."""
    name = gettext("Your own ship") if kind == OWN else gettext("A grey ship")
    face = f"own-{seat}" if kind == OWN else FACE_OF[kind]
    return _tile("tile", kind, face, name, corners=0)


def _tile(
    field: str, value: str, face: str, said: str, *, active: bool = True, corners: int | None = None, fits: bool = True
) -> SafeString:
    """Return a tile with its radio button, of the class of its corners; only a picture where nothing can be chosen."""
    if not active:
        return format_html('<span class="pick" role="img" aria-label="{}">{}</span>', said, picture(face))
    printed = FACES[face].lying[0].corners if corners is None else corners
    return format_html(
        '<label class="pick"><input type="radio" name="{}" value="{}" id="{}" form="act" class="m{}" aria-label="{}"'
        ' data-land="{}" data-coasts="{}"{}>{}</label>',
        field, value, f"{field}-{value.rpartition(':')[2]}", printed, said,
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


# --- bonus tokens ---------------------------------------------------------------------------------------------------


def token_choices(view: View, language: str | None) -> SimpleNamespace | None:
    """Return the bonus tokens the viewer has left, as they may be laid, and where; None when there are none."""
    left = view.table.tokens_left(view.viewer) if view.viewer is not None else ()
    if not left:
        return None
    return SimpleNamespace(
        uses=_uses(left, language), new=_on_new_tile(view, language), targets=_targets(view.table, left, language)
    )


@lru_cache(maxsize=64)
def _uses(left: tuple[str, ...], language: str | None) -> SafeString:
    shown = [(name, wording.symbol_name(name)) for name in left if name != ANY]
    if ANY in left:
        template = gettext("any resource, as %(shows)s")
        shown += [(f"{ANY}={name}", template % {"shows": wording.symbol_name(name)}) for name in RESOURCES]
    template = gettext("Port, on the back of %(name)s")
    shown += [(f"{name}={PORT}", template % {"name": wording.symbol_name(name)}) for name in left]
    return _options(shown)


def _targets(table: Table, left: tuple[str, ...], language: str | None) -> SafeString:
    """Return tile by tile what a token may be laid over and on which coasts, each with its place on the tile."""
    found: dict[Cell, list[Target]] = {}
    turns = {cell: placed.turn for cell, placed in tiles_at(table.board).items()}
    for where, use in {_where(use): use for use in bonus.uses(table.board, table.tokens, left)}.items():
        mark, site = _mark(table, use), _site(use)
        found.setdefault(site.cell, []).append((where, _said(where, turns[site.cell]), mark.x, mark.y))
    return joined(_group(cell, tuple(targets)) for cell, targets in found.items())


def _said(where: str, turn: int) -> str:
    """Return in words what a token is laid on, with the corner of a channel where it has two lands."""
    site, what = where.split(" ")
    said = wording.side_name(what) if what in SIDES else wording.symbol_name(what)
    _cell, _dot, region = site.partition(".")
    return f"{wording.corner_name(int(region), turn)}: {said}" if region else said


def _where(use: TokenUse) -> str:
    what = SIDES[use.side] if isinstance(use, PortToken) else use.over
    return f"{write_site(_site(use))} {what}"


def _site(use: TokenUse) -> Site:
    """Return what a token is laid on; that of a Port names no region."""
    return Site(use.cell, 0) if isinstance(use, PortToken) else use.site


def _mark(table: Table, use: TokenUse) -> layout.Mark:
    placed = tiles_at(table.board)[_site(use).cell]
    if isinstance(use, PortToken):
        return layout.port_mark(placed.face, placed.turn, use.side)
    shown = layout.standing(placed, table.tokens)
    return next(mark for mark in shown if (mark.name, mark.region) == (use.over, use.site.region))


@lru_cache(maxsize=8192)
def _group(cell: Cell, targets: tuple[Target, ...]) -> SafeString:
    options = (
        format_html('<option value="{}" data-at="{} {}">{}</option>', where, x, y, said)
        for where, said, x, y in targets
    )
    return format_html('<optgroup label="{}">{}</optgroup>', wording.cell_name(cell), joined(options))


def _on_new_tile(view: View, language: str | None) -> SafeString:
    """Return where a token may be laid on one of the tiles that may be placed now."""
    tiles = (*view.hand, *(tile for tile in view.table.row if tile is not None))
    return _new_targets(tuple(sorted(tiles)), language)


@lru_cache(maxsize=256)
def _new_targets(tiles: tuple[int, ...], language: str | None) -> SafeString:
    regions = [region for tile in tiles for region in FACES[str(tile)].regions.values()]
    found = {(region.number, name) for region in regions for name in RESOURCES if region.symbols.of(name)}
    over = [(f"new.{number} {name}".replace(".0", ""), _part(number, name)) for number, name in sorted(found)]
    sides = SIDES if any(region.coasts for region in regions) else ()
    return _options([*over, *((f"new {side}", wording.side_name(side)) for side in sides)])


def _part(number: int, name: str) -> str:
    """Return a resource in words, with the part of the tile where there are two; the turn is not known yet."""
    said = wording.symbol_name(name)
    return gettext("part %(number)s: %(what)s") % {"number": number, "what": said} if number else said


def _options(shown: Sequence[tuple[str, str]]) -> SafeString:
    return joined(format_html('<option value="{}">{}</option>', value, text) for value, text in shown)
