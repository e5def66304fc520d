"""The islands in words and numbers: size, symbols, who lives there, and what the viewer's objective would bring."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.titles.phrases import listing
from games.titles.regions import joined, region
from games.titles.small_islands import wording
from games.titles.small_islands.drawing import house_picture, sign
from games.titles.small_islands.islands import Island
from games.titles.small_islands.notation import write_site
from games.titles.small_islands.placement import tiles_at
from games.titles.small_islands.reward import Prospect
from games.titles.small_islands.state import Table
from games.titles.small_islands.telling import name_of
from games.titles.small_islands.view import View

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
    table = view.table
    residents = ((seat, name_of(seat, names)) for seat in sorted(table.residents(island.sites)))
    gain = None if prospect is None else (_refusal(table, view.viewer, prospect), prospect.points, prospect.tokens)
    first = min(island.sites, key=lambda site: site.reading_order)
    name = wording.site_name(first, tiles_at(table.board)[first.cell].turn)
    return Entry(name, island, tuple(residents), gain)


def _refusal(table: Table, viewer: int | None, prospect: Prospect) -> str | None:
    """Return why an island brings nothing: first of all that it was settled, which no other mission changes."""
    return "house-there-already" if viewer in table.residents(prospect.island.sites) else prospect.refusal


@lru_cache(maxsize=4096)
def _row(entry: Entry, language: str | None) -> SafeString:
    first = min(entry.island.sites, key=lambda site: site.reading_order)
    drawn = format_html(
        '<li id="isle-{}"><button type="button" class="island" data-land="{}">'
        '<span class="visually-hidden">{}</span><span aria-hidden="true"><b>{}</b>{}{}{}</span></button></li>',
        write_site(first).replace(",", "_").replace(".", "_"),
        " ".join(map(write_site, entry.island.sites)),
        _text(entry),
        entry.name,
        _counts(entry.island),
        joined(house_picture(seat) for seat, _name in entry.residents),
        _gain(entry.gain, language),
    )
    return region(drawn)


def _text(entry: Entry) -> str:
    """Return everything about an island in one sentence."""
    words = {
        "cell": entry.name,
        "tiles": wording.tiles_text(entry.island.size),
        "symbols": wording.symbols_text(entry.island.symbols),
    }
    told = [gettext("Island at %(cell)s: %(tiles)s, %(symbols)s") % words]
    if entry.residents:
        told.append(gettext("Houses of %(names)s") % {"names": listing(name for _seat, name in entry.residents)})
    if entry.gain is not None:
        told.append(_gain_text(*entry.gain))
    return "; ".join(told)


def _counts(island: Island) -> SafeString:
    numbers = [("size", island.size), *((name, island.symbols.of(name)) for name in _COUNTED)]
    return joined(format_html("<span>{}{}</span>", sign(name), number) for name, number in numbers if number)


def _gain_text(refusal: str | None, points: int, tokens: int) -> str:
    if refusal is not None:
        return str(_NOT[refusal])
    return gettext("now it would score %(gain)s") % {"gain": wording.gain_text(points, tokens)}


def _gain(gain: tuple[str | None, int, int] | None, language: str | None) -> SafeString | str:
    """Return the end of a row: what the island brings now, or a cross and why not."""
    if gain is None:
        return ""
    refusal, points, tokens = gain
    if refusal is not None:
        return format_html('<i class="not">✗ {}</i>', _NOT[refusal])
    return format_html('<i class="yes">✓ {}</i>', f"{tokens} ★" if tokens else f"+{points}")
