"""Middleware that is not about people; `accounts.middleware` has the rest."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from csp.utils import build_policy
from django.conf import settings
from django.core.exceptions import TooManyFieldsSent, TooManyFilesSent
from django.core.signals import request_finished
from django.db import Error, connection
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

from accounts.limits import TooMany
from accounts.middleware import too_many
from accounts.requests import ASKED, Asked, Middleware, is_body, is_form, is_text, number_of
from config.ops.outages import DATABASE, away_by, is_away, is_cut_short
from games.clubs import roster
from games.learn import recording

log = logging.getLogger(__name__)

OF_A_PROCESS = ("/healthz", "/metrics")
"""Paths that monitoring requests from each process by its own address, which is none of ALLOWED_HOSTS."""


class Numbered(Middleware):
    """Give each request a number, for the response and for every line that is logged meanwhile.

    Django logs refusals after all middleware, so the number is dropped only when the response is closed.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = Asked(number_of(request.headers.get("X-Request-ID", "")), request)
        ASKED.set(asked)
        response = self.get_response(request)
        response.headers["X-Request-ID"] = asked.number
        return response


@receiver(request_finished)
def forget_who_asked(**_: object) -> None:
    ASKED.set(None)


class AskedDirectly(Middleware):
    """Accept any Host for `OF_A_PROCESS`."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in OF_A_PROCESS:
            request.META["HTTP_HOST"] = urlsplit(settings.SITE_URL).netloc
        return self.get_response(request)


class PrivateByDefault(Middleware):
    """Keep pages out of caches unless they say otherwise, and let caches distinguish full pages from fragments.

    What never changes is the same for everybody.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "no-store")
        if "immutable" not in response.headers["Cache-Control"]:
            patch_vary_headers(response, ["HX-Request", "Cookie"])
        return response


@cache
def _policy() -> str:
    return build_policy()


USED = ("clipboard-write", "publickey-credentials-create", "publickey-credentials-get")
"""Features that our scripts use, but for "web-share": it is allowed anyway, and some browsers do not know the name."""

UNUSED = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "clipboard-read", "display-capture", "encrypted-media"),
    *("fullscreen", "gamepad", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer"),
    *("microphone", "midi", "payment", "picture-in-picture", "screen-wake-lock", "serial", "storage-access"),
    *("sync-xhr", "usb", "window-management", "xr-spatial-tracking"),
)
"""What a browser offers to pages and none of our scripts uses."""

PERMISSIONS = ", ".join([*(f"{name}=(self)" for name in USED), *(f"{name}=()" for name in UNUSED)])


class ContentPolicy(Middleware):
    """Send the content security policy and the permissions policy, which are the same for every page."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", _policy())
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response


OF_NOBODY = ("/embed/", "/oembed")
"""Beginnings of paths that answer everybody as somebody who was never here."""

FEED = "/matches.atom"
"""How such paths can end as well."""


class WithoutCookies(Middleware):
    """Read no cookies for what other people's pages and programs show: so there is no session, and none begins."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(OF_NOBODY) or request.path_info.endswith(FEED):
            request.COOKIES = {}
        return self.get_response(request)


_UNREADABLE = "\N{REPLACEMENT CHARACTER}"
"""What Django puts in place of bytes of a cookie that are not UTF-8."""


class OnlyText(Middleware):
    """Refuse requests with invalid text (`accounts.requests`) in path, query, cookies or body."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Remove cookies with invalid text; refuse the request if one has a NUL, which is never an accident."""
        request.META["COOKIE_WITH_NUL"] = any("\0" in value for value in request.COOKIES.values())
        request.COOKIES = {
            name: value for name, value in request.COOKIES.items() if is_text(value) and _UNREADABLE not in value
        }
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """Answer 400 in place of the view; not earlier, because the page has to know its reader."""
        query = request.META.get("QUERY_STRING", "").encode("latin-1", "replace")
        is_valid = is_text(request.path) and is_form(query) and not request.META["COOKIE_WITH_NUL"]
        if is_valid and (request.method != "POST" or is_body(request)):
            return None
        return render(request, "400.html", status=400)


LONGEST_FIELD: Final = 10_000
"""Characters of a posted field. Forms have lower limits, and explain them."""

LONGEST_NAME: Final = 100

LONGER: Final[Mapping[tuple[str, str], int]] = {
    ("record_lesson", "steps"): recording.LONGEST,
    ("club_names", "pasted"): roster.LONGEST,
}
"""Characters of fields that may be longer, by the names of the view and of the field."""

MOST_POSTED: Final = 64 * 1024
"""Bytes of a whole form; with one of the `LONGER` fields DATA_UPLOAD_MAX_MEMORY_SIZE."""


class BoundedForms(Middleware):
    """Refuse files, and forms and queries larger than our pages send, before a view reads them.

    Django refuses some of this too, but later, and logs a traceback for each request.
    """

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """Answer 413 in place of the view; only here is the address known, and the reader of the page."""
        return None if _is_bounded(request) else render(request, "413.html", status=413)


def _is_bounded(request: HttpRequest) -> bool:
    match = request.resolver_match
    longer = {field: most for (name, field), most in LONGER.items() if match is not None and match.url_name == name}
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE if longer else MOST_POSTED
    if int(request.META.get("CONTENT_LENGTH") or 0) > most:
        return False
    _kept = request.body  # it can still be looked at when the form in it has been read
    try:
        fields = [*request.GET.lists(), *request.POST.lists()]
    except (TooManyFieldsSent, TooManyFilesSent):
        return False
    return not request.FILES and all(
        len(name) <= LONGEST_NAME and all(len(value) <= longer.get(name, LONGEST_FIELD) for value in values)
        for name, values in fields
    )


WITH_SECRETS = ("/account/", "/settings/", "/unsubscribe/", "/mute/", "/admin/")
"""Beginnings of paths whose pages can show a code, a key or a link that is as good as a password."""


class CompressedPages(GZipMiddleware):
    """Compress whole pages, except those with secrets, which the compressed length would reveal.

    Fragments are too small and frequent to compress. nginx compresses none of our pages (`config/deploy`).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if request.headers.get("HX-Request") or request.path_info.startswith(WITH_SECRETS):
            return response
        return super().process_response(request, response)


class DatabaseWrites(Middleware):
    """Note that the database writes, where something was posted and done: an outage is over then."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "POST" and response.status_code < 400:  # noqa: PLR2004  # done
            DATABASE.answers()
        return response


class RefusalsInWords(Middleware):
    """Show a page for a wrong method, a rate limit, and an outage of the database or Redis."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            response.content = render_to_string("405.html", request=request).encode()
            response["Content-Type"] = "text/html; charset=utf-8"
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooMany):
            return too_many(request, exception)
        return unavailable(request, exception) if is_unavailable(exception) else None


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether a request failed because a service is away, or a query took too long."""
    return is_away(error) or is_cut_short(error)


def unavailable(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Return a 503; the next request tries to connect again."""
    if error is not None and (service := away_by(error)):
        service.fails(error)
    elif error is not None:
        log.warning("%s %s took too long for the database: %s", request.method, request.path, str(error).strip())
    if isinstance(error, Error):
        connection.close()
    response = render(None, "503.html", status=503)
    response["Retry-After"] = "5"
    return response
