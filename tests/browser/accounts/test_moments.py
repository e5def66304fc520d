"""Dates and times follow the reader's account or browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser.player import log_in
from tests.people import person
from tests.serving import Site

AT = datetime(2026, 11, 3, 14, 5, 9, tzinfo=UTC)


def test_a_visitor_s_browser_decides_on_locale_and_zone(visitor: Callable[..., BrowserContext]) -> None:
    ann = person(date_joined=AT)
    for locale, zone, text in (
        ("en-US", "UTC", "Nov 3, 2026"),
        ("en-GB", "UTC", "3 Nov 2026"),
        ("de-DE", "UTC", "3. Nov. 2026"),
        ("en-GB", "Pacific/Kiritimati", "4 Nov 2026"),
    ):
        page = visitor(locale=locale, timezone_id=zone).new_page()
        page.goto(ann.get_absolute_url())
        expect(page.locator("time[data-moment]").first, zone).to_have_text(text)


def test_a_day_is_the_same_in_every_zone(visitor: Callable[..., BrowserContext], live_site: Site) -> None:
    for zone in ("Pacific/Honolulu", "Pacific/Kiritimati"):
        page = visitor(locale="en-US", timezone_id=zone).new_page()
        page.goto("/puzzles/archive/")
        shown = page.locator('time[data-moment="day"]').first
        day = date.fromisoformat(shown.get_attribute("datetime") or "")
        expect(shown, zone).to_have_text(f"{day:%b} {day.day}, {day.year}")


def test_the_zone_and_the_language_of_an_account_come_first(
    visitor: Callable[..., BrowserContext], live_site: Site
) -> None:
    ann = person(date_joined=AT, time_zone="Pacific/Kiritimati", language="de")
    context = visitor(locale="en-US", timezone_id="UTC")
    log_in(context, ann, live_site.url)
    page = context.new_page()
    page.goto(ann.get_absolute_url())
    expect(page.locator("time[data-moment]").first).to_have_text("4. Nov. 2026")


@pytest.mark.parametrize(
    ("locale", "text", "named"),
    [
        ("de-DE", "3. Nov. 2026, 08:05", ["gestern, 08:05", "Di., 08:05"]),
        ("it-IT", "3 nov 2026, 08:05", ["ieri, 08:05", "mar 08:05"]),
        ("en-US", "Nov 3, 2026, 8:05\u202fAM", ["yesterday, 8:05\u202fAM", "Tue 8:05\u202fAM"]),
    ],
)
def test_an_hour_has_as_many_digits_wherever_it_is_shown_and_the_days_of_a_week_have_names(
    visitor: Callable[..., BrowserContext], live_site: Site, locale: str, text: str, named: list[str]
) -> None:
    page = visitor(locale=locale, timezone_id="UTC").new_page()
    page.goto("/")
    element = '<time datetime="2026-11-03T08:05:00Z" data-moment="moment"></time>'
    page.evaluate("(element) => document.querySelector('main').insertAdjacentHTML('afterbegin', element)", element)
    expect(page.locator("main > time")).to_have_text(text)
    shown = []
    for day in (4, 9):
        page.clock.set_fixed_time(datetime(2026, 11, day, 7, tzinfo=UTC))
        page.evaluate("document.querySelector('main > time').textContent = '…'")
        expect(page.locator("main > time")).not_to_have_text("…")
        shown.append(page.locator("main > time").inner_text().replace(" AM", "\u202fAM"))
    assert shown == named
