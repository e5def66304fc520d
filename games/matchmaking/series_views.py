"""The page of a series, and leaving it. A series is named by any of its matches, and open to whoever may see that."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from games.engine.protocol import RuleViolation
from games.matchmaking import series
from games.matchmaking.scores import Score, played, score_of
from games.play.matches.access import access_match
from games.play.pages.http import HtmxRequest, for_members


@require_safe
def show(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the score and the matches of a series."""
    score = _score(request, slug)
    matches = played(score.series)
    latest = matches[-1].match
    context = {
        "score": score,
        "matches": matches,
        "latest": latest,
        "title": latest.title,
        "slug": slug,
        "mine": score.goes_on and score.is_played_by(request.user),
    }
    return TemplateResponse(request, "matchmaking/series.html", context)


@require_POST
@for_members
def leave(request: HtmxRequest, slug: str) -> HttpResponse:
    """End a series for everybody in it."""
    try:
        series.leave(_score(request, slug).series.pk, request.user)
    except RuleViolation as violation:
        messages.error(request, gettext(violation.text))
    return redirect("series", slug)


def _score(request: HtmxRequest, slug: str) -> Score:
    score = score_of(access_match(request.user, slug).match)
    if score is None:
        raise Http404
    return score
