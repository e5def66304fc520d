"""Elements that can change alone, and what turns an earlier state of them into a later one, as htmx's partials.

A region whose own text (all but the regions inside it) is the same is not sent: only what differs inside it is. Of a
region that differs in nothing but its attributes these are sent alone. In a list, a region that consists of regions and
nothing else, those that came are added and those that went are taken away.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

_DRAWN = frozenset({"g", "use", "foreignObject"})
"""Parts of a drawing, which are read as such only within one."""


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
