"""The addresses of the site, and some that fail in every way: `ROOT_URLCONF` of tests of errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from allauth.core.ratelimit import respond_429
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def away() -> OperationalError:
    """Return what Django raises when SQLite cannot open its file."""
    error = OperationalError("unable to open database file")
    try:
        sqlite3.connect("/nowhere/at/all.sqlite3")
    except sqlite3.OperationalError as cause:
        error.__cause__ = cause
    return error


def _raising(error: Callable[[], Exception]) -> Callable[[HttpRequest], HttpResponse]:
    def view(request: HttpRequest) -> HttpResponse:
        raise error()

    return view


def _no_such_table(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM no_such_table")
    return HttpResponse()


urlpatterns = [
    path("fails/400/", _raising(lambda: SuspiciousOperation("secret"))),
    path("fails/403/", _raising(lambda: PermissionDenied("secret"))),
    path("fails/429/", respond_429),
    path("fails/500/", _raising(lambda: RuntimeError("secret"))),
    path("fails/503/", _raising(away)),
    path("fails/table/", _no_such_table),
    path("", include("config.urls")),
]
handler400 = "config.views.bad_request"
handler403 = "config.views.forbidden"
handler404 = "config.views.not_found"
handler500 = "config.views.server_error"
