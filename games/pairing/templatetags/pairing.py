"""The buttons of quick pairing for any page, and the bar of every page."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.pairing.forms import forms_for
from games.pairing.views import live_wait

register = template.Library()


@register.inclusion_tag("pairing/games.html", takes_context=True)
def quick_pairing(context: Context) -> dict[str, Any]:
    """Show one button for each game."""
    return {"forms": forms_for(context["user"]), "csrf_token": context.get("csrf_token"), "user": context["user"]}


@register.simple_tag(takes_context=True)
def pairing_bar(context: Context) -> SafeString:
    """Show what the reader waits for; nothing if that is nothing."""
    wait = live_wait(context["user"]) if context.get("searching") else None
    if wait is None:
        return SafeString()
    return render_to_string("pairing/bar_of_page.html", {"wait": wait, "csrf_token": context.get("csrf_token")})
