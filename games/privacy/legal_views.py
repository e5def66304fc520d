"""The pages about privacy, terms, and who runs the site."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from accounts.marks import COOKIE, COOKIE_AGE
from games.privacy.legal import said_on
from games.privacy.retention import table


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what the operator says, and what is true of every such site: cookies, what is stored and for how long."""
    context = {"said": _said("privacy"), "kept": list(table()), "device": COOKIE, "device_days": COOKIE_AGE.days}
    return TemplateResponse(request, "privacy/privacy.html", context)


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    """Show the operator's terms, or the few that are sensible everywhere."""
    return TemplateResponse(request, "privacy/terms.html", {"said": _said("terms")})


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    """Show who runs the site; say it clearly when they have not said so."""
    return TemplateResponse(request, "privacy/imprint.html", {"said": _said("imprint")})


def _said(page: str) -> object:
    return said_on(page, get_language() or "en")
