"""Clocks in a real browser: within 250 ms of the server's, moving nothing and not chattering at screen readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.play import views
from games.play.clocks import milliseconds
from games.play.live import heartbeat
from games.play.models import Match, Seat
from games.play.reducer import clockwork
from tests.browser.axe import accessible
from tests.browser.player import connected
from tests.browser.windows import resize
from tests.clocked import DAYS, LIVE
from tests.people import act, person, running_match

Enter = Callable[..., Page]

WRONG_TIME = "const now = Date.now; Date.now = () => now() - 86_400_000;"
CHANGES = """() => {
  const changes = [];
  const text = () => document.querySelector("#clock-0 .clock-text").textContent;
  let last = text();
  return new Promise((tell) => {
    const look = () => {
      if (text() !== last) changes.push([last = text(), performance.timeOrigin + performance.now()]);
      if (changes.length < 4) requestAnimationFrame(look); else tell(changes);
    };
    look();
  });
}"""
"""The next texts of the clock, with the true times in milliseconds, whatever the reader's own clock says."""

HEARTBEAT = """() => new Promise((tell) => {
  document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
    if (JSON.parse(detail.message.data).now) tell();
  });
})"""
"""Resolved as soon as the page has been told the time once more."""

LATE = timedelta(seconds=1.5)
"""How long ago the page was made."""

SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shifted += entry.value; })
      .observe({ type: "layout-shift" });
"""

COVERED = """(warning, others) => {
  const { left, right, top, bottom } = warning.getBoundingClientRect();
  return others.filter((other) => {
    const text = document.createRange();
    text.selectNodeContents(other);
    const box = text.getBoundingClientRect(), leading = box.height / 4;
    return box.left < right && box.right > left && box.top + leading < bottom && box.bottom - leading > top;
  }).map((other) => other.textContent);
}"""
"""The texts that a warning lies on, without the space above and below their letters."""


@pytest.fixture
def enter(enter: Enter) -> Enter:
    """Open a page as somebody, in a browser whose own clock is a day slow."""

    def open_page(user: User, address: str, **options: Any) -> Page:
        page = enter(user, "about:blank", **options)
        page.add_init_script(WRONG_TIME)
        page.goto(address)
        return page

    return open_page


def with_left(match: Match, left: timedelta) -> datetime:
    """Give seat 0 this much time from now; return its deadline."""
    seat = Seat.objects.get(match=match, number=0)
    seat.bank, seat.running_since = left, timezone.now()
    clockwork.set_deadline(seat, timezone.now(), {})
    seat.save()
    assert seat.deadline is not None
    return seat.deadline


def how_wrong(page: Page, deadline: datetime) -> float:
    """Return by how many seconds a clock is off: the median of four changes, as a machine may be busy."""
    offs: list[float] = []
    for text, at in page.evaluate(CHANGES):
        minutes, seconds = map(int, text.split(":"))
        offs.append(deadline.timestamp() - at / 1000 - 60 * minutes - seconds)
    return abs(median(offs))


def test_a_running_clock_is_right_within_250_ms_of_the_server(enter: Enter) -> None:
    """From the first heartbeat on: what a page is told as it opens waits until its scripts have begun.

    The browser itself records when a second appears.
    """
    ann, bob = person(), person()
    match = running_match([ann, bob], clock=LIVE)
    deadline = with_left(match, timedelta(seconds=290))
    for user in (ann, bob):
        page = connected(enter(user, match.get_absolute_url()))
        page.evaluate(HEARTBEAT)
        assert how_wrong(page, deadline) < 0.25


def test_a_page_that_took_long_to_make_shows_the_right_time_at_once(
    enter: Enter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins with the time at which it was made; the socket sends the true one as it opens."""
    ann = person()
    match = running_match([ann, person()], clock=LIVE)
    deadline = with_left(match, timedelta(seconds=290))
    monkeypatch.setattr(heartbeat, "join", lambda _socket: None)  # no heartbeat helps
    monkeypatch.setattr(views, "milliseconds", lambda moment: milliseconds(moment - LATE))
    page = connected(enter(ann, match.get_absolute_url()))
    assert how_wrong(page, deadline) < LATE.total_seconds() / 2


TICKED = re.compile(r"4:[0-4]\d")
"""What a clock of 4:50 shows within the next minute."""


def test_a_turn_stops_one_clock_and_starts_the_other_before_everybodys_eyes(enter: Enter) -> None:
    ann, bob = person(), person()
    match = running_match([ann, bob], clock="290+10/600")
    page = enter(bob, match.get_absolute_url())
    expect(page.locator("#clock-0.running .clock-text")).to_have_text(TICKED)
    act(match, "end")
    expect(page.locator("#clock-1.running .clock-text")).to_have_text(TICKED)
    standing = page.locator("#clock-0:not(.running) .clock-text").inner_text()
    page.wait_for_timeout(1_200)
    assert page.locator("#clock-0 .clock-text").inner_text() == standing


def test_nothing_moves_when_a_clock_ticks_or_warns(enter: Enter) -> None:
    ann = person()
    match = running_match([ann, person()], clock=LIVE)
    with_left(match, timedelta(seconds=55))  # a busy machine may need most of the 25 s before the warning
    sizes = ({"width": width, "height": 740} for width in (360, 1280))
    pages = [enter(ann, match.get_absolute_url(), viewport=size) for size in sizes]
    for page in pages:
        expect(page.locator("#player-1 .known")).to_have_count(1)  # what the page asks for once it is there
        expect(page.locator("#clock-0 .clock-text")).to_have_text(re.compile(r"0:[345]\d"))
        expect(page.locator("#clock-0 .clock-warning")).to_be_hidden()
        page.evaluate(SHIFTS)
    for page in pages:
        expect(page.locator("#clock-0 .clock-warning")).to_be_visible()
        expect(page.locator("#clock-0 .clock-text")).to_have_text(re.compile(r"0:[12]\d"))
        assert page.evaluate("window.shifted") == 0


def test_the_warning_of_a_clock_covers_no_other_text(enter: Enter) -> None:
    """Names on a phone may take several lines."""
    for seats, name in ((2, "Maximilian"), (2, "Wilhelmine-von-Waldau"), (4, "Maximilian")):
        people = [person(f"{name}{seats}{number}") for number in range(seats)]
        match = running_match(people, clock=LIVE)
        with_left(match, timedelta(seconds=28))
        page = enter(people[0], match.get_absolute_url())
        warning = page.locator("#clock-0 .clock-warning")
        expect(warning).to_be_visible()
        for width in (360, 1280):
            resize(page, {"width": width, "height": 740})
            texts = page.locator("#player-0").locator(".player-name, .clock-text, .seat-facts dd").element_handles()
            assert len(texts) >= 5
            assert warning.evaluate(COVERED, texts) == [], (seats, name, width)


def test_little_time_is_said_in_words_and_once(enter: Enter) -> None:
    ann = person()
    match = running_match([ann, person()], clock=LIVE)
    with_left(match, timedelta(seconds=45))
    page = enter(ann, match.get_absolute_url())
    expect(page.locator("#clock-0 .clock-warning")).to_be_hidden()
    expect(page.locator("#live")).to_have_text("little time left")
    expect(page.locator("#clock-0 .clock-warning")).to_be_visible()
    page.evaluate("document.getElementById('live').textContent = ''")
    expect(page.locator("#clock-0 .clock-text")).to_have_text(re.compile(r"0:(2[0-8]|1\d)"))
    expect(page.locator("#live")).to_have_text("")


def test_everybody_can_read_a_clock_that_runs_low(enter: Enter) -> None:
    """The pages on which clocks are chosen are looked at in `test_every_page`."""
    ann, bob = person(), person()
    page = enter(ann, "about:blank")
    for clock, speed in ((LIVE, "live"), (DAYS, "days")):
        match = running_match([ann, bob], clock=clock, speed=speed)
        with_left(match, timedelta(seconds=20))
        page.goto(match.get_absolute_url())
        expect(page.locator("#clock-0.low")).to_be_visible()
        accessible(page)


def test_the_form_shows_the_clocks_of_the_chosen_speed_only(enter: Enter) -> None:
    page = enter(person(), "/tables/new/?game=shifting-stones")
    live, days = page.locator("[data-field=live_clock]"), page.locator("[data-field=days_clock]")
    page.locator("#more summary").click()
    expect(live).to_be_visible()
    expect(days).to_be_hidden()
    page.locator("[name=speed][value=days]").check()
    expect(live).to_be_hidden()
    expect(page.locator("#id_hours")).to_be_hidden()
    page.locator("[name=days_clock]").select_option("other")
    page.locator("#id_hours").fill("12")
    page.locator("#id_saved").fill("2")
    page.locator("#open-table").click()
    expect(page.locator("#room-facts")).to_contain_text("12 hours per turn, 2 days at most")


def test_a_day_clock_shows_its_deadline_and_no_countdown(enter: Enter) -> None:
    ann = person(time_zone="Asia/Kolkata")
    match = running_match([ann, person()], clock=DAYS, speed="days")
    page = enter(ann, match.get_absolute_url())
    deadline = Seat.objects.get(match=match, number=0).deadline
    assert deadline is not None
    local = timezone.localtime(deadline, timezone=ZoneInfo("Asia/Kolkata"))
    expect(page.locator("#clock-0 .clock-text")).to_have_text(f"{local:%a %-I:%M %p}")
