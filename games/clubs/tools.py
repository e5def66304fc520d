"""The pages for those who lead a club."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.limits import spend
from accounts.requests import posted
from accounts.services import person_of
from games.clubs import webhooks
from games.clubs.leading import check_owns
from games.clubs.membership import access_club, member_of
from games.clubs.models import Club
from games.clubs.webhooks import WebhookForm
from games.engine.protocol import RuleViolation
from games.notifications import trials
from games.notifications.channels import webhooks as channel


def _owned(request: HttpRequest, slug: str) -> Club:
    """Return a club for one of its owners; nobody else learns what its pages for owners say."""
    return _checked(request, slug, check_owns)


def _checked(request: HttpRequest, slug: str, check: Any) -> Club:
    club = access_club(request.user, slug)
    try:
        check(request.user, club)
    except RuleViolation as violation:
        raise PermissionDenied(violation.text) from violation
    return club


def _frame(request: HttpRequest, club: Club, tool: str) -> dict[str, Any]:
    """Return what the frame of these pages shows."""
    return {"club": club, "mine": member_of(club, request.user), "tool": tool}


# --- the webhook ------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def webhook(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the webhook of a club to its owners; a POST stores its address."""
    club = _owned(request, slug)
    form = WebhookForm(club, posted(request))
    if form.is_valid():
        spend("webhook", person_of(request))
        form.save()
        messages.success(request, _("Saved. Send a test message to see whether it works."))
        return redirect("club_webhook", club.slug)
    found = webhooks.webhook_of(club)
    host = urlsplit(found.address).hostname if found else ""
    context = {**_frame(request, club, "webhook"), "form": form, "webhook": found, "host": host}
    return TemplateResponse(request, "clubs/webhook.html", context, status=422 if form.is_bound else 200)


@require_POST
@login_required
def webhook_test(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a test message to the webhook of a club; if it is accepted, a disabled one is switched on again."""
    club = _owned(request, slug)
    found = webhooks.webhook_of(club)
    if found is None:
        raise Http404
    key = f"test-{secrets.token_hex(8)}"
    trials.try_out(request, webhooks.test_message(club, found), lambda message: channel.tell(found, message, key))
    return redirect("club_webhook", club.slug)


@require_POST
@login_required
def webhook_remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove the webhook of a club."""
    club = _owned(request, slug)
    found = webhooks.webhook_of(club)
    if found is None:
        raise Http404
    found.delete()
    messages.success(request, _("Webhook removed."))
    return redirect("club_webhook", club.slug)


urls = [
    path("webhook/", webhook, name="club_webhook"),
    path("webhook/test/", webhook_test, name="club_webhook_test"),
    path("webhook/remove/", webhook_remove, name="club_webhook_remove"),
]
