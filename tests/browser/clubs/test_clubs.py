"""A club in two browsers: started, joined by request, and written in."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.clubs.models import Club, JoinRequest
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play.models import Match
from tests.browser.axe import violations_at_both_widths
from tests.browser.player import connected
from tests.people import person

Enter = Callable[..., Page]


def test_a_club_is_started_joined_and_written_in(enter: Enter) -> None:
    ann, bob = person("ann"), person("a-very-long-name-of-1")
    anns = enter(ann, "/clubs/")
    anns.get_by_role("link", name="Start a club").first.click()
    anns.get_by_label("Name").fill("Chess at school")
    anns.get_by_label("About the club").fill("We meet every Thursday at eight.")
    anns.get_by_role("button", name="Start the club").click()
    expect(anns.get_by_role("heading", level=1)).to_have_text("Chess at school")
    club = Club.objects.get()
    bobs = enter(bob, club.get_absolute_url())
    bobs.get_by_role("button", name="Ask to join").click()
    expect(bobs.get_by_text("You have asked to join.")).to_be_visible()
    JoinRequest.objects.create(club=club, user=person("eve"))
    tables.open_table(ann, TableSetup("shifting-stones", 2, visibility=Match.Visibility.CLUB, club=club))
    anns.reload()
    assert violations_at_both_widths(anns) == []
    anns.get_by_role("link", name="All members, roles and removals").click()
    anns.locator("#requests li", has_text=bob.username).get_by_role("button", name="Let in").click()
    row = anns.locator("#everybody li", has_text=bob.username)
    row.locator("summary").click()
    assert violations_at_both_widths(anns) == []
    row.get_by_label(f"Role of {bob.username}").select_option("helper")
    row.get_by_role("button", name="Save").click()
    expect(row.locator(".badge")).to_have_text("Helper")
    chat = f"{club.get_absolute_url()}chat/"
    for page in (anns, bobs):
        page.goto(chat)
        connected(page)
    anns.get_by_label("Your message").fill("Hello <b>Bob</b>")
    anns.get_by_role("button", name="Send").click()
    expect(bobs.locator(".chat-words")).to_have_text("Hello <b>Bob</b>")
    assert violations_at_both_widths(bobs) == []
    for page in (anns, bobs):
        assert page.complaints == []  # type: ignore[attr-defined]  # collected since it was opened
