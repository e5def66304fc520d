"""From a report to the verdict, in the browsers of three people."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.matches import begun
from tests.browser.player import connected
from tests.people import person
from tests.site.chat.rooms import say
from tests.site.moderation.moderators import moderator

Enter = Callable[..., Page]


def test_a_message_is_reported_judged_and_answered(enter: Enter) -> None:
    ann, bob, mod = person("ann"), person("bob"), moderator("mod")
    match = begun([ann, bob])
    say(bob, match, "You are all fools")

    anns = enter(ann, match.get_absolute_url())
    connected(anns)
    anns.locator("#open-chat").click()
    anns.locator("#chat").get_by_role("link", name="Report").click()
    expect(anns.get_by_role("blockquote")).to_have_text("You are all fools")
    anns.get_by_label("Insults, threats or hatred").check()
    anns.get_by_label("In your words").fill("He always does")
    anns.get_by_role("button", name="Send the report").click()
    anns.get_by_role("dialog", name="Thank you").get_by_role(
        "link", name="“Your reports” shows what came of it."
    ).click()
    expect(anns.get_by_text("The moderators have not decided yet.")).to_be_visible()

    mods = enter(mod, "/lobby/")
    mods.get_by_role("button", name="Menu").click()
    mods.get_by_role("link", name="Moderation 1").click()
    expect(mods.locator(".moderation-told")).to_have_text("Insults, threats or hatred You are all fools He always does")
    mods.get_by_role("link", name="bob").click()
    mods.get_by_role("button", name="Take this case").click()
    expect(mods.get_by_text("He always does")).to_be_visible()
    expect(mods.get_by_role("button", name="Warn bob and close the case")).to_be_visible()
    decision = mods.locator(".decision")
    expect(decision.get_by_role("button", name="Warn bob", exact=True)).to_be_visible()
    expect(decision.get_by_label("For how long")).to_be_hidden()
    decision.get_by_label("Silence: may write only phrases").check()
    expect(decision.get_by_label("New name")).to_be_hidden()
    decision.get_by_label("For how long").select_option("7")
    decision.get_by_label("Reason").fill("Insults in the chat")
    decision.get_by_role("button", name="Silence bob").click()
    expect(mods.get_by_text("Done. It is in the log.")).to_be_visible()
    mods.get_by_label("We have done something about it.").check()
    mods.get_by_label("Answer").fill("He can write nothing for a week.")
    mods.get_by_label("Reason").last.fill("Insults")
    mods.get_by_role("button", name="Decide and tell those who reported").click()
    expect(mods.get_by_text("All done. Thank you!")).to_be_visible()

    anns.goto(re.sub(r"/reports/.*", "/notices/", anns.url))
    anns.get_by_role("link", name="Your report has been looked at").click()
    expect(anns.get_by_text("He can write nothing for a week.")).to_be_visible()

    bobs = enter(bob, match.get_absolute_url())
    connected(bobs)
    bobs.locator("#open-chat").click()
    bobs.locator("#chat").get_by_label("Your message").fill("And you too")
    bobs.locator("#chat").get_by_role("button", name="Send").click()
    expect(bobs.get_by_text("Reason: Insults in the chat")).to_be_visible()
