"""What every answer passes through."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

log = logging.getLogger(__name__)


class PrivateByDefault:
    """Keep pages out of caches, tell full pages from fragments, and answer 503 when the database is away."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        patch_vary_headers(response, ["HX-Request", "Cookie"])
        return response


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
