"""The link to the pages of moderators, for every page."""

from __future__ import annotations

from typing import Any

from django import template

from games.moderation.access import cases_for, is_moderator

register = template.Library()


@register.inclusion_tag("moderation/menu_link.html", takes_context=True)
def moderation_link(context: Any) -> dict[str, Any]:
    """Link moderators to their pages, with the number of open cases; makes no query for anybody else."""
    user = context.get("user")
    if user is None or not user.is_authenticated or not user.is_staff or not is_moderator(user):
        return {"moderates": False}
    return {"moderates": True, "open": cases_for(user).filter(decided_at=None).count()}
