"""Scores of series, invitations, what can be done about people, and a quick match, for the pages of other apps."""

from __future__ import annotations

import time
from typing import Any

from django import template
from django.template.context import Context
from django.utils.translation import gettext as _, ngettext

from accounts import relations
from games.bots.accounts import online_bots
from games.matchmaking.forms import PlayNowForm
from games.matchmaking.invitations import terms_in_words
from games.matchmaking.lobby import FRESH, Crowd, crowd
from games.matchmaking.models import Invitation
from games.matchmaking.series import Score, offer_of, score_of
from games.play.access import ViewedMatch
from games.play.models import Match
from games.titles import Title

register = template.Library()

register.simple_tag(score_of, name="series_score")


@register.inclusion_tag("matchmaking/series_line.html")
def series_line(match: Match) -> dict[str, Any]:
    """Show the score of the series a match belongs to, with a link to its page; nothing for other matches."""
    return {"score": score_of(match), "match": match}


@register.inclusion_tag("matchmaking/play_now_form.html", takes_context=True)
def play_now(context: Context, title: Title | None = None, form: PlayNowForm | None = None) -> dict[str, Any]:
    """Show the form; for one game if a title is given."""
    initial = {} if title is None else {"game": title.slug}
    return {
        "is_whole_page": not getattr(context.get("request"), "htmx", False),
        "form": form or PlayNowForm(initial=initial),
        "title": title,
        "user": context.get("user"),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("matchmaking/bot_accounts.html", takes_context=True)
def bot_accounts(context: Context) -> dict[str, Any]:
    """Show the bot accounts that are here and play with people, each with its conditions and what it can be asked."""
    user = context["user"]
    here = [it for it in online_bots(user) if it.conditions.people and it.account.pk != user.pk]
    return {"bots": here, "user": user, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("partials/social.html", takes_context=True)
def invitation_card(context: Context, viewed: ViewedMatch) -> dict[str, Any]:
    """Describe an open table to whoever is sent a link to it: who invites, to what, and how many seats are free."""
    match = viewed.match
    free = match.seat_count - len(viewed.seats)
    names = {"host": match.host.shown_name if match.host else "—", "game": match.rules.name}
    seats = ngettext("%(n)d seat is free.", "%(n)d seats are free.", free) % {"n": free}
    return {
        "title": match.title,
        "site_name": context.get("site_name", "Tessera"),
        "heading": _("%(host)s invites you to %(game)s") % names,
        "summary": f"{terms_in_words(match)} {seats}",
    }


@register.inclusion_tag("matchmaking/rematch.html", takes_context=True)
def rematch_button(context: Context, match: Match, score: Score | None = None) -> dict[str, Any]:
    """Offer a player of a finished match a rematch, or the one that somebody else wants already.

    Args:
        context: of a page or part of it, with its request.
        match: finished.
        score: of the series it belongs to.
    """
    return {"match": match, "offer": offer_of(match, context["request"].user), "score": score}


@register.inclusion_tag("matchmaking/answers.html", takes_context=True)
def invitation_answers(context: Context, match: Match) -> dict[str, Any]:
    """Offer the reader to accept or decline an invitation, as long as they can."""
    user = context["request"].user
    asked = Invitation.objects.answerable().filter(match=match, user=user)
    invitation = asked.exclude(match__seats__user=user).exclude(match__promises__user=user).first()
    return {"invitation": invitation, "match": match, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("matchmaking/person_buttons.html", takes_context=True)
def person_buttons(context: Any, person: Any) -> dict[str, Any]:
    """Show what the reader, a member or a guest, can do about another person."""
    request, reader = context["request"], context["user"]
    ties = relations.ties_between(reader, person)
    return {
        "user": reader,
        "person": person,
        "csrf_token": context["csrf_token"],
        "leads_to": request.get_full_path(),
        "relation": ties.relation,
        "follows": ties.follows,
        "blocks": ties.blocks,
    }


@register.simple_tag
def people_here() -> Crowd:
    """Return how many people are here, at most `FRESH` seconds old. Each process counts, as pages do without Redis."""
    return crowd(time.monotonic() - FRESH)
