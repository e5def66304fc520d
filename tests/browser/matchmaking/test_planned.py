"""The page of planned tables keeps itself current."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import BrowserContext, expect

from games.matchmaking import planned
from games.matchmaking.tables import TableSetup
from tests.browser.player import log_in
from tests.people import person
from tests.serving import Site


def test_who_comes_appears_without_a_click(visitor: Callable[..., BrowserContext], live_site: Site) -> None:
    host, reader, third = person("host"), person("reader"), person("third")
    wish = TableSetup("shifting-stones", 3, rated=False)
    match = planned.plan_table(host, wish, timezone.now() + timedelta(days=1))
    context = visitor()
    log_in(context, reader, live_site.url)
    page = context.new_page()
    page.clock.install()
    page.goto("/tables/planned/?game=shifting-stones")
    row = page.locator(f"#planned-{match.slug}")
    expect(row).to_contain_text("2 seats free")
    page.locator(f"#come-{match.slug}").focus()
    planned.come(match.pk, third)
    page.clock.run_for(31_000)
    expect(row).to_contain_text("third")
    expect(row).to_contain_text("1 seat free")
    expect(page.locator(f"#come-{match.slug}")).to_be_focused()
