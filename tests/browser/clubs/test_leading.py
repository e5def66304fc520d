"""What those who lead a club do in a browser: a file of names becomes invitations, a tournament an evening."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import FilePayload, Page, expect

from games.clubs import services
from games.clubs.models import ClubInvitation, Evening
from tests.browser.axe import violations_at_both_widths
from tests.people import person

Enter = Callable[..., Page]

LIST = "Name;Klasse\r\nJörg;3b\r\nnobody-2;3b\r\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_file_of_names_becomes_invitations(enter: Enter, encoding: str) -> None:
    ann, joerg = person("ann"), person("Jörg")
    club = services.found(ann, "Chess at school")
    page = enter(ann, f"/clubs/{club.slug}/names/")
    file = FilePayload(name="class.csv", mimeType="text/csv", buffer=LIST.encode(encoding))
    page.get_by_label("Or from a CSV file").set_input_files(file)
    expect(page.get_by_label("Names", exact=True)).to_have_value(LIST.replace("\r\n", "\n"))
    if encoding == "cp1252":
        assert violations_at_both_widths(page) == []
    page.get_by_role("button", name="Look at the list").click()
    expect(page.locator("#names")).to_contain_text("Nobody here has this name.")
    if encoding == "cp1252":
        assert violations_at_both_widths(page) == []
    page.get_by_role("button", name="Invite 1 person").click()
    expect(page.get_by_text("1 person is invited.")).to_be_visible()
    assert ClubInvitation.objects.get().user == joerg


def test_an_evening_is_set_up_and_the_webhook_has_a_page(enter: Enter) -> None:
    ann = person("ann")
    club = services.found(ann, "Chess at school")
    page = enter(ann, club.get_absolute_url())
    page.get_by_role("link", name="Lead the club").click()
    page.get_by_role("link", name="Shifting Stones", exact=True).click()
    expect(page.get_by_label("Minutes for a round")).to_be_hidden()
    page.get_by_role("radio", name="A Swiss tournament").check()
    page.get_by_label("Minutes for a round").fill("60")
    assert violations_at_both_widths(page) == []
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Every Thursday at")).to_be_visible()
    assert Evening.objects.get().rounds == 3
    assert violations_at_both_widths(page) == []
    page.get_by_role("link", name="Edit").click()
    expect(page.get_by_label("Minutes for a round")).to_have_value("60")
    page.get_by_role("radio", name="A planned table").check()
    assert violations_at_both_widths(page) == []
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("A planned table")).to_be_visible()
    assert Evening.objects.get().rounds is None
    page.get_by_role("navigation", name="For those who lead the club").get_by_role("link", name="Webhook").click()
    assert violations_at_both_widths(page) == []
