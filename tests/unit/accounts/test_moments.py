"""Dates and times look the same everywhere and follow the reader's language, zone and browser."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.template import engines
from django.utils import timezone, translation
from time_machine import travel

from accounts import moments

AT = datetime(2026, 11, 3, 14, 5, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "kind", "text"),
    [
        ("en", "date", "3 Nov 2026"),
        ("en", "moment", "3 Nov 2026, 19:35"),
        ("en", "deadline", "Tue, 3 Nov, 19:35"),
        ("de", "date", "3. Nov. 2026"),
        ("de", "moment", "3. Nov. 2026, 19:35"),
        ("de", "deadline", "Di, 3. Nov., 19:35"),
        ("it", "date", "3 nov 2026"),
        ("it", "moment", "3 nov 2026, 19:35"),
        ("it", "deadline", "mar 3 nov, 19:35"),
    ],
)
def test_a_moment_in_words(language: str, kind: moments.Kind, text: str) -> None:
    with translation.override(language), timezone.override(ZoneInfo("Asia/Kolkata")):
        assert moments.in_words(AT, kind) == text


def test_mails_name_the_zone() -> None:
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert moments.with_zone(AT) == "Tue, 3 Nov, 15:05 CET"


@pytest.mark.parametrize(
    ("language", "kind", "at", "text"),
    [
        ("en", "moment", "2026-11-03T14:05", "today, 19:35"),
        ("en", "moment", "2026-11-03T20:05", "tomorrow, 01:35"),
        ("de", "moment", "2026-11-02T14:05", "gestern, 19:35"),
        ("it", "moment", "2026-11-01T14:05", "dom, 19:35"),
        ("en", "moment", "2026-10-28T14:05", "Wed, 19:35"),
        ("en", "moment", "2026-10-27T14:05", "27 Oct 2026, 19:35"),
        ("en", "deadline", "2026-11-03T14:05", "Tue, 19:35"),
        ("de", "until", "2026-11-09T14:05", "Mo, 19:35"),
        ("en", "deadline", "2026-11-10T14:05", "Tue, 10 Nov, 19:35"),
        ("en", "date", "2026-11-03T14:05", "3 Nov 2026"),
    ],
)
def test_pages_name_the_days_of_a_week(language: str, kind: moments.Kind, at: str, text: str) -> None:
    shown = datetime.fromisoformat(at).replace(tzinfo=UTC)
    with translation.override(language), timezone.override(ZoneInfo("Asia/Kolkata")), travel(AT, tick=False):
        assert moments.shown(shown, kind) == text


@pytest.mark.parametrize("engine", ["django", "boards"])
def test_both_kinds_of_templates_write_the_same_element(engine: str) -> None:
    template = engines[engine].from_string("{{ at|moment }}")
    with travel(AT + timedelta(days=1), tick=False):
        written = template.render({"at": AT})
    assert written == '<time datetime="2026-11-03T14:05:09+00:00" data-moment="moment">yesterday, 14:05</time>'


def test_a_day_is_written_like_a_date() -> None:
    assert (
        moments.element_of_day(date(2026, 11, 3)) == '<time datetime="2026-11-03" data-moment="day">3 Nov 2026</time>'
    )
