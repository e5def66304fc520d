"""The lists beside the map: the islands, and the bonus tokens with the places where they can be laid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import SimpleNamespace
from typing import NamedTuple, TypeAlias

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.titles.phrases import listing
from games.titles.regions import joined, region
from games.titles.small_islands.board import drawing, wording
from games.titles.small_islands.board.drawing import house_picture, sign
from games.titles.small_islands.board.form import NEW
from games.titles.small_islands.board.wording import name_of
from games.titles.small_islands.rules import exploration
from games.titles.small_islands.rules.components import PORT, RESOURCES, SHIP_FACES, SIDES, Cell
from games.titles.small_islands.rules.islands import Island, Placed, Site, Token, tiles_at
from games.titles.small_islands.rules.notation import ANY, PortToken, TokenUse, write_site, write_use
from games.titles.small_islands.rules.reward import Prospect
from games.titles.small_islands.rules.view import View

_COUNTED = ("flower", "fruit", "leaf", "temple", "port")
_NOT = {
    "island-too-small": _("too small for a House"),
    "mission-not-fulfilled": _("does not fulfil your mission"),
    "house-there-already": _("you have a House there"),
    "no-free-house-symbol": _("no free house place"),
}
"""Why an island brings nothing now."""


class Entry(NamedTuple):
    """All that is said about an island.

    Args:
        name: where its topmost tile lies.
        island: the island.
        residents: the seats that have a House there, with their names.
        gain: for a viewer with an objective: the code of why it brings nothing, points, discovery tokens.
    """

    name: str
    island: Island
    residents: tuple[tuple[int, str], ...]
    gain: tuple[str | None, int, int] | None


def rows(
    view: View, names: Sequence[str], language: str | None, hints: bool = True
) -> tuple[list[SafeString], list[SafeString]]:
    """Return a row for each island, the largest first; those of a single tile apart.

    With hints each says what the viewer's objective would bring.
    """
    found = view.table.islands.all
    hoped = view.prospects if hints and view.table.phase != "over" else ()
    prospects: Sequence[Prospect | None] = hoped or (None,) * len(found)
    pairs = sorted(zip(found, prospects, strict=True), key=lambda pair: -pair[0].size)
    shown = [(island.size, _row(_entry(view, island, gain, names), language)) for island, gain in pairs]
    return [row for size, row in shown if size > 1], [row for size, row in shown if size == 1]


def _entry(view: View, island: Island, prospect: Prospect | None, names: Sequence[str]) -> Entry:
    settled = view.table.residents(island.sites)
    gain = None
    if prospect is not None:  # that it was settled comes first: no other mission changes that
        refusal = "house-there-already" if view.viewer in settled else prospect.refusal
        gain = (refusal, prospect.points, prospect.tokens)
    first = min(island.sites, key=lambda site: site.reading_order)
    name = wording.site_name(first, tiles_at(view.table.board)[first.cell].turn)
    return Entry(name, island, tuple((seat, name_of(seat, names)) for seat in sorted(settled)), gain)


@lru_cache(maxsize=4096)
def _row(entry: Entry, language: str | None) -> SafeString:
    """Return an island as a button, which says everything in one sentence and shows it in numbers and symbols."""
    island, symbols = entry.island, entry.island.symbols
    told = [
        gettext("Island at %(cell)s: %(tiles)s, %(symbols)s")
        % {"cell": entry.name, "tiles": wording.tiles_text(island.size), "symbols": wording.symbols_text(symbols)}
    ]
    if entry.residents:
        told.append(gettext("Houses of %(names)s") % {"names": listing(name for _seat, name in entry.residents)})
    gain: SafeString | str = ""
    if entry.gain is not None:
        refusal, points, tokens = entry.gain
        if refusal is not None:
            told.append(str(_NOT[refusal]))
            gain = format_html('<i class="not">✗ {}</i>', _NOT[refusal])
        else:
            told.append(gettext("now it would score %(gain)s") % {"gain": wording.gain_text(points, tokens)})
            gain = format_html('<i class="yes">✓ {}</i>', f"{tokens} ★" if tokens else f"+{points}")
    first = min(island.sites, key=lambda site: site.reading_order)
    numbers = [("size", island.size), *((name, symbols.of(name)) for name in _COUNTED)]
    drawn = format_html(
        '<li id="isle-{}"><button type="button" class="island" data-land="{}">'
        '<span class="visually-hidden">{}</span><span aria-hidden="true"><b>{}</b>{}{}{}</span></button></li>',
        write_site(first).replace(",", "_").replace(".", "_"),
        " ".join(map(write_site, island.sites)),
        "; ".join(told),
        entry.name,
        joined(format_html("<span>{}{}</span>", sign(name), number) for name, number in numbers if number),
        joined(house_picture(seat) for seat, _name in entry.residents),
        gain,
    )
    return region(drawn)


# --- bonus tokens ---------------------------------------------------------------------------------------------------

Choice: TypeAlias = tuple[str, SafeString]
"""What a token shows, in the notation, and the option of the list that lays it somewhere."""

_SOMEWHERE = Cell(0, 0)


def token_list(view: View, language: str | None) -> SimpleNamespace | None:
    """Return the bonus tokens the viewer has left, as they may be laid; None when there are none.

    `shows` has an option for each thing a token may show; `choices` has, grouped by these, every use that may be sent.
    For the tile being placed these are the uses that are legal on one of the tiles in a turn in which it fits.
    """
    left = view.table.tokens_left(view.viewer) if view.viewer is not None else ()
    if not left:
        return None
    laid: dict[Cell, tuple[Token, ...]] = {}
    for token in view.table.tokens:
        laid[token.site.cell] = (*laid.get(token.site.cell, ()), token)
    lying = sorted({(tile, turn) for tile, places in view.spots.items() for _cell, turn in places})
    options = [_on_new_tile(tuple(lying), left, language)]
    options += (_on_tile(tile, laid.get(tile.cell, ()), left, language) for tile in view.table.board)
    found: dict[str, list[SafeString]] = {}
    for shown, option in chain.from_iterable(options):
        found.setdefault(shown, []).append(option)
    names = [(shown, said) for shown, said in _names(left).items() if shown in found]
    return SimpleNamespace(
        shows=joined(format_html('<option value="{}">{}</option>', *name) for name in names),
        choices=joined(
            format_html('<optgroup label="{}">{}</optgroup>', said, joined(found[shown])) for shown, said in names
        ),
    )


def _shown(use: TokenUse) -> str:
    return write_use(use).partition(" ")[0]


def _names(left: Iterable[str]) -> Mapping[str, str]:
    """Return what these tokens may show, in the notation and in words."""
    names = {name: wording.symbol_name(name) for name in left}
    shown = {name: said for name, said in names.items() if name != ANY}
    if ANY in names:
        template = gettext("any resource, as %(shows)s")
        shown |= {f"{ANY}={name}": template % {"shows": wording.symbol_name(name)} for name in RESOURCES}
    template = gettext("Port, on the back of %(name)s")
    return shown | {f"{name}={PORT}": template % {"name": said} for name, said in names.items()}


def _place(use: TokenUse) -> tuple[Site, str]:
    """Return what a token is laid on and what it covers there, in words; a Port names no region."""
    if isinstance(use, PortToken):
        return Site(use.cell, 0), wording.side_name(SIDES[use.side])
    return use.site, wording.symbol_name(use.over)


@lru_cache(maxsize=4096)
def _on_tile(
    tile: Placed, tokens: tuple[Token, ...], left: tuple[str, ...], language: str | None
) -> tuple[Choice, ...]:
    """Return every use of the tokens left on a tile in play, with its option, which knows its spot on the map."""
    if tile.face in SHIP_FACES:
        return ()
    spots, found = drawing.marks_on(tile, tokens), []
    for use in exploration.uses_on(tile, tokens, left):
        if isinstance(use, PortToken):
            spot = drawing.port_mark(tile.face, tile.turn, use.side)
        else:
            spot = next(mark for mark in spots if (mark.name, mark.region) == (use.over, use.site.region))
        site, what = _place(use)
        said = f"{wording.site_name(site, tile.turn)}: {what}"
        option = format_html('<option value="{}" data-at="{} {}">{}</option>', write_use(use), spot.x, spot.y, said)
        found.append((_shown(use), option))
    return tuple(found)


@lru_cache(maxsize=256)
def _on_new_tile(lying: tuple[tuple[int, int], ...], left: tuple[str, ...], language: str | None) -> tuple[Choice, ...]:
    """Return each use that is legal on one of these tiles in one of their turns, with its option.

    The two lands of a channel are called parts, as its turn is not known yet.
    """
    placed = (Placed(str(tile), _SOMEWHERE, turn, None) for tile, turn in lying)
    uses = {use: None for tile in placed for use in exploration.uses_on_new(tile, left)}
    found = []
    for use in sorted(uses, key=write_use):
        site, what = _place(use)
        value = write_use(use).replace(f" {_SOMEWHERE.x},{_SOMEWHERE.y}", f" {NEW}")
        if site.region:
            part = gettext("part %(number)s") % {"number": site.region}
            said = gettext("the new tile, %(part)s: %(what)s") % {"part": part, "what": what}
            option = format_html('<option value="{}" data-part="{}">{}</option>', value, part, said)
        else:
            said = gettext("the new tile: %(what)s") % {"what": what}
            option = format_html('<option value="{}">{}</option>', value, said)
        found.append((_shown(use), option))
    return tuple(found)
