"""The line about events in the lobby and at home, and in the match of a heat."""

from __future__ import annotations

from typing import Any

from django import template

from games.events.lines import heat_of, one_line
from games.events.words import name_of

register = template.Library()

register.simple_tag(heat_of)
register.simple_tag(name_of, name="event_name")


@register.inclusion_tag("events/line.html")
def events_line(reader: Any) -> dict[str, Any]:
    """Show in one line how a member does in their events, or what they could enter: one query."""
    return {"line": one_line(reader)}
