"""The page of findings, for moderators."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.engine.protocol import RuleViolation
from games.fairplay import findings
from games.fairplay.models import Finding, Night
from games.moderation.access import for_moderators


@require_safe
@for_moderators
def fair_play(request: HttpRequest) -> HttpResponse:
    """Show the open findings that are not about the reader, and the time of the last search."""
    context: dict[str, Any] = {
        "found": findings.shown(findings.waiting(request.user)),
        "night": Night.objects.order_by("-day").first(),
    }
    return TemplateResponse(request, "fairplay/fair_play.html", context)


@require_POST
@for_moderators
def finding_settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Settle a finding for the reason given."""
    finding = get_object_or_404(Finding, pk=pk)
    try:
        findings.settle(finding, request.user, request.POST.get("reason", ""))  # type: ignore[arg-type]  # `for_moderators` lets nobody else in
    except RuleViolation as violation:
        messages.error(request, violation.text)
    else:
        messages.success(request, _("Settled. The same matches will not be found again."))
    return redirect("fair_play")
