"""The leaderboards: one per game and speed, and the best solo results."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.ratings.leaderboards import (
    ACTIVE_DAYS,
    PER_PAGE,
    SHORT,
    Pool,
    SeasonBoard,
    best_alone,
    pool_of,
    pools,
    season_at,
    solo_titles,
    summaries,
)
from games.ratings.models import Rating


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the best people of every pool, the reader's own place, and the best solo results."""
    entries, games = summaries(request.user), solo_titles()
    lines = best_alone(*games)
    context = {
        "entries": [entry for entry in entries if entry.rows],
        "empty": [entry.pool for entry in entries if not entry.rows],
        "alone": [{"title": title, "lines": lines[title.slug]} for title in games],
        "games": _games(),
        **_terms(),
    }
    return TemplateResponse(request, "ratings/leaderboards.html", context)


@require_safe
def pool(request: HttpRequest, game: str, speed: str) -> HttpResponse:
    """Show everybody in a pool, a page at a time; an impossible page number shows the nearest page."""
    shown = _pool(game, speed)
    page: Page[Rating] = Paginator(shown.placed, PER_PAGE).get_page(request.GET.get("page"))
    provisional = list(shown.provisional[:SHORT]) if page.number == 1 else []
    context = {"page": page, "provisional": provisional, "mine": shown.placing_of(request.user)}
    return TemplateResponse(request, "ratings/pool.html", context | _about(request, shown))


@require_safe
def season(request: HttpRequest, game: str, speed: str) -> HttpResponse:
    """Show who has gained how many points in a pool in the current season, a page at a time."""
    shown = _pool(game, speed)
    board = SeasonBoard(shown, season_at(timezone.now()))
    page: Page[Rating] = Paginator(board.rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "season": board.season, "mine": board.placing_of(request.user)}
    return TemplateResponse(request, "ratings/pool.html", context | _about(request, shown))


def _pool(game: str, speed: str) -> Pool:
    shown = pool_of(game, speed)
    if shown is None:
        raise Http404(_("There is no such leaderboard."))
    return shown


def _about(request: HttpRequest, shown: Pool) -> dict[str, Any]:
    return {
        "pool": shown,
        "games": _games(),
        "speeds": [other for other in pools() if other.game == shown.game],
        "left_out": shown.leaves_out(request.user),
        **_terms(),
    }


def _games() -> list[Pool]:
    """Return the first pool of each game, which its tab links to."""
    first: dict[str, Pool] = {}
    for each in pools():
        first.setdefault(each.game, each)
    return list(first.values())


def _terms() -> dict[str, Any]:
    """Return what it takes to be listed."""
    return {"opponents": settings.LEADERBOARD_OPPONENTS, "days": ACTIVE_DAYS}
