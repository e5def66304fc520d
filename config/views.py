"""The start page, the health check and the error pages."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import VERSION, searching
from config import home as start
from config.app import app_manifest
from config.condition import condition
from config.guessing import guesses
from config.middleware import is_unavailable, unavailable
from config.showcase import showcase_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show visitors what goes on here, and members what waits for them."""
    if request.user.is_authenticated:
        return TemplateResponse(request, "home_member.html", start.for_member(request.user))
    return TemplateResponse(request, "home.html", start.for_visitors())


@require_safe
def showcase(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a position of the match on the start page, as a part of that page."""
    shown = showcase_of(slug, request.GET.get("at", ""))
    return TemplateResponse(request, "partials/showcase.html", {"showcase": shown}, status=shown.replay.status)


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the site as an app that can be installed."""
    return JsonResponse(app_manifest(), content_type="application/manifest+json")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Tell programs that read the web what is meant for them."""
    return HttpResponse(searching.robots(request.build_absolute_uri(reverse("sitemap"))), content_type="text/plain")


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if every part answers and a worker does what is due, otherwise 503; say how each part is.

    With `?live` only this process is asked about, which is well enough to answer.
    """
    if "live" in request.GET:
        return JsonResponse({"live": True})
    found = condition()
    return JsonResponse({"version": VERSION} | found.told(), status=200 if found.is_good else 503)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", status=403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", {"guesses": guesses(request.path_info)}, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Show the page for errors, without context processors or the database, which may be what is broken.

    Views get their 503 from `RefusalsInWords`; errors in middleware, which also uses the database, arrive here.
    """
    if is_unavailable(error := sys.exception()):
        return unavailable(request, error)
    return render(None, "500.html", status=500)
