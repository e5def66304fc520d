"""The request as our views get it."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request after django-htmx's middleware: `request.htmx` is true when htmx sent it."""

    htmx: HtmxDetails
