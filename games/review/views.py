"""The page of a review: who may see the replay may see it, and members may ask for it."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F
from django.http import HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.limits import TooMany, spend
from accounts.readers import person_of
from games.play import duties
from games.play.matches.access import access_match
from games.play.matches.viewed import ViewedMatch
from games.play.pages.http import HtmxRequest, for_members
from games.review.duty import steps_of
from games.review.models import Review
from games.review.pages import found_by

MOST_UNDER_WAY: Final = 3
"""How many reviews one person can have under way."""


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the review of a match that has ended, or its progress; a POST asks for one."""
    return _ask(request, slug) if request.method == "POST" else _show(request, access_match(request.user, slug))


@for_members
def _ask(request: HtmxRequest, slug: str) -> HttpResponse:
    viewed = access_match(request.user, slug)
    if not viewed.match.is_over or not _is_of_these_rules(viewed):
        return _show(request, viewed)
    under_way = Review.objects.filter(asked_by=request.user.pk, done__lt=F("steps"))
    if under_way.exclude(match=viewed.match).count() >= MOST_UNDER_WAY:
        return _show(request, viewed, _("Three reviews are already under way for you. Wait until one is done."))
    try:
        spend("review", person_of(request))
    except TooMany as error:
        return _show(request, viewed, error.text)
    asked = {"asked_by_id": request.user.pk, "steps": steps_of(viewed.match)}
    Review.objects.get_or_create(match=viewed.match, defaults=asked)
    duties.stop_sleeping()
    return redirect("review", slug)


def _show(request: HtmxRequest, viewed: ViewedMatch, refusal: str = "") -> HttpResponse:
    if not viewed.match.is_over:
        return redirect(viewed.match)
    if not _is_of_these_rules(viewed):
        return TemplateResponse(request, "history/old_rules.html", {"match": viewed.match})
    found = Review.objects.filter(match=viewed.match).first()
    context: dict[str, Any] = {"match": viewed.match, "viewed": viewed, "review": found, "refusal": refusal}
    if found is not None and found.is_done:
        context["found"] = found_by(viewed, found)
    if request.htmx:
        return TemplateResponse(request, "review/state.html", context)
    return TemplateResponse(request, "review/review.html", context, status=422 if refusal else 200)


def _is_of_these_rules(viewed: ViewedMatch) -> bool:
    return viewed.match.rules_version == viewed.match.rules.version
