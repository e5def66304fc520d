"""Those who waited at the table have on the page of the match all that anybody has who opens it later."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play import commands
from games.play.models import Level, Match
from games.titles import titles
from games.titles.board import CoachMark
from tests.browser.player import connected
from tests.people import act, open_table, person
from tests.serving import Site

Enter = Callable[..., Page]


@pytest.fixture
def table(live_site: Site) -> Match:
    """Ann's table for two, with a seat free."""
    return open_table([person("ann", coached="")], seats=2, seat_order=Match.SeatOrder.AS_SAT, rated=True)


@pytest.fixture
def ann(table: Match) -> User:
    return User.objects.get(username="ann")


@pytest.fixture
def host(enter: Enter, table: Match, ann: User) -> Page:
    return connected(enter(ann, table.get_absolute_url()))


@pytest.fixture
def joiner(enter: Enter, table: Match) -> Page:
    return connected(enter(person("bob"), table.get_absolute_url()))


def begins(*pages: Page) -> None:
    for page in pages:
        expect(page.locator("#around")).to_have_attribute("data-status", "running")


def test_the_joiner_is_told_what_happened(host: Page, joiner: Page, table: Match) -> None:
    joiner.locator("#sit-down").click()
    begins(host, joiner)
    act(table, "skip", 0)
    joiner.locator("#what-happened").click()
    expect(joiner.locator("#past")).to_be_visible()
    expect(joiner.locator("#past-told")).to_contain_text("ann")
    assert joiner.complaints == []  # type: ignore[attr-defined]  # collected by `enter`


def test_the_header_says_what_is_played(host: Page, joiner: Page) -> None:
    expect(joiner.locator(".about")).to_contain_text("rated")
    host.locator("#change > summary").click()
    host.locator("#casual").click()
    expect(host.locator("#casual")).to_have_count(0)
    joiner.locator("#sit-down").click()
    begins(host, joiner)
    for page in (host, joiner):
        expect(page.locator(".about")).to_contain_text("casual")


def test_against_a_bot_given_the_last_seat_there_are_hints_coach_marks_and_no_chat(
    host: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(titles()["shifting-stones"]), "coach", (CoachMark("aim", "#stones", "Match a card."),))
    expect(host.locator("#open-chat")).to_have_count(1)
    host.locator("#change > summary").click()
    host.locator(f"#add-{Level.NOVICE}").click()
    begins(host)
    expect(host.locator("#open-chat")).to_have_count(0)
    expect(host.locator("#ask-hint")).to_be_visible()
    expect(host.locator("#coach-aim")).to_be_visible()
    host.locator("#coach-aim").get_by_role("button").click()
    expect(host.locator("#coach-rest")).to_be_visible()
    expect(host.locator("link[href*='bots/hint']")).to_have_count(1)
    expect(host.locator("script[src*='bots/hint']")).to_have_count(1)
    host.locator("#ask-hint").click()
    expect(host.locator("#hint-said")).to_contain_text("Master")
    assert host.complaints == []  # type: ignore[attr-defined]  # collected by `enter`


def test_what_a_board_hides_only_where_no_script_runs_is_seen_when_the_match_begins_and_when_it_ends(
    enter: Enter, live_site: Site
) -> None:
    people = [person("ann"), person("bob")]
    table = open_table(people[:1], game="small-islands", seats=2)
    host, joiner = (connected(enter(user, table.get_absolute_url())) for user in people)
    joiner.locator("#sit-down").click()
    begins(host, joiner)
    for page in (host, joiner):
        page.wait_for_load_state("networkidle")
        expect(page.locator("#shown")).to_be_visible()
    commands.resign(table.pk, 1, "resign-12345")
    for page in (host, joiner):
        expect(page.locator("#ending h2")).to_be_visible()
        page.wait_for_load_state("networkidle")
        expect(page.locator("#shown")).to_be_visible()
