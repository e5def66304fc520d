"""Lists of matches as pages show them and sockets push them: entry by entry, so that a push carries what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of a list.

    Args:
        name: its id in the page.
        version: what tells this markup from any other of the same entry.
        html: the whole item.
    """

    name: str
    version: str
    html: SafeString


@dataclass(frozen=True, slots=True)
class Listing:
    """A list, and what is shown below it.

    Args:
        entries: in their order.
        more: whether the list was cut off: an entry that is gone from it may only have been pushed off.
        below: markup below the list that changes with it.
    """

    entries: Sequence[Entry]
    more: bool = False
    below: SafeString = field(default_factory=SafeString)

    @property
    def html(self) -> SafeString:
        return mark_safe("".join(entry.html for entry in self.entries))  # noqa: S308  # entries escape what they show


@dataclass(frozen=True, slots=True)
class Sent:
    """What a page was sent of a list: the version of each entry in order, and the rest."""

    versions: Mapping[str, str]
    more: bool
    below: str


def entry(name: str, template: str, key: float, context: Mapping[str, Any], kind: str = "card") -> Entry:
    """Return an item whose inside is made by a template.

    Args:
        name: its id.
        template: a Jinja template.
        key: by which the list is ordered, descending.
        context: of the template.
        kind: the item's classes.
    """
    inside = render_to_string(template, dict(context), using="boards")
    version = f"{crc32(inside.encode()):08x}"
    item = '<li class="{}" id="{}" data-key="{}" data-version="{}">{}</li>\n'
    return Entry(name, version, format_html(item, kind, name, key, version, mark_safe(inside)))  # noqa: S308


def sent(listing: Listing) -> Sent:
    return Sent({it.name: it.version for it in listing.entries}, listing.more, listing.below)


def changes(listing: Listing, before: Sent | None) -> dict[str, Any] | None:
    """Return what to send to a page that was sent `before`; None if it shows the list as it is."""
    now = sent(listing)
    if before is not None and now == before and list(now.versions) == list(before.versions):
        return None
    known = before.versions if before else {}
    return {
        "order": list(now.versions),
        "fresh": {it.name: it.html for it in listing.entries if known.get(it.name) != it.version},
        "more": listing.more,
        "below": listing.below,
    }
