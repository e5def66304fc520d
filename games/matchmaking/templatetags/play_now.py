"""The form that begins a match against a bot, for any page."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context

from games.matchmaking.play_now import PlayNowForm
from games.titles import Title

register = template.Library()


@register.inclusion_tag("matchmaking/play_now_form.html", takes_context=True)
def play_now(context: Context, title: Title | None = None, form: PlayNowForm | None = None) -> dict[str, Any]:
    """Show the form; for one game if a title is given."""
    initial = {} if title is None else {"game": title.slug}
    return {
        "form": form or PlayNowForm(initial=initial),
        "title": title,
        "user": context.get("user"),
        "csrf_token": context.get("csrf_token"),
    }
