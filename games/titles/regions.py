"""The regions of a page: elements that can change alone, so that a push carries only what differs.

A template or a function marks an element with an id as a region; regions may lie within each other. What is made of
regions is a `Piece`: markup that knows them. Titles keep pieces by what they are made from, so a piece whose inputs are
the same is the same object at the next move, and neither rendered nor compared again.

When two renderings are compared, a region whose own text (all but the regions inside it) is the same is not sent: only
what differs inside it is. Of a region that differs in nothing but its attributes these are sent alone. In a list, a
region that consists of regions and nothing else, those that came are added and those that went are taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import count, zip_longest
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

_PLACE = re.compile("\x02([0-9]+)\x03")
"""Where a piece stands while the template around it is rendered."""

_OPENING = re.compile(r'<(?P<tag>\w+)[^>]*? id="(?P<id>[^"]+)"[^>]*>')
_DRAWN = frozenset({"g", "use", "foreignObject"})
"""Parts of a drawing, which are read as such only within one."""


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    """An element: its opening tag, the texts around the regions inside it, these regions, and their ids."""

    tag: str
    id: str
    opening: str
    texts: tuple[str, ...]
    inside: tuple[_Region, ...]
    ids: tuple[str, ...]

    @property
    def html(self) -> str:
        pairs = zip_longest(self.texts, (each.html for each in self.inside), fillvalue="")
        return self.opening + "".join(part for pair in pairs for part in pair)

    @property
    def is_list(self) -> bool:
        return not any(text.strip() for text in self.texts[1:-1])

    def has_frame_of(self, other: _Region) -> bool:
        return self.texts == other.texts and self.ids == other.ids


class Piece(SafeString):
    """Markup that knows its regions: `texts` stand around those `inside`.

    It is its own text, as any safe string. Where `rendered` puts it into a template it stays a piece.
    """

    texts: tuple[str, ...]
    inside: tuple[_Region, ...]

    @classmethod
    def of(cls, html: str, texts: tuple[str, ...], inside: tuple[_Region, ...]) -> Piece:
        piece = cls(html)
        piece.texts, piece.inside = texts, inside
        return piece

    def __html__(self) -> SafeString:  # type: ignore[override]  # as itself, or as its place
        held = _held.get()
        if held is None:
            return SafeString(self)
        place = next(_places)
        held[place] = self
        return SafeString(f"\x02{place}\x03")


_places = count()
_held: ContextVar[dict[int, Piece] | None] = ContextVar("held", default=None)
"""The pieces in the template that is being rendered, by their places."""


def region(html: str) -> Piece:
    """Make an element a region: in templates `{% filter region %}<p id="hint">…</p>{% endfilter %}`.

    Args:
        html: one element, safe already, with an id of its own that has neither commas nor dots.
    """
    around = html if isinstance(html, Piece) else _read(str.strip(html), _held.get() or {})
    opening, *others = around.texts
    found = _OPENING.match(opening)
    if found is None:
        raise ValueError(f"A region begins with an element that has an id, not with {opening[:60]!r}.")
    texts, ids = (opening[found.end() :], *others), tuple(each.id for each in around.inside)
    made = _Region(found["tag"], found["id"], found[0], texts, around.inside, ids)
    return Piece.of(around, ("", ""), (made,))


def in_template(html: str) -> str:
    """Return a region as the filter of templates: it takes its place in what is being rendered."""
    return region(html).__html__()


def joined(parts: Iterable[str]) -> Piece:
    """Return pieces and safe strings one after the other, as one piece."""
    parts, texts, inside = list(parts), [""], list[_Region]()
    for part in parts:
        if isinstance(part, Piece):
            texts[-1] += part.texts[0]
            texts += part.texts[1:]
            inside += part.inside
        else:
            texts[-1] += part
    return Piece.of("".join(parts), tuple(texts), tuple(inside))


def rendered(template: str, inputs: Mapping[str, Any]) -> Piece:
    """Render a template of the engine "boards"; the pieces among its inputs, and its regions, stay known."""
    held: dict[int, Piece] = {}
    before = _held.set(held)
    try:
        html = render_to_string(template, inputs, using="boards")
    finally:
        _held.reset(before)
    return _read(html, held)


def _read(html: str, held: Mapping[int, Piece]) -> Piece:
    """Return markup with the pieces in their places."""
    parts: list[str] = _PLACE.split(html)
    if len(parts) == 1:
        return Piece.of(html, (html,), ())
    parts[1::2] = [held[int(place)] for place in parts[1::2]]
    return joined(parts)


class Rendering:
    """What one viewer sees of a match; it never changes. `html` is the whole of it."""

    def __init__(self, piece: Piece) -> None:
        self._root = _Region("", "", "", piece.texts, piece.inside, tuple(each.id for each in piece.inside))

    @property
    def html(self) -> str:
        return self._root.html

    def since(self, earlier: Rendering) -> str | None:
        """Return what turns an earlier rendering into this one, as htmx's partials; None if only the whole does."""
        if not self._root.has_frame_of(earlier._root):
            return None
        found: list[str] = []
        _compare_all(self._root.inside, earlier._root.inside, found)
        return "".join(found)


# --- comparing --------------------------------------------------------------------------------------------------------


def _compare(now: _Region, then: _Region, found: list[str]) -> None:
    """Add the partials that turn an earlier state of an element into a later one."""
    same_frame = now.has_frame_of(then)
    if not same_frame and not _are_one_list(now, then):
        found.append(_partial(now, "outerMorph", now.html))
        return
    if now.opening != then.opening:
        found.append(_attributes(now))
    _compare_all(now.inside, then.inside if same_frame else _listed(now, then, found), found)


def _compare_all(now: Iterable[_Region], then: Iterable[_Region], found: list[str]) -> None:
    for new, old in zip(now, then, strict=True):
        if new is not old:
            _compare(new, old, found)


def _attributes(region: _Region) -> str:
    """Return a partial for the attributes of an element, which makes htmx leave alone what is inside it."""
    alone = f"{region.opening.rstrip('/>')} hx-morph-skip-children></{region.tag}>"
    return _partial(region, "outerMorph", alone if region.inside else min(alone, region.html, key=len))


def _are_one_list(now: _Region, then: _Region) -> bool:
    """Say whether both are lists between the same texts with something in common."""
    ends = (now.texts[0], now.texts[-1]) == (then.texts[0], then.texts[-1])
    return ends and now.is_list and then.is_list and not set(now.ids).isdisjoint(then.ids)


def _listed(now: _Region, then: _Region, found: list[str]) -> list[_Region]:
    """Add what takes regions away from a list and adds others beside those that stay; return what it then holds."""
    made: list[_Region] = []
    steps = SequenceMatcher(None, then.ids, now.ids, autojunk=False).get_opcodes()
    for kind, start, end, first, last in steps:
        if kind == "equal":
            made += then.inside[start:end]
            continue
        found += (_partial(gone, "delete") for gone in then.inside[start:end])
        if added := "".join(new.html for new in now.inside[first:last]):
            beside, swap = (now.inside[first - 1], "afterend") if first else (now.inside[last], "beforebegin")
            found.append(_partial(beside, swap, added))
            made += now.inside[first:last]
    return made


def _partial(target: _Region, swap: str, html: str = "") -> str:
    if html and target.tag in _DRAWN:
        swap, html = f"{swap} strip:true", f"<svg>{html}</svg>"
    return f'<hx-partial id="{target.id}" hx-swap="{swap}">{html}</hx-partial>'
