"""What every page knows."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from games.play import news
from games.titles import titles


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the reader's theme, how many matches wait for them and how many notices they have not seen."""
    common = {"site_name": "Tessera", "source_url": settings.SOURCE_URL, "site_titles": titles().values()}
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {**common, "theme": "system", "waiting": 0}
    standing = news.standings([user.pk])[user.pk]
    return {**common, "theme": user.theme, "waiting": standing.waiting, "unseen": standing.unseen}
