"""The map: tiles, tokens, Houses and ships as they lie, what happened last, and where something may be placed.

It is one SVG. The cells that can be chosen are inputs of the form within it, so they move with the map.
A cell carries the classes `f0` to `f15` of the corners that fit it; which of them shows is left to the script,
or to `board.css` where there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.engine.protocol import Event
from games.titles.regions import joined, region
from games.titles.small_islands.board import wording
from games.titles.small_islands.board.drawing import SIDE, Mark, house_mark, marks_on, on_map
from games.titles.small_islands.rules import events
from games.titles.small_islands.rules.components import FACES, GREY_SHIP, OWN_SHIP, SHIP_FACES, Cell
from games.titles.small_islands.rules.islands import Gap, Placed, Site, Token, tiles_at
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
_PLAIN = 0.72
"""Pixels to a unit where no script sets the scale: a house place is just large enough to be touched."""
_VOID = 20_000
"""How far the void is drawn beyond the edge."""


def draw(table: Table, recent: Sequence[Event], seated: bool, language: str | None) -> SimpleNamespace:
    """Return the map with what lies there; for players also the cells they choose from when it is their turn.

    Args:
        table: what lies there.
        recent: the events of the last action, which are pointed out.
        seated: the viewer is a player.
        language: the reader's, which is active.
    """
    at = tiles_at(table.board)
    margin = _MARGIN_AT_END if table.phase == "over" else _MARGIN
    left, width = _stretch([cell.x for cell in at] or [0], margin, table.reach)
    top, height = _stretch([cell.y for cell in at] or [0], margin, table.reach)
    tokens: dict[Cell, tuple[Token, ...]] = {}
    for token in table.tokens:
        tokens[token.site.cell] = (*tokens.get(token.site.cell, ()), token)
    houses = []
    for number, house in enumerate(table.houses, 1):
        x, y = on_map(house.site.cell, house_mark(at[house.site.cell], house.site.region))
        home = format_html('<use id="home-{}" href="#house-{}" x="{}" y="{}"/>', number, house.seat, x, y)
        houses.append(region(home))
    return SimpleNamespace(
        frame=f"{left} {top} {width} {height}",
        left=left,
        top=top,
        digits=width // 30,
        width=round(width * _PLAIN),
        height=round(height * _PLAIN),
        edge="" if table.reach == ENDLESS else _edge(table.reach),
        tiles=joined(
            _with_tokens(placed, tokens[placed.cell], language) if placed.cell in tokens else _tile(placed, language)
            for placed in table.board
        ),
        houses=joined(houses),
        last=joined(_rings(recent, at)),
        cells=joined(_cell(gap, language) for gap in table.placement.gaps) if seated and table.phase != "over" else "",
    )


def _stretch(numbers: Sequence[int], margin: int, reach: int) -> tuple[int, int]:
    """Return where the map begins along one axis and how long it is.

    There is room for a few tiles at least; of what lies beyond the edge of the table only the rim is shown.
    """
    start, end = min(numbers) * SIDE - margin, (max(numbers) + 1) * SIDE + margin
    spare = max(0, _LEAST - (end - start)) // 2
    start = max(start - spare, -reach * SIDE - _RIM)
    return start, min(end + spare, (reach + 2) * SIDE + _RIM) - start


@cache
def _edge(reach: int) -> SafeString:
    """Return the end of the world: the void around the table, and the rim over which the sea falls."""
    start, length = -reach * SIDE, (2 * reach + 2) * SIDE
    return format_html(
        '<path class="void" fill-rule="evenodd" d="M{0} {0}h{1}v{1}h-{1}z M{2} {2}h{3}v{3}h-{3}z"/>'
        '<path class="stars" fill-rule="evenodd" d="M{0} {0}h{1}v{1}h-{1}z M{2} {2}h{3}v{3}h-{3}z"/>'
        '<rect class="falls" x="{2}" y="{2}" width="{3}" height="{3}"/>'
        '<rect class="rim" x="{2}" y="{2}" width="{3}" height="{3}"/>',
        -_VOID, 2 * _VOID, start, length,
    )  # fmt: skip


# --- what lies there ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8192)
def _tile(placed: Placed, language: str | None) -> SafeString:
    return region(_use(placed, tuple(marks_on(placed, ())), language, f"lies-{_named(placed.cell)}"))


def _named(cell: Cell) -> str:
    return f"{cell.x}_{cell.y}"


@lru_cache(maxsize=2048)
def _with_tokens(placed: Placed, tokens: tuple[Token, ...], language: str | None) -> SafeString:
    shown = tuple(marks_on(placed, tokens))
    laid = (_token(on_map(placed.cell, mark), mark) for mark in shown if mark.token)
    drawn = joined((_use(placed, shown, language), *laid))
    return region(format_html('<g id="laden-{}">{}</g>', _named(placed.cell), drawn))


def _use(placed: Placed, shown: tuple[Mark, ...], language: str | None, name: str = "") -> SafeString:
    """Return a tile with its name: "2, −1, shore: flower, Port"."""
    text = wording.tile_text(FACES[placed.face].shape, shown, language)
    own_id = format_html(' id="{}"', name) if name else ""
    named = format_html('{} role="img" aria-label="{}, {}"', own_id, wording.cell_name(placed.cell), text)
    return _drawn(placed, named)


def _drawn(placed: Placed, named: str = "") -> SafeString:
    face = f"own-{placed.seat}" if placed.face == OWN_SHIP else placed.face
    (x, y), turn = placed.cell, placed.turn
    turned = format_html(' rotate({} 50 50)" class="r{}', 90 * turn, turn) if turn else ""
    return format_html(
        '<use href="#face-{}" transform="translate({} {}){}"{}/>', face, x * SIDE, y * SIDE, turned, named
    )


def _token(spot: tuple[int, int], mark: Mark) -> SafeString:
    return format_html('<use href="#token" x="{0}" y="{1}"/><use href="#sign-{2}" x="{0}" y="{1}"/>', *spot, mark.name)


def _rings(recent: Sequence[Event], at: Mapping[Cell, Placed]) -> Iterator[SafeString]:
    """Yield a ring around everything that the last action placed."""
    for event in recent:
        if isinstance(event, events.TilePlaced | events.ShipPlaced | events.StartTilePlaced):
            x, y = event.cell.x * SIDE + 2, event.cell.y * SIDE + 2
            yield format_html('<rect class="s{}" x="{}" y="{}" width="96" height="96" rx="3"/>', event.seat, x, y)
        elif isinstance(event, events.HousePlaced):
            x, y = on_map(event.site.cell, house_mark(at[event.site.cell], event.site.region))
            yield format_html('<circle class="s{}" cx="{}" cy="{}" r="19"/>', event.seat, x, y)


@lru_cache(maxsize=4096)
def _cell(gap: Gap, language: str | None) -> SafeString:
    """Return an empty cell as a radio button."""
    x, y = gap.cell
    fits = " ".join(f"f{corners}" for corners in range(16) if corners & gap.fixed == gap.land)
    text = gettext("%(cell)s, empty") % {"cell": wording.cell_name(gap.cell)}
    return region(format_html(
        '<foreignObject id="gap-{}" x="{}" y="{}" width="100" height="100"><input type="radio" name="cell" '
        'value="{},{}" id="cell-{},{}" form="act" class="cell {}" aria-label="{}"></foreignObject>',
        _named(gap.cell), x * SIDE, y * SIDE, x, y, x, y, fits, text,
    ))  # fmt: skip


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
    """Return tiles with what lies on them in one small picture with a name.

    Args:
        board: the tiles.
        tokens: the bonus tokens.
        houses: the Houses.
        outlines: the cells that are pointed out.
        name: what can be seen, in words.
        reach: how far the table reaches if its edge is to be seen, else None.
    """
    at = {placed.cell: placed for placed in board}
    parts = [_drawn(placed) for placed in board]
    for placed in board:
        marks = marks_on(placed, [token for token in tokens if token.site.cell == placed.cell])
        parts += [_token(on_map(placed.cell, mark), mark) for mark in marks if mark.token]
    for house in houses:
        x, y = on_map(house.site.cell, house_mark(at[house.site.cell], house.site.region))
        parts.append(format_html('<use href="#house-{}" x="{}" y="{}"/>', house.seat, x, y))
    parts += [
        format_html('<rect class="{}" x="{}" y="{}" width="96" height="96" rx="3"/>', kind, x * SIDE + 2, y * SIDE + 2)
        for (x, y), kind in outlines
    ]
    cells = [*at, *(cell for cell, _ in outlines)]
    left, top = (min(numbers) * SIDE - 20 for numbers in zip(*cells, strict=True))
    right, bottom = (max(numbers) * SIDE + SIDE + 20 for numbers in zip(*cells, strict=True))
    return format_html(
        '<svg class="scene" role="img" aria-label="{}" viewBox="{}">{}{}</svg>',
        name,
        f"{left} {top} {right - left} {bottom - top}",
        "" if reach is None else _edge(reach),
        joined(parts),
    )


# --- where a House may be placed ------------------------------------------------------------------------------------

_RADIUS = 17
_MIDDLE = 6
"""How far below the middle of a place the line runs on which its words stand."""


def house_places(
    table: Table, prospects: Sequence[Prospect], language: str | None, hints: bool = True
) -> SimpleNamespace:
    """Return the house places where a House would be rewarded now, each with what it would bring, the best first.

    Without hints all free ones are returned, whether a House there is allowed or not, and nothing is said of rewards.

    The `list` and the `marks` on the map are in the same order: a mark is the label of a checkbox in the list.
    """
    at, rows, marks = tiles_at(table.board), list[SafeString](), list[SafeString]()
    fit = [prospect for prospect in prospects if prospect.refusal is None or not hints]
    if hints:
        fit.sort(key=lambda prospect: -(prospect.points + prospect.tokens))
    for number, prospect in enumerate(fit):
        short = ""
        if hints:
            short = f"{prospect.tokens} ★" if prospect.tokens else f"+{prospect.points}"
        for site in prospect.sites:
            placed = at[site.cell]
            rows.append(_house_place(site, wording.site_name(site, placed.turn), number, prospect, short))
            x, y = on_map(site.cell, house_mark(placed, site.region))
            marks.append(format_html(
                '<g><foreignObject class="touch" x="{}" y="{}" width="{}" height="{}" data-x="{}" data-y="{}">'
                '<label class="house-place" for="site-{}"></label></foreignObject>'
                '<text class="gain" x="{}" y="{}">{}</text></g>',
                x - _RADIUS, y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS, x, y,
                write_site(site), x, y + _MIDDLE, short,
            ))  # fmt: skip
    return SimpleNamespace(list=joined(rows), marks=joined(marks))


def _house_place(site: Site, name: str, number: int, prospect: Prospect, short: str) -> SafeString:
    """Return a checkbox; `short` is what a House there brings in as few signs as possible, empty without hints."""
    words = {"cell": name, "tiles": wording.tiles_text(prospect.island.size)}
    text = gettext("House on %(cell)s, an island of %(tiles)s") % words
    if short:
        words["gain"] = wording.gain_text(prospect.points, prospect.tokens)
        text = gettext("House on %(cell)s, an island of %(tiles)s: %(gain)s") % words
    return format_html(
        '<li><label><input type="checkbox" name="site" value="{0}" id="site-{0}" form="act" class="site"'
        ' data-island="{1}" aria-label="{2}"><span aria-hidden="true"><b>{3}</b> {4}</span>'
        '<i class="yes" aria-hidden="true">{5}</i></label></li>',
        write_site(site), number, text, name, words["tiles"], short,
    )  # fmt: skip


def no_place(prospects: Sequence[Prospect], hints: bool = True) -> str:
    """Return in a sentence why no House can be placed; without hints nothing is said of the mission."""
    fit = {prospect.refusal for prospect in prospects} - {"island-too-small", "mission-not-fulfilled"}
    if not hints:
        return gettext("No island has a free house place.")
    if not fit:
        return gettext("No island of two tiles or more fulfils your mission.")
    if fit == {"house-there-already"}:
        return gettext("You already have a House on every island that fulfils your mission.")
    return gettext("No island that fulfils your mission has room for another House of yours.")


# --- thumbnails -----------------------------------------------------------------------------------------------------

_SMALL_MARGIN, _SMALL_EDGE = 30, 4


def thumbnail(view: View) -> SafeString:
    """Return the islands as they lie with Houses and ships, and the points of each seat as far as everybody knows."""
    table = view.table
    at = tiles_at(table.board)
    columns, rows = zip(*(at or [Cell(0, 0)]), strict=True)
    (left, width), (top, height) = _small_stretch(columns), _small_stretch(rows)
    houses = []
    for house in table.houses:
        x, y = on_map(house.site.cell, house_mark(at[house.site.cell], house.site.region))
        houses.append(format_html('<use href="#isle-house" x="{}" y="{}" fill="{}"/>', x, y, _colour(house.seat)))
    drawn = format_html(
        '<rect x="{0}" y="{0}" width="{1}" height="{2}" rx="5" fill="light-dark(#7fb6c6, #204a58)"/>'
        '<svg x="{0}" y="{0}" width="{1}" height="{2}" viewBox="{3} {4} {5} {6}">{7}</svg>',
        _SMALL_EDGE,
        BOARD - 2 * _SMALL_EDGE,
        HEIGHT - 2 * _SMALL_EDGE,
        left,
        top,
        width,
        height,
        mark_safe("".join((*map(_small_tile, table.board), *houses))),  # noqa: S308  every part is safe
    )
    return with_points(drawn, [tally.total for tally in view.tallies])


def _small_stretch(numbers: Sequence[int]) -> tuple[int, int]:
    """Return where the map begins along one axis and how long it is, with room for a few tiles at least."""
    length = (max(numbers) - min(numbers) + 1) * SIDE + 2 * _SMALL_MARGIN
    spare = max(0, _LEAST - length) // 2
    return min(numbers) * SIDE - _SMALL_MARGIN - spare, length + 2 * spare


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
