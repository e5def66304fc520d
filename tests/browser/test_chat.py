"""Messages beside the board, in two browsers."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.matches import begun
from tests.browser.player import connected
from tests.people import person

Enter = Callable[..., Page]


def test_two_players_write_to_each_other_beside_the_board(enter: Enter) -> None:
    ann, bob = person("ann"), person("bob")
    address = begun([ann, bob]).get_absolute_url()
    anns, bobs = enter(ann, address), enter(bob, address)
    for page in (anns, bobs):
        connected(page)
    anns.locator("#open-chat").click()
    chat = anns.locator("#chat")
    expect(chat.get_by_text("Nobody has written anything yet.")).to_be_visible()
    chat.get_by_label("Your message").fill("Hello <b>Bob</b>")
    chat.get_by_role("button", name="Send").click()
    expect(chat.get_by_text("Hello <b>Bob</b>")).to_be_visible()
    expect(chat.get_by_label("Your message")).to_have_value("")
    expect(bobs.locator("#chat-unread .number")).to_have_text("1")
    bobs.locator("#open-chat").click()
    expect(bobs.locator("#chat").get_by_text("Hello <b>Bob</b>")).to_be_visible()
    expect(bobs.locator("#chat-unread")).to_be_hidden()
    bobs.locator("#chat summary").click()
    bobs.locator("#chat").get_by_role("button", name="Good luck!").click()
    expect(chat.locator(".chat-words", has_text="Good luck!")).to_be_visible()
    chat.get_by_role("button", name="Delete").click()
    expect(bobs.locator("#chat").get_by_text("Hello <b>Bob</b>")).to_have_count(0)
