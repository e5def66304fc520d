"""The context of every page."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts.services import theme_of, way_back
from config import VERSION
from games.play.live import news
from games.titles import titles


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the site's name, version and titles, the reader's theme, and what waits for or is new to the reader.

    `way_back` is the query for links to log in and to register, which members are not shown.
    """
    common = {
        "site_name": "Tessera",
        "version": VERSION,
        "source_url": settings.SOURCE_URL,
        "site_titles": titles().values(),
        "theme": theme_of(request),
    }
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {**common, "waiting": 0, "way_back": way_back(request)}
    found = news.news_of([user.pk])[user.pk]
    counts = {"unread": found.counts["messages"], "searching": found.counts["searching"]}
    return {
        **common,
        "waiting": found.waiting,
        "unseen": found.unseen,
        **counts,
        "way_back": way_back(request) if user.guest else "",
    }
