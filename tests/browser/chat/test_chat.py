"""Messages beside the board, in two browsers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from accounts.models import User
from games.chat.conversations import LATEST
from games.chat.models import Message
from games.play.commands import resign
from games.play.models import Match
from tests.browser.matches import begun
from tests.browser.player import HEARD, connected, log_in
from tests.browser.proxy import wire_to
from tests.people import person
from tests.serving import Site
from tests.site.chat.rooms import say

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


@pytest.fixture
def talkative(live_site: Site, monkeypatch: pytest.MonkeyPatch) -> tuple[User, User, Match]:
    """Ann, Bob, and their match, in which Bob has written five messages more than are shown at once."""
    monkeypatch.setattr("games.chat.services.PACE", ())
    ann, bob = person("ann"), person("bob")
    match = begun([ann, bob])
    for number in range(LATEST + 5):
        say(bob, match, f"number {number};")
    return ann, bob, match


def test_earlier_messages_open_in_the_window_and_stay_there(enter: Enter, talkative: tuple[User, User, Match]) -> None:
    ann, bob, match = talkative
    page = connected(enter(ann, match.get_absolute_url()))
    page.locator("#open-chat").click()
    chat = page.locator("#chat")
    expect(chat.get_by_text(f"number {LATEST + 4};")).to_be_in_viewport()
    expect(chat.get_by_text("number 4;", exact=True)).to_have_count(0)
    chat.get_by_role("link", name="Earlier messages").click()
    expect(chat.get_by_text("number 0;", exact=True)).to_have_count(1)
    expect(chat.get_by_role("link", name="Earlier messages")).to_have_count(0)
    expect(chat.get_by_text("number 5;", exact=True)).to_be_in_viewport()
    say(bob, match, "the latest")
    expect(chat.get_by_text("the latest")).to_have_count(1)
    expect(chat.locator(".chat-words")).to_have_count(LATEST + 6)
    expect(page).to_have_url(re.compile(f"{match.get_absolute_url()}$"))


def test_earlier_messages_come_although_somebody_writes_while_they_are_on_their_way(
    enter: Enter, talkative: tuple[User, User, Match]
) -> None:
    ann, bob, match = talkative
    page = connected(enter(ann, match.get_absolute_url()))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/*before=*", hold)
    page.locator("#open-chat").click()
    chat = page.locator("#chat")
    chat.get_by_role("link", name="Earlier messages").click()
    say(bob, match, "the latest")
    expect(chat.get_by_text("the latest")).to_have_count(1)
    held.pop().continue_()
    expect(chat.locator(".chat-words")).to_have_count(LATEST + 6)
    expect(chat.get_by_role("link", name="Earlier messages")).to_have_count(0)


def test_what_is_typed_is_kept_until_it_is_sent(enter: Enter) -> None:
    ann, bob = person("ann"), person("bob")
    match = begun([ann, bob])
    page = connected(enter(ann, match.get_absolute_url()))
    page.locator("#open-chat").click()
    typed = page.get_by_label("Your message").first
    typed.fill("Well plaid")
    typed.evaluate("field => field.setSelectionRange(8, 9)")
    resign(match.pk, 1, "resignation")
    say(bob, match, "I give up")
    expect(page.get_by_role("heading", name="Spectators")).to_be_visible()
    page.keyboard.type("ye")
    expect(typed).to_have_value("Well played")
    page.locator("#chat summary").first.click()
    page.get_by_role("button", name="Good luck!").first.click()
    expect(page.locator(".chat-words", has_text="Good luck!")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".chat-words")).to_have_text(["I give up"])
    expect(typed).to_have_value("Well played")
    page.goto(f"{match.get_absolute_url()}chat/")
    typed.fill("Thanks")
    page.get_by_role("button", name="Mute bob").click()
    expect(page.get_by_role("button", name="Unmute bob")).to_be_visible()
    expect(typed).to_have_value("Thanks")
    connected(page)
    page.get_by_role("button", name="Send").first.click()
    expect(page.locator(".chat-words", has_text="Thanks")).to_be_visible()


def test_a_message_that_was_lost_on_its_way_is_sent_again(
    visitor: Callable[..., BrowserContext], live_site: Site
) -> None:
    ann = person("ann")
    match = begun([ann, person("bob")])
    context = visitor()
    with wire_to(live_site.url) as wire:
        log_in(context, ann, wire.url)
        page = context.new_page()
        page.add_init_script(HEARD)
        page.goto(wire.url + match.get_absolute_url())
        connected(page).locator("#open-chat").click()
        chat = page.locator("#chat")
        chat.get_by_label("Your message").fill("Hello")
        wire.fall_silent()
        chat.get_by_role("button", name="Send").click()
        wire.cut()
        wire.mend()  # at once: what is posted meanwhile would fail, and be kept for its author
        expect(chat.locator(".chat-words", has_text="Hello")).to_be_visible()
        expect(chat.get_by_label("Your message")).to_have_value("")
        chat.get_by_label("Your message").fill("Are you there?")
        chat.get_by_role("button", name="Send").click()
        expect(chat.locator(".chat-words", has_text="Are you there?")).to_be_visible()
    assert Message.objects.count() == 2
