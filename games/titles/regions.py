"""The regions of a page: elements that can change alone, so that a push carries only what differs.

A template or a function marks an element with an id as a region; regions may lie within each other. When two renderings
are compared, a region whose own text (all but the regions inside it) is the same is not sent: only what differs inside
it is. Of a region that differs in nothing but its attributes these are sent alone. In a list, a region that consists of
regions and nothing else, those that came are added and those that went are taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import zip_longest

from django.utils.safestring import SafeString, mark_safe

BEGIN, END = "\x02", "\x03"
"""What surrounds a region in a rendering; both are taken out of what is sent."""

_MARK = re.compile(f"([{BEGIN}{END}])")
_OPENING = re.compile(r'<(?P<tag>\w+)[^>]*? id="(?P<id>[^"]+)"[^>]*>')
_DRAWN = frozenset({"g", "use", "foreignObject"})
"""Parts of a drawing, which are read as such only within one."""


def region(html: str) -> SafeString:
    """Mark an element as a region: `{% filter region %}<p id="hint">…</p>{% endfilter %}`.

    Args:
        html: one element, safe already, with an id of its own that has neither commas nor dots.
    """
    return mark_safe(f"{BEGIN}{html.strip()}{END}")  # noqa: S308  # marks are no markup


class Rendering:
    """What one viewer sees of a match; it never changes. `html` is the whole of it."""

    def __init__(self, marked: str) -> None:
        self._marked = marked

    @property
    def html(self) -> str:
        return self._marked.replace(BEGIN, "").replace(END, "")

    @cached_property
    def _root(self) -> _Region:
        return _read(self._marked)

    def since(self, earlier: Rendering) -> str | None:
        """Return what turns an earlier rendering into this one, as htmx's partials; None if only the whole does."""
        now, then = self._root, earlier._root
        return "".join(_changes_inside(now, then)) if now.has_frame_of(then) else None


# --- reading ----------------------------------------------------------------------------------------------------------


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


def _read(marked: str) -> _Region:
    """Return a rendering as a tree, whose root has no tag."""
    levels: list[tuple[list[str], list[_Region]]] = [([], [])]
    for piece in _MARK.split(marked):
        if piece == BEGIN:
            levels.append(([], []))
        elif piece == END:
            texts, inside = levels.pop()
            levels[-1][1].append(_element(tuple(texts), tuple(inside)))
        else:
            levels[-1][0].append(piece)
    texts, inside = levels.pop()
    return _Region("", "", "", tuple(texts), tuple(inside), tuple(each.id for each in inside))


@lru_cache(maxsize=20_000)
def _element(texts: tuple[str, ...], inside: tuple[_Region, ...]) -> _Region:
    """Return a region; one that has not changed is the same object in the next rendering, which is quickly compared."""
    found = _OPENING.match(texts[0])
    if found is None:
        raise ValueError(f"A region begins with an element that has an id, not with {texts[0][:60]!r}.")
    around = (texts[0][found.end() :], *texts[1:])
    return _Region(found["tag"], found["id"], found[0], around, inside, tuple(each.id for each in inside))


# --- comparing --------------------------------------------------------------------------------------------------------


def _changes(now: _Region, then: _Region) -> Iterator[str]:
    """Yield the partials that turn an earlier state of an element into a later one."""
    if now is then:
        return
    same_frame = now.has_frame_of(then)
    if not same_frame and not _are_one_list(now, then):
        yield _partial(now, "outerMorph", now.html)
        return
    if now.opening != then.opening:
        yield _attributes(now)
    yield from _changes_inside(now, then) if same_frame else _changes_of_list(now, then)


def _changes_inside(now: _Region, then: _Region) -> Iterator[str]:
    for new, old in zip(now.inside, then.inside, strict=True):
        yield from _changes(new, old)


def _attributes(region: _Region) -> str:
    """Return a partial for the attributes of an element, which makes htmx leave alone what is inside it."""
    alone = f"{region.opening.rstrip('/>')} hx-morph-skip-children></{region.tag}>"
    return _partial(region, "outerMorph", alone if region.inside else min(alone, region.html, key=len))


def _are_one_list(now: _Region, then: _Region) -> bool:
    """Say whether both are lists between the same texts with something in common."""
    ends = (now.texts[0], now.texts[-1]) == (then.texts[0], then.texts[-1])
    return ends and now.is_list and then.is_list and not set(now.ids).isdisjoint(then.ids)


def _changes_of_list(now: _Region, then: _Region) -> Iterator[str]:
    """Yield what takes away and adds regions of a list, beside others that stay; then what changes these."""
    stayed: list[tuple[_Region, _Region]] = []
    steps = SequenceMatcher(None, then.ids, now.ids, autojunk=False).get_opcodes()
    for kind, start, end, first, last in steps:
        if kind == "equal":
            stayed += zip(now.inside[first:last], then.inside[start:end], strict=True)
            continue
        yield from (_partial(gone, "delete") for gone in then.inside[start:end])
        if added := "".join(new.html for new in now.inside[first:last]):
            beside, swap = (now.inside[first - 1], "afterend") if first else (now.inside[last], "beforebegin")
            yield _partial(beside, swap, added)
    for new, old in stayed:
        yield from _changes(new, old)


def _partial(target: _Region, swap: str, html: str = "") -> str:
    if html and target.tag in _DRAWN:
        swap, html = f"{swap} strip:true", f"<svg>{html}</svg>"
    return f'<hx-partial id="{target.id}" hx-swap="{swap}">{html}</hx-partial>'
