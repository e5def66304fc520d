"""The lobby in a real browser: filters work in place, and pictures follow the matches they show."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play.boards.pictures import thumbnails
from games.play.live import heartbeat
from games.play.models import Match
from games.play.reducer import positions
from games.titles import games
from tests.browser.axe import accessible, violations_at_both_widths
from tests.browser.windows import resize
from tests.people import act, eager, person, running_match

Enter = Callable[..., Page]


def opened(host: User | None = None, **wish: Any) -> Match:
    return tables.open_table(host or person(), TableSetup("shifting-stones", 2, **wish))


def move(match: Match) -> None:
    seat = match.seats.filter(to_move=True).order_by("number")[0].number
    act(match, eager(match, positions.legal_texts(match, seat)), seat)


# --- filters ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [True, False])
def test_a_filter_works_at_once_and_keeps_the_focus(enter: Enter, known: bool) -> None:
    casual, rated = opened(rated=False), opened()
    user = person() if known else None
    page = enter(user, "/lobby/")
    page.evaluate("window.same = true")
    page.locator("#filter-box > summary").click()
    page.get_by_role("combobox", name="Rated").focus()
    page.get_by_role("combobox", name="Rated").select_option("Casual")
    expect(page.locator(f"#table-{rated.slug}")).to_have_count(0)
    expect(page.locator(f"#table-{casual.slug}")).to_be_visible()
    expect(page.locator("#live")).to_have_text("1 open table")
    expect(page.get_by_role("combobox", name="Rated")).to_be_focused()
    assert page.evaluate("window.same")
    assert "rated=no" in page.url
    if known:  # what is listed and asked is the same for visitors
        accessible(page)
    page.goto("/archive/")
    page.goto("/lobby/")  # remembered
    page.locator("#filter-box > summary").click()
    expect(page.get_by_role("combobox", name="Rated")).to_have_value("no")
    expect(page.locator("#tables > li")).to_have_count(1)


def test_what_is_pushed_after_a_change_fits_the_filter(enter: Enter) -> None:
    page = enter(person(), "/lobby/")
    page.locator("#filter-box > summary").click()
    with page.expect_websocket(lambda socket: "speed=days" in socket.url) as dialled:
        page.get_by_label("Speed").select_option("Over days")
    assert "rated=" not in dialled.value.url
    live, days = opened(), opened(speed="days")
    expect(page.locator(f"#table-{days.slug}")).to_be_visible()
    expect(page.locator(f"#table-{live.slug}")).to_have_count(0)


def test_where_nothing_fits_one_goes_on_to_all_tables(enter: Enter) -> None:
    match = opened()
    page = enter(person(), "/lobby/?game=card-chess")
    expect(page.get_by_text("No open tables fit these filters right now.")).to_be_visible()
    accessible(page)
    page.locator(".empty").get_by_role("link", name="Show all tables").click()
    expect(page.locator(f"#table-{match.slug}")).to_be_visible()
    expect(page.locator("#filters").get_by_label("Game")).to_have_value("")


def test_without_a_script_the_filters_are_a_form(enter: Enter) -> None:
    casual, rated = opened(rated=False), opened()
    page = enter(person(), "/lobby/", java_script_enabled=False)
    page.locator("#filter-box > summary").click()
    page.get_by_role("combobox", name="Rated").select_option("Casual")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(f"#table-{rated.slug}")).to_have_count(0)
    expect(page.locator(f"#table-{casual.slug}")).to_be_visible()


# --- rows ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False])
def test_the_fingerprint_is_folded_and_opens_by_its_name(enter: Enter, script: bool) -> None:
    match = opened()
    page = enter(person(), "/lobby/", java_script_enabled=script)
    if script:  # which tells ages in words
        expect(page.locator(f"#table-{match.slug} time")).to_have_text("now")
    code = page.locator(f"#table-{match.slug} code")
    expect(code).to_have_text(match.commit)  # it is in the page before anybody sits down
    expect(code).to_be_hidden()
    page.locator("summary", has_text="Fingerprint of the shuffle").press("Enter")
    expect(code).to_be_visible()


def test_the_random_number_is_sent_even_if_its_script_comes_late(enter: Enter) -> None:
    match, guest, late = opened(), person(), list[Route]()
    page = enter(guest, "about:blank", cold=True)
    page.route(re.compile(r"matchmaking/nonce\b"), lambda route: late.append(route))  # noqa: PLW0108  # Playwright marks what it calls
    page.goto("/lobby/")
    expect(page.locator("#tables > li")).to_have_count(1)
    page.evaluate("document.querySelector('#tables button').click()")
    while not late:
        page.wait_for_timeout(20)
    assert match.seats.filter(user=guest).count() == 0
    late[0].continue_()
    expect(page.locator("#match[data-status=running]")).to_be_visible()
    assert len(bytes(match.seats.get(user=guest).nonce)) == 16


def test_an_open_fingerprint_stays_open_when_the_row_changes(enter: Enter) -> None:
    match = tables.open_table(person(), TableSetup("shifting-stones", 3))
    page = enter(person(), "/lobby/")
    page.locator(f"#table-{match.slug} summary").click()
    tables.join(match.pk, person("newcomer"))
    expect(page.locator(f"#table-{match.slug}")).to_contain_text("newcomer")
    expect(page.locator(f"#table-{match.slug} code")).to_be_visible()


# --- pictures --------------------------------------------------------------------------------------------------------

SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const it of list.getEntries()) if (!it.hadRecentInput) window.shifted += it.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""


def test_pictures_follow_matches_of_every_game(enter: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeat, "EVERY", 0.4)
    matches = [running_match([person(), person()], game=slug, seed=bytes(32)) for slug in games()]
    page = enter(None, "/lobby/")
    page.evaluate(SHIFTS)
    for match in matches:
        picture = page.locator(f"#running-{match.slug} .thumbnail")
        for _ in range(2):
            before, drawn = picture.inner_html(), thumbnails([Match.objects.get(pk=match.pk)])
            while thumbnails([Match.objects.get(pk=match.pk)]) == drawn:
                move(match)
            page.wait_for_function(
                "([slug, before]) => document.querySelector(`#running-${slug} .thumbnail`).innerHTML !== before",
                arg=[match.slug, before],
            )
        box = picture.bounding_box()
        assert box is not None
        assert abs(box["width"] / box["height"] - 160 / 120) < 0.05
    assert page.evaluate("window.shifted") == 0


def test_ones_own_matches_follow_in_the_open_page(enter: Enter) -> None:
    me, other = person(), person()
    match = running_match([me, other], seed=bytes(32), speed="days", clock="259200+86400/259200")
    page = enter(me, "/matches/")
    expect(page.locator("#waiting-list").get_by_role("link", name="Continue")).to_be_visible()
    expect(page.locator("#waiting-list .time-left")).to_contain_text("until")
    accessible(page)
    while match.seats.get(user=me).to_move:
        move(match)
    expect(page.locator("#running-list > li")).to_have_count(1)
    expect(page.locator("#waiting-list > li")).to_have_count(0)
    expect(page.get_by_text("No matches are waiting for you.")).to_be_visible()
    expect(page.locator("[data-count-of=waiting-list]")).to_have_text("0")
    before = page.locator("#running-list .thumbnail").inner_html()
    while match.seats.get(user=other).to_move:
        move(match)
    expect(page.locator("#waiting-list > li")).to_have_count(1)
    assert page.locator("#waiting-list .thumbnail").inner_html() != before
    assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`


def test_the_lobby_fits_and_its_targets_are_large_enough(enter: Enter) -> None:
    host = person("a-name-of-24-characters-x")
    tables.open_table(host, TableSetup("small-islands", 4, {"mode": "advanced"}, reliability=80))
    running_match([person(), person("another-name-24-letters-")])
    page = enter(person(), "/lobby/")
    for width in (320, 360, 1280):
        resize(page, {"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALL) == []
    assert violations_at_both_widths(page, narrow=320) == []
    assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`


SMALL = """() => [...document.querySelectorAll("main :is(a, button, select, summary)")].filter((it) => {
  const { width, height } = it.getBoundingClientRect();
  return width && (width < 24 || height < 24) && !it.closest("p, h3");
}).map((it) => it.outerHTML)"""
"""What is too small for a finger."""
