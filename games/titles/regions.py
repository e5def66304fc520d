"""Regions of a page: elements with an id that can change alone, so that a push carries only what differs.

A page is a flat, ordered mapping of regions by id, of which the first is the element that holds all others. A region is
what draws it and its inputs; of the regions inside it, it knows the ids, in their order. Equal regions look the same,
so two states of a page are compared by their regions, and only those that differ are drawn: once for everybody who
reads the same language.

`Page.since` returns what turns an earlier state into a later one, as htmx's partials: regions that are drawn anew;
attributes alone, where only these differ; and what has come into a list, or gone from it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from django.template import engines
from django.utils import translation
from django.utils.safestring import SafeString, mark_safe

Drawing: TypeAlias = str | Callable[..., str]
"""What draws a region: a macro of a template of the engine "boards", as "play/match.jinja#player", or a function."""

Inputs: TypeAlias = tuple[tuple[str, Hashable], ...]


class Region(NamedTuple):
    """An element of a page; make one with `region`."""

    drawing: Drawing
    inputs: Inputs
    inside: tuple[str, ...] | None


def region(drawing: Drawing, inside: Iterable[str] | None = None, **inputs: Hashable) -> Region:
    """Return a region.

    Args:
        drawing: makes one element, whose id is that of the region, from the inputs and the language alone.
        inside: the ids of the regions that lie in it; None for a region that can have none. The drawing is given them
            drawn, as one more input of this name: a mapping by id. Those that come and go are a list: they stand side
            by side, after what else there is in their element.
        inputs: all that it looks like, in the order in which it is always given.
    """
    return Region(drawing, tuple(inputs.items()), None if inside is None else tuple(inside))


def verbatim(html: str) -> str:
    """Draw a region that has been drawn before."""
    return html


def joined(parts: Iterable[str]) -> SafeString:
    """Return safe strings one after the other."""
    return mark_safe("".join(parts))  # noqa: S308  # they are safe already


class Page:
    """What one person sees, in the language that is active where it is made; it never changes.

    Args:
        regions: by id, each before those inside it.
    """

    def __init__(self, regions: Mapping[str, Region]) -> None:
        self.regions = regions
        self.language = translation.get_language()
        self.root = next(iter(regions))

    @cached_property
    def html(self) -> str:
        return self.drawn(self.root)

    def since(self, earlier: Page) -> str | None:
        """Return what turns an earlier state of this page into this one, as htmx's partials; None if only all does."""
        now, then = self.regions[self.root], earlier.regions[earlier.root]
        if now.inside is None or now.drawing != then.drawing or self.language != earlier.language:
            return None
        return _Difference(self).since(earlier)

    def drawn(self, name: str) -> SafeString:
        """Return one region with all that lies in it."""
        drawing, inputs, inside = self.regions[name]
        if drawing is verbatim:
            return _draw(drawing, dict(inputs))
        if inside is None:
            return _drawn(drawing, inputs, self.language)
        with translation.override(self.language):
            return _draw(drawing, {**dict(inputs), "inside": {each: self.drawn(each) for each in inside}})

    def within(self, name: str) -> Iterator[str]:
        """Yield the id of a region and of all that lie in it."""
        yield name
        for each in self.regions[name].inside or ():
            yield from self.within(each)


class _Difference:
    """The partials that turn an earlier state of a page into this one."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.gone: list[str] = []
        self.found: list[str] = []
        self.sent: set[str] = set()
        """The ids of what is sent with something around it."""

    def since(self, earlier: Page) -> str:
        for name, now in self.page.regions.items():
            then = earlier.regions.get(name)
            if then is not None and then != now and name not in self.sent:
                self._compare(name, now, then)
        return "".join((*self.gone, *self.found))

    def _compare(self, name: str, now: Region, then: Region) -> None:
        """Add what has changed of a region but in those inside it that were there before."""
        if (now.inside is None) != (then.inside is None) or _have_parted(now, then):
            self._send(name)
            return
        if now.inputs != then.inputs or now.drawing != then.drawing:
            (opening, rest), (before, rest_before) = (_frame(each, self.page.language) for each in (now, then))
            if rest != rest_before:
                self._send(name)
                return
            if opening != before:
                self.found.append(_attributes(name, opening, "" if now.inside else rest))
        if now.inside != then.inside:
            self._list(now.inside or (), then.inside or ())

    def _send(self, name: str) -> None:
        self.sent.update(self.page.within(name))
        self.found.append(_partial(name, "outerMorph", self.page.drawn(name)))

    def _list(self, now: tuple[str, ...], then: tuple[str, ...]) -> None:
        """Add what takes regions out of a list, and puts others beside those that stay."""
        stay = _staying(now, then)
        self.gone += (_partial(name, "delete") for name in then if name not in stay)
        before = ""
        for is_old, run in groupby(now, stay.__contains__):
            names = list(run)
            if not is_old:
                self.sent.update(each for name in names for each in self.page.within(name))
                html = "".join(map(self.page.drawn, names))
                beside = before or next(name for name in now if name in stay)
                self.found.append(_partial(beside, "afterend" if before else "beforebegin", html))
            before = names[-1]


@lru_cache(maxsize=20_000)
def _drawn(drawing: Drawing, inputs: Inputs, language: str | None) -> SafeString:
    """Draw a region that has none inside."""
    with translation.override(language):
        return _draw(drawing, dict(inputs))


def _draw(drawing: Drawing, inputs: Mapping[str, Any]) -> SafeString:
    if isinstance(drawing, str):
        template, _, macro = drawing.partition("#")
        drawing = getattr(engines["boards"].env.get_template(template).module, macro)  # type: ignore[attr-defined]  # Jinja's
    return mark_safe(drawing(**inputs).strip())  # noqa: S308  # a macro escapes, and a function says that it does


@lru_cache(maxsize=4096)
def _frame(region: Region, language: str | None) -> tuple[str, str]:
    """Return the opening tag of a region and all that follows it but the regions inside."""
    if region.inside is None:
        html = _drawn(region.drawing, region.inputs, language)
    else:
        with translation.override(language):
            html = _draw(region.drawing, {**dict(region.inputs), "inside": dict.fromkeys(region.inside, "")})
    end = html.index(">") + 1
    return html[:end], html[end:]


def _have_parted(now: Region, then: Region) -> bool:
    """Say whether two states of a list have nothing in common."""
    return now.inside != then.inside and set(now.inside or ()).isdisjoint(then.inside or ())


def _staying(now: tuple[str, ...], then: tuple[str, ...]) -> frozenset[str]:
    """Return the ids that are in both lists, in the same order."""
    common = frozenset(now) & frozenset(then)
    if [each for each in now if each in common] == [each for each in then if each in common]:
        return common
    blocks = SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
    return frozenset(each for start, _, size in blocks for each in then[start : start + size])


def _attributes(name: str, opening: str, rest: str) -> str:
    """Return a partial for the attributes of an element, which makes htmx leave alone what is inside it.

    Args:
        rest: all that follows the opening tag, which is sent if that is shorter; empty if there is more.
    """
    alone = f"{opening.rstrip('/>')} hx-morph-skip-children></{_tag(opening)}>"
    return _partial(name, "outerMorph", min(alone, opening + rest, key=len) if rest else alone)


_PARTS_OF_DRAWINGS = ("<g ", "<use ", "<foreignObject ")
"""They are read as such only within a drawing."""


def _partial(name: str, swap: str, html: str = "") -> str:
    if html.startswith(_PARTS_OF_DRAWINGS):
        swap, html = f"{swap} strip:true", f"<svg>{html}</svg>"
    return f'<hx-partial id="{name}" hx-swap="{swap}">{html}</hx-partial>'


def _tag(opening: str) -> str:
    return opening[1:].split(maxsplit=1)[0].rstrip("/>")
