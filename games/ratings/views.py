"""The leaderboards: one per game and speed, and the best solo results."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.ratings.leaderboards import ACTIVE_DAYS, PER_PAGE, SHORT, Pool, best_alone, pool_of, pools, solo_titles
from games.ratings.models import Rating


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the best of every pool and the best solo results."""
    context = {
        "pools": [{"pool": pool, "rows": list(pool.placed[:SHORT])} for pool in pools()],
        "alone": [{"title": title, "lines": best_alone(title)} for title in solo_titles()],
        **_terms(),
    }
    return TemplateResponse(request, "ratings/leaderboards.html", context)


@require_safe
def pool(request: HttpRequest, game: str, speed: str) -> HttpResponse:
    """Show everybody of one pool, a page at a time; an impossible page number shows the nearest page."""
    shown = pool_of(game, speed)
    if shown is None:
        raise Http404(_("There is no such leaderboard."))
    return TemplateResponse(request, "ratings/pool.html", _pool_context(request, shown))


def _pool_context(request: HttpRequest, shown: Pool) -> dict[str, Any]:
    page: Page[Rating] = Paginator(shown.placed, PER_PAGE).get_page(request.GET.get("page"))
    return {
        "pool": shown,
        "pools": pools(),
        "page": page,
        "provisional": list(shown.provisional[:SHORT]) if page.number == 1 else [],
        "mine": shown.standing_of(request.user),
        "left_out": shown.leaves_out(request.user),
        **_terms(),
    }


def _terms() -> dict[str, Any]:
    """Return what it takes to be listed."""
    return {"opponents": settings.LEADERBOARD_OPPONENTS, "days": ACTIVE_DAYS}
