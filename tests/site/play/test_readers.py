"""What travels over a socket is for its reader: in the language of the page, and in the reader's time zone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from accounts.models import User
from accounts.moments import zone
from games.play.access import access_match
from games.play.models import Match, Speed
from tests.clocked import DAYS
from tests.people import act, person, running_match
from tests.serving import Site
from tests.site.play.tabs import Tab

READERS = {"Asia/Kolkata": "en", "America/New_York": "de", "Pacific/Auckland": "it"}
"""Time zones, and the languages of the pages: two players and somebody who watches."""


@dataclass
class Reader:
    """A person with a page of a match, and its language."""

    user: User
    language: str
    tab: Tab

    def shows_what_a_page_loaded_now_would(self) -> bool:
        with translation.override(self.language), timezone.override(zone(self.user.time_zone)):
            return self.tab.shows(access_match(self.user, self.tab.match.slug))

    @property
    def deadline(self) -> str:
        """The deadline in full, as the one running clock says when pointed at."""
        elements = self.tab.board.elements.all()
        (clock,) = (each.attributes for each in elements if "running" in (each.attributes.get("class") or "").split())
        return clock["title"] or ""


@pytest.fixture
def readers(live_site: Site) -> Iterator[list[Reader]]:
    people = [person(time_zone=name) for name in READERS]
    match = running_match(people[:2], clock=DAYS, speed=Speed.DAYS)
    with ExitStack() as opened:
        tabs = [
            opened.enter_context(Tab(live_site, match, user, language))
            for user, language in zip(people, READERS.values(), strict=True)
        ]
        yield [Reader(*each) for each in zip(people, READERS.values(), tabs, strict=True)]


def assert_right(readers: list[Reader], match: Match) -> None:
    deadline = match.seats.get(to_move=True).deadline
    assert deadline is not None
    for reader in readers:
        assert reader.shows_what_a_page_loaded_now_would()
        assert reader.deadline.endswith(f"{deadline.astimezone(ZoneInfo(reader.user.time_zone)):%H:%M %Z}")


def test_boards_answers_and_pushes_tell_times_in_the_zone_and_the_language_of_their_reader(
    readers: list[Reader],
) -> None:
    match = readers[0].tab.match
    assert_right(readers, match)
    readers[0].tab.ask("act", action="end")
    for reader in readers[1:]:
        reader.tab.board.take(reader.tab.next("content"))
    assert_right(readers, match)
    act(match, "end")  # not over a socket, so every page is pushed what comes of it
    for reader in readers:
        reader.tab.board.take(reader.tab.next("content"))
    assert_right(readers, match)
