"""The page about how the reader plays: hints, keys, nights, weekends, vacations."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.services import stored_person_of
from games.engine.protocol import RuleViolation
from games.play.matches import vacations
from games.play.pages.forms import PlayForm, VacationForm
from games.play.pages.http import posted


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest) -> HttpResponse:
    """Show what boards do and when the reader's day clocks stop; a POST sets it, clocks from the next turn on."""
    user = stored_person_of(request)
    form = PlayForm(posted(request), instance=user)
    if form.is_bound and form.is_valid():
        user.save(update_fields=list(form.fields))
        messages.success(request, _("Saved. For your clocks it takes effect from your next turn in each match."))
        return redirect("settings_play")
    return _page(request, form, VacationForm(vacations.days_left(user)), 422 if form.is_bound else 200)


@require_POST
@login_required
def keys(request: HttpRequest) -> HttpResponse:
    """Let single keys act on boards (`on`) or not: what the box in the list of shortcuts says."""
    User.objects.filter(pk=stored_person_of(request).pk).update(single_keys="on" in request.POST)
    return HttpResponse(status=204)


@require_safe
def former_clocks(request: HttpRequest) -> HttpResponse:
    """Lead from an address that pages used before to the page of clocks."""
    return redirect("settings_play", permanent=True)


@require_POST
@login_required
def vacation(request: HttpRequest) -> HttpResponse:
    """Start a vacation of this many `days`, or `end` the current one."""
    user = stored_person_of(request)
    form = VacationForm(vacations.days_left(user), request.POST)
    try:
        if "end" in request.POST:
            vacations.end(user)
        elif form.is_valid():
            vacations.start(user, form.cleaned_data["days"])
        else:
            return _page(request, PlayForm(instance=user), form, 422)
    except RuleViolation as violation:
        messages.error(request, _(violation.text))
    return redirect("settings_play")


def _page(request: HttpRequest, form: PlayForm, days: VacationForm, status: int) -> HttpResponse:
    user = stored_person_of(request)
    context = {
        "form": form,
        "days": days,
        "left": vacations.days_left(user),
        "budget": vacations.BUDGET,
        "vacation": vacations.current(user),
        "running_on": vacations.running_on(user),
    }
    return TemplateResponse(request, "play/settings_play.html", context, status=status)
