"""The pages about bots: how they think, how strong they are, how they did against people; and hints."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import TooMany, spend
from accounts.services import person_of
from games.bots import hints
from games.bots.strengths import against_people, of_level
from games.engine.bots.levels import LEVELS
from games.engine.bots.levels import Level as EngineLevel
from games.engine.protocol import RuleViolation, Seat
from games.play.access import ViewedMatch, access_match
from games.play.http import HtmxRequest, for_members
from games.play.models import Level
from games.play.reducer import positions
from games.titles import Title, titles
from games.titles.phrases import plan_text


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """Show all levels."""
    ways = [_way(LEVELS[Level.MASTER], title) for title in titles().values()]
    return TemplateResponse(request, "bots/bots.html", {"levels": list(Level), "ways": ways})


@require_safe
def bot(request: HttpRequest, level: str) -> HttpResponse:
    """Show one level: how it thinks, what was measured, and how it did against people."""
    if level not in Level.values:
        raise Http404(_("There is no bot with this name."))
    chosen = Level(level)
    context = {
        "level": chosen,
        "levels": list(Level),
        "ways": [_way(LEVELS[level], title) for title in titles().values()],
        "measured": of_level(chosen),
        "against": against_people(chosen),
    }
    return TemplateResponse(request, "bots/bot.html", context)


def _way(level: EngineLevel, title: Title) -> dict[str, Any]:
    """Return how a level thinks in one game."""
    most = title.insight.EFFORT
    searches = LEVELS[Level.MASTER].futures(most) > 1
    return {
        "title": title,
        "searches": searches,
        "worlds": level.futures(most),
        "slips": round(100 * level.errs(most)),
    }


@require_POST
@for_members
def match_hint(request: HtmxRequest, slug: str) -> HttpResponse:
    """Ask for a hint. The page's script looks for it at `match_hint_found`; without one, a page shows it."""
    viewed = _own(request, slug)
    try:
        spend("hint", person_of(request))
        hints.ask(viewed.match.pk, int(viewed.viewer or 0))
    except TooMany as error:
        return _refused(request, viewed, error.text, HTTPStatus.TOO_MANY_REQUESTS)
    except RuleViolation as violation:
        return _refused(request, viewed, _(violation.text), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("match_hint_found", slug)


def _refused(request: HtmxRequest, viewed: ViewedMatch, text: str, status: HTTPStatus) -> HttpResponse:
    """Say why there is no hint: to a script, which shows it beside the board, with a status of its own."""
    if request.headers.get("Accept") == "application/json":
        return JsonResponse({"found": False, "why": text}, status=status)
    messages.error(request, text)
    return redirect(viewed.match)


@require_safe
@for_members
def match_hint_found(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the hint for the current position: to a script as JSON, with the fields of the board it is about."""
    viewed = _own(request, slug)
    hint = hints.latest(viewed.match, int(viewed.viewer or 0))
    if request.GET.get("as") != "json":
        action = ""
        if hint and hint.text:
            title, seat = viewed.match.title, Seat(hint.seat)
            view = title.game.view_for(positions.decode_state(viewed.match), seat)
            action = plan_text(title, view, seat, (title.game.parse(hint.text),), viewed.names, seat)
        context = {"match": viewed.match, "hint": hint, "action": action}
        return TemplateResponse(request, "bots/hint.html", context)
    if hint is None or not hint.text:
        return JsonResponse({"found": False, "wanted": hint is not None})
    marks = [[mark.name, *mark.values] for mark in viewed.match.title.board.marks(hint.text)]
    return JsonResponse({"found": True, "version": hint.version, "why": hint.why, "marks": marks})


def _own(request: HttpRequest, slug: str) -> ViewedMatch:
    viewed = access_match(request.user, slug)
    if viewed.viewer is None:
        raise Http404
    return viewed
