"""Fields that ask for a name suggest people while one types, by keyboard and by touch."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts import relations
from tests.browser.axe import violations
from tests.people import open_table, person

Enter = Callable[..., Page]


def test_names_are_suggested_one_after_another(enter: Enter) -> None:
    ann, berta = person("ann"), person("Berta")
    person("Bernd")
    relations.request_friendship(ann, berta)
    relations.accept_request(berta, ann)
    page = enter(ann, f"/tables/{open_table([ann], seats=4).slug}/invite/")
    field, options = page.get_by_role("combobox", name="Invite"), page.get_by_role("option")

    field.press_sequentially("BE")
    expect(options).to_have_text(["Bertafriend", "Bernd"])
    assert violations(page) == []
    page.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", options.first.get_attribute("id") or "")
    page.keyboard.press("Enter")
    expect(field).to_have_value("Berta ")
    expect(field).to_have_attribute("aria-expanded", "false")
    field.press_sequentially("be")
    expect(options).to_have_text(["Bernd"])
    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    page.keyboard.press("ArrowDown")
    options.click()
    expect(field).to_have_value("Berta Bernd ")

    page.goto("/people/")
    page.get_by_role("combobox", name="Find someone by name").press_sequentially("bern")
    expect(options).to_have_text(["Bernd"])  # as long as nothing was typed friends were suggested
    options.click()
    expect(page.get_by_role("heading", name="Bernd")).to_be_visible()
    assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`
