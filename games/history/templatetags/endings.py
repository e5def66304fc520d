"""The end of a match for its page, which itself knows nothing of ratings, and lists of matches and of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.history.archive import Row
from games.history.embedded import embeddable_of
from games.history.endings import Ending
from games.history.ratings import PoolHistory
from games.history.views import Against, Statistics
from games.play.access import ViewedMatch
from games.play.boards.endings import place_in_words

register = template.Library()

register.filter("placed", place_in_words)


@register.inclusion_tag("history/ending.html", takes_context=True)
def ending(context: dict[str, Any], viewed: ViewedMatch) -> dict[str, Any]:
    """Show how a match has ended, or an empty element in its place while it runs."""
    request = context["request"]
    return {
        "request": request,
        "ending": Ending(viewed) if viewed.match.has_ended else None,
        "match": viewed.match,
        "address": request.build_absolute_uri(viewed.match.get_absolute_url()),
    }


@register.inclusion_tag("play/embed.html")
def embed_match(viewed: ViewedMatch, unfolds: bool = False) -> dict[str, Any]:
    """Offer the code that shows a match on other pages: behind a quiet button, or where it is asked for to unfold."""
    return {"code": embeddable_of(viewed).code(), "unfolds": unfolds, "quiet": True}


@register.simple_tag(takes_context=True)
def match_rows(context: dict[str, Any], rows: Sequence[Row], player: Any = None) -> SafeString:
    """Show finished matches as a table, with the results of one player if one is given."""
    return _list("history/rows.jinja", rows=rows, player=player, theme=context.get("theme", ""))


@register.simple_tag
def result_tables(statistics: Statistics, opponents: Sequence[Against]) -> SafeString:
    """Show a person's results by number of players, by seat, and against whom they have played most often."""
    return _list("history/results.jinja", statistics=statistics, opponents=opponents)


@register.simple_tag
def latest_results(rows: Sequence[Row]) -> SafeString:
    """Show the results of a person's latest matches as marks, each a link to its match."""
    return _list("history/form.jinja", rows=rows)


@register.simple_tag
def rating_changes(history: PoolHistory) -> SafeString:
    """Show the latest changes of a rating as a table."""
    return _list("history/changes.jinja", history=history)


def _list(template: str, **shown: Any) -> SafeString:
    """Return a list, which Jinja makes in a fraction of the time that Django's templates need for each row."""
    return mark_safe(render_to_string(template, shown, using="boards"))  # noqa: S308  # its template escapes
