"""Pages and requests of a match, and the settings of how the reader plays.

Requests by htmx get the board as their answer, plain ones a page.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.requests import HtmxRequest, posted, whole_number
from accounts.services import stored_person_of
from games.engine.protocol import RuleViolation
from games.play import commands, timekeeping
from games.play.access import ViewedMatch, access_match, for_members, known_match
from games.play.boards.fragments import last_seen, match_fragment, preview, rules_section, steps, untold
from games.play.boards.log import log_lines
from games.play.boards.pictures import picture
from games.play.clocks import VACATION_DAYS, milliseconds
from games.play.forms import PlayForm, VacationForm
from games.play.live import pubsub
from games.play.live.presence import company
from games.play.models import Seat
from games.play.reducer.actions import Stale
from games.play.reducer.results import lets_down, lone_abort
from games.titles import titles
from games.titles.board import anchor

LOG_PAGE = 100
LONGEST_PAGE = 40
"""Most characters of the name of an open page, which every process is told: our pages send 16."""

PICTURE_KEPT = 300
"""Seconds for which a picture may be cached: a running match has another one soon."""


@require_safe
def rules(request: HtmxRequest, game: str) -> HttpResponse:
    """Explain a game."""
    if game not in titles():
        raise Http404
    title = titles()[game]
    sections = [
        {"anchor": anchor(template), "heading": heading, "template": template}
        for template, heading in title.board.RULES
    ]
    return TemplateResponse(request, "play/rules.html", {"title": title, "sections": sections})


@require_safe
def match(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show a match, or the table before it begins."""
    return _page(request, access_match(request.user, slug))


@require_POST
@for_members
def ask(request: HtmxRequest, slug: str, kind: str) -> HttpResponse:
    """Do what the board's form asks for: one of `commands.KINDS`."""
    return written(request, slug, lambda viewed, seat: commands.ask(kind, viewed, seat, request.POST), kind)


def written(
    request: HtmxRequest, slug: str, command: Callable[[ViewedMatch, Seat], commands.Receipt], kind: str = ""
) -> HttpResponse:
    """Run a command for the reader's seat and return the current board, refused or not.

    Args:
        request: of a player; one by htmx is answered with the board alone.
        slug: of the match.
        command: does it, given the match as the reader sees it and their seat.
        kind: one of `commands.KINDS`, if it is one of them.

    Raises:
        Http404: the reader does not play in this match.
    """
    viewed = known_match(request.user, slug) or access_match(request.user, slug)
    try:
        with pubsub.asked_by(request.POST.get("page", "")[:LONGEST_PAGE] if request.htmx else ""):
            current = replace(command(viewed, _seat(viewed)).viewed, viewer=viewed.viewer)
            done = commands.done_in_words(kind)
            return _fragment(request, current, done=done) if request.htmx else redirect(current.match)
    except (Stale, RuleViolation) as error:
        status, notice = 409 if isinstance(error, Stale) else 422, commands.refusal_in_words(error)
    current = access_match(request.user, slug)
    response = _fragment(request, current, notice) if request.htmx else _page(request, current, notice)
    response.status_code = status
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@for_members
def resign(request: HtmxRequest, slug: str) -> HttpResponse:
    """Offer the ways to leave a match; a POST resigns."""
    if request.method == "POST":
        client_id = request.POST.get("client_id", "")
        return written(request, slug, lambda viewed, seat: commands.resign(viewed.match.pk, seat.number, client_id))
    viewed = access_match(request.user, slug)
    seat = _seat(viewed)
    if not viewed.match.is_running or seat.has_left:
        return redirect(viewed.match)
    context = {
        "table": viewed,
        "match": viewed.match,
        "mine": seat,
        "abort_alone": lone_abort(viewed.match, viewed.seats, seat.number, timezone.now()),
        "lets_down": lets_down(viewed.seats, seat),
        "client_id": secrets.token_hex(16),
    }
    return TemplateResponse(request, "play/resign.html", context)


@require_safe
def log(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show the whole log, a page at a time, the latest first."""
    viewed = access_match(request.user, slug)
    lines = log_lines(viewed, viewed.viewer, before=whole_number(request.GET.get("before", "")), limit=LOG_PAGE)
    earlier = lines[-1].number if lines and lines[-1].number > 1 else None
    context = {"table": viewed, "match": viewed.match, "lines": lines, "earlier": earlier}
    return TemplateResponse(request, "play/log.html", context)


@require_safe
def match_preview(request: HtmxRequest, slug: str) -> HttpResponse:
    """Say in plain text what a player's choice on the board's form would bring, which is not sent yet."""
    viewed = access_match(request.user, slug)
    _seat(viewed)
    said = preview(viewed, dict(request.GET.lists()))
    return HttpResponse(said, content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})


@require_safe
def match_company(request: HtmxRequest, slug: str) -> HttpResponse:
    """Say who of the other players is here, and how reliable they are."""
    return JsonResponse(company(access_match(request.user, slug), request.user))


@require_safe
def match_picture(request: HtmxRequest, slug: str) -> HttpResponse:
    """Serve the position as everybody may see it, for those who are sent a link to the match."""
    viewed = access_match(request.user, slug)
    drawn = picture(viewed)
    if drawn is None:
        raise Http404(_("This match has not begun."))
    public = not viewed.match.is_secluded
    caching = f"public, max-age={PICTURE_KEPT}" if public else "private, no-store"
    return HttpResponse(drawn, content_type="image/png", headers={"Cache-Control": caching})


@require_safe
def past(request: HtmxRequest, slug: str) -> HttpResponse:
    """Show a player what others did since their own last action: the boards step by step, as that player sees them.

    `from` names the action with which to begin; without it all are shown.
    """
    viewed = access_match(request.user, slug)
    first = whole_number(request.GET.get("from", "")) or 0
    told = [action for action in untold(viewed) if action.number >= first]
    return TemplateResponse(request, "play/past.html", {"steps": steps(viewed, told)})


def _fragment(request: HtmxRequest, viewed: ViewedMatch, notice: str = "", done: str = "") -> HttpResponse:
    response = HttpResponse(match_fragment(viewed, request.user, notice, done))
    response["X-Match-Version"] = str(viewed.match.version)
    return response


def _page(request: HtmxRequest, viewed: ViewedMatch, notice: str = "") -> HttpResponse:
    # The fragment comes from a template that escapes everything it is given.
    fragment = mark_safe(match_fragment(viewed, request.user, notice))  # noqa: S308
    context = {
        "viewed": viewed,
        "match": viewed.match,
        "title": viewed.match.title,
        "untold": () if viewed.viewer is None else untold(viewed, last_seen(viewed)),
        "picture": viewed.match.started_at
        and request.build_absolute_uri(reverse("match_picture", args=[viewed.match.slug])),
        "names": [name for name in viewed.names if name],
        "fragment": fragment,
        "rules_section": rules_section(viewed),
        "now": milliseconds(timezone.now()),
        "client_id": secrets.token_hex(16),
        "page": secrets.token_hex(8),
        "kinds": commands.KINDS,
    }
    return TemplateResponse(request, "play/match.html", context)


def _seat(viewed: ViewedMatch) -> Seat:
    """Return the reader's seat; for strangers the address does not exist."""
    if viewed.mine is None:
        raise Http404
    return viewed.mine


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_play(request: HttpRequest) -> HttpResponse:
    """Show what boards do and when the reader's day clocks stop; a POST sets it, clocks from the next turn on."""
    user = stored_person_of(request)
    form = PlayForm(posted(request), instance=user)
    if form.is_bound and form.is_valid():
        user.save(update_fields=list(form.fields))
        messages.success(request, _("Saved. For your clocks it takes effect from your next turn in each match."))
        return redirect("settings_play")
    return _settings_page(
        request, form, VacationForm(timekeeping.vacation_days_left(user)), 422 if form.is_bound else 200
    )


@require_POST
@login_required
def settings_keys(request: HttpRequest) -> HttpResponse:
    """Let single keys act on boards (`on`) or not: what the box in the list of shortcuts says."""
    User.objects.filter(pk=stored_person_of(request).pk).update(single_keys="on" in request.POST)
    return HttpResponse(status=204)


@require_safe
def settings_clocks(request: HttpRequest) -> HttpResponse:
    """Lead from an address that pages used before to the page of clocks."""
    return redirect("settings_play", permanent=True)


@require_POST
@login_required
def settings_vacation(request: HttpRequest) -> HttpResponse:
    """Start a vacation of this many `days`, or `end` the current one."""
    user = stored_person_of(request)
    form = VacationForm(timekeeping.vacation_days_left(user), request.POST)
    try:
        if "end" in request.POST:
            timekeeping.end_vacation(user)
        elif form.is_valid():
            timekeeping.start_vacation(user, form.cleaned_data["days"])
        else:
            return _settings_page(request, PlayForm(instance=user), form, 422)
    except RuleViolation as violation:
        messages.error(request, _(violation.text))
    return redirect("settings_play")


def _settings_page(request: HttpRequest, form: PlayForm, days: VacationForm, status: int) -> HttpResponse:
    user = stored_person_of(request)
    context = {
        "form": form,
        "days": days,
        "left": timekeeping.vacation_days_left(user),
        "budget": VACATION_DAYS,
        "vacation": timekeeping.current_vacation(user),
        "running_on": timekeeping.matches_without_vacations(user),
    }
    return TemplateResponse(request, "play/settings_play.html", context, status=status)
