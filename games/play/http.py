"""Requests as views get them, and the numbers that browsers send."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

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


INTEGER: Final = 9
"""How many digits fit into an integer of PostgreSQL, whatever they are."""

KEY: Final = 18
"""How many fit into the key of a row."""


def whole_number(text: str, digits: int = INTEGER) -> int | None:
    """Return the number that a text of digits is; None for any other text, or if there are more digits.

    `int` also reads signs, spaces, underscores and the digits of every script, and takes long for long numbers.

    >>> whole_number("12"), whole_number("-1"), whole_number("1_0"), whole_number("²"), whole_number("123", 2)
    (12, None, None, None, None)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
