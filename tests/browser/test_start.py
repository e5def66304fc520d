"""The start page in a browser: a match in motion that can be paused and never moves against the reader's wish."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.play.models import Match, Speed
from tests.browser.matches import begun, finished, play_on, play_until_turn_of
from tests.people import person, play_out, running_match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Enter = Callable[..., Page]
PUBLIC = Match.Visibility.PUBLIC
STEP_AND_MORE = 3_000  # milliseconds
ANIMATED = (
    "window.animated = 0; const animate = Element.prototype.animate; "
    "Element.prototype.animate = function (...given) { window.animated += 1; return animate.apply(this, given); };"
)


def number(page: Page) -> int:
    return int(page.locator("#showcase").get_attribute("data-number") or "")


def test_a_finished_match_plays_itself_until_it_is_paused(enter: Enter) -> None:
    match = finished([person("ann"), person("bob")], visibility=PUBLIC)
    page = enter(None, "/")
    expect(page.locator("#showcase")).to_have_attribute("data-number", str(match.length // 3))
    expect(page.locator("#showcase")).to_have_attribute("data-number", str(match.length // 3 + 2))
    pause = page.get_by_role("button", name="Pause")
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "true")
    before = number(page)
    page.locator("#showcase-next").click()  # a step by hand does not start it again
    expect(page.locator("#showcase")).to_have_attribute("data-number", str(before + 1))
    expect(pause).to_have_attribute("aria-pressed", "true")
    assert page.complaints == []  # type: ignore[attr-defined]  # see the fixture


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_steps_by_hand_move_nothing_with_less_motion(enter: Enter, motion: str) -> None:
    finished([person("ann"), person("bob")], visibility=PUBLIC)
    page = enter(None, "about:blank", reduced_motion=motion)
    page.add_init_script(ANIMATED)
    page.goto("/")
    if motion == "no-preference":
        expect(page.locator("#page[data-moves]")).to_be_visible(timeout=15_000)
        page.get_by_role("button", name="Pause").click()
    first = number(page)
    for _ in range(6):
        here = number(page)
        page.locator("#showcase-next").click()
        expect(page.locator("#showcase")).not_to_have_attribute("data-number", str(here))
    assert number(page) > first
    assert (page.evaluate("window.animated") > 0) == (motion == "no-preference")


def test_with_less_motion_it_stands_still_until_it_is_asked_to_play(enter: Enter) -> None:
    finished([person("ann"), person("bob")], visibility=PUBLIC)
    page = enter(None, "about:blank", reduced_motion="reduce")
    page.clock.install()
    page.goto("/")
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_have_attribute("aria-pressed", "true")
    first = number(page)
    page.clock.run_for(STEP_AND_MORE)
    page.wait_for_load_state("networkidle")
    assert number(page) == first
    pause.click()
    expect(pause).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(STEP_AND_MORE)
    expect(page.locator("#showcase")).to_have_attribute("data-number", str(first + 1))


def test_a_match_that_is_being_played_is_followed(enter: Enter) -> None:
    match = begun([person("ann"), person("bob")], 6, visibility=PUBLIC, speed=Speed.LIVE)
    page = enter(None, "/")
    expect(page.get_by_text("Live now")).to_be_visible()
    expect(page.locator("#showcase")).to_have_attribute("data-number", str(match.length))
    play_on(match, 2)
    expect(page.locator("#showcase")).to_have_attribute("data-number", str(match.length))


@pytest.mark.parametrize("slug", ["card-chess", "shifting-stones"])
def test_the_board_on_the_start_page_is_only_looked_at(enter: Enter, slug: str) -> None:
    play_out(running_match([person("ann"), person("bob")], game=slug, visibility=PUBLIC))
    page = enter(None, "/")
    expect(page.locator(".showcase .verbs:visible")).to_have_count(0)
    assert page.locator(".showcase-board").evaluate("(board) => board.inert && !board.querySelector('input')")


def test_without_a_script_the_match_is_a_link_away(enter: Enter) -> None:
    match = finished([person("ann"), person("bob")], visibility=PUBLIC)
    page = enter(None, "/", java_script_enabled=False)
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    page.get_by_role("link", name="One step on").click()
    expect(page).to_have_url(re.compile(rf"/match/{match.slug}/replay/\?at={match.length // 3 + 1}$"))


def test_a_member_continues_with_the_most_urgent_match(enter: Enter) -> None:
    ann, bob = person("ann"), person("bob")
    match = play_until_turn_of(begun([ann, bob], 4), 0)
    page = enter(ann, "/")
    expect(page.get_by_role("heading", name="1 match is waiting for you")).to_be_visible()
    expect(page.locator(".home-match .thumbnail")).to_be_visible()
    page.get_by_role("link", name="Continue").click()
    expect(page).to_have_url(re.compile(match.get_absolute_url()))


def test_a_drawing_of_the_other_theme_is_never_loaded(enter: Enter) -> None:
    page = enter(None, "about:blank", color_scheme="dark")
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto("/")
    page.locator(".games .art-card").last.scroll_into_view_if_needed()
    expect(page.locator(".games .art-card").last).to_have_js_property("complete", value=True)
    assert any("card-dark" in url for url in loaded)
    assert not any("card-light" in url for url in loaded)


# --- the installed app ----------------------------------------------------------------------------------------------


def test_the_app_can_be_installed(enter: Enter) -> None:
    page = enter(person("ann"), "/")
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = page.evaluate("fetch('/manifest.webmanifest').then((answer) => answer.json())")
    pictures = [*manifest["icons"], *manifest["screenshots"]]
    sizes = [page.evaluate(SIZE, it["src"]) for it in pictures]
    assert sizes == [it["sizes"] for it in pictures]
    assert {it["form_factor"] for it in manifest["screenshots"]} == {"narrow", "wide"}
    assert {it["purpose"] for it in manifest["icons"]} == {"any", "maskable"}
    pages = [manifest["start_url"], *(it["url"] for it in manifest["shortcuts"])]
    assert pages == ["/matches/", "/matches/", "/tables/new/", "/lobby/"]
    assert [page.request.get(address).status for address in pages] == [200] * len(pages)


SIZE = """(src) => new Promise((tell, fail) => {
  const picture = Object.assign(new Image(), { src, onerror: fail });
  picture.onload = () => tell(`${picture.naturalWidth}x${picture.naturalHeight}`);
})"""


def test_the_installed_app_has_a_page_for_when_there_is_no_connection(enter: Enter) -> None:
    page = enter(person("ann"), "/")
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 0  # only a tab
    page.evaluate("dispatchEvent(new Event('appinstalled'))")  # as the browser does when the reader installs it
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.reload()
    page.context.set_offline(True)
    page.goto("/matches/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.button.primary')).backgroundColor")
        != "rgba(0, 0, 0, 0)"
    )
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name="My matches")).to_be_visible()


def test_the_worker_keeps_static_files_but_no_page_of_anybody(enter: Enter) -> None:
    page = enter(person("ann"), "/")
    page.evaluate("navigator.serviceWorker.register('/service-worker.js')")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.goto("/matches/")
    kept = page.evaluate(KEPT)
    assert kept
    assert [path for path in kept if not path.startswith("/static/")] == []


KEPT = """() => caches.keys()
  .then(([name]) => caches.open(name))
  .then((store) => store.keys())
  .then((found) => found.map((request) => new URL(request.url).pathname))"""
