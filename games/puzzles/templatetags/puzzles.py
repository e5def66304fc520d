"""The puzzles of today for the start page and the home of members: `{% puzzles_of_today %}`."""

from __future__ import annotations

from typing import Any

from django import template

from games.puzzles import daily, services
from games.puzzles.services import statistics

register = template.Library()


@register.inclusion_tag("puzzles/card.html", takes_context=True)
def puzzles_of_today(context: dict[str, Any]) -> dict[str, Any]:
    """Show the puzzles of today, how the reader did, and for how many days in a row."""
    tried = services.of_reader(context["request"])
    return {
        "rows": services.rows(daily.of_day(daily.today()), tried),
        "streak": statistics(tried, daily.today()).streak,
        "theme": context.get("theme", ""),
    }
