"""The pages of puzzles: today's, the archive, and each puzzle, which is played as a form, with or without a script."""

from __future__ import annotations

from datetime import date
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import TooMany, spend
from accounts.readers import member_of
from games.engine.protocol import RuleViolation
from games.play.boards.apart import composed, split
from games.play.pages.http import HtmxRequest
from games.puzzles import days, pages, solving, tries
from games.puzzles.days import Daily
from games.puzzles.statistics import statistics


@require_safe
def today(request: HttpRequest) -> HttpResponse:
    """Show the puzzles of today, and how the reader does."""
    tried = tries.of_reader(request)
    context = {
        "rows": pages.rows(days.of_day(days.today()), tried),
        "statistics": statistics(tried, days.today()),
        "next": days.next_day_begins(),
    }
    return TemplateResponse(request, "puzzles/today.html", context)


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """Show a month of puzzles."""
    month = pages.month_of(request.GET.get("month", ""), tries.of_reader(request))
    if month is None:
        raise Http404(_("There are no puzzles for this month."))
    return TemplateResponse(request, "puzzles/archive.html", {"month": month})


@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HtmxRequest, game: str, day: str) -> HttpResponse:
    """Show a puzzle; a POST is one action of an answer. htmx gets the part of the page that changes."""
    found = _puzzle(game, day)
    if request.method == "POST":
        return _act(request, found)
    page = pages.page_of(request, found, split(request.GET.get("line", "")))
    return _answer(request, page)


def _act(request: HtmxRequest, found: Daily) -> HttpResponse:
    """Add an action to an answer; one that completes it costs a try."""
    texts = split(request.POST.get("line", ""))
    if tries.tried(request, found).is_over:
        return redirect(found.url)
    try:
        spend("puzzle", member_of(request))
        texts_after = [*texts, composed(found.title, dict(request.POST.lists()))]
        line = solving.parsed(found, texts_after)
        worth = solving.worth(found, line)
    except TooMany as error:
        return _answer(request, pages.page_of(request, found, [], error.text))
    except RuleViolation as violation:
        return _answer(request, pages.page_of(request, found, texts, _(violation.text)))
    if worth is None:
        return redirect(f"{found.url}{pages.query(texts_after)}")
    tries.add(request, found, tries.Try(tuple(found.game.notate(action) for action in line), worth))
    return redirect(found.url)


def _answer(request: HtmxRequest, page: pages.Page) -> HttpResponse:
    template = "puzzles/position.html" if request.htmx else "puzzles/puzzle.html"
    status = HTTPStatus.UNPROCESSABLE_ENTITY if page.refusal else HTTPStatus.OK
    return TemplateResponse(request, template, pages.context_of(page), status=status)


def _puzzle(game: str, day: str) -> Daily:
    try:
        found = days.daily(game, date.fromisoformat(day))
    except ValueError:
        found = None
    if found is None:
        raise Http404(_("This puzzle does not exist, or its day has not come yet."))
    return found
