"""Bots of others, listed beside ours: without findings at both widths, and a press leads to a match with one."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts.services import record_presence
from games.bots.accounts import become_bot
from games.bots.conditions import set_conditions
from games.matchmaking import tables
from games.play.models import Match
from tests.browser.axe import violations_at_both_widths
from tests.people import person


def test_a_press_challenges_a_bot_and_the_match_begins_when_it_sits_down(enter: Callable[..., Page]) -> None:
    ann, robo = person("ann"), person("robo")
    become_bot(robo)
    set_conditions(robo, games=["shifting-stones"], clocks=["300+10/600"])
    record_presence([robo.pk])
    page = enter(ann, "/play/")
    assert violations_at_both_widths(page) == []
    page.get_by_role("button", name=re.compile("Shifting Stones.*BOT robo")).click()
    expect(page.get_by_text("BOT robo").first).to_be_visible()
    match = Match.objects.get()
    tables.join(match.pk, robo)
    expect(page.locator("#player-0, #player-1").filter(has_text="BOT robo")).to_be_visible()
