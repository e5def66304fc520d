"""Regions of a page: elements with an id that can change alone, so that a push carries only what differs.

A page is a flat, ordered mapping of regions by id. A region is what draws it and its inputs; of the regions inside it,
it knows the ids, in their order. Equal regions look the same, so two states of a page are compared by their regions,
and only those that differ are drawn, each once for everybody who reads the same language. Those that many people see
alike are also compared only once for all of them.

`Page.since` returns what turns an earlier state into a later one, as htmx's partials: regions that are drawn anew;
attributes alone, where only these differ; and what has come into a list, or gone from it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, Final, NamedTuple, TypeAlias, cast

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
        inside: the ids of the regions that lie in it, () for none now; None for one that is always drawn as a whole.
            The drawing is given them drawn, as one more input of this name: a mapping by id, or an empty one if only
            what lies around them is wanted. Those that come and go are a list: they stand side by side, after all else
            in their element.
        inputs: all that it looks like, in the order in which it is always given.
    """
    return Region(drawing, tuple(inputs.items()), None if inside is None else tuple(inside))


def verbatim(html: str) -> str:
    """Draw a region that has been drawn before; it is not kept."""
    return html


def joined(parts: Iterable[str]) -> SafeString:
    """Return safe strings one after the other."""
    return mark_safe("".join(parts))  # noqa: S308  # they are safe already


class Shared:
    """Regions that many people see alike, in the language that is active where they are made; they never change.

    Args:
        regions: by id, each before those inside it, which are shared as well.
    """

    def __init__(self, regions: Mapping[str, Region]) -> None:
        self.regions = regions
        self.language = translation.get_language()


NOTHING: Final = Shared({})


class Page:
    """What one person sees, in the language that is active where it is made; it never changes.

    Args:
        own: the regions that others see differently, by id, each before those inside it; the first holds all others.
        shared: the rest.
    """

    def __init__(self, own: Mapping[str, Region], shared: Shared = NOTHING) -> None:
        self.own, self.shared = own, shared
        self.language = translation.get_language()
        self.root = next(iter(own))

    @cached_property
    def regions(self) -> Mapping[str, Region]:
        return {**self.shared.regions, **self.own}

    @cached_property
    def html(self) -> str:
        with translation.override(self.language):
            return _drawn(self.root, self.regions, self.language)

    def since(self, earlier: Page) -> str | None:
        """Return what turns an earlier state of this page into this one, as htmx's partials; None if only all does."""
        now, then = self.own[self.root], earlier.own[earlier.root]
        if now.inside is None or now.drawing != then.drawing or self.language != earlier.language:
            return None
        with translation.override(self.language):
            changes = _Changes(self.regions, self.language)
            own = changes.between({**self.own, **self._no_longer_own(earlier)}, earlier.regions)
            shared = _shared_changes(self.shared, earlier.shared)
        parts = (*own, *(change for change in shared if change.region not in changes.sent))
        return "".join((*(change.gone for change in parts), *(change.come for change in parts)))

    def _no_longer_own(self, earlier: Page) -> Mapping[str, Region]:
        """Return what is shared now but was not: an action that is taken back may be followed by one that all know."""
        return {name: self.shared.regions[name] for name in self.shared.regions.keys() & earlier.own.keys()}


class _Change(NamedTuple):
    """Partials about a region: those that take others out of it, and those that change it and put others into it."""

    region: str
    gone: str
    come: str


class _Changes:
    """What has changed of regions.

    Args:
        regions: the present ones, with all that may lie in them.
        language: theirs.
    """

    def __init__(self, regions: Mapping[str, Region], language: str | None) -> None:
        self.regions, self.language = regions, language
        self.sent: set[str] = set()
        """The ids of what is sent together with something around it."""

    def between(self, now: Mapping[str, Region], then: Mapping[str, Region]) -> list[_Change]:
        """Return what turns earlier states of some regions into the present ones; what has come, lists bring."""
        found = []
        for name, region in now.items():
            before = then.get(name)
            if before is not None and before != region and name not in self.sent:
                found.append(_Change(name, *self._of(name, region, before)))
        return found

    def _of(self, name: str, now: Region, then: Region) -> tuple[str, str]:
        """Return what has changed of a region but in those inside it that were there before."""
        if now.inside is None and then.inside is None and now.drawing is not verbatim:
            html, before = (_drawn_alone(each.drawing, each.inputs, self.language) for each in (now, then))
            return "", _partial(name, "outerMorph", _briefly(html, before))
        if now.inside is None or then.inside is None or _have_parted(now.inside, then.inside):
            return "", self._whole(name)
        attributes = ""
        if now.inputs != then.inputs or now.drawing != then.drawing:
            frame, rest = _frame(now.drawing, now.inputs, self.language)
            frame_before, rest_before = _frame(then.drawing, then.inputs, self.language)
            if rest != rest_before:
                return "", self._whole(name)
            if frame != frame_before:
                attributes = _partial(name, "outerMorph", frame)
        if now.inside == then.inside:
            return "", attributes
        gone, come = self._list(now.inside, then.inside)
        return gone, attributes + come

    def _whole(self, name: str) -> str:
        self.sent.update(self._within(name))
        return _partial(name, "outerMorph", _drawn(name, self.regions, self.language))

    def _within(self, name: str) -> Iterator[str]:
        """Yield the id of a region and of all that lie in it."""
        yield name
        for each in self.regions[name].inside or ():
            yield from self._within(each)

    def _list(self, now: tuple[str, ...], then: tuple[str, ...]) -> tuple[str, str]:
        """Return what takes regions out of a list, and what puts others beside those that stay."""
        stay = _staying(now, then)
        gone = (_partial(name, "delete") for name in then if name not in stay)
        come = []
        before = ""
        for is_old, run in groupby(now, stay.__contains__):
            names = list(run)
            if not is_old:
                self.sent.update(each for name in names for each in self._within(name))
                html = "".join(_drawn(name, self.regions, self.language) for name in names)
                beside = before or next(name for name in now if name in stay)
                come.append(_partial(beside, "afterend" if before else "beforebegin", html))
            before = names[-1]
        return "".join(gone), "".join(come)


@lru_cache(maxsize=512)  # many people come from the same state
def _shared_changes(now: Shared, then: Shared) -> Sequence[_Change]:
    return _Changes(now.regions, now.language).between(now.regions, then.regions)


def _drawn(name: str, regions: Mapping[str, Region], language: str | None) -> str:
    """Return a region with all that lies in it."""
    drawing, inputs, inside = regions[name]
    if drawing is verbatim:
        return _draw(drawing, dict(inputs))
    if inside is None:
        return _drawn_alone(drawing, inputs, language)
    drawn = {each: mark_safe(_drawn(each, regions, language)) for each in inside}  # noqa: S308  # see `_draw`
    return _draw(drawing, {**dict(inputs), "inside": drawn})


@lru_cache(maxsize=20_000)
def _drawn_alone(drawing: Drawing, inputs: Inputs, language: str | None) -> str:
    """Return a region that has none inside, in this language, which is active."""
    return _draw(drawing, dict(inputs))


@lru_cache(maxsize=4096)
def _frame(drawing: Drawing, inputs: Inputs, language: str | None) -> tuple[str, str]:
    """Return the element of a region without what it holds, of which htmx takes the attributes alone; and the rest."""
    html = _draw(drawing, {**dict(inputs), "inside": {}})
    opening, _, rest = html.partition(">")
    return _attributes(opening), rest


def _briefly(html: str, before: str) -> str:
    """Return an element, without what it holds if that is as before and this is shorter."""
    opening, _, rest = html.partition(">")
    return min(_attributes(opening), html, key=len) if rest == before.partition(">")[2] else html


def _attributes(opening: str) -> str:
    """Return an element of which htmx takes the attributes alone, from its opening tag without the last bracket."""
    tag = opening[1:].split(maxsplit=1)[0]
    return f"{opening.rstrip('/')} hx-morph-skip-children></{tag}>"


def _draw(drawing: Drawing, inputs: Mapping[str, Any]) -> str:
    """Return what a macro or a function draws, which has escaped what it was given, as plain text."""
    if isinstance(drawing, str):
        template, _, macro = drawing.partition("#")
        drawing = getattr(engines["boards"].env.get_template(template).module, macro)  # type: ignore[attr-defined]  # Jinja's
    return str.strip(cast("Callable[..., str]", drawing)(**inputs))


def _have_parted(now: tuple[str, ...], then: tuple[str, ...]) -> bool:
    """Say whether two states of a list have nothing in common."""
    return now != then and set(now).isdisjoint(then)


def _staying(now: tuple[str, ...], then: tuple[str, ...]) -> frozenset[str]:
    """Return the ids that are in both lists, in the same order."""
    common = frozenset(now) & frozenset(then)
    if [each for each in now if each in common] == [each for each in then if each in common]:
        return common
    blocks = SequenceMatcher(None, then, now, autojunk=False).get_matching_blocks()
    return frozenset(each for start, _, size in blocks for each in then[start : start + size])


_PARTS_OF_DRAWINGS = ("<g ", "<use ", "<foreignObject ")
"""They are read as such only within a drawing."""


def _partial(name: str, swap: str, html: str = "") -> str:
    if html.startswith(_PARTS_OF_DRAWINGS):
        swap, html = f"{swap} strip:true", f"<svg>{html}</svg>"
    return f'<hx-partial id="{name}" hx-swap="{swap}">{html}</hx-partial>'
