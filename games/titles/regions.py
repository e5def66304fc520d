"""Regions of a page: elements that can change alone, so that a push carries only what differs.

A template or a function marks an element with an id as a region; regions may lie within each other. What is made of
regions is a `Piece`: markup that knows them. Pieces are cached by what they are made from, so a piece whose inputs are
the same is the same object at the next move, and neither rendered nor compared again. What lies around pieces
(`arranged`) is rendered once for all that is put into it.

`Rendering.since` returns what turns an earlier state of a page into a later one, as htmx's partials. A region whose own
text (all but the regions inside it) is the same is not sent, only what differs inside it. Of a region that differs in
nothing but its attributes these are sent alone. In a list, a region that consists of regions and nothing else, those
that came are added and those that went are taken away.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import count, groupby
from typing import Any, TypeAlias

from django.template import engines
from django.utils.safestring import SafeString

_PLACE = re.compile("\x02([0-9]+)\x03")
"""Where a piece belongs while the template around it is rendered."""

_OPENING = re.compile(r'<(?P<tag>\w+)[^>]*? id="(?P<id>[^"]+)"[^>]*>')


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """An element: its opening tag, the texts around the regions inside it, these regions, and their ids."""

    tag: str
    id: str
    opening: str
    texts: tuple[str, ...]
    inside: tuple[Region, ...]
    ids: tuple[str, ...]

    @property
    def html(self) -> str:
        return self.opening + written(self.texts, self.inside)

    @property
    def is_list(self) -> bool:
        return not "".join(self.texts[1:-1]).strip()

    def has_frame_of(self, other: Region) -> bool:
        return self.texts == other.texts and self.ids == other.ids


def written(texts: Sequence[str], inside: Sequence[Region]) -> str:
    """Return texts with the regions that stand between them."""
    parts = [part for text, each in zip(texts, inside, strict=False) for part in (text, each.html)]
    return "".join((*parts, texts[-1]))


def ids_of(regions: Iterable[Region]) -> tuple[str, ...]:
    """Return the ids of regions, in their order."""
    return tuple(each.id for each in regions)


class Piece(SafeString):
    """Markup that knows its regions: `texts` stand around those `inside`.

    It is its own text, as any safe string. Where `rendered` puts it into a template it stays a piece.
    """

    texts: tuple[str, ...]
    inside: tuple[Region, ...]

    @classmethod
    def of(cls, html: str, texts: Iterable[str], inside: Iterable[Region]) -> Piece:
        piece = cls(html)
        piece.texts, piece.inside = tuple(texts), tuple(inside)
        return piece

    def __html__(self) -> SafeString:  # type: ignore[override]  # as itself, or as its place
        held = _held.get()
        return SafeString(self) if held is None else _place(self, held)


class Rendering:
    """Markup that knows its regions, as a whole what one viewer sees of a match; it never changes."""

    def __init__(self, texts: Sequence[str], inside: Sequence[Region]) -> None:
        self.texts, self.inside = texts, inside

    @classmethod
    def of(cls, template: str, inputs: Mapping[str, Any]) -> Rendering:
        """Render a template, as `rendered`."""
        return cls(*_rendered(template, inputs))

    def __html__(self) -> SafeString:
        held = _held.get()
        return SafeString(self.html) if held is None else _place(self, held)

    @property
    def html(self) -> str:
        return written(self.texts, self.inside)

    def since(self, earlier: Rendering) -> str | None:
        """Return what turns an earlier rendering into this one, as htmx's partials; None if only the whole does."""
        if self.texts != earlier.texts or ids_of(self.inside) != ids_of(earlier.inside):
            return None
        found: list[str] = []
        compare_all(self.inside, earlier.inside, found)
        return "".join(found)


@dataclass(frozen=True, slots=True)
class _Gap:
    """Where a piece is put into a frame."""

    name: str

    def __html__(self) -> SafeString:
        held = _held.get()
        return SafeString() if held is None else _place(self, held)


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    """An element of a frame, with gaps inside or in its opening tag."""

    texts: Sequence[str]
    inside: Sequence[_Part]


_Part: TypeAlias = "Region | _Gap | _Open"

Held: TypeAlias = "dict[int, Piece | Rendering | _Part]"

_places = count()
_held: ContextVar[Held | None] = ContextVar("held", default=None)
"""What belongs at the places in the template that is being rendered."""


def region(html: str) -> Piece:
    """Make an element a region: in templates `{% filter region %}<p id="hint">…</p>{% endfilter %}`.

    Args:
        html: one element, safe already, with an id of its own that has neither commas nor dots.
    """
    around = (html.texts, html.inside) if isinstance(html, Piece) else ((html,), ())
    return Piece.of(html, ("", ""), (_element(*around),))


def in_template(html: str) -> str:
    """Make an element of a template a region, which takes its place in what is being rendered."""
    held = _held.get()
    if held is None:
        return html
    texts, inside = _read(html, held)
    has_gaps = any(isinstance(part, _Gap | _Open) for part in inside)
    return _place(_Open(texts, inside) if has_gaps else _element(texts, inside), held)


def joined(parts: Iterable[str]) -> Piece:
    """Return pieces and safe strings one after the other, as one piece."""
    parts, texts, inside = list(parts), [""], list[Region]()
    for part in parts:
        if isinstance(part, Piece):
            texts[-1] += part.texts[0]
            texts += part.texts[1:]
            inside += part.inside
        else:
            texts[-1] += part
    return Piece.of("".join(parts), texts, inside)


def rendered(template: str, inputs: Mapping[str, Any]) -> Piece:
    """Render a template of the engine "boards"; the pieces among its inputs, and its regions, stay known."""
    texts, inside = _rendered(template, inputs)
    return Piece.of(written(texts, inside), texts, inside)


def _rendered(template: str, inputs: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[Region]]:
    held: Held = {}
    before = _held.set(held)
    try:
        html: str = engines["boards"].env.get_template(template).render(inputs)  # type: ignore[attr-defined]  # Jinja's
    finally:
        _held.reset(before)
    return _read(html, held)


def _place(thing: Piece | Rendering | _Part, held: Held) -> SafeString:
    """Return what takes the place of something until all around it is rendered."""
    place = next(_places)
    held[place] = thing
    return SafeString(f"\x02{place}\x03")


def _read(html: str, held: Held) -> tuple[Sequence[str], Sequence[Any]]:
    """Return the texts and the regions of markup, given what belongs at its places."""
    first, *rest = _PLACE.split(html)
    return _spliced((first, *rest[1::2]), [held[int(place)] for place in rest[::2]])


def _spliced(around: Sequence[str], things: Iterable[Any]) -> tuple[Sequence[str], Sequence[Any]]:
    """Return the texts and the regions of what stands between some texts, and these."""
    texts, inside = [around[0]], list[Any]()
    for thing, text in zip(things, around[1:], strict=True):
        if isinstance(thing, Piece | Rendering):
            texts[-1] += thing.texts[0]
            texts += thing.texts[1:]
            inside += thing.inside
            texts[-1] += text
        else:
            inside.append(thing)
            texts.append(text)
    return texts, inside


def _element(texts: Sequence[str], inside: Sequence[Region]) -> Region:
    """Return the region that some markup is.

    Raises:
        ValueError: it does not begin with an element that has an id.
    """
    first, last = texts[0].lstrip(), texts[-1].rstrip()
    found = _OPENING.match(first)
    if found is None:
        raise ValueError(f"A region begins with an element that has an id, not with {first[:60]!r}.")
    around = (first[found.end() :], *texts[1:-1], last) if inside else (first.rstrip()[found.end() :],)
    return Region(found["tag"], found["id"], found[0], around, tuple(inside), ids_of(inside))


# --- what lies around pieces ------------------------------------------------------------------------------------------


def arranged(template: str, language: str | None, **inputs: Hashable) -> Rendering:
    """Put pieces into a template, which is rendered once for each set of its other inputs.

    Args:
        template: of the engine "boards"; it asks nothing of a piece, and puts it anywhere but into another tag's name.
        language: the active one.
        inputs: the pieces, and all else that the template depends on.
    """
    pieces = {name: each for name, each in inputs.items() if isinstance(each, Piece | Rendering)}
    others = tuple(pair for pair in inputs.items() if pair[0] not in pieces)
    return Rendering(*_filled(*_frame(template, language, tuple(pieces), others), pieces))


@lru_cache(maxsize=20_000)
def cached_piece(template: str, language: str | None, **inputs: Hashable) -> Piece:
    """Return what `arranged` makes as a piece, the same one whenever its inputs are the same."""
    made = arranged(template, language, **inputs)
    return Piece.of(made.html, made.texts, made.inside)


@lru_cache(maxsize=4096)
def _frame(
    template: str, language: str | None, gaps: tuple[str, ...], inputs: tuple[tuple[str, Hashable], ...]
) -> tuple[Sequence[str], Sequence[_Part]]:
    """Render a template with gaps where pieces are to be put."""
    return _rendered(template, {**dict(inputs), **{name: _Gap(name) for name in gaps}})


def _filled(
    texts: Sequence[str], inside: Sequence[_Part], pieces: Mapping[str, Piece | Rendering]
) -> tuple[Sequence[str], Sequence[Region]]:
    return _spliced(texts, [_closed(part, pieces) for part in inside])


def _closed(part: _Part, pieces: Mapping[str, Piece | Rendering]) -> Region | Piece | Rendering:
    if isinstance(part, Region):
        return part
    if isinstance(part, _Gap):
        return pieces[part.name]
    return _element(*_filled(part.texts, part.inside, pieces))


# --- what has changed -------------------------------------------------------------------------------------------------

_DRAWN = frozenset({"g", "use", "foreignObject"})
"""Parts of a drawing, which are read as such only within one."""


def _compare(now: Region, then: Region, found: list[str]) -> None:
    """Add the partials that turn an earlier state of an element into a later one."""
    same_frame = now.has_frame_of(then)
    if not same_frame and not _are_one_list(now, then):
        found.append(_partial(now, "outerMorph", now.html))
        return
    if now.opening != then.opening:
        found.append(_attributes(now))
    compare_all(now.inside, then.inside if same_frame else _listed(now, then, found), found)


def compare_all(now: Iterable[Region], then: Iterable[Region], found: list[str]) -> None:
    """Add the partials that turn the earlier states of some elements into the later ones; both have the same ids."""
    for new, old in zip(now, then, strict=True):
        if new is not old:
            _compare(new, old, found)


def _attributes(region: Region) -> str:
    """Return a partial for the attributes of an element, which makes htmx leave alone what is inside it."""
    alone = f"{region.opening.rstrip('/>')} hx-morph-skip-children></{region.tag}>"
    return _partial(region, "outerMorph", alone if region.inside else min(alone, region.html, key=len))


def _are_one_list(now: Region, then: Region) -> bool:
    """Say whether both are lists between the same texts with something in common."""
    if not now.inside or (now.texts[0], now.texts[-1]) != (then.texts[0], then.texts[-1]):
        return False
    return now.is_list and then.is_list and not set(now.ids).isdisjoint(then.ids)


def _listed(now: Region, then: Region, found: list[str]) -> list[Region]:
    """Add what takes regions away from a list and adds others beside those that stay; return what it then holds."""
    stay = _staying(now.ids, then.ids)
    held = {each.id: each for each in then.inside if each.id in stay}
    found += (_partial(gone, "delete") for gone in then.inside if gone.id not in stay)
    before: Region | None = None
    for is_old, run in groupby(now.inside, lambda each: each.id in stay):
        regions = list(run)
        if not is_old:
            html = "".join(each.html for each in regions)
            beside = before or next(each for each in now.inside if each.id in stay)
            found.append(_partial(beside, "afterend" if before else "beforebegin", html))
        before = regions[-1]
    return [held.get(each.id, each) for each in now.inside]


def _staying(now: tuple[str, ...], then: tuple[str, ...]) -> frozenset[str]:
    """Return the ids that are in both lists, in the same order."""
    common = frozenset(now) & frozenset(then)
    if [each for each in now if each in common] == [each for each in then if each in common]:
        return common
    blocks = SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
    return frozenset(each for start, _, size in blocks for each in then[start : start + size])


def _partial(target: Region, swap: str, html: str = "") -> str:
    if html and target.tag in _DRAWN:
        swap, html = f"{swap} strip:true", f"<svg>{html}</svg>"
    return f'<hx-partial id="{target.id}" hx-swap="{swap}">{html}</hx-partial>'
