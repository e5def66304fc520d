"""The end of a match for its page, which itself knows nothing of ratings."""

from __future__ import annotations

from typing import Any

from django import template

from games.history.endings import Ending
from games.play.access import ViewedMatch

register = template.Library()


@register.inclusion_tag("history/ending.html", takes_context=True)
def ending(context: dict[str, Any], viewed: ViewedMatch) -> dict[str, Any]:
    """Show how a match has ended, or an empty element in its place while it runs."""
    request = context["request"]
    return {
        "ending": Ending(viewed) if viewed.match.has_ended else None,
        "match": viewed.match,
        "address": request.build_absolute_uri(viewed.match.get_absolute_url()),
    }
