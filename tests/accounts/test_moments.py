"""Dates and times look the same everywhere and follow the reader's language, zone and browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.template import engines
from django.utils import timezone, translation
from playwright.sync_api import BrowserContext, expect

from accounts import moments
from tests.browser.player import log_in
from tests.people import person
from tests.serving import Site

AT = datetime(2026, 11, 3, 14, 5, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "kind", "text"),
    [
        ("en", "date", "3 Nov 2026"),
        ("en", "moment", "3 Nov 2026, 19:35"),
        ("en", "deadline", "Tue, 3 Nov, 19:35"),
        ("de", "date", "3. Nov. 2026"),
        ("de", "moment", "3. Nov. 2026, 19:35"),
        ("de", "deadline", "Di, 3. Nov., 19:35"),
    ],
)
def test_a_moment_in_words(language: str, kind: moments.Kind, text: str) -> None:
    with translation.override(language), timezone.override(ZoneInfo("Asia/Kolkata")):
        assert moments.in_words(AT, kind) == text


def test_mails_name_the_zone() -> None:
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert moments.with_zone(AT) == "Tue, 3 Nov, 15:05 CET"


@pytest.mark.parametrize("engine", ["django", "boards"])
def test_both_kinds_of_templates_write_the_same_element(engine: str) -> None:
    template = engines[engine].from_string("{{ at|moment }}")
    assert template.render({"at": AT}) == moments.element(AT)
    assert (
        moments.element(AT)
        == '<time datetime="2026-11-03T14:05:09+00:00" data-moment="moment">3 Nov 2026, 14:05</time>'
    )


@pytest.mark.browser
@pytest.mark.parametrize(
    ("locale", "zone", "text"),
    [
        ("en-US", "UTC", "Nov 3, 2026"),
        ("en-GB", "UTC", "3 Nov 2026"),
        ("de-DE", "UTC", "3. Nov. 2026"),
        ("en-GB", "Pacific/Kiritimati", "4 Nov 2026"),
    ],
)
def test_a_visitor_s_browser_decides_on_locale_and_zone(
    visitor: Callable[..., BrowserContext], locale: str, zone: str, text: str
) -> None:
    ann = person(date_joined=AT)
    page = visitor(locale=locale, timezone_id=zone).new_page()
    page.goto(ann.get_absolute_url())
    expect(page.locator("time[data-moment]").first).to_have_text(text)


@pytest.mark.browser
def test_the_zone_and_the_language_of_an_account_come_first(
    visitor: Callable[..., BrowserContext], live_site: Site
) -> None:
    ann = person(date_joined=AT, time_zone="Pacific/Kiritimati", language="de")
    context = visitor(locale="en-US", timezone_id="UTC")
    log_in(context, ann, live_site.url)
    page = context.new_page()
    page.goto(ann.get_absolute_url())
    expect(page.locator("time[data-moment]").first).to_have_text("4. Nov. 2026")
