"""Invitations on pages of other parts of the site: the card of a link to a table, and answers beside a notice."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.matchmaking.models import Invitation
from games.play.matches.viewed import ViewedMatch
from games.play.models import Match

register = template.Library()


@register.inclusion_tag("partials/social.html", takes_context=True)
def invitation_card(context: Context, viewed: ViewedMatch) -> dict[str, Any]:
    """Describe an open table to whoever is sent a link to it: who invites, to what, and how many seats are free."""
    match = viewed.match
    words = {"host": match.host.shown_name if match.host else "—", "game": match.rules.name}
    return {
        "title": match.title,
        "site_name": context.get("site_name", "Tessera"),
        "heading": _("%(host)s invites you to %(game)s") % words,
        "summary": _summary(match, match.seat_count - len(viewed.seats)),
    }


def _summary(match: Match, free: int) -> str:
    words = {
        "seats": ngettext("%(n)d player", "%(n)d players", match.seat_count) % {"n": match.seat_count},
        "speed": match.get_speed_display(),
        "clock": match.clock_in_words or _("no clock"),
        "rated": _("Rated match") if match.rated else _("Casual match"),
        "free": ngettext("%(n)d seat is free.", "%(n)d seats are free.", free) % {"n": free},
    }
    return _("%(rated)s for %(seats)s. %(speed)s: %(clock)s. %(free)s") % words


@register.inclusion_tag("matchmaking/answers.html", takes_context=True)
def invitation_answers(context: Context, match: Match) -> dict[str, Any]:
    """Offer the reader to accept or decline an invitation, as long as they can."""
    user = context["request"].user
    asked = Invitation.objects.answerable().filter(match=match, user=user)
    invitation = asked.exclude(match__seats__user=user).exclude(match__promises__user=user).first()
    return {"invitation": invitation, "match": match, "csrf_token": context.get("csrf_token")}
