"""The page of a review: who may see the replay may see it, and members may ask for it.

The board and the log on it are those of the replay; the chart and the moments lead to their positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.limits import TooMany, spend
from accounts.services import member_of, person_of
from games.engine.protocol import RuleViolation
from games.history.replay import is_checkable, replay_of
from games.play.access import ViewedMatch, access_match
from games.play.boards.standalone import composed, split
from games.play.http import HtmxRequest, for_members, whole_number
from games.play.records import plays
from games.play.reducer.positions import AnyPlay
from games.review import services
from games.review.exercise import exercise_of
from games.review.found import Moment, found_by, moment_named, shown
from games.review.models import Review


@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the review of a match that has ended, as far as it has come; a POST asks for one.

    `at` and `seat` choose the position on the board as in a replay; `moment` and `way` what was played there, or what
    was better. htmx gets the part of the page with the board if one of these is given, else the part that grows.
    """
    return _ask(request, slug) if request.method == "POST" else _show(request, access_match(request.user, slug))


@for_members
def _ask(request: HtmxRequest, slug: str) -> HttpResponse:
    viewed = access_match(request.user, slug)
    if not viewed.match.is_over or not is_checkable(viewed.match):
        return _show(request, viewed)
    try:
        services.ask(viewed.match, person_of(request))
    except services.TooManyUnderWay as error:
        return _show(request, viewed, str(error))
    except TooMany as error:
        return _show(request, viewed, error.text)
    return redirect("review", slug)


def _show(request: HtmxRequest, viewed: ViewedMatch, refusal: str = "") -> HttpResponse:
    if not viewed.match.is_over:
        return redirect(viewed.match)
    if not is_checkable(viewed.match):
        return TemplateResponse(request, "history/old_rules.html", {"match": viewed.match})
    found = Review.objects.filter(match=viewed.match).first()
    context: dict[str, Any] = {"match": viewed.match, "title": viewed.match.title, "viewed": viewed, "review": found}
    if found is None:
        return TemplateResponse(
            request, "review/review.html", {**context, "refusal": refusal}, status=422 if refusal else 200
        )
    if request.htmx and request.GET:
        context |= _spot(request, viewed, found, ())
        return TemplateResponse(request, "history/position.html", context, status=context["replay"].status)
    context["found"] = found_by(viewed, found)
    if request.htmx:
        return TemplateResponse(request, "review/state.html", context)
    context |= _spot(request, viewed, found, context["found"].moments if context["found"] else ())
    return TemplateResponse(request, "review/review.html", context, status=context["replay"].status)


def _spot(request: HtmxRequest, viewed: ViewedMatch, found: Review, moments: Sequence[Moment]) -> dict[str, Any]:
    """Return the position that is asked for; if none is, that of the first of these moments, or the last of all."""
    asked = request.GET
    if "moment" in asked:
        moment, _reached = _named(viewed, found, asked["moment"])
        spot = replay_of(viewed, str(moment.after), str(moment.seat))
        better = asked.get("way") == "better"
        told = _("What would have been better") if better else _("What was played")
        way = moment.better if better else moment.played
        return {"replay": replace(spot, shown=shown(viewed, moment, way)), "told": f"{moment.number}: {told}"}
    if moments and not asked:
        return {"replay": replay_of(viewed, str(moments[0].begun), str(moments[0].seat))}
    return {"replay": replay_of(viewed, asked.get("at", ""), asked.get("seat", ""))}


def _named(viewed: ViewedMatch, found: Review, last: str) -> tuple[Moment, Sequence[AnyPlay]]:
    """Return the moment that an address names, and the positions of the match."""
    reached = list(plays(viewed.match, viewed.seats))
    moment = None if found.is_outdated else moment_named(viewed, found, reached, whole_number(last))
    if moment is None:
        raise Http404(_("There is no such moment in this review."))
    return moment, reached


@require_http_methods(["GET", "HEAD", "POST"])
def exercise(request: HtmxRequest, slug: str) -> HttpResponse:
    """Let the reader play the `moment` of the address again; a POST is an action. htmx gets the part that changes."""
    viewed = access_match(request.user, slug)
    found = Review.objects.filter(match=viewed.match).first()
    if found is None or not is_checkable(viewed.match):
        raise Http404(_("There is no such moment in this review."))
    moment, reached = _named(viewed, found, request.GET.get("moment", ""))
    texts = split(request.GET.get("line", "") if request.method != "POST" else request.POST.get("line", ""))
    refusal = ""
    try:
        tried = exercise_of(viewed, moment, reached, texts)
    except RuleViolation as violation:
        tried, refusal = exercise_of(viewed, moment, reached, ()), _(violation.text)
    if request.method == "POST" and not refusal:
        try:
            spend("puzzle", member_of(request))
            text = composed(viewed.match.title, dict(request.POST.lists()))
            after = exercise_of(viewed, moment, reached, [*texts, text])
        except (TooMany, RuleViolation) as error:
            refusal = error.text if isinstance(error, TooMany) else _(error.text)
        else:
            return redirect(f"{request.path}?{urlencode({'moment': moment.last, 'line': after.line})}")
    tried = replace(tried, refusal=refusal)
    context = {"match": viewed.match, "title": viewed.match.title, "exercise": tried, "moment": moment}
    template = "review/attempt.html" if request.htmx else "review/exercise.html"
    return TemplateResponse(request, template, context, status=422 if refusal else 200)
