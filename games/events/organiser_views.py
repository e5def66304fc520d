"""The pages on which owners and helpers of a club make, change and cancel its events."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import posted
from games.clubs.membership import led_club
from games.engine.protocol import RuleViolation
from games.events import organising
from games.events.access import access_event, organises
from games.events.forms import EventForm
from games.titles import titles


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def event_new(request: HttpRequest, club: str) -> HttpResponse:
    """Make an event for a club, in the game that `game` in the address names; without one, choose it."""
    found = led_club(request.user, club)
    title = titles().get(request.GET.get("game", ""))
    if title is None:
        status = 422 if request.method == "POST" else 200
        return TemplateResponse(
            request, "events/choose_game.html", {"club": found, "titles": titles().values()}, status=status
        )
    form = EventForm(title, posted(request))
    if form.is_valid():
        try:
            return redirect(organising.make_event(found, request.user, **form.setup()))
        except RuleViolation as violation:
            form.refuse(violation)
    return _form_page(request, form, club=found)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def event_change(request: HttpRequest, event: str) -> HttpResponse:
    """Change an event that has not started; a POST of `do=cancel` cancels it."""
    found = access_event(request.user, event)
    if not organises(found, request.user) or not found.is_open:
        raise Http404
    cancels = request.POST.get("do") == "cancel"
    form = EventForm(found.title, None if cancels else posted(request), found)
    try:
        if cancels:
            organising.cancel_event(found, request.user)
            messages.success(request, _("The event is cancelled."))
            return redirect(found.club)  # type: ignore[arg-type]  # whoever organises it is of its club
        if form.is_valid():
            changed = organising.change_event(found, request.user, **form.setup())
            messages.success(request, _("Saved."))
            return redirect(changed)
    except RuleViolation as violation:  # it has begun meanwhile, or they lead the club no longer
        return _form_page(request, form, club=found.club, refusal=violation.text)
    return _form_page(request, form, club=found.club)


def _form_page(request: HttpRequest, form: EventForm, **context: Any) -> HttpResponse:
    wrong = form.is_bound or bool(context.get("refusal"))
    context = {"form": form, "title": form.title, "event": form.event, **context}
    return TemplateResponse(request, "events/organise.html", context, status=422 if wrong else 200)
