"""A series to its end: won, asked for the next match, won again."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from accounts.models import User
from games.matchmaking import tables
from games.matchmaking.tables import TableSetup
from games.play import commands
from games.play.models import Match
from tests.browser.axe import violations
from tests.browser.player import connected
from tests.people import act, person
from tests.waiting import wait_until

Enter = Callable[..., Page]


def give_up(match: Match, user: User) -> None:
    """Let everybody end a turn, and one of them resign."""
    for _ in range(match.seat_count):
        act(match, "end")
    commands.resign(match.pk, match.seats.get(user=user).number, f"resignation-{match.pk}")


def test_a_series_to_its_end(enter: Enter) -> None:
    ann, bob = person("ann"), person("bob")
    wish = TableSetup("shifting-stones", 2, rated=False, seat_order="as-sat", first_to=2)
    match = tables.open_table(ann, wish)
    tables.join(match.pk, bob)
    match.refresh_from_db()
    page = connected(enter(ann, match.get_absolute_url()))
    expect(page.locator("#series-now")).to_contain_text("0 : 0")
    give_up(match, bob)
    expect(page.locator("#ending-series")).to_contain_text("ann 1 : 0 bob")

    page.get_by_role("button", name="Next match").click()
    expect(page.locator("#series-note")).to_contain_text("ann 1 : 0 bob")
    following = Match.objects.get(previous=match)
    connected(page)
    wait_until(lambda: bool(following.seats.get(user=ann).nonce))
    tables.join(following.pk, bob)
    expect(page.locator("#match[data-status=running]")).to_be_visible()
    following.refresh_from_db()
    give_up(following, bob)
    expect(page.locator("#ending-series")).to_contain_text("ann has won the series.")

    page.locator("#ending-series").get_by_role("link", name="Series").click()
    expect(page.locator("#terms")).to_have_text("ann has won the series.")
    expect(page.locator(".series-matches > li")).to_have_count(2)
    assert violations(page) == []
    assert page.complaints == []  # type: ignore[attr-defined]  # added by `enter`
