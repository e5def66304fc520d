"""Requests and their people, as our views get them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request after django-htmx's middleware: `request.htmx` is true when htmx sent it."""

    htmx: HtmxDetails


def for_members(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Send visitors to log in, and from there to the match: the address of a POST shows nothing."""

    @wraps(view)
    def wrapped(request: HtmxRequest, slug: str, **more: str) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, slug, **more)
        response = redirect_to_login(reverse("match", args=[slug]))
        return HttpResponseClientRedirect(response.url) if request.htmx else response

    return wrapped


def posted(request: HttpRequest) -> Any:
    """Return what a form is bound to: what was posted, None while it is only shown."""
    return request.POST if request.method == "POST" else None
