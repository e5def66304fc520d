"""People in templates: what the reader can do about somebody, and how many are here."""

from __future__ import annotations

from typing import Any

from django import template
from django.core.cache import caches

from accounts import relations
from games.matchmaking.company import Crowd, crowd

register = template.Library()

FRESH = 10
"""How many seconds old the numbers may be."""


@register.inclusion_tag("matchmaking/person_buttons.html", takes_context=True)
def person_buttons(context: Any, person: Any) -> dict[str, Any]:
    """Show what the reader, a member or a guest, can do about another person."""
    request, reader = context["request"], context["user"]
    return {
        "user": reader,
        "person": person,
        "csrf_token": context["csrf_token"],
        "leads_to": request.get_full_path(),
        "standing": relations.relation_between(reader, person),
        "follows": relations.is_following(reader, person),
        "blocks": relations.has_blocked(reader, person),
    }


@register.simple_tag
def people_here() -> Crowd:
    """Return how many people are here, at most `FRESH` seconds old. Each process counts, as pages do without Redis."""
    return caches["process"].get_or_set("people-here", crowd, FRESH) or crowd()
