"""Regions: a page that is sent only what changed becomes what a page loaded now would be, and little is sent."""

from __future__ import annotations

import gzip
import json
from itertools import chain, islice, pairwise
from statistics import median, quantiles
from typing import Any

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from games.engine.protocol import Viewer
from games.titles import games
from games.titles.regions import Piece, Rendering, arranged, cached_piece, joined, region
from tests.pages import page_of, swap
from tests.renderings import renderings

# --- any renderings ---------------------------------------------------------------------------------------------------


def element(name: str, *inside: str, tag: str = "div", more: str = "") -> Piece:
    return region(joined((f'<{tag} id="{name}"{more}>', *inside, f"</{tag}>")))


def rendering(piece: Piece) -> Rendering:
    return Rendering(piece.texts, piece.inside)


def changed(earlier: Piece, later: Piece) -> str:
    """Return what is pushed, having proved that it makes the later page of the earlier one."""
    old, new = rendering(earlier), rendering(later)
    parts = new.since(old)
    assert parts is not None
    page = page_of(old.html)
    swap(page, parts)
    assert page.normal == page_of(new.html).normal
    return parts


def test_a_piece_is_its_own_text() -> None:
    page = joined(("<p>", element("a", "x"), "</p>"))
    assert rendering(page).html == page == '<p><div id="a">x</div></p>'


def test_the_same_needs_nothing() -> None:
    assert changed(element("a", "x"), element("a", "x")) == ""


def test_only_the_innermost_region_that_differs_is_sent() -> None:
    earlier, later = (element("a", "hand ", element("b", inside), " end") for inside in "xy")
    assert changed(earlier, later) == '<hx-partial id="b" hx-swap="outerMorph"><div id="b">y</div></hx-partial>'


def test_what_lies_around_regions_is_sent_with_them() -> None:
    earlier, later = (element("a", words, element("b", "x")) for words in ("one", "two"))
    assert '<div id="b">x</div>' in changed(earlier, later)


def test_attributes_are_sent_without_what_is_inside() -> None:
    earlier, later = (element("a", element("b", "x"), more=f' class="{name}"') for name in ("one", "two"))
    assert '"b"' not in changed(earlier, later)


def test_the_last_of_a_list_goes_and_a_new_one_comes_first() -> None:
    earlier, later = (
        element("log", *(element(f"log-{number}", "words") for number in numbers), tag="ol")
        for numbers in ((3, 2, 1), (5, 4, 3, 2))
    )
    parts = changed(earlier, later)
    assert '"log-2"' not in parts
    assert parts.count("words") == 2


def test_parts_of_a_drawing_are_sent_within_one() -> None:
    earlier, later = (element("tiles", element("tile", shape, tag="g"), tag="g") for shape in ("<use/>", "<path/>"))
    assert changed(earlier, later) == (
        '<hx-partial id="tile" hx-swap="outerMorph strip:true"><svg><g id="tile"><path/></g></svg></hx-partial>'
    )


def test_another_page_is_sent_whole() -> None:
    assert rendering(element("match")).since(rendering(joined(["<section>The table</section>"]))) is None


def test_a_region_without_an_id_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="begins with an element that has an id"):
        region("<p>words</p>")


# --- what lies around pieces ------------------------------------------------------------------------------------------


def player(number: int, name: str, clock: str) -> dict[str, Any]:
    """Return what the template of a player needs."""
    here = element(f"clock-{number}", clock, tag="span") if clock else ""
    alike = dict.fromkeys(("known", "me", "to_move", "place", "alone", "left", "running", "away"), "")
    return {**alike, "number": number, "name": name, "clock": here, "facts": element(f"facts-{number}", "3")}


@pytest.mark.parametrize("clock", ["5:00", "<b>4:59</b>", ""])
def test_what_is_arranged_is_what_would_be_rendered(clock: str) -> None:
    inputs = player(1, "Ann & Bob", clock)
    whole = render_to_string("play/player.jinja", inputs, using="boards")
    shown = arranged("play/player.jinja", "en", **inputs).html
    assert page_of(shown).normal == page_of(whole).normal
    assert cached_piece("play/player.jinja", "en", **inputs) == shown


def test_of_what_is_arranged_only_the_pieces_that_differ_are_sent() -> None:
    earlier, later = (arranged("play/player.jinja", "en", **player(1, "Ann", clock)) for clock in ("5:00", "4:59"))
    assert later.since(earlier) == (
        '<hx-partial id="clock-1" hx-swap="outerMorph"><span id="clock-1">4:59</span></hx-partial>'
    )


def test_a_piece_whose_inputs_are_the_same_is_the_same() -> None:
    assert cached_piece("play/player.jinja", "en", **player(1, "Ann", "5:00")) is cached_piece(
        "play/player.jinja", "en", **player(1, "Ann", "5:00")
    )


def test_a_piece_can_stand_in_an_opening_tag() -> None:
    pieces = {name: joined(["7"]) for name in ("version", "length")} | {"board": rendering(element("felt", "x"))}
    plain = dict.fromkeys(("slug", "match_status", "rules", "status", "players", "actions", "log"), "slug")
    shown = arranged("play/match.jinja", "en", **plain, **pieces, seat=None)
    assert 'data-version="7" data-length="7"' in shown.html
    assert '<div class="board" id="board"><div id="felt">x</div></div>' in shown.html


texts = st.sampled_from(["", "", " ", "one", "two <b>three</b>"])
mores = st.sampled_from(["", ' class="x"', ' class="y"'])


@st.composite
def pages(draw: st.DrawFn) -> Piece:
    """Return a page of regions, two levels deep, each id once."""
    free = draw(st.permutations([f"r{number}" for number in range(9)]))
    inner, outer = free[:6], sorted(free[6:])
    cuts = sorted(draw(st.lists(st.integers(0, 6), min_size=2, max_size=2)))
    groups = [inner[first:last] for first, last in pairwise([0, *cuts, 6])]
    filled = [
        element(name, *chain(*((element(each, draw(texts), more=draw(mores)), draw(texts)) for each in group)))
        for name, group in zip(outer, groups, strict=True)
    ]
    return element("match", *filled)


@given(pages(), pages())
def test_whatever_changed_an_old_page_with_the_parts_is_the_new_page(earlier: Piece, later: Piece) -> None:
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
