"""The way to what is written in a match, for its page."""

from __future__ import annotations

from typing import Any

from django import template

from games.chat.rooms import places
from games.chat.services import unread_count
from games.play.access import ViewedMatch

register = template.Library()


@register.inclusion_tag("chat/button.html", takes_context=True)
def chat_button(context: dict[str, Any], viewed: ViewedMatch) -> dict[str, Any]:
    """Show a button that opens the messages, with the number of unread ones; nothing for those who cannot read them."""
    user = context["user"]
    rooms = places(viewed, user)
    return {"match": viewed.match, "rooms": rooms, "unread": unread_count(user, rooms)}
