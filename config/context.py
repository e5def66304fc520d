"""What every page knows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from games.play.models import Match


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the reader's theme and how many matches wait for them."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {"theme": "system", "waiting": 0}
    return {"theme": user.theme, "waiting": Match.objects.waiting_for(user).count()}
