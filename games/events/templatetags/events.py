"""The line about events in the lobby and at home, and in the match of a heat; the events of a club on its page."""

from __future__ import annotations

from typing import Any

from django import template

from games.events import lines
from games.events.lines import OfHeat, of_club, one_line
from games.events.words import name_of
from games.play.models import Match

register = template.Library()

register.simple_tag(name_of, name="event_name")


@register.simple_tag(takes_context=True)
def heat_of(context: dict[str, Any], match: Match) -> OfHeat | None:
    """Return of which event, that the reader may know of, a match is a heat."""
    return lines.heat_of(match, context["request"].user)


@register.inclusion_tag("events/of_club.html")
def club_events(club: Any, leads: bool) -> dict[str, Any]:
    """Show the events of a club to somebody who may see the club, and to whoever `leads` it the way to a new one."""
    return {"club": club, "events": of_club(club), "leads": leads}


@register.inclusion_tag("events/line.html")
def events_line(reader: Any) -> dict[str, Any]:
    """Show in one line how a member does in their events, or what they could enter: one query."""
    return {"line": one_line(reader)}
