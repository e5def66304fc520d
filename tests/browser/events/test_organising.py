"""An event of a club, made and changed by its form, which shows what the chosen format has."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.clubs import services as clubs
from games.events.models import Event
from tests.browser.axe import violations_at_both_widths
from tests.people import person

Enter = Callable[..., Page]

ALL = ("speed", "rounds", "lives", "round_minutes", "round_days", "arena_minutes", "season_weeks", "live_clock")
SHOWN = {
    "Swiss tournament": {"speed", "rounds", "round_minutes", "live_clock"},
    "Round robin": {"speed", "round_minutes", "live_clock"},
    "Arena": {"arena_minutes", "live_clock"},
    "League": {"season_weeks"},
    "Ladder": set(),
    "Knockout": {"speed", "lives", "round_minutes", "live_clock"},
}
"""The fields of each format, of those above, as long as the speed is live."""


def shown(page: Page) -> set[str]:
    return {name for name in ALL if page.locator(f'[data-field="{name}"]').is_visible()}


def test_an_event_is_made_changed_and_cancelled(enter: Enter) -> None:
    ann = person("ann")
    club = clubs.found(ann, "Wooden Tables")
    page = enter(ann, club.get_absolute_url())
    page.get_by_role("link", name="New event").click()
    page.get_by_role("link", name="Small Islands").first.click()
    for name, fields in SHOWN.items():
        page.locator(".events-formats label", has_text=name).click()
        assert shown(page) == fields, name
    page.locator('[data-field="speed"] label', has_text="Over days").click()
    assert shown(page) == {"speed", "lives", "round_days"}
    least = page.locator('[data-field="least"]')
    expect(least).to_be_hidden()
    page.locator('[data-field="seats"] label', has_text="4").click()
    expect(least).to_be_visible()
    page.get_by_label("A round lasts at most, in days").fill("9")
    page.get_by_role("button", name="Make the event").click()
    expect(page.locator(".form-errors")).to_contain_text("What would fit:")
    assert violations_at_both_widths(page) == []
    page.get_by_label("A round lasts at most, in days").fill("60")
    page.get_by_role("button", name="Make the event").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Knockout of Small Islands")
    event = Event.objects.get()
    assert (event.format, event.speed, event.want, event.least) == ("knockout", "days", 4, 2)
    page.get_by_role("link", name="Change or cancel").click()
    page.get_by_label("Lives").select_option("2")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#facts")).to_contain_text("Lives")
    event.refresh_from_db()
    assert event.lives == 2
    page.get_by_role("link", name="Change or cancel").click()
    page.locator("#cancelling summary").click()
    assert violations_at_both_widths(page) == []
    page.get_by_role("button", name="Cancel the event").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Wooden Tables")
    assert not Event.objects.exists()
    troubles = [it for it in page.complaints if "422" not in it]  # type: ignore[attr-defined]  # collected since it was opened
    assert troubles == []
