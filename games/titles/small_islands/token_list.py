"""The bonus tokens a player may lay: one list in which each choice is a token together with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import TypeAlias

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.titles.regions import joined
from games.titles.small_islands import bonus, layout, wording
from games.titles.small_islands.composing import NEW
from games.titles.small_islands.geometry import SIDES, Cell
from games.titles.small_islands.islands import Site, Token
from games.titles.small_islands.notation import ANY, PortToken, TokenUse, write_use
from games.titles.small_islands.placement import Placed
from games.titles.small_islands.state import Table
from games.titles.small_islands.tiles import PORT, RESOURCES, SHIP_FACES
from games.titles.small_islands.view import View

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
    found: dict[str, list[SafeString]] = {}
    for shown, option in (*_on_new_tile(view, left, language), *_on_map(view.table, left, language)):
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


# --- on the tiles in play -------------------------------------------------------------------------------------------


def _on_map(table: Table, left: tuple[str, ...], language: str | None) -> Iterator[Choice]:
    laid: dict[Cell, tuple[Token, ...]] = {}
    for token in table.tokens:
        laid[token.site.cell] = (*laid.get(token.site.cell, ()), token)
    for tile in table.board:
        yield from _on_tile(tile, laid.get(tile.cell, ()), left, language)


@lru_cache(maxsize=4096)
def _on_tile(
    tile: Placed, tokens: tuple[Token, ...], left: tuple[str, ...], language: str | None
) -> tuple[Choice, ...]:
    if tile.face in SHIP_FACES:
        return ()
    marks = layout.standing(tile, tokens)
    return tuple((_shown(use), _option(use, tile, marks)) for use in bonus.uses_on(tile, tokens, left))


def _option(use: TokenUse, tile: Placed, marks: Iterable[layout.Mark]) -> SafeString:
    (site, what), mark = _place(use), _mark(use, tile, marks)
    said = f"{wording.site_name(site, tile.turn)}: {what}"
    return format_html('<option value="{}" data-at="{} {}">{}</option>', write_use(use), mark.x, mark.y, said)


def _mark(use: TokenUse, tile: Placed, marks: Iterable[layout.Mark]) -> layout.Mark:
    """Return where on its tile a token is laid."""
    if isinstance(use, PortToken):
        return layout.port_mark(tile.face, tile.turn, use.side)
    return next(mark for mark in marks if (mark.name, mark.region) == (use.over, use.site.region))


# --- on the tile being placed ---------------------------------------------------------------------------------------


def _on_new_tile(view: View, left: tuple[str, ...], language: str | None) -> tuple[Choice, ...]:
    lying = sorted({(tile, turn) for tile, places in view.spots.items() for _cell, turn in places})
    return _options_on_new_tile(tuple(lying), left, language)


@lru_cache(maxsize=256)
def _options_on_new_tile(
    lying: tuple[tuple[int, int], ...], left: tuple[str, ...], language: str | None
) -> tuple[Choice, ...]:
    """Return each use that is legal on one of these tiles in one of their turns, with its option."""
    placed = (Placed(str(tile), _SOMEWHERE, turn, None) for tile, turn in lying)
    uses = {use: None for tile in placed for use in bonus.uses_on_new(tile, left)}
    return tuple((_shown(use), _option_on_new_tile(use)) for use in sorted(uses, key=write_use))


def _option_on_new_tile(use: TokenUse) -> SafeString:
    """Return a use as an option; the two lands of a channel are called parts, as its turn is not known yet."""
    site, what = _place(use)
    value = write_use(use).replace(f" {_SOMEWHERE.x},{_SOMEWHERE.y}", f" {NEW}")
    if not site.region:
        return format_html('<option value="{}">{}</option>', value, gettext("the new tile: %(what)s") % {"what": what})
    part = gettext("part %(number)s") % {"number": site.region}
    said = gettext("the new tile, %(part)s: %(what)s") % {"part": part, "what": what}
    return format_html('<option value="{}" data-part="{}">{}</option>', value, part, said)
