"""What a player chooses from: face-up tiles, the hand, start tiles, ships, bonus tokens and where they may be laid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.titles.small_islands import bonus, layout, wording
from games.titles.small_islands.chart import chart
from games.titles.small_islands.drawing import joined, picture
from games.titles.small_islands.geometry import SIDES
from games.titles.small_islands.islands import Site
from games.titles.small_islands.notation import ANY, OWN, PortToken, ResourceToken, write_site
from games.titles.small_islands.ships import FACE_OF
from games.titles.small_islands.state import Table
from games.titles.small_islands.tiles import FACES, PORT, RESOURCES
from games.titles.small_islands.view import View

# --- tiles ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def face_up(slot: int, tile: int, active: bool, language: str | None) -> SafeString:
    """Return a face-up tile; who may act can take it."""
    name = gettext("Face-up tile %(slot)s: %(tile)s") % {"slot": slot, "tile": wording.face_text(str(tile), language)}
    return _tile("slot", f"{slot}:{tile}", str(tile), name, active=active)


@lru_cache(maxsize=4096)
def own_tile(tile: int, active: bool, language: str | None) -> SafeString:
    """Return a tile of the viewer's hand; who may act can place it."""
    name = gettext("In your hand: %(tile)s") % {"tile": wording.face_text(str(tile), language)}
    return _tile("tile", str(tile), str(tile), name, active=active)


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
    field: str, value: str, face: str, said: str, *, active: bool = True, corners: int | None = None
) -> SafeString:
    """Return a tile with its radio button, of the class of its corners; a picture for who may not act."""
    if not active:
        return format_html('<span class="pick" role="img" aria-label="{}">{}</span>', said, picture(face))
    printed = FACES[face].lying[0].corners if corners is None else corners
    return format_html(
        '<label class="pick"><input type="radio" name="{}" value="{}" id="{}" form="act" class="m{}" aria-label="{}">'
        "{}</label>",
        field, value, f"{field}-{value.rpartition(':')[2]}", printed, said, picture(face),
    )  # fmt: skip


# --- bonus tokens ---------------------------------------------------------------------------------------------------


def token_choices(view: View, language: str | None) -> SimpleNamespace | None:
    """Return the bonus tokens the viewer has left, as they may be laid, and where; None when there are none."""
    left = view.table.tokens_left(view.viewer) if view.viewer is not None else ()
    if not left:
        return None
    coasts, resources = _targets(view.table, left, language)
    return SimpleNamespace(
        uses=_uses(left, language), resources=resources, coasts=coasts, new=_on_new_tile(view, language)
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


def _targets(table: Table, left: tuple[str, ...], language: str | None) -> tuple[SafeString, SafeString]:
    """Return where a Port, and where a resource may be laid on the tiles in play."""
    at, coasts, resources = chart(table.board).at, dict[str, SafeString](), dict[str, SafeString]()
    for use in bonus.uses(table.board, table.tokens, left):
        match use:
            case PortToken(_, cell, side):
                mark = layout.port_mark(at[cell].face, at[cell].turn, side)
                where = f"{cell.x},{cell.y} {SIDES[side]}"
                coasts.setdefault(where, _target(where, layout.on_map(cell, mark), language))
            case ResourceToken(_, _, site, over):
                where = f"{write_site(site)} {over}"
                if where not in resources:
                    resources[where] = _target(where, _spot(table, site, over), language)
    return joined(coasts.values()), joined(resources.values())


def _spot(table: Table, site: Site, over: str) -> tuple[int, int]:
    shown = layout.standing(chart(table.board).at[site.cell], table.tokens)
    mark = next(mark for mark in shown if mark.name == over and mark.region == site.region)
    return layout.on_map(site.cell, mark)


@lru_cache(maxsize=8192)
def _target(where: str, spot: tuple[int, int], language: str | None) -> SafeString:
    place, what = where.split(" ")
    said = wording.side_name(what) if what in SIDES else wording.symbol_name(what)
    return format_html(
        '<option value="{}" data-at="{} {}">{}: {}</option>',
        where,
        *spot,
        place.replace("-", "−").replace(",", ", "),
        said,
    )


def _on_new_tile(view: View, language: str | None) -> SafeString:
    """Return where a token may be laid on the tile that is just being placed."""
    tiles = (*view.hand, *(tile for tile in view.table.row if tile is not None))
    regions = {number for tile in tiles for number in FACES[str(tile)].regions}
    return _new_targets(tuple(sorted(regions)), language)


@lru_cache(maxsize=64)
def _new_targets(regions: tuple[int, ...], language: str | None) -> SafeString:
    shown = []
    for number in regions:
        template = gettext("part %(number)s: %(what)s") if number else "%(what)s"
        site = f"new.{number}" if number else "new"
        shown += [
            (f"{site} {name}", template % {"number": number, "what": wording.symbol_name(name)}) for name in RESOURCES
        ]
    return _options([*shown, *((f"new {side}", wording.side_name(side)) for side in SIDES)])


def _options(shown: Sequence[tuple[str, str]]) -> SafeString:
    return joined(format_html('<option value="{}">{}</option>', value, text) for value, text in shown)
