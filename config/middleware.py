"""What every answer passes through."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

log = logging.getLogger(__name__)


class PrivateByDefault:
    """Keep pages out of caches, tell full pages from fragments, and give every refusal a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response = _not_allowed(request, response)
        response.headers.setdefault("Cache-Control", "no-store")
        patch_vary_headers(response, ["HX-Request", "Cookie"])
        return response


def _not_allowed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the same refusal with a page around it."""
    page = render(request, "405.html", status=response.status_code)
    page["Allow"] = response["Allow"]
    return page


class DatabaseAway:
    """Answer a clear 503 at once while the database cannot be reached; nothing sent is lost silently."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, OperationalError | InterfaceError):
            return None
        log.error("database away: %s", exception)
        connection.close()
        response = render(None, "503.html", status=503)
        response["Retry-After"] = "5"
        return response
