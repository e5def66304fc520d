"""The puzzles of today for the start page and the home of members, and the code that shows a puzzle on other pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _

from accounts.moments import today
from games.puzzles import daily, services
from games.puzzles.daily import Daily
from games.puzzles.services import statistics
from games.puzzles.views import embeddable_puzzle

register = template.Library()


@register.inclusion_tag("puzzles/card.html", takes_context=True)
def puzzles_of_today(context: dict[str, Any]) -> dict[str, Any]:
    """Show the puzzles of today, how the reader did, and for how many days in a row."""
    tried = services.of_reader(context["request"])
    return {
        "rows": services.rows(daily.of_day(today()), tried),
        "streak": statistics(tried, today()).streak,
        "theme": context.get("theme", ""),
    }


@register.inclusion_tag("play/embed.html")
def embed_puzzle(puzzle: Daily) -> dict[str, Any]:
    """Offer the code that shows a puzzle on other pages; today's stands for that of each day."""
    is_todays = puzzle.day == today()
    return {
        "code": embeddable_puzzle(puzzle.slug, "" if is_todays else puzzle.day.isoformat()).code(),
        "about": _("It shows a new puzzle every day.") if is_todays else "",
    }
