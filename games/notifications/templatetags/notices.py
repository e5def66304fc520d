"""What pages of other apps show of notices, outside of the fragments that are cached for several readers."""

from __future__ import annotations

from typing import Any

from django import template
from django.db.models import Exists

from games.notifications.channels import push
from games.notifications.models import Mute
from games.play.models import Match, Seat

register = template.Library()


@register.inclusion_tag("notifications/mute.html", takes_context=True)
def mute_button(context: dict[str, Any], match: Match) -> dict[str, Any]:
    """Offer the players of a match that has not ended to mute or unmute it."""
    return {"slug": match.slug, "muted": _is_muted(context["user"], match), "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("notifications/push_mark.html", takes_context=True)
def push_mark(context: dict[str, Any]) -> dict[str, Any]:
    """Show the script what to compare the push subscription of this browser with, if it is to have one."""
    request = context.get("request")
    mark = push.endpoint_digest(request) if request is not None else None
    return {"mark": mark, "key": push.public_key() if mark is not None else ""}


def _is_muted(user: Any, match: Match) -> bool | None:
    """Return whether a player has muted a match; None for others, and when nothing more will be told of it."""
    if not user.is_authenticated or not (match.is_open or match.is_running) or match.seat_count == 1:
        return None
    mutes = Exists(Mute.objects.filter(user=user, match=match))
    return Seat.objects.filter(user=user, match=match, left=None).values_list(mutes, flat=True).first()
