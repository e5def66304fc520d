"""What clocks show: time left, a deadline in the reader's zone, the same bytes whenever they are rendered."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from time_machine import Traveller

from accounts.models import User
from accounts.moments import zone
from games.play import commands
from games.play.access import viewed_by
from games.play.boards.fragments import ShownClock, match_fragment, shown_clock
from games.play.models import Match, Seat
from tests.clocked import DAYS, LIVE, MONDAY
from tests.people import act, client_of, person, running_match

pytestmark = pytest.mark.django_db

END = int(MONDAY.timestamp() * 1000) + 300_000


def face(match: Match, number: int) -> ShownClock | None:
    return shown_clock(match, Seat.objects.get(match=match, number=number))


def test_a_running_live_clock_tells_its_deadline_and_a_standing_one_what_is_left(clock: Traveller) -> None:
    match = running_match([person(), person()], clock=LIVE)
    assert face(match, 0) == ShownClock("5:00", False, END, 30_000, "")
    assert face(match, 1) == ShownClock("5:00", False, None, 30_000, "")


def test_a_running_day_clock_tells_its_deadline_in_the_readers_zone(clock: Traveller) -> None:
    match = running_match([person(), person()], clock=DAYS, speed="days")
    with timezone.override(zone("Asia/Kolkata")):
        running = face(match, 0)
    assert running is not None
    assert running.text == ('<time datetime="2026-03-12T17:30:00+05:30" data-moment="until">Thu, 17:30</time>')
    assert running.moment == "Thu, 12 Mar, 17:30 IST"


def test_a_standing_day_clock_tells_days_and_hours(clock: Traveller) -> None:
    match = running_match([person(), person()], clock="259200+0/259200", speed="days")
    clock.shift(timedelta(hours=20, minutes=30))
    act(match, "end")
    standing = face(match, 0)
    assert standing is not None
    assert standing.text == "2 days 3 hours"


def test_nobody_has_a_clock_in_a_match_without_one_or_when_it_is_over(clock: Traveller) -> None:
    match = running_match([person(), person()])
    assert face(match, 0) is None
    match = running_match([person(), person()], clock=LIVE)
    commands.resign(match.pk, 0, "resign-once")
    match.refresh_from_db()
    assert face(match, 0) is None


def fragment(match: Match, user: User) -> str:
    table = viewed_by(user, Match.objects.get(pk=match.pk))
    assert table is not None
    return match_fragment(table, user)


def test_what_is_rendered_does_not_depend_on_the_moment(clock: Traveller) -> None:
    from games.play.boards import fragments

    ann = person()
    match = running_match([ann, person()], clock=LIVE)
    before = fragment(match, ann)
    clock.shift(100)
    fragments._page.cache_clear()
    fragments._shared.cache_clear()
    assert fragment(match, ann) == before


def test_readers_in_two_zones_are_each_told_their_own_time(clock: Traveller) -> None:
    ann, bob = person(time_zone="Europe/Berlin"), person(time_zone="America/New_York")
    match = running_match([ann, bob], clock=DAYS, speed="days", visibility="public")
    pages = [client_of(user).get(match.get_absolute_url()).content.decode() for user in (ann, bob, person())]
    shown = [re.findall(r"data-moment=\"until\">([^<]+)<", page) for page in pages]
    assert shown == [["Thu, 13:00"], ["Thu, 08:00"], ["Thu, 12:00"]]


def test_two_spectators_in_two_zones_do_not_share_a_rendering(clock: Traveller) -> None:
    match = running_match([person(), person()], clock=DAYS, speed="days")
    watchers = [person(time_zone="Europe/Berlin"), person(time_zone="Asia/Kolkata")]
    pages = [client_of(user).get(match.get_absolute_url()).content.decode() for user in watchers]
    assert ["13:00" in pages[0], "17:30" in pages[1], "13:00" in pages[1]] == [True, True, False]


def test_the_page_tells_the_servers_time_and_the_clock_in_words(clock: Traveller) -> None:
    ann = person()
    match = running_match([ann, person()], clock=LIVE)
    page = client_of(ann).get(match.get_absolute_url()).content.decode()
    assert f'data-now="{END - 300_000}"' in page
    assert "5 min + 10 s per turn, 10 min at most" in page


@pytest.mark.parametrize(("terms", "words"), [(LIVE, "5 min + 10 s"), (DAYS, "1 day per turn")])
def test_the_header_tells_the_clock_in_short(terms: dict[str, int], words: str) -> None:
    ann = person()
    match = running_match([ann, person()], clock=terms)
    page = client_of(ann).get(match.get_absolute_url()).content.decode()
    assert f"casual · {words}</span></button>" in page


def test_of_the_matches_that_wait_the_one_with_the_least_time_comes_first(clock: Traveller) -> None:
    ann, bob = person(), person()
    without = running_match([ann, bob])
    days = running_match([ann, bob], clock=DAYS, speed="days")
    live = running_match([ann, bob], clock=LIVE)
    assert list(Match.objects.waiting_for(ann)) == [live, days, without]


def test_a_page_without_clocks_counts_none_down(clock: Traveller) -> None:
    ann = person()
    match = running_match([ann, person()])
    page = client_of(ann).get(match.get_absolute_url()).content.decode()
    assert "data-now" not in page
