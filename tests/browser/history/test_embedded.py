"""A board in a frame on somebody else's page, and the code that puts it there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.history import embedded
from games.play.models import Match
from games.titles import games
from tests.browser.player import listen
from tests.people import person, play_on, running_match
from tests.serving import Site

pytestmark = pytest.mark.django_db(transaction=True)
PHONE = {"viewport": {"width": 360, "height": 740}}
NARROWEST = 300

Blog = Callable[..., Page]


@pytest.fixture
def pair(live_site: Site) -> list[User]:
    return [person("ann"), person("maximilian")]


@pytest.fixture
def blog(visitor: Callable[..., Any], live_site: Site) -> Iterator[Blog]:
    """Open a page of another site that frames these paths of ours, one below the other."""
    pages: list[str] = []

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages[-1].encode())

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def open_page(*paths: str) -> Page:
        frames = [
            f'<iframe src="{live_site.url}{escape(path)}" width="{NARROWEST}" height="500"></iframe>' for path in paths
        ]
        pages.append(f"<!DOCTYPE html><title>A blog</title><link rel=icon href=data:,>{''.join(frames)}")
        page: Page = visitor(viewport={"width": 4 * NARROWEST, "height": 1200}).new_page()
        page.complaints = listen(page)  # type: ignore[attr-defined]  # read at the end of a test
        page.goto(f"http://localhost:{server.server_port}/")
        return page

    yield open_page
    server.shutdown()
    server.server_close()


def frame_of(match: Match) -> str:
    return f"/embed/match/{match.slug}/"


def test_boards_and_puzzles_are_drawn_on_the_page_of_another_site(blog: Blog, pair: list[User]) -> None:
    matches = [play_on(running_match(pair, game=slug), 6) for slug in games()]
    page = blog(*map(frame_of, matches), *(f"/embed/puzzle/{slug}/" for slug in games()))
    for number in range(2 * len(games())):
        inside = page.frame_locator("iframe").nth(number)
        expect(inside.locator("#board")).to_be_visible()
        expect(inside.locator("#status")).not_to_be_empty()
        expect(inside.locator("#way")).to_be_attached()
    for frame in page.frames[1:]:
        frame.wait_for_load_state()
        assert frame.evaluate("document.documentElement.scrollWidth") <= NARROWEST
        assert frame.evaluate("document.cookie") == ""
    assert page.complaints == []  # type: ignore[attr-defined]  # see the fixture


def test_a_running_match_is_followed_and_what_is_unfolded_stays_so(
    blog: Blog, pair: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "EVERY", 1)
    match = play_on(running_match(pair), 6)
    page = blog(frame_of(match))
    inside = page.frame_locator("iframe")
    inside.locator("#discard-pile summary").click()
    version = inside.locator("#embedded").get_attribute("data-version")
    play_on(match, 1)
    expect(inside.locator("#embedded")).not_to_have_attribute("data-version", version or "")
    expect(inside.locator("#discard-pile")).to_have_attribute("open", "")
    assert page.complaints == []  # type: ignore[attr-defined]  # see the fixture


def test_a_link_leads_to_a_window_of_its_own(blog: Blog, pair: list[User], live_site: Site, settings: Any) -> None:
    settings.SITE_URL = live_site.url
    match = running_match(pair)
    page = blog(frame_of(match))
    with page.context.expect_page() as opened:
        page.frame_locator("iframe").locator("#way").click()
    assert opened.value.url.endswith(match.get_absolute_url())
    assert opened.value.evaluate("window.opener") is None


COPIES = """() => {
    const writeText = async (text) => { window.copied = text; };
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
}"""


def test_the_code_is_copied_while_a_match_runs_and_after_it(enter: Callable[..., Page], pair: list[User]) -> None:
    running, over = running_match(pair), play_on(running_match(pair), 5_000)
    page = enter(None, running.get_absolute_url(), **PHONE)
    for match in (running, over):
        page.goto(match.get_absolute_url())
        page.evaluate(COPIES)
        if match is running:
            page.locator("#about").click()
            page.locator("#embed > summary").press("Enter")
        else:
            page.locator("#to-embed").press("Enter")
        page.locator("#copy-embed").press("Enter")
        expect(page.locator("#copy-embed")).to_have_text("Copied")
        assert frame_of(match) in page.evaluate("window.copied")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    page.keyboard.press("Escape")
    expect(page.locator("#embed")).to_be_hidden()
    expect(page.locator("#to-embed")).to_be_focused()
    assert page.complaints == []  # type: ignore[attr-defined]  # see the fixture


def test_the_code_of_a_puzzle_is_copied(enter: Callable[..., Page], live_site: Site) -> None:
    page = enter(None, "/puzzles/", **PHONE)
    page.locator("a[href^='/puzzles/shifting-stones/']").first.click()
    page.evaluate(COPIES)
    page.locator("#to-embed").press("Enter")
    page.locator("#copy-embed").press("Enter")
    expect(page.locator("#copy-embed")).to_have_text("Copied")
    assert "/embed/puzzle/shifting-stones/" in page.evaluate("window.copied")
