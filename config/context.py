"""What every page knows."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from games.play.models import Match
from games.titles import titles


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the reader's theme and how many matches wait for them."""
    common = {"site_name": "Tessera", "source_url": settings.SOURCE_URL, "site_titles": titles().values()}
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {**common, "theme": "system", "waiting": 0}
    return {**common, "theme": user.theme, "waiting": Match.objects.waiting_for(user).count()}
