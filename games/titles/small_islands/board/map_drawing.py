"""The map: tiles, tokens, Houses and ships as they lie, what happened last, and where something may be placed.

It is one SVG. The cells that can be chosen are inputs of the form within it, so they move with the map.
A cell carries the classes `f0` to `f15` of the corners that fit it; which of them shows is left to the script,
or to `board.css` where there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.engine.protocol import Event
from games.titles.regions import Region, joined, region
from games.titles.small_islands.board import wording
from games.titles.small_islands.board.drawing import SIDE, Mark, house_spot, marks_on, on_map, tokens_at
from games.titles.small_islands.board.wording import island_name
from games.titles.small_islands.rules import events
from games.titles.small_islands.rules.components import FACES, GREY_SHIP, OWN_SHIP, SHIP_FACES, Cell
from games.titles.small_islands.rules.islands import Board, Gap, Placed, Placement, Site, Token, tiles_at
from games.titles.small_islands.rules.notation import write_site
from games.titles.small_islands.rules.reward import Prospect
from games.titles.small_islands.rules.rounds import ENDLESS
from games.titles.small_islands.rules.state import House, Table
from games.titles.small_islands.rules.view import View
from games.titles.thumbnails import BOARD, HEIGHT, with_points

_MARGIN, _MARGIN_AT_END = 108, 48
"""Around the tiles: room for another one, which is needed as long as the match goes on."""
_RIM = 36
"""How much is seen of what lies beyond the edge of the table."""
_LEAST = 4 * SIDE
PIXELS = 0.72
"""Pixels to a unit where no script sets the scale: a house spot is just large enough to be touched."""
_VOID = 20_000
"""How far nothing is drawn beyond the edge."""


def frame(table: Table) -> tuple[int, int, int, int]:
    """Return what the map shows: where it begins, and how wide and high it is."""
    margin = _MARGIN_AT_END if table.phase == "over" else _MARGIN
    (left, width), (top, height) = (
        _stretch([placed.cell[axis] for placed in table.board] or [0], margin, table.reach) for axis in (0, 1)
    )
    return left, top, width, height


def _stretch(numbers: Sequence[int], margin: int, reach: int = ENDLESS) -> tuple[int, int]:
    """Return where the map begins along one axis and how long it is: from a few tiles to the rim of the table."""
    start, end = min(numbers) * SIDE - margin, (max(numbers) + 1) * SIDE + margin
    spare = max(0, _LEAST - (end - start)) // 2
    start = max(start - spare, -reach * SIDE - _RIM)
    return start, min(end + spare, (reach + 2) * SIDE + _RIM) - start


def edge(reach: int) -> SafeString:
    """Draw the end of the table."""
    return format_html('<g class="edge" id="edge" data-reach="{}" aria-hidden="true">{}</g>', reach, _edge(reach))


def _edge(reach: int) -> SafeString:
    """Return what lies around the table, and the line where that ends."""
    return format_html(
        '<path class="void" fill-rule="evenodd" d="M{0} {0}h{1}v{1}h-{1}z M{2} {2}h{3}v{3}h-{3}z"/>',
        -_VOID, 2 * _VOID, -reach * SIDE, (2 * reach + 2) * SIDE,
    )  # fmt: skip


# --- what lies there ------------------------------------------------------------------------------------------------


def tiles(board: Board, tokens: tuple[Token, ...]) -> Mapping[str, Region]:
    """Return each tile with the tokens on it."""
    laid = tokens_at(tokens)
    return dict(_lying(placed, laid.get(placed.cell, ())) for placed in board)


@lru_cache(maxsize=8192)  # every move shows the same tiles again
def _lying(placed: Placed, tokens: tuple[Token, ...]) -> tuple[str, Region]:
    if tokens:
        return f"laden-{_named(placed.cell)}", region(laden, placed=placed, tokens=tokens)
    return f"lies-{_named(placed.cell)}", region(tile, placed=placed)


def _named(cell: Cell) -> str:
    return f"{cell.x}_{cell.y}"


def tile(placed: Placed) -> SafeString:
    """Draw a tile without tokens."""
    return _use(placed, marks_on(placed, ()), f"lies-{_named(placed.cell)}")


def laden(placed: Placed, tokens: Sequence[Token]) -> SafeString:
    """Draw a tile with tokens."""
    shown = marks_on(placed, tokens)
    laid = (_token(on_map(placed.cell, mark), mark) for mark in shown if mark.token)
    return format_html('<g id="laden-{}">{}</g>', _named(placed.cell), joined((_use(placed, shown), *laid)))


def _use(placed: Placed, shown: Sequence[Mark], own_id: str = "") -> SafeString:
    """Return a tile with its name: "2, −1, shore: flower, Port"."""
    text, cell = wording.tile_text(FACES[placed.face].shape, shown), wording.cell_name(placed.cell)
    own = format_html(' id="{}"', own_id) if own_id else ""
    return _drawn(placed, format_html('{} role="img" aria-label="{}, {}"', own, cell, text))


def _drawn(placed: Placed, named: str = "") -> SafeString:
    face = f"own-{placed.seat}" if placed.face == OWN_SHIP else placed.face
    (x, y), turn = placed.cell, placed.turn
    turned = format_html(' rotate({} 50 50)" class="r{}', 90 * turn, turn) if turn else ""
    use = '<use href="#face-{}" transform="translate({} {}){}"{}/>'
    return format_html(use, face, x * SIDE, y * SIDE, turned, named)


def _token(spot: tuple[int, int], mark: Mark) -> SafeString:
    return format_html('<use href="#token" x="{0}" y="{1}"/><use href="#sign-{2}" x="{0}" y="{1}"/>', *spot, mark.name)


def homes(table: Table) -> Mapping[str, Region]:
    """Return every House."""
    at = tiles_at(table.board)
    return {
        f"home-{number}": region(
            home, number=number, seat=house.seat, placed=at[house.site.cell], part=house.site.region
        )
        for number, house in enumerate(table.houses, 1)
    }


def home(number: int, seat: int, placed: Placed, part: int) -> SafeString:
    """Draw a House on a region of a tile."""
    spot = house_spot(placed, part)
    return format_html('<use id="home-{}" href="#house-{}" x="{}" y="{}"/>', number, seat, *spot)


def rings(recent: Sequence[Event], table: Table) -> tuple[tuple[int, int, int, bool], ...]:
    """Return for everything that the last action placed whose it is, where it lies, and whether it is small."""
    found = []
    for event in recent:
        if isinstance(event, events.TilePlaced | events.ShipPlaced | events.StartTilePlaced):
            found.append((event.seat, event.cell.x * SIDE, event.cell.y * SIDE, False))
        elif isinstance(event, events.HousePlaced):
            found.append((event.seat, *house_spot(tiles_at(table.board)[event.site.cell], event.site.region), True))
        elif isinstance(event, events.TokenLaid):
            token = Token(event.seat, event.name, event.shows, event.site, event.spot)
            found.append((event.seat, *on_map(event.site.cell, _mark_of(token, table)), True))
    return tuple(found)


def _mark_of(token: Token, table: Table) -> Mark:
    """Return the symbol that a token brought to a tile on which it lies, perhaps on an earlier one."""
    placed, laid = tiles_at(table.board)[token.site.cell], tokens_at(table.tokens)[token.site.cell]
    earlier = laid[: laid.index(token)]
    before, after = marks_on(placed, earlier), marks_on(placed, (*earlier, token))
    return next((mark for mark, covered in zip(after, before, strict=False) if mark != covered), after[-1])


def cells(found: Placement) -> Mapping[str, Region]:
    """Return the empty cells beside tiles."""
    return dict(map(_empty, found.gaps))


@lru_cache(maxsize=8192)
def _empty(gap: Gap) -> tuple[str, Region]:
    return f"gap-{_named(gap.cell)}", region(empty_cell, gap=gap)


def empty_cell(gap: Gap) -> SafeString:
    """Draw an empty cell as a radio button."""
    (x, y), cell = gap.cell, "{},{}".format(*gap.cell)
    fits = " ".join(f"f{corners}" for corners in range(16) if corners & gap.fixed == gap.land)
    text = gettext("%(cell)s, empty") % {"cell": wording.cell_name(gap.cell)}
    return format_html(
        '<foreignObject id="gap-{}" x="{}" y="{}" width="100" height="100"><input type="radio" name="cell" '
        'value="{}" id="cell-{}" form="act" class="cell {}" aria-label="{}"></foreignObject>',
        _named(gap.cell), x * SIDE, y * SIDE, cell, cell, fits, text,
    )  # fmt: skip


# --- pictures for the rules -----------------------------------------------------------------------------------------


class Outline(NamedTuple):
    """A cell that is pointed out: "yes" and "no" for a tile that fits or does not, "near" for what is around one."""

    cell: Cell
    kind: str


def picture(  # noqa: PLR0917  all that can be seen on a map
    board: Sequence[Placed],
    tokens: Sequence[Token],
    houses: Sequence[House],
    outlines: Sequence[Outline],
    name: str,
    reach: int | None,
) -> SafeString:
    """Return a map in one small picture with a name; how far the table reaches is given if its edge is to be seen."""
    at, laid = {placed.cell: placed for placed in board}, tokens_at(tokens)
    shown = ((placed, mark) for placed in board for mark in marks_on(placed, laid.get(placed.cell, ())))
    parts = [_drawn(placed) for placed in board]
    parts += [_token(on_map(placed.cell, mark), mark) for placed, mark in shown if mark.token]
    for house in houses:
        spot = house_spot(at[house.site.cell], house.site.region)
        parts.append(format_html('<use href="#house-{}" x="{}" y="{}"/>', house.seat, *spot))
    parts += [
        format_html('<rect class="{}" x="{}" y="{}" width="96" height="96" rx="3"/>', kind, x * SIDE + 2, y * SIDE + 2)
        for (x, y), kind in outlines
    ]
    cells = [*at, *(cell for cell, _ in outlines)]
    left, top = (min(numbers) * SIDE - 20 for numbers in zip(*cells, strict=True))
    right, bottom = (max(numbers) * SIDE + SIDE + 20 for numbers in zip(*cells, strict=True))
    return format_html(
        '<svg class="scene" role="img" aria-label="{}" viewBox="{} {} {} {}">{}{}</svg>',
        name, left, top, right - left, bottom - top, "" if reach is None else _edge(reach), joined(parts),
    )  # fmt: skip


# --- where a House may be placed ------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A house spot on an island, with that one's number, name and size.

    Args:
        gain: points and discovery tokens that a House there brings; None without hints.
    """

    site: Site
    placed: Placed
    island: int
    called: str
    size: int
    gain: tuple[int, int] | None

    @property
    def name(self) -> str:
        return write_site(self.site)

    @property
    def spot(self) -> tuple[int, int]:
        """Where it is drawn."""
        return house_spot(self.placed, self.site.region)

    @property
    def short(self) -> str:
        """What a House there brings in as few signs as possible, empty without hints."""
        return "" if self.gain is None else wording.gain_in_short(*self.gain)

    @property
    def sign(self) -> str:
        """The same where it is drawn, which has no room to say of how many discovery tokens one is kept."""
        return "★" if self.gain and self.gain[1] else self.short


def house_places(table: Table, prospects: Sequence[Prospect], hints: bool = True) -> tuple[Place, ...]:
    """Return the house spots where a House would be rewarded now, the best first; without hints all free ones."""
    at = tiles_at(table.board)
    fit = [prospect for prospect in prospects if prospect.refusal is None or not hints]
    if hints:
        fit.sort(key=lambda prospect: -(prospect.points + prospect.tokens))
    return tuple(
        Place(
            site,
            at[site.cell],
            number,
            island_name(table.board, found.island),
            found.island.size,
            (found.points, found.tokens) if hints else None,
        )
        for number, found in enumerate(fit)
        for site in found.sites
    )


def house_list(most: int, places: Sequence[Place]) -> SafeString:
    """Draw a list of islands with their house spots to choose from, in the order of the marks on the map."""
    islands = (tuple(found) for _number, found in groupby(places, key=lambda place: place.island))
    return format_html(
        '<fieldset class="places" id="house-places" data-most="{}" aria-label="{}">'
        '<input type="hidden" form="act" name="places" value="1"><ul role="list">{}</ul><label class="none">'
        '<input type="checkbox" name="none" value="1" id="no-house" form="act">{}</label></fieldset>',
        most, gettext("House spots"), joined(map(_island_places, islands)), gettext("No House this time"),
    )  # fmt: skip


def _island_places(places: Sequence[Place]) -> SafeString:
    """Return an island with a checkbox for each of its house spots."""
    first = places[0]
    return format_html(
        '<li><span aria-hidden="true"><b>{}</b> {}</span>{}<i class="yes" aria-hidden="true">{}</i></li>',
        first.called, wording.tiles_text(first.size), joined(map(_house_place, places)), first.short,
    )  # fmt: skip


def _house_place(place: Place) -> SafeString:
    """Return a checkbox."""
    words = {"island": place.called, "cell": wording.site_name(place.site, place.placed.turn)}
    words["tiles"] = wording.tiles_text(place.size)
    text = gettext("House on %(island)s, an island of %(tiles)s, at %(cell)s") % words
    if place.gain is not None:
        words["gain"] = wording.gain_text(*place.gain)
        text = gettext("House on %(island)s, an island of %(tiles)s, at %(cell)s: %(gain)s") % words
    return format_html(
        '<label><input type="checkbox" name="site" value="{0}" id="site-{0}" form="act" class="site"'
        ' data-island="{1}" aria-label="{2}"></label>',
        place.name, place.island, text,
    )  # fmt: skip


# --- thumbnails -----------------------------------------------------------------------------------------------------

_SMALL_MARGIN, _SMALL_EDGE = 30, 4


def thumbnail(view: View) -> SafeString:
    """Return the islands as they lie with Houses and ships, and the points of each seat as far as everybody knows."""
    table = view.table
    at = tiles_at(table.board)
    columns, rows = zip(*(at or [Cell(0, 0)]), strict=True)
    (left, width), (top, height) = _stretch(columns, _SMALL_MARGIN), _stretch(rows, _SMALL_MARGIN)
    houses = []
    for house in table.houses:
        spot = house_spot(at[house.site.cell], house.site.region)
        houses.append(format_html('<use href="#isle-house" x="{}" y="{}" fill="{}"/>', *spot, _colour(house.seat)))
    drawn = format_html(
        '<rect x="{0}" y="{0}" width="{1}" height="{2}" rx="5" fill="light-dark(#7fb6c6, #204a58)"/>'
        '<svg x="{0}" y="{0}" width="{1}" height="{2}" viewBox="{3} {4} {5} {6}">{7}</svg>',
        _SMALL_EDGE, BOARD - 2 * _SMALL_EDGE, HEIGHT - 2 * _SMALL_EDGE,
        left, top, width, height, joined((*map(_small_tile, table.board), *houses)),
    )  # fmt: skip
    return with_points(drawn, [tally.total for tally in view.tallies])


@lru_cache(maxsize=8192)
def _small_tile(placed: Placed) -> SafeString:
    x, y = placed.cell.x * SIDE, placed.cell.y * SIDE
    if placed.face in SHIP_FACES:
        colour = _colour(None if placed.face == GREY_SHIP else placed.seat)
        return format_html('<use href="#isle-ship" x="{}" y="{}" fill="{}"/>', x, y, colour)
    turned = format_html(" rotate({} 50 50)", 90 * placed.turn) if placed.turn else ""
    return format_html('<use href="#isle-{}" transform="translate({} {}){}"/>', FACES[placed.face].shape, x, y, turned)


def _colour(seat: int | None) -> str:
    return "#8d8778" if seat is None else f"var(--seat-{seat + 1})"
