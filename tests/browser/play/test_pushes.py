"""A match by pushes: every page ends as one that is loaded now, though most of what it got were parts.

Whole matches are compared in `tests/unit/play/test_regions.py`, without a browser.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.engine.contract.playouts import Chooser
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games
from tests.browser.player import connected
from tests.people import act, person, running_match

Enter = Callable[..., Page]
BEFORE, PUSHED = 28, 12
"""Actions before pages are opened, and while they are open."""

COUNT = """() => {
  window.wholes = window.parts = 0;
  document.addEventListener("htmx:ws:before:message:incoming", (event) => {
    const message = JSON.parse(event.detail.message.data);
    if (message.content !== undefined) message.base === undefined ? window.wholes++ : window.parts++;
  });
}"""

SHOWN = """() => {
  const chosen = ["fits", "elsewise", "idle"];
  const classes = (value) => value.split(/\\s+/).filter((name) => name && !chosen.includes(name)).sort().join(" ");
  const written = (node) => {
    if (node.className === "known") return "";
    if (node.nodeType === Node.TEXT_NODE) return node.data.trim() && node.data.trim().replace(/\\s+/g, " ");
    const kept = [...node.attributes].filter(({ name, value }) =>
      !["hx-morph-skip-children", "tabindex", "data-turn", "data-here"].includes(name)
      && !(name === "viewBox" && node.id === "map") && !(["x", "y"].includes(name) && node.closest("#rulers"))
      && !(name === "class" && !classes(value)));
    const attributes = kept.map(({ name, value }) => `${name}=${name === "class" ? classes(value) : value}`).sort();
    return [node.localName, node.namespaceURI, attributes.join(), [...node.childNodes].map(written).filter(Boolean)];
  };
  return JSON.stringify(written(document.getElementById("match")), null, 1);
}"""
"""What the board consists of, without white space, the order of attributes and classes, marks of a choice, where the
reader sees the map, and what the page asks for by itself: who is here."""

KNOWN = "localStorage.setItem('card-chess turns', JSON.stringify({ '/match/another/': 'seen' }))"
"""Lets no turn wait for its reader, as those of somebody's first match do."""


@pytest.mark.parametrize("slug", games())
def test_a_match_by_pushes_leaves_what_a_reload_shows(enter: Enter, slug: str) -> None:
    people = [person("ann"), person("bob")]
    match, free = running_match(people, game=slug, seed=bytes(32)), Chooser(bytes(32))
    for _ in range(BEFORE):
        _move(match, free)
    pages = [connected(enter(user, match.get_absolute_url(), reduced_motion="reduce")) for user in (*people, None)]
    for page in pages:
        page.evaluate(KNOWN)
        page.evaluate(COUNT)
    for _ in range(PUSHED):
        _move(match, free)
        for page in pages:
            expect(page.locator("#match")).to_have_attribute("data-version", str(match.version))
    for page in pages:
        assert page.evaluate("window.parts") >= PUSHED - 2 > 5 * page.evaluate("window.wholes")
        pushed = page.evaluate(SHOWN)
        page.reload()
        connected(page)
        assert pushed.splitlines() == page.evaluate(SHOWN).splitlines()


@pytest.mark.parametrize(
    "disturbance",
    [
        'document.getElementById("log-lines").remove()',  # has no place for what is pushed
        'document.getElementById("match").dataset.version = "1"',  # has missed something
    ],
)
def test_a_page_that_shows_something_else_asks_for_everything(enter: Enter, disturbance: str) -> None:
    people = [person("ann"), person("bob")]
    match, free = running_match(people, seed=bytes(32)), Chooser(bytes(32))
    _move(match, free)
    page = connected(enter(None, match.get_absolute_url(), reduced_motion="reduce"))
    page.evaluate(COUNT)
    page.evaluate(disturbance)
    _move(match, free)
    expect(page.locator("#match")).to_have_attribute("data-version", str(match.version))
    expect(page.locator("#log-lines > li")).to_have_count(2)
    assert page.evaluate("[window.parts, window.wholes]") == [1, 1]


def _move(match: Match, free: Chooser) -> None:
    match.refresh_from_db()
    seat = free.pick(sorted(match.seats.filter(to_move=True).values_list("number", flat=True)))
    act(match, free.pick(positions.legal_texts(match, seat)), seat)
    match.refresh_from_db()
