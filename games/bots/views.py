"""The pages about bots: how they think, how strong they are, and how they did against people."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.bots.results import against_people
from games.bots.strengths import of_level
from games.engine.bots.levels import LEVELS
from games.play.models import Level


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """Show all levels."""
    return TemplateResponse(request, "bots/bots.html", {"levels": list(Level)})


@require_safe
def bot(request: HttpRequest, level: str) -> HttpResponse:
    """Show one level: how it thinks, what was measured, and how it did against people."""
    if level not in Level.values:
        raise Http404(_("There is no bot with this name."))
    chosen = Level(level)
    context = {
        "level": chosen,
        "levels": list(Level),
        "effort": round(100 * LEVELS[level].effort),
        "slips": round(100 * LEVELS[level].slips),
        "measured": of_level(chosen),
        "against": against_people(chosen),
    }
    return TemplateResponse(request, "bots/bot.html", context)
