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
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import count, groupby
from typing import Any, TypeAlias

from django.template import engines
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
        return self.opening + _written(self.texts, self.inside)

    @property
    def is_list(self) -> bool:
        return not "".join(self.texts[1:-1]).strip()

    def has_frame_of(self, other: _Region) -> bool:
        return self.texts == other.texts and self.ids == other.ids


def _written(texts: Sequence[str], inside: Sequence[_Region]) -> str:
    parts = [part for text, each in zip(texts, inside, strict=False) for part in (text, each.html)]
    return "".join((*parts, texts[-1]))


def _ids(regions: Iterable[_Region]) -> tuple[str, ...]:
    return tuple(each.id for each in regions)


class Piece(SafeString):
    """Markup that knows its regions: `texts` stand around those `inside`.

    It is its own text, as any safe string. Where `rendered` puts it into a template it stays a piece.
    """

    texts: tuple[str, ...]
    inside: tuple[_Region, ...]

    @classmethod
    def of(cls, html: str, texts: Iterable[str], inside: Iterable[_Region]) -> Piece:
        piece = cls(html)
        piece.texts, piece.inside = tuple(texts), tuple(inside)
        return piece

    def __html__(self) -> SafeString:  # type: ignore[override]  # as itself, or as its place
        held = _held.get()
        return SafeString(self) if held is None else _place(self, held)


Held: TypeAlias = dict[int, Piece | _Region]

_places = count()
_held: ContextVar[Held | None] = ContextVar("held", default=None)
"""What stands at the places in the template that is being rendered."""


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
    return html if held is None else _place(_element(*_read(html, held)), held)


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
    return Piece.of("".join(parts), texts, inside)


def rendered(template: str, inputs: Mapping[str, Any]) -> Piece:
    """Render a template of the engine "boards"; the pieces among its inputs, and its regions, stay known."""
    texts, inside = _rendered(template, inputs)
    return Piece.of(_written(texts, inside), texts, inside)


def _rendered(template: str, inputs: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[_Region]]:
    held: Held = {}
    before = _held.set(held)
    try:
        html: str = engines["boards"].env.get_template(template).render(inputs)  # type: ignore[attr-defined]  # Jinja's
    finally:
        _held.reset(before)
    return _read(html, held)


def _place(thing: Piece | _Region, held: Held) -> SafeString:
    """Return what stands for something until all around it is rendered."""
    place = next(_places)
    held[place] = thing
    return SafeString(f"\x02{place}\x03")


def _read(html: str, held: Held) -> tuple[Sequence[str], Sequence[_Region]]:
    """Return the texts and the regions of markup, given what stands at its places."""
    first, *rest = _PLACE.split(html)
    texts, inside = [first], list[_Region]()
    for place, text in zip(rest[::2], rest[1::2], strict=True):
        thing = held[int(place)]
        if isinstance(thing, _Region):
            inside.append(thing)
            texts.append(text)
        else:
            texts[-1] += thing.texts[0]
            texts += thing.texts[1:]
            inside += thing.inside
            texts[-1] += text
    return texts, inside


def _element(texts: Sequence[str], inside: Sequence[_Region]) -> _Region:
    """Return the region that some markup is.

    Raises:
        ValueError: it does not begin with an element that has an id.
    """
    first, last = texts[0].lstrip(), texts[-1].rstrip()
    found = _OPENING.match(first)
    if found is None:
        raise ValueError(f"A region begins with an element that has an id, not with {first[:60]!r}.")
    around = (first[found.end() :], *texts[1:-1], last) if inside else (first.rstrip()[found.end() :],)
    return _Region(found["tag"], found["id"], found[0], around, tuple(inside), _ids(inside))


class Rendering:
    """What one viewer sees of a match; it never changes. `html` is the whole of it."""

    def __init__(self, texts: Sequence[str], inside: Sequence[_Region]) -> None:
        self._texts, self._inside = texts, inside

    @classmethod
    def of(cls, template: str, inputs: Mapping[str, Any]) -> Rendering:
        """Render a template, as `rendered`."""
        return cls(*_rendered(template, inputs))

    @property
    def html(self) -> str:
        return _written(self._texts, self._inside)

    def since(self, earlier: Rendering) -> str | None:
        """Return what turns an earlier rendering into this one, as htmx's partials; None if only the whole does."""
        if self._texts != earlier._texts or _ids(self._inside) != _ids(earlier._inside):
            return None
        found: list[str] = []
        _compare_all(self._inside, earlier._inside, found)
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
    if not now.inside or (now.texts[0], now.texts[-1]) != (then.texts[0], then.texts[-1]):
        return False
    return now.is_list and then.is_list and not set(now.ids).isdisjoint(then.ids)


def _listed(now: _Region, then: _Region, found: list[str]) -> list[_Region]:
    """Add what takes regions away from a list and adds others beside those that stay; return what it then holds."""
    stay = _staying(now.ids, then.ids)
    held = {each.id: each for each in then.inside if each.id in stay}
    found += (_partial(gone, "delete") for gone in then.inside if gone.id not in stay)
    before: _Region | None = None
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


def _partial(target: _Region, swap: str, html: str = "") -> str:
    if html and target.tag in _DRAWN:
        swap, html = f"{swap} strip:true", f"<svg>{html}</svg>"
    return f'<hx-partial id="{target.id}" hx-swap="{swap}">{html}</hx-partial>'
