"""The deals of today for the start page and the home of members, and the way from a match back to its deal."""

from __future__ import annotations

from typing import Any

from django import template

from games.deals.models import Deal, Try
from games.deals.views import rows_in_short
from games.play.access import ViewedMatch
from games.play.models import in_company

register = template.Library()


@register.inclusion_tag("deals/card.html", takes_context=True)
def deals_of_today(context: dict[str, Any]) -> dict[str, Any]:
    """Show the deals of today, each with a button that begins it, or the way to what its reader has begun."""
    shown = {name: context.get(name) for name in ("theme", "csrf_token", "user")}
    return {**shown, "rows": rows_in_short(context["request"].user)}


@register.simple_tag
def deal_of(viewed: ViewedMatch) -> Deal | None:
    """Return the deal whose try a match is, for the one who plays it; otherwise None."""
    if viewed.mine is None or viewed.match.rated or in_company(viewed.seats):
        return None
    found = Try.objects.filter(match=viewed.match).select_related("deal").defer("deal__seed").first()
    return found.deal if found else None
