"""Challenging somebody from their profile."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.services import access_player, person_of
from games.engine.protocol import RuleViolation
from games.matchmaking import challenges, services
from games.matchmaking.answers import WAIT
from games.matchmaking.counting import have_played_enough
from games.matchmaking.limits import RATED
from games.matchmaking.series import GOALS
from games.play.pages.http import HtmxRequest
from games.titles import titles


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def challenge(request: HtmxRequest, username: str) -> HttpResponse:
    """Offer the games to challenge somebody to; a POST opens the table and invites them."""
    reader, other = person_of(request), access_player(username)
    if other == reader:
        return redirect("profile", other.username)
    if request.method != "POST" or reader.guest:
        return _page(request, reader, other)
    slug = request.POST.get("game", "")
    if slug not in titles():
        return _page(request, reader, other, _("Please choose one."), 422)
    form = challenges.form_for(titles()[slug], reader, other, request.POST.get("first_to", ""))
    if not form.is_valid():
        return redirect(f"{reverse('table_new')}?{urlencode({'game': slug, 'invite': other.username})}")
    try:
        return redirect(services.open_table(reader, form.wish()))
    except RuleViolation as violation:
        return _page(request, reader, other, _(violation.text), 429 if violation.code.startswith(WAIT) else 422)


def _page(request: HtmxRequest, user: User, other: User, error: str = "", status: int = 200) -> HttpResponse:
    context = {
        "other": other,
        "offers": [] if user.guest else challenges.offers(user, other),
        "goals": GOALS,
        "error": error,
        "enough": RATED.most if have_played_enough([user, other]) else 0,
    }
    return TemplateResponse(request, "matchmaking/challenge.html", context, status=status)
