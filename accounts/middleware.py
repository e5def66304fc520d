"""Show each page in its reader's language and time zone."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.middleware import get_user
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation

from accounts.zones import zone


class PreferencesMiddleware:
    """Activate the reader's language (or else the browser's) and time zone for the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user = get_user(request)  # every page uses much of the user: the lazy object costs more
        language = user.language if user.is_authenticated else ""
        own_zone = user.time_zone if user.is_authenticated else "UTC"
        language = language or translation.get_language_from_request(request)
        with translation.override(language), timezone.override(zone(own_zone)):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response
