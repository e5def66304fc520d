"""The start page in a browser: how few presses lead to a match, choices of visitors, and the installed app."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.titles import games
from tests.browser.matches import begun, play_until_turn_of
from tests.people import person

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Enter = Callable[..., Page]
FIRST_SCREEN = {"width": 360, "height": 740}


@pytest.mark.parametrize("slug", sorted(games()))
@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_a_visitor_is_at_their_first_action_against_a_bot_after_one_press(
    enter: Enter, slug: str, scripted: bool
) -> None:
    page = enter(None, "/", viewport=FIRST_SCREEN, java_script_enabled=scripted)
    page.locator(f"#game-{slug}").get_by_role("button", name="Play a bot").click()
    expect(page.locator("#match-status.my-turn")).to_be_visible()
    expect(page.locator("#match")).to_have_attribute("data-seat", "0")
    expect(page.locator("#players")).to_contain_text("Novice")
    assert page.complaints == []  # type: ignore[attr-defined]  # see the fixture


def test_who_waits_for_a_match_to_begin_is_asked_to_press_nothing(enter: Enter) -> None:
    page = enter(None, "/")
    page.route("**/start/", lambda route: route.fulfill(status=204))  # which leaves a page as it is
    page.locator("#game-small-islands").get_by_role("button", name="Play a bot").click()
    expect(page.locator("#status")).to_have_text("One moment: the match is about to begin.", use_inner_text=True)
    expect(page.get_by_role("button", name=re.compile("Begin|Remove|Close"))).to_have_count(0)


def test_a_browser_that_stores_nothing_begins_by_a_press(enter: Enter) -> None:
    page = enter(None, "/")
    page.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException(); } })")
    page.locator("#game-small-islands").get_by_role("button", name="Play a bot").click()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#match-status.my-turn")).to_be_visible()


def test_the_first_game_is_within_the_first_screen_of_a_phone(enter: Enter) -> None:
    page = enter(None, "/", viewport=FIRST_SCREEN)
    game = page.locator(".game").first
    for part in (game.locator(".game-art"), game.get_by_role("button", name="Play a bot")):
        box = part.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= FIRST_SCREEN["height"]


def test_another_level_is_two_presses_away(enter: Enter) -> None:
    page = enter(None, "/")
    page.get_by_role("button", name="Shifting Stones: choose how well the bot plays").click()
    page.locator("#levels-shifting-stones [value=master]").click()
    expect(page.locator("#players")).to_contain_text("Master")


@pytest.mark.parametrize("scripted", [True, False], ids=["script", "no script"])
def test_a_visitor_chooses_language_and_colours_in_the_menu(enter: Enter, scripted: bool) -> None:
    page = enter(None, "/lobby/", java_script_enabled=scripted)
    for choice in ("Deutsch", "Dunkel"):
        page.locator(".menu-button").click()
        page.locator("#menu").get_by_role("button", name=choice).click()
        expect(page.locator("#menu")).to_be_hidden()
    expect(page.get_by_role("heading", name="Offene Tische")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_sound_is_switched_on_in_menu_or_footer(enter: Enter) -> None:
    page = enter(None, "/")
    of_footer = page.locator(".site-footer").get_by_role("button", name="Sound")
    of_footer.click()
    page.locator(".menu-button").click()
    of_menu = page.locator("#menu").get_by_role("button", name="Sound")
    expect(of_menu).to_have_attribute("aria-pressed", "true")
    of_menu.click()
    expect(of_footer).to_have_attribute("aria-pressed", "false")


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
