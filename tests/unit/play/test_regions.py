"""Regions: a page that is sent only what changed becomes what a page loaded now would be, and little is sent."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from itertools import islice, pairwise
from statistics import median, quantiles

import pytest
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from hypothesis import given, strategies as st

from games.engine.protocol import Viewer
from games.titles import games
from games.titles.regions import Page, Region, Shared, region, verbatim
from tests.pages import page_of, swap
from tests.renderings import renderings

# --- any pages --------------------------------------------------------------------------------------------------------


def element(
    name: str,
    words: str = "",
    tag: str = "div",
    kind: str = "",
    inside: Mapping[str, SafeString] | None = None,
) -> SafeString:
    """Draw an element with some words and what lies inside."""
    held = mark_safe("".join((inside or {}).values()))
    return format_html('<{0} id="{1}"{2}>{3}{4}</{0}>', tag, name, mark_safe(kind), mark_safe(words), held)


def leaf(name: str, words: str, **more: str) -> Mapping[str, Region]:
    return {name: region(element, name=name, words=words, **more)}


def holding(name: str, *parts: Mapping[str, Region], **more: str) -> Mapping[str, Region]:
    """Return an element with others inside: the first of each part."""
    found = {name: region(element, inside=[next(iter(part)) for part in parts], name=name, **more)}
    for part in parts:
        found |= part
    return found


def changed(earlier: Page, later: Page) -> str:
    """Return what is pushed, having proved that it makes the later page of the earlier one."""
    parts = later.since(earlier)
    assert parts is not None
    page = page_of(earlier.html)
    swap(page, parts)
    assert page.normal == page_of(later.html).normal
    return parts


def test_the_same_needs_nothing() -> None:
    page = holding("a", leaf("b", "x"))
    assert changed(Page(page), Page(holding("a", leaf("b", "x")))) == ""


def test_only_the_region_that_differs_is_sent() -> None:
    earlier, later = (Page(holding("a", leaf("b", words), words="hand ")) for words in "xy")
    assert changed(earlier, later) == '<hx-partial id="b" hx-swap="outerMorph"><div id="b">y</div></hx-partial>'


def test_what_lies_around_regions_is_sent_with_them() -> None:
    earlier, later = (Page(holding("a", leaf("b", "x"), words=words)) for words in ("one", "two"))
    assert changed(earlier, later).count("<hx-partial") == 1


def test_attributes_are_sent_without_what_is_inside() -> None:
    earlier, later = (Page(holding("a", leaf("b", "x"), kind=f' class="{name}"')) for name in ("one", "two"))
    assert '"b"' not in changed(earlier, later)


def test_the_last_of_a_list_goes_and_a_new_one_comes_first() -> None:
    earlier, later = (
        Page(holding("log", *(leaf(f"log-{number}", "words", tag="li") for number in numbers), tag="ol"))
        for numbers in ((3, 2, 1), (5, 4, 3, 2))
    )
    parts = changed(earlier, later)
    assert '"log-2"' not in parts
    assert parts.count("words") == 2


def test_what_moves_from_one_list_to_another_is_there_once() -> None:
    earlier, later = (
        Page(
            holding(
                "match",
                holding("pile", *(leaf(each, "card") for each in pile)),
                holding("hand", *(leaf(each, "card") for each in hand)),
            )
        )
        for pile, hand in ((("a",), ("b", "c")), (("a", "b"), ("c",)))
    )
    changed(earlier, later)


def test_parts_of_a_drawing_are_sent_within_one() -> None:
    earlier, later = (
        Page(holding("tiles", leaf("tile", shape, tag="g"), tag="g")) for shape in ("<use></use>", "<path></path>")
    )
    assert changed(earlier, later) == (
        '<hx-partial id="tile" hx-swap="outerMorph strip:true"><svg><g id="tile"><path></path></g></svg></hx-partial>'
    )


def test_another_page_is_sent_whole() -> None:
    table = Page({"match": region(verbatim, html="<section>The table</section>")})
    assert Page(holding("match", leaf("a", "x"))).since(table) is None
    assert table.since(table) is None


def test_a_page_in_another_language_is_sent_whole() -> None:
    pages = []
    for language in ("en", "de"):
        with translation.override(language):
            pages.append(Page(holding("match", leaf("a", "x"))))
    assert pages[1].since(pages[0]) is None


def test_what_many_see_alike_is_drawn_and_compared_once() -> None:
    drawn = []

    def stone(name: str, face: str) -> str:
        drawn.append(face)
        return element(name, face)

    shown = [Shared({"stone": region(stone, name="stone", face=face)}) for face in ("sun", "moon")]
    for reader in ("ann", "bob"):
        hand = region(element, name="hand", words=reader)
        frame = region(element, inside=("stone", "hand"), name="match")
        earlier, later = (Page({"match": frame, "hand": hand}, shared) for shared in shown)
        assert changed(earlier, later).count("<hx-partial") == 1
    assert drawn == ["moon", "sun"]


def test_what_is_sent_with_what_holds_it_is_not_sent_again() -> None:
    shown = [Shared(leaf("stone", face)) for face in ("sun", "moon")]
    earlier, later = (
        Page({"match": region(element, inside=("tray",), name="match"), "tray": tray}, shared)
        for shared, tray in zip(
            shown,
            (region(element, inside=("stone",), name="tray", words=words) for words in ("one", "two")),
            strict=True,
        )
    )
    assert changed(earlier, later).count("moon") == 1


@pytest.mark.parametrize("was_shared", [False, True])
def test_an_entry_that_others_see_alike_only_before_or_after_is_sent(was_shared: bool) -> None:
    frame = {"match": region(element, inside=("entry",), name="match")}
    secret, open_to_all = Page({**frame, **leaf("entry", "I know")}), Page(frame, Shared(leaf("entry", "all know")))
    changed(*((open_to_all, secret) if was_shared else (secret, open_to_all)))


texts = st.sampled_from(["", "", " ", "one", "two <b>three</b>"])
kinds = st.sampled_from(["", ' class="x"', ' class="y"'])


@st.composite
def pages(draw: st.DrawFn) -> Page:
    """Return a page of lists in a frame, some of it shared, each id once."""
    free = draw(st.permutations([f"r{number}" for number in range(6)]))
    cuts = sorted(draw(st.lists(st.integers(0, 6), min_size=2, max_size=2)))
    groups = [free[first:last] for first, last in pairwise([0, *cuts, 6])]
    shared, *own = (_list(draw, f"list{number}", group) for number, group in enumerate(groups))
    frame = region(element, inside=("list0", "list1", "list2"), name="match", kind=draw(kinds))
    return Page({"match": frame, **own[0], **own[1]}, Shared(shared))


def _list(draw: st.DrawFn, name: str, group: list[str]) -> Mapping[str, Region]:
    found = {name: region(element, inside=group, name=name, kind=draw(kinds), words=draw(texts))}
    for each in group:
        found |= leaf(each, draw(texts), kind=draw(kinds))
    return found


@given(pages(), pages())
def test_whatever_changed_an_old_page_with_the_parts_is_the_new_page(earlier: Page, later: Page) -> None:
    changed(earlier, later)


# --- matches ----------------------------------------------------------------------------------------------------------

MATCHES = [(slug, seats) for slug, game in games().items() for seats in (game.seats[0], game.seats[-1])]
MOST_ACTIONS, COMPARED_EVERY = 120, 7
PLAIN = {"shifting-stones": (4_000, 12_000), "card-chess": (8_500, 26_000), "small-islands": (9_500, 19_000)}
MOST = (9_500, 26_000)
PACKED = (2_000, 4_000)
"""Bytes of a push, plain (at most, for other games) and under gzip, in the second half of a match: the median, and the
95th percentile."""


@pytest.mark.parametrize(("slug", "seats"), MATCHES)
def test_pages_that_are_sent_parts_stay_right_and_are_sent_little(slug: str, seats: int) -> None:
    pushes: dict[Viewer, list[bytes]] = {}
    shown = list(islice(renderings(slug, seats, bytes(32)), MOST_ACTIONS))
    pages = {viewer: page_of(board.html) for viewer, board in shown[0].items()}
    for number, (before, now) in enumerate(pairwise(shown), 1):
        for viewer, board in now.items():
            parts = board.since(before[viewer])
            assert parts is not None
            swap(pages[viewer], parts)
            if number % COMPARED_EVERY == 0 or now is shown[-1]:
                assert pages[viewer].normal == page_of(board.html).normal
            pushes.setdefault(viewer, []).append(message(number, parts))
    for sent in pushes.values():
        late = sent[len(sent) // 2 :]
        weigh([len(push) for push in late], *PLAIN.get(slug, MOST))
        weigh([len(gzip.compress(push, 6, mtime=0)) for push in late], *PACKED)


def message(version: int, parts: str) -> bytes:
    return json.dumps({"version": version + 1, "base": version, "content": parts}, ensure_ascii=False).encode()


def weigh(sizes: list[int], usual: int, large: int) -> None:
    assert median(sizes) <= usual
    assert quantiles(sizes, n=20)[-1] <= large
