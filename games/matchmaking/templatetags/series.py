"""The score of a series, on every page of its matches."""

from __future__ import annotations

from typing import Any

from django import template

from games.matchmaking.scores import Score, loaded_score_of, score_of
from games.play.models import Match

register = template.Library()


@register.simple_tag
def series_score(match: Match) -> Score | None:
    """Return the score of the series a match belongs to."""
    return score_of(match)


@register.inclusion_tag("matchmaking/series_line.html")
def series_line(match: Match) -> dict[str, Any]:
    """Show the score of the series a match belongs to, with a link to its page; nothing for other matches."""
    return {"score": score_of(match), "match": match}


@register.inclusion_tag("matchmaking/series_mark.html")
def series_mark(match: Match) -> dict[str, Any]:
    """Show that a match in a list, loaded `with_scores`, belongs to a series."""
    return {"score": loaded_score_of(match), "match": match}
