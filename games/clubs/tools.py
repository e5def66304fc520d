"""The pages with which those who lead a club tell others of it, invite names on a list, and keep its evenings."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from accounts.limits import spend
from accounts.requests import posted
from accounts.services import person_of
from games.clubs import evenings, roster, webhooks
from games.clubs.evening_form import EveningForm
from games.clubs.membership import Role, led_club, member_of
from games.clubs.models import Club, Evening, EveningDay
from games.clubs.roster import Fate, RosterForm
from games.clubs.webhooks import WebhookForm
from games.engine.protocol import RuleViolation
from games.notifications import trials
from games.notifications.channels import webhooks as channel
from games.play.refusals import TooOften
from games.titles import titles


def _frame(request: HttpRequest, club: Club, tool: str) -> dict[str, Any]:
    """Return what the frame of these pages shows."""
    return {"club": club, "mine": member_of(club, request.user), "tool": tool}


# --- the webhook ------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def webhook(request: HttpRequest, club: str) -> HttpResponse:
    """Show the webhook of a club to its owners; a POST stores its address."""
    ours = led_club(request.user, club, Role.OWNER)
    form = WebhookForm(ours, posted(request))
    if form.is_valid():
        spend("webhook", person_of(request))
        form.save()
        messages.success(request, _("Saved. Send a test message to see whether it works."))
        return redirect("club_webhook", ours.slug)
    found = webhooks.webhook_of(ours)
    host = urlsplit(found.address).hostname if found else ""
    context = {**_frame(request, ours, "webhook"), "form": form, "webhook": found, "host": host}
    return TemplateResponse(request, "clubs/webhook.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def webhook_test(request: HttpRequest, club: str) -> HttpResponse:
    """Send a test message to the webhook of a club; if it is accepted, a disabled one is switched on again."""
    ours = led_club(request.user, club, Role.OWNER)
    found = webhooks.webhook_of(ours)
    if found is None:
        raise Http404
    key = f"test-{secrets.token_hex(8)}"
    trials.try_out(request, webhooks.test_message(ours, found), lambda message: channel.tell(found, message, key))
    return redirect("club_webhook", ours.slug)


@require_POST
@login_required
def webhook_remove(request: HttpRequest, club: str) -> HttpResponse:
    """Remove the webhook of a club."""
    ours = led_club(request.user, club, Role.OWNER)
    found = webhooks.webhook_of(ours)
    if found is None:
        raise Http404
    found.delete()
    messages.success(request, _("Webhook removed."))
    return redirect("club_webhook", ours.slug)


# --- names on a list --------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def names(request: HttpRequest, club: str) -> HttpResponse:
    """Take a list of names and show what becomes of each; a POST with `send` invites those who can be."""
    ours = led_club(request.user, club)
    form = RosterForm(posted(request))
    context = {**_frame(request, ours, "names"), "form": form, "longest": roster.LONGEST}
    if not form.is_valid():
        return TemplateResponse(request, "clubs/names.html", context, status=422 if form.is_bound else 200)
    if "send" in request.POST:
        try:
            count = roster.invite(person_of(request), ours, form.names())
        except RuleViolation as violation:
            form.add_error(None, violation.text)
            status = 429 if isinstance(violation, TooOften) else 422
            return TemplateResponse(request, "clubs/names.html", context, status=status)
        said = ngettext("%(count)d person is invited.", "%(count)d people are invited.", count)
        messages.success(request, said % {"count": count})
        return redirect("club_names", ours.slug)
    lines = roster.look_at(ours, form.names())
    context |= {
        "lines": lines,
        "pasted": "\n".join(form.names()),
        "count": sum(line.fate is Fate.INVITE for line in lines),
        "Fate": Fate,
    }
    return TemplateResponse(request, "clubs/names_preview.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def invitation(request: HttpRequest, club: str) -> HttpResponse:
    """Show an invitation to a club to whom it is for; a POST accepts it, or with `decline` declines it."""
    ours = get_object_or_404(Club, slug=club)
    user = person_of(request)
    found = roster.invitation_to(ours, user)
    if member_of(ours, user) is not None:
        return redirect(ours)
    if found is None:
        raise Http404
    refusal = ""
    if request.method == "POST":
        if "decline" in request.POST:
            roster.decline(user, ours)
            messages.success(request, _("Invitation declined."))
            return redirect("notices")
        try:
            roster.accept(user, ours)
        except RuleViolation as violation:
            refusal = violation.text
        else:
            messages.success(request, _("You are now a member of %(club)s.") % {"club": ours.shown_name})
            return redirect(ours)
    context = {"club": ours, "invitation": found, "refusal": refusal}
    return TemplateResponse(request, "clubs/invitation.html", context, status=422 if refusal else 200)


# --- evenings ---------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD"])
@login_required
def evening_list(request: HttpRequest, club: str) -> HttpResponse:
    """Show the evenings of a club to those who lead it."""
    ours = led_club(request.user, club)
    days = EveningDay.objects.coming(ours)
    next_of = {day.evening_id: day for day in reversed(days)}
    missed = EveningDay.objects.filter(evening__club=ours).exclude(refusal="").order_by("evening", "-day")
    failed = {day.evening_id: day for day in reversed(missed)}
    context = {
        **_frame(request, ours, "evenings"),
        "evenings": [(it, next_of.get(it.pk), failed.get(it.pk)) for it in ours.evenings.all()],
        "titles": titles().values(),
        "most": evenings.MOST,
    }
    return TemplateResponse(request, "clubs/evenings.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def evening_new(request: HttpRequest, club: str) -> HttpResponse:
    """Set up an evening with the game that `game` names."""
    ours = led_club(request.user, club)
    title = titles().get(request.GET.get("game", ""))
    if title is None:
        return redirect("club_evenings", ours.slug)  # where the games are
    form = EveningForm(title, person_of(request), posted(request))
    return _evening_form(request, ours, form, lambda plan: evenings.add(person_of(request), ours, plan))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def evening_change(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Change an evening; `game` in the address names another game."""
    ours = led_club(request.user, club)
    evening = get_object_or_404(Evening, pk=pk, club=ours)
    title = titles().get(request.GET.get("game", evening.game)) or evening.title or next(iter(titles().values()))
    form = EveningForm(title, person_of(request), posted(request), evening)
    return _evening_form(request, ours, form, lambda plan: evenings.change(person_of(request), evening, plan))


def _evening_form(
    request: HttpRequest, club: Club, form: EveningForm, save: Callable[[evenings.Plan], object]
) -> HttpResponse:
    if form.is_valid():
        try:
            save(form.plan())
        except RuleViolation as violation:
            form.add_error(None, violation.text)
        else:
            messages.success(request, _("Saved. The next one is made a week ahead, and members are told."))
            return redirect("club_evenings", club.slug)
    context = {**_frame(request, club, "evenings"), "form": form, "title": form.title, "titles": titles().values()}
    return TemplateResponse(request, "clubs/evening_form.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def evening_do(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Pause an evening, let it go on, or remove it, as `do` says."""
    ours = led_club(request.user, club)
    evening = get_object_or_404(Evening, pk=pk, club=ours)
    doing = {"pause": evenings.pause, "go-on": evenings.go_on, "remove": evenings.remove}
    do = doing.get(request.POST.get("do", ""))
    if do is not None:
        do(person_of(request), evening)
    return redirect("club_evenings", ours.slug)


urls = [
    path("webhook/", webhook, name="club_webhook"),
    path("webhook/test/", webhook_test, name="club_webhook_test"),
    path("webhook/remove/", webhook_remove, name="club_webhook_remove"),
    path("names/", names, name="club_names"),
    path("invitation/", invitation, name="club_invitation"),
    path("evenings/", evening_list, name="club_evenings"),
    path("evenings/new/", evening_new, name="club_evening_new"),
    path("evenings/<int:pk>/", evening_do, name="club_evening"),
    path("evenings/<int:pk>/change/", evening_change, name="club_evening_change"),
]
