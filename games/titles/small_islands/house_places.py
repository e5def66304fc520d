"""The house places to choose from in the Reward phase: checkboxes in a list, and a mark on the map for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from games.titles.regions import joined
from games.titles.small_islands import wording
from games.titles.small_islands.islands import Site
from games.titles.small_islands.layout import house_mark, on_map
from games.titles.small_islands.notation import write_site
from games.titles.small_islands.placement import Placed, tiles_at
from games.titles.small_islands.reward import Prospect
from games.titles.small_islands.state import Table

_RADIUS = 17
_MIDDLE = 6
"""How far below the middle of a place the line runs on which its words stand."""


def house_places(
    table: Table, prospects: Sequence[Prospect], language: str | None, hints: bool = True
) -> SimpleNamespace:
    """Return the house places where a House would be rewarded now, each with what it would bring.

    Without hints all free ones are returned, whether a House there is allowed or not, and nothing is said of rewards.

    The `list` and the `marks` on the map are in the same order: a mark is the label of a checkbox in the list.
    """
    open_ones = [prospect for prospect in prospects if prospect.refusal is None or not hints]
    found = list(_found(table, _best_first(open_ones) if hints else open_ones))
    return SimpleNamespace(
        list=joined(_row(site, placed, number, prospect, hints) for number, prospect, site, placed in found),
        marks=joined(
            _mark(site, placed, _short(prospect) if hints else "") for _number, prospect, site, placed in found
        ),
    )


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


def _best_first(prospects: Sequence[Prospect]) -> Sequence[Prospect]:
    return sorted(prospects, key=lambda prospect: -(prospect.points + prospect.tokens))


def _found(table: Table, prospects: Sequence[Prospect]) -> Iterator[tuple[int, Prospect, Site, Placed]]:
    at = tiles_at(table.board)
    for number, prospect in enumerate(prospects):
        for site in prospect.sites:
            yield number, prospect, site, at[site.cell]


def _row(site: Site, placed: Placed, number: int, prospect: Prospect, hints: bool) -> SafeString:
    name, tiles = wording.site_name(site, placed.turn), wording.tiles_text(prospect.island.size)
    said = gettext("House on %(cell)s, an island of %(tiles)s") % {"cell": name, "tiles": tiles}
    if hints:
        gain = wording.gain_text(prospect.points, prospect.tokens)
        said = gettext("House on %(cell)s, an island of %(tiles)s: %(gain)s") % {
            "cell": name,
            "tiles": tiles,
            "gain": gain,
        }
    return format_html(
        '<li><label><input type="checkbox" name="site" value="{0}" id="site-{0}" form="act" class="site"'
        ' data-island="{1}" aria-label="{2}"><span aria-hidden="true"><b>{3}</b> {4}</span>'
        '<i class="yes" aria-hidden="true">{5}</i></label></li>',
        write_site(site), number, said, name, tiles, _short(prospect) if hints else "",
    )  # fmt: skip


def _mark(site: Site, placed: Placed, gain: str) -> SafeString:
    x, y = on_map(site.cell, house_mark(placed, site.region))
    return format_html(
        '<g><foreignObject class="touch" x="{}" y="{}" width="{}" height="{}" data-x="{}" data-y="{}">'
        '<label class="house-place" for="site-{}"></label></foreignObject>'
        '<text class="gain" x="{}" y="{}">{}</text></g>',
        x - _RADIUS, y - _RADIUS, 2 * _RADIUS, 2 * _RADIUS, x, y,
        write_site(site), x, y + _MIDDLE, gain,
    )  # fmt: skip


def _short(prospect: Prospect) -> str:
    """Return what a House brings in as few signs as possible."""
    return f"{prospect.tokens} ★" if prospect.tokens else f"+{prospect.points}"
